// SPDX-License-Identifier: Apache-2.0
// Air that moves past trees of domains: its speed, where it comes from, and how gusty it is.
import type { Player } from '../sim/player';
import type { WindSettings } from '../sim/settings';
import { length, type Vec3 } from '../sim/vector';
import { upVector } from '../view/up';
import { NumberControl } from './controls';
import { fieldOf, NumberOfField } from './field_control';

// What a breeze that has just begun is like.
const kDefaultGusts = 0.3;

// Two directions across up: the wind blows along a mix of them.
function across(up: Vec3): [Vec3, Vec3] {
  const axis = up.findIndex((x) => x !== 0);
  return [[0, 1, 2].map((k) => (k === (axis + 1) % 3 ? 1 : 0)) as Vec3, [0, 1, 2].map((k) => (k === (axis + 2) % 3 ? 1 : 0)) as Vec3];
}

/** m/s across up, towards an angle in degrees. */
export function windVelocity(up: Vec3, speed: number, degrees: number): Vec3 {
  const [first, second] = across(up), angle = (degrees * Math.PI) / 180;
  return [0, 1, 2].map((k) => Number((speed * (first[k] * Math.cos(angle) + second[k] * Math.sin(angle))).toPrecision(12))) as Vec3;
}

/** The other way round; 0 without wind. */
export function windDegrees(up: Vec3, velocity: Vec3): number {
  const [first, second] = across(up);
  const along = (axis: Vec3) => axis.reduce((sum, x, k) => sum + x * velocity[k], 0);
  const degrees = (180 / Math.PI) * Math.atan2(along(second), along(first));
  return Math.round(degrees < 0 ? degrees + 360 : degrees) % 360;
}

/** Shown where there is a tree, which feels it, and the library has wind. */
export function WindControls({ player }: { player: Player }) {
  const settings = player.settings.value, up = upVector(player.model.info.up);
  if (!player.fields.WindSettings || !settings.bodies.some(({ method }) => method === 'domains')) return null;
  const wind = settings.wind ?? {}, velocity = wind.velocity ?? [0, 0, 0];
  const speed = length(velocity), degrees = windDegrees(up, velocity);
  const set = (part: WindSettings, what: string) => {
    const next = { drag: 1, gusts: kDefaultGusts, seed: 1, ...wind, velocity, ...part };
    void player.change({ ...settings, wind: length(next.velocity) > 0 ? next : null }, `wind ${what}`);
  };
  const field = (name: string) => fieldOf(player.fields, 'WindSettings', name);
  return (
    <fieldset>
      <legend>Wind</legend>
      <NumberControl label="Wind speed" hint="Mean air speed. 0: no wind. 5 m/s moves twigs." unit="m/s" value={speed} min={0} max={30} step={0.1}
                     onChange={(value) => set({ velocity: windVelocity(up, value, degrees) }, 'speed')} />
      {speed > 0 && (
        <>
          <NumberControl label="Wind direction" hint="Direction in which the air moves: angle about the vertical axis." unit="°" value={degrees} min={0} max={359} step={1}
                         onChange={(value) => set({ velocity: windVelocity(up, speed, value) }, 'direction')} />
          <NumberOfField field={field('gusts')} value={wind.gusts ?? 0} onChange={(gusts) => set({ gusts }, 'gusts')} />
          <NumberOfField field={field('drag')} value={wind.drag ?? 1} onChange={(drag) => set({ drag }, 'drag')} />
        </>
      )}
    </fieldset>
  );
}
