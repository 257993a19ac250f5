// SPDX-License-Identifier: Apache-2.0
// What is shown, and external forces: gravity and the moving support.
import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { SupportPath } from '../api/gallery';
import { announce, showProblem } from '../page/announce';
import { count, forceText, frequencyText, lengthText } from '../page/format';
import type { Player } from '../sim/player';
import { flies } from '../sim/settings';
import { length, type Vec3 } from '../sim/vector';
import { kViridis } from '../view/colour_map';
import type { Display } from '../view/display';
import type { LiveScene } from '../view/live_scene';
import type { Pulling } from '../view/pulling';
import { follow } from '../view/session';
import { upVector } from '../view/up';
import { Button, Choice, NumberControl, Panel, Toggle } from './controls';
import { WindControls } from './wind_controls';

export function ShowPanel({ display, live }: { display: Signal<Display>; live: LiveScene }) {
  const { size, hasMaterials, player } = live;
  const shown = display.value;
  const set = (part: Partial<Display>) => {
    display.value = { ...shown, ...part };
  };
  const { mesh, info } = player.modelOf(player.body.value).shown;
  const lean = mesh.edges.length === 0;
  return (
    <Panel title="Show">
      <Toggle label="Wireframe" hint="Shows the edges of the surface triangles." checked={shown.wireframe}
              onChange={(wireframe) => set({ wireframe })} />
      <Toggle label="Simulation mesh" disabled={lean}
              hint={lean ? 'Not in this file (lean model).' : `The ${count(info.volume_elements, 'element')} of the full model.`}
              checked={shown.volume && !lean} onChange={(volume) => set({ volume })} />
      <Toggle label="Fixed vertices" disabled={lean}
              hint={lean ? 'Not in this file (lean model).' : `${count(mesh.fixedVertices.length, 'vertex is', 'vertices are')} fixed.`}
              checked={shown.fixed && !lean} onChange={(fixed) => set({ fixed })} />
      <Toggle label="Contact forces" checked={shown.contacts} onChange={(contacts) => set({ contacts })}
              hint={contactsText(live, shown.contacts)} />
      <Toggle label="Materials" disabled={!hasMaterials}
              hint={hasMaterials ? 'Colours and textures of the file.' : 'This file has no colours or textures.'}
              checked={shown.materials && hasMaterials} onChange={(materials) => set({ materials })} />
      <Toggle label="Colour by displacement" hint="Dark: at rest. Bright: largest displacement." checked={shown.colourEnd !== null}
              onChange={(on) => set({ colourEnd: on ? Number((0.25 * size).toPrecision(2)) : null })} />
      {shown.colourEnd !== null && (
        <>
          <NumberControl label="Full scale" hint="Displacement at the bright end of the scale." unit="m"
                         value={shown.colourEnd} min={size / 1000} max={size} scale="log"
                         onChange={(colourEnd) => set({ colourEnd })} />
          <div class="legend" role="img" aria-label={`Displacement from 0 to ${lengthText(shown.colourEnd)}`}>
            <span>0</span>
            <svg viewBox={`0 0 ${kViridis.length - 1} 1`} preserveAspectRatio="none" aria-hidden="true">
              <defs>
                <linearGradient id="viridis">
                  {kViridis.map((colour, i) => <stop key={colour} offset={i / (kViridis.length - 1)} stop-color={colour} />)}
                </linearGradient>
              </defs>
              <rect width={kViridis.length - 1} height="1" fill="url(#viridis)" />
            </svg>
            <span>{lengthText(shown.colourEnd)}</span>
          </div>
        </>
      )}
    </Panel>
  );
}

function contactsText({ player }: LiveScene, on: boolean): string {
  const contact = player.frame.value?.contact;
  if (!contact) return 'Points and arrows. Nothing can touch yet: drop it, poke it, or turn contact on.';
  if (!on || contact.touching === 0) return 'Points and arrows where bodies touch.';
  const largest = Math.max(0, ...contact.points.map(({ force }) => length(force)));
  return `${count(contact.touching, 'point')}. The largest force is ${forceText(largest)}.`;
}

