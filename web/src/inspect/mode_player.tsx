// SPDX-License-Identifier: Apache-2.0
// Plays a vibration mode or a modal derivative, slowed down so that the eye can follow.
import { useEffect, useState } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { frequencyText, plain } from '../page/format';
import type { Shape } from '../gpu/deformer';
import { shapePositions } from '../gpu/shape_cpu';
import { Button, Choice, NumberControl, Panel } from '../panels/controls';
import type { Mode } from '../sim/live_world';
import type { Method } from '../sim/settings';
import { shapeOf } from '../view/body_view';
import type { Workspace } from '../view/workspace';

// Faster than this nobody sees how it moves.
const kFastestShownHz = 0.8;

// Why there is none to play.
const kNoModes: Partial<Record<Method, string>> = {
  rigid: 'A rigid body has no modes.',
  domains: 'The page does not compute modes of trees; their lowest frequencies are listed below.',
};

interface Played {
  name: string;
  mode: Mode;
}

// Modes of a warped body are its coordinates.
async function modesOf({ session }: Workspace): Promise<Mode[]> {
  const { player } = session;
  const { method, model } = player.body.value;
  const { info } = player.modelOf({ model }).shown;
  if (method === 'rigid' || method === 'domains') return [];
  if (method === 'stvk') return player.ask('modes', { kind: 'modes', model });
  return Array.from({ length: info.warp_modes }, (_, i) => {
    const q = new Float64Array(info.warp_modes);
    q[i] = 1;
    return { hz: info.frequencies_hz[i] ?? NaN, q };
  });
}

// The factor that lets the shape's farthest vertex go `reach`, m.
function amplitudeFor({ session }: Workspace, q: Float64Array, reach: number): number {
  const { method, model } = session.player.body.value;
  const { shown } = session.player.modelOf({ model });
  const moved = shapePositions({ ...shapeOf(shown, method), rotations: null } as Shape, q);
  const rest = shown.positions;
  let farthest = 0;
  for (let k = 0; k < rest.length; k += 3)
    farthest = Math.max(farthest, Math.hypot(moved[k] - rest[k], moved[k + 1] - rest[k + 1], moved[k + 2] - rest[k + 2]));
  return farthest > 0 ? reach / farthest : 0;
}

// At a place between −1 and 1 of what the worker says of a swing.
function shapeAt(swing: Float64Array[], place: number): Float64Array {
  const at = 0.5 * (1 + place) * (swing.length - 1);
  const low = Math.min(Math.floor(at), swing.length - 2);
  return swing[low].map((x, i) => x + (at - low) * (swing[low + 1][i] - x));
}

export function ModePanel({ workspace }: { workspace: Workspace }) {
  const { live, session } = workspace;
  const { player } = session;
  const [modes, setModes] = useState<Mode[]>([]);
  const [reach, setReach] = useState(0.15);
  const [now, setNow] = useState<Played | null>(null);
  const [pair, setPair] = useState<[string, string]>(['0', '0']);
  const { name, method } = player.body.value;

  useEffect(() => {
    modesOf(workspace).then(setModes).catch(showProblem);
    return () => {
      live.pose = null;
      setNow(null);
    };
  }, [workspace, name]);

  useEffect(() => {
    if (!now) {
      live.pose = null;
      return;
    }
    const scale = amplitudeFor(workspace, now.mode.q, reach * live.views[live.selected].parts.size);
    const hz = Math.min(now.mode.hz, kFastestShownHz);
    let gone = false;
    player.ask('swing', { kind: 'swing', body: name, q: now.mode.q.map((x) => scale * x) }).then((swing) => {
      if (gone) return;
      const began = performance.now();
      live.pose = (time) => shapeAt(swing, Math.sin(2 * Math.PI * hz * (time - began) / 1000));
    }).catch(showProblem);
    return () => {
      gone = true;
    };
  }, [now, reach, workspace]);

  const play = (name: string, mode: Mode) => {
    player.running.value = false;
    setNow({ name, mode });
    announce(`${name}, ${frequencyText(mode.hz)}.`);
  };
  const stop = () => {
    live.pose = null;
    setNow(null);
    live.redraw();
  };
  const playDerivative = async () => {
    const [i, j] = pair.map(Number);
    const mode = await player.ask('derivative', { kind: 'derivative', model: player.body.value.model, i, j });
    play(`Derivative of mode ${i + 1} along mode ${j + 1}`, mode);
  };
  const options = modes.map((mode, i) => [String(i), `Mode ${i + 1}, ${frequencyText(mode.hz)}`] as const);

  return (
    <Panel title="Modes" open>
      {modes.length === 0 && <p class="hint">{kNoModes[method] ?? 'Computing modes…'}</p>}
      <div class="mode-list" role="group" aria-label="Vibration modes">
        {modes.map((mode, i) => (
          <button key={i} type="button" title={`Play mode ${i + 1}`} aria-pressed={now?.mode === mode}
                  onClick={() => (now?.mode === mode ? stop() : play(`Mode ${i + 1}`, mode))}>
            <strong>{i + 1}</strong><span class="number">{frequencyText(mode.hz)}</span>
          </button>
        ))}
      </div>
      {method === 'stvk' && modes.length > 0 && (
        <fieldset>
          <legend>Modal derivative</legend>
          <p class="hint">The change of one mode along another. It makes large deformations accurate.</p>
          <Choice label="Of" hint="Mode that changes." value={pair[0]} options={options} onChange={(i) => setPair([i, pair[1]])} />
          <Choice label="Along" hint="Mode of the deformation." value={pair[1]} options={options} onChange={(j) => setPair([pair[0], j])} />
          <Button hint="Compute and play" onClick={() => void playDerivative().catch(showProblem)}>Play derivative</Button>
        </fieldset>
      )}
      <NumberControl label="Amplitude" hint="Largest displacement, relative to the body size." unit="× size" value={reach}
                     min={0.01} max={0.5} scale="log" onChange={setReach} />
      {now && (
        <div class="note" role="status">
          <p><strong>{now.name}</strong>: {frequencyText(now.mode.hz)}
            {now.mode.hz > kFastestShownHz && <>, slowed down {plain(now.mode.hz / kFastestShownHz, 2)} times</>}.</p>
          <Button hint="Return to the simulation" onClick={stop}>Stop</Button>
        </div>
      )}
    </Panel>
  );
}
