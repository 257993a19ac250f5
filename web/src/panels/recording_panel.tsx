// SPDX-License-Identifier: Apache-2.0
// Record what the user does, by step number; replay, save and load it.
import { announce, clearProblem, showProblem } from '../page/announce';
import { count, shortTimeText } from '../page/format';
import { modelsOf, parseScene, sceneText } from '../sim/recording';
import { startReplay, type Session } from '../view/session';
import { Button, Panel } from './controls';
import { chooseFile, saveFile } from './files';

export async function toggleRecording(session: Session): Promise<void> {
  const { player } = session;
  if (player.frame.value?.recording) {
    await player.stopRecording();
    announce('Recording stopped.');
  } else {
    await player.record();
    announce('Recording.');
  }
}

export async function replay(session: Session): Promise<void> {
  const scene = session.player.recorded.value;
  if (!scene) return;
  await startReplay(session.player, scene);
  session.player.running.value = true;
  announce('Replaying.');
}

async function load(session: Session): Promise<void> {
  const file = await chooseFile('.json,application/json');
  if (!file) return;
  try {
    session.player.recorded.value = parseScene(await file.text());
    clearProblem();
    announce(`${file.name} loaded.`);
  } catch (error) {
    showProblem(error);
  }
}

export function RecordingPanel({ session }: { session: Session }) {
  const { player } = session;
  const scene = player.recorded.value;
  const frame = player.frame.value;
  return (
    <Panel title="Recording">
      <div class="row">
        <Button hint={frame?.recording ? 'Stop recording' : 'Records pulls, constraints, shakes and settings by step number'}
                pressed={frame?.recording ?? false} onClick={() => void toggleRecording(session).catch(showProblem)}>
          {frame?.recording ? 'Stop recording' : 'Record'}
        </Button>
        <Button hint="Repeats the recorded motion exactly" disabled={!scene || frame?.recording}
                onClick={() => void replay(session).catch(showProblem)}>Replay</Button>
        <Button hint="Save as a scene file" disabled={!scene}
                onClick={() => scene && saveFile(`${session.id}-recording.json`, sceneText(scene), 'application/json')}>Save</Button>
        <Button hint="Load a recording" onClick={() => void load(session)}>Load…</Button>
      </div>
      {frame?.replay && (
        <p class="note">Replaying step {frame.replay.step} of {frame.replay.steps}.
          <progress value={frame.replay.step} max={frame.replay.steps} aria-label="Replay" /></p>
      )}
      {scene && !frame?.recording && (
        <p class="hint">{count(scene.recording.steps, 'step')} of {shortTimeText(scene.dt)},{' '}
          {count(scene.recording.inputs.length, 'input')},{' '}
          {count(scene.bodies.length, 'body', 'bodies')} of {modelsOf(scene).join(', ')}. Stored in this browser.</p>
      )}
    </Panel>
  );
}
