// SPDX-License-Identifier: Apache-2.0
// Files of what is seen: a picture, numbers, an animation, a video.
import { useRef, useState } from 'preact/hooks';
import { announce } from '../announce';
import { Button, Panel } from '../panels/controls';
import { saveFile } from '../panels/files';
import type { Workspace } from '../view/workspace';
import { historyCsv } from './history';
import { motionGlb } from './motion_glb';

const kVideoTypes = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

function videoType(): string | null {
  if (typeof MediaRecorder === 'undefined') return null;
  return kVideoTypes.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export function ExportPanel({ workspace }: { workspace: Workspace }) {
  const { session, live } = workspace;
  const { player, id, history } = session;
  const video = useRef<MediaRecorder | null>(null);
  const [filming, setFilming] = useState(false);
  const type = videoType();
  const stvk = player.settings.value.methods[0] === 'stvk';
  // Read so that the buttons come alive with the first samples.
  const samples = player.frame.value ? history.samples.length : 0;

  const savePicture = () => {
    live.redraw();
    live.stage.renderer.domElement.toBlob((blob) => {
      if (blob) saveFile(`${id}.png`, blob, 'image/png');
    });
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
      announce('The video is saved.');
    };
    recorder.start();
    video.current = recorder;
    setFilming(true);
    announce('Filming.');
  };
  return (
    <Panel title="Files" open>
      <p class="hint">The last {samples} moments are kept for the CSV and the animation.</p>
      <div class="row">
        <Button hint="The view as it is now" onClick={savePicture}>Picture (PNG)</Button>
        <Button hint="Time, coordinates, energies and the picked vertex" disabled={samples < 2}
                onClick={() => saveFile(`${id}.csv`, historyCsv(history, player.settings.value.methods[0]), 'text/csv')}>Numbers (CSV)</Button>
        <Button hint={stvk ? 'The motion as an animation that Blender and engines play' : 'Morph targets are the shapes of the nonlinear body: show that one first'}
                disabled={samples < 2 || !stvk}
                onClick={() => saveFile(`${id}-motion.glb`, motionGlb(session.file, history.samples, player.model.info.target_scale, 'motion'),
                  'model/gltf-binary')}>Animation (.glb)</Button>
        <Button hint={type ? 'Films the view until it is stopped' : 'This browser cannot record video'} disabled={!type} pressed={filming}
                onClick={film}>{filming ? 'Stop filming' : 'Video'}</Button>
      </div>
    </Panel>
  );
}
