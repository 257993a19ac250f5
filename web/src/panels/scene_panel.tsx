// SPDX-License-Identifier: Apache-2.0
// Scenes as files: saved with their models in one archive, opened from it, or from a scene file and its models.
import { useState } from 'preact/hooks';
import { announce, clearProblem, showProblem } from '../page/announce';
import { bytesText } from '../page/format';
import { packScene, readScene } from '../sim/scene_file';
import { addressOfScene, type Session } from '../view/session';
import { Button, Panel } from './controls';
import { chooseFiles, saveFile } from './files';

const kEndings = '.zip,.json,.glb,application/zip,application/json';

/** Whether files that were dropped on the page are a scene. */
export function isScene(paths: readonly string[]): boolean {
  return paths.some((path) => /\.(zip|json)$/i.test(path));
}

/** Reads a scene and shows it. */
export async function openSceneFiles(files: readonly { path: string; file: File }[]): Promise<void> {
  const entries = await Promise.all(files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })));
  const address = await addressOfScene(await readScene(entries));
  clearProblem();
  location.hash = address;
}

export async function chooseScene(): Promise<void> {
  const files = await chooseFiles(kEndings);
  if (files.length > 0) await openSceneFiles(files.map((file) => ({ path: file.name, file })));
}

async function save({ player, title }: Session): Promise<number> {
  const scene = await player.ask('scene', { kind: 'scene' });
  const bytes = packScene(scene, (model) => player.modelOf({ model }).file);
  const name = title.toLowerCase().replace(/\.glb$/, '').replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scene';
  saveFile(`${name}-scene.zip`, bytes, 'application/zip');
  return bytes.length;
}

export function ScenePanel({ session }: { session: Session }) {
  const [said, setSaid] = useState('');
  const busily = () => save(session).then((bytes) => {
    setSaid(`Saved: scene.json and its models, ${bytesText(bytes)}.`);
    announce('Scene saved.');
  }).catch(showProblem);
  return (
    <Panel title="Scene">
      <div class="row">
        <Button hint="Bodies, obstacles and settings as they are now, with their models, in one .zip" onClick={() => void busily()}>Save scene</Button>
        <Button hint="A .zip that was saved here, or a scene file (.json) together with its models (.glb)"
                onClick={() => void chooseScene().catch(showProblem)}>Open scene…</Button>
      </div>
      <p class="hint">{said || 'The .zip holds the scene and its models. To open one you can also drop it on the page.'}</p>
    </Panel>
  );
}
