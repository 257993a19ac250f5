// SPDX-License-Identifier: Apache-2.0
// Files of what is seen: a picture, data, an animation, a video.
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { count, lengthText } from '../page/format';
import type { Shape } from '../gpu/deformer';
import { limberModule } from '../sim/library';
import { flies } from '../sim/settings';
import { diagonal } from '../sim/vector';
import { Button, Panel } from './controls';
import { saveFile } from './files';
import { shapeOf } from '../view/body_view';
import type { Workspace } from '../view/workspace';
import { historyCsv } from '../view/history';
import { nonlinearMotion } from '../motion/motion_glb';
import type { MotionAnswer, MotionRequest } from '../motion/motion_worker';

const kVideoTypes = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

function videoType(): string | null {
  if (typeof MediaRecorder === 'undefined') return null;
  return kVideoTypes.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

function shapesMotion(...request: MotionRequest): Promise<MotionAnswer> {
  const worker = new Worker(new URL('../motion/motion_worker.ts', import.meta.url), { type: 'module' });
  return new Promise<MotionAnswer>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<MotionAnswer>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || 'the animation could not be written'));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

/** The .glb of what is kept of the motion. */
async function writeMotion({ session: { history: { body, samples }, player } }: Workspace): Promise<Uint8Array<ArrayBuffer>> {
  const { method, model } = player.settings.value.bodies.find(({ name }) => name === body)!;
  const { shown, file } = player.modelOf({ model });
  if (method === 'stvk') {
    announce('Animation saved.');
    return nonlinearMotion(file, samples, shown.info.target_scale);
  }
  const { bytes, shapes, error } = await shapesMotion(await limberModule(), file, samples, shapeOf(shown, method) as Shape,
    diagonal(shown.positions));
  announce(`Animation saved: ${count(shapes, 'shape')}, error below ${lengthText(error)}.`);
  return bytes;
}

export function ExportPanel({ workspace, open }: { workspace: Workspace; open?: boolean }) {
  const { session, live } = workspace;
  const { player, id, history } = session;
  const video = useRef<MediaRecorder | null>(null);
  const [filming, setFilming] = useState(false);
  const [writing, setWriting] = useState(false);
  const type = videoType();
  const ofTree = player.body.value.method === 'domains';
  const several = player.settings.value.bodies.length > 1, body = player.body.value;
  // Read so that the buttons come alive with the first samples.
  const samples = player.frame.value ? history.samples.length : 0;

  // Another view has another canvas: what was filmed so far is saved.
  useEffect(() => () => {
    if (video.current?.state === 'recording') video.current.stop();
  }, []);

  const savePicture = () => {
    live.redraw();
    live.stage.renderer.domElement.toBlob((blob) => {
      if (blob) saveFile(`${id}.png`, blob, 'image/png');
    });
  };
  const saveMotion = () => {
    setWriting(true);
    writeMotion(workspace).then((bytes) => saveFile(`${id}-motion.glb`, bytes, 'model/gltf-binary'))
      .catch(showProblem).finally(() => setWriting(false));
  };
  const film = () => {
    if (filming) {
      video.current?.stop();
      return;
    }
    const recorder = new MediaRecorder(live.stage.renderer.domElement.captureStream(60), { mimeType: type! });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      setFilming(false);
      saveFile(`${id}.${type!.includes('mp4') ? 'mp4' : 'webm'}`, new Blob(parts, { type: type! }), type!);
      announce('Video saved.');
    };
    recorder.start();
    video.current = recorder;
    setFilming(true);
    announce('Recording video.');
  };
  return (
    <Panel title="Export" open={open}>
      <p class="hint">CSV and animation: the last {count(samples, 'sample')}
        {several ? ` of the selected body (${player.labelOf(body)})` : ''}. {flies(body) &&
          'The animation of a body that flies has its shape only, not its path.'}</p>
      <div class="row">
        <Button hint="The current view" onClick={savePicture}>Picture (PNG)</Button>
        <Button hint="Time, coordinates, energies and the displacement of the picked vertex" disabled={samples < 2}
                onClick={() => saveFile(`${id}.csv`, historyCsv(history, body.name), 'text/csv')}>Data (CSV)</Button>
        <Button hint={ofTree ? 'Not available for trees of domains' : 'The motion as a glTF animation'}
                disabled={samples < 2 || writing || ofTree}
                onClick={saveMotion}>{writing ? 'Writing…' : 'Animation (.glb)'}</Button>
        <Button hint={type ? 'Records the view until stopped' : 'This browser cannot record video'} disabled={!type} pressed={filming}
                onClick={film}>{filming ? 'Stop video' : 'Video'}</Button>
      </div>
    </Panel>
  );
}