const kEarth = 9.81;

function gravityOf(gravity: Vec3, up: Vec3): number {
  return -(gravity[0] * up[0] + gravity[1] * up[1] + gravity[2] * up[2]);
}

/** Gravity, the moving support, and how strongly the pointer pulls. */
export function ForcesPanel({ player, pulling, size, motion }: {
  player: Player; pulling: Pulling; size: number; motion: SupportPath | null;
}) {
  const settings = player.settings.value;
  const up = upVector(player.model.info.up);
  const gravity = gravityOf(settings.gravity, up);
  const setGravity = (value: number) => void player.change(
    { ...settings, gravity: up.map((axis) => (axis === 0 ? 0 : -axis * value)) as Vec3 }, 'gravity');
  const moved = settings.bodies.map((body) => ({ free: flies(body), info: player.modelOf(body).shown.info }));
  // Bodies that fly fall; others of which nothing is fixed deform where they are.
  const floats = moved.every(({ free, info }) => !free && info.free_body);
  const unsupported = moved.every(({ free, info }) => free || info.free_body);
  const first = player.model.info.frequencies_hz[0] || 1;
  const [axis, setAxis] = useState<'x' | 'y' | 'z'>('x');
  const [hz, setHz] = useState(Number(first.toPrecision(2)));
  const [amplitude, setAmplitude] = useState(Number((0.02 * size).toPrecision(1)));
  const shake = () => {
    const direction: Vec3 = [0, 0, 0];
    direction['xyz'.indexOf(axis)] = 1;
    void player.apply({ shake: { direction, amplitude, hz, periods: 3 } }).catch(showProblem);
    announce(player.running.value ? 'Shaking the support.' : 'Paused: the support shakes when the simulation runs.');
  };
  const play = async (path: SupportPath) => {
    await follow(player, path);
    player.running.value = true;
  };
  return (
    <Panel title="Forces" open>
      <NumberControl label="Pull strength" hint="1 = automatic strength." unit="×" value={pulling.strength.value}
                     min={0.05} max={20} scale="log" onChange={(strength) => { pulling.strength.value = strength; }} />
      <NumberControl label="Gravity" unit="m/s²" value={gravity} min={0} max={20} step={0.01} disabled={floats} onChange={setGravity}
                     hint={floats ? 'No effect: rigid motion is not simulated.' : 'Downwards. Earth: 9.81.'} />
      <div class="row">
        <Button hint="No gravity" disabled={floats} pressed={gravity === 0} onClick={() => setGravity(0)}>None</Button>
        <Button hint="1.62 m/s²" disabled={floats} pressed={gravity === 1.62} onClick={() => setGravity(1.62)}>Moon</Button>
        <Button hint="9.81 m/s²" disabled={floats} pressed={gravity === kEarth} onClick={() => setGravity(kEarth)}>Earth</Button>
      </div>
      <WindControls player={player} />
      {motion && (
        <div class="row">
          <Button hint={`Resets the body, then its support moves along the ${motion.name}`} onClick={() => void play(motion).catch(showProblem)}>
            Play the {motion.name}</Button>
        </div>
      )}
      <fieldset disabled={unsupported}>
        <legend>Shake the support</legend>
        <Choice label="Direction" hint="Axis along which the fixed part moves." value={axis}
                options={[['x', 'x'], ['y', 'y'], ['z', 'z']] as const} onChange={setAxis} />
        <NumberControl label="Frequency" hint={`Lowest natural frequency: ${frequencyText(first)}`} unit="Hz" value={hz}
                       min={first / 20} max={first * 20} scale="log" onChange={setHz} />
        <NumberControl label="Amplitude" hint="Half of the peak-to-peak displacement." unit="m" value={amplitude}
                       min={size / 1e4} max={size / 4} scale="log" onChange={setAmplitude} />
        <Button hint="Three periods, from rest to rest" onClick={shake}>Shake</Button>
      </fieldset>
    </Panel>
  );
}
