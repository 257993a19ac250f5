// SPDX-License-Identifier: Apache-2.0
// The forces of a sketch: recorded, scaled, repeated, removed; and the sketch file made of them.
import type { SketchForce } from '../api/jobs';
import { keep, kept } from '../api/keep';
import { length, type Vec3 } from '../sim/vector';
import type { Pull } from './statics';

/** What acted at one moment. */
export interface Recorded {
  pulls: Pull[];
}

const keyOf = (model: string) => `sketch.${model}`;

export function keptSketch(model: string): Recorded[] {
  return kept<Recorded[]>(keyOf(model)) ?? [];
}

export function keepSketch(model: string, forces: Recorded[]): void {
  keep(keyOf(model), forces);
}

/** The largest force of an entry, N. */
export function strength({ pulls }: Recorded): number {
  return Math.max(0, ...pulls.map(({ force }) => length(force)));
}

export function scaled({ pulls }: Recorded, factor: number): Recorded {
  return { pulls: pulls.map(({ vertex, force }) => ({ vertex, force: force.map((x) => factor * x) as Vec3 })) };
}

/** To four digits: a hand is no finer, and lists are easier to read. */
export function rounded({ vertex, force }: Pull): Pull {
  return { vertex, force: force.map((x) => Number(x.toPrecision(4))) as Vec3 };
}

/** What is built from each force besides itself: other shapes at smaller loads, and at the opposite load. */
export interface Extras {
  onTheWay: boolean;
  otherWay: boolean;
}

/** docs/sketch_file.md; vertices are those of the user's file. */
export function sketchOf(forces: Recorded[], inputVertices: Int32Array, extras: Extras): SketchForce[] {
  const factors = (extras.onTheWay ? [1 / 3, 2 / 3, 1] : [1]).flatMap((factor) =>
    extras.otherWay ? [factor, -factor] : [factor],
  );
  return forces.flatMap((force, place) =>
    factors.map((factor) => ({
      name: `force ${place + 1}${factor === 1 ? '' : ` times ${Number(factor.toPrecision(3))}`}`,
      loads: scaled(force, factor).pulls.map((pull) => ({ vertex: inputVertices[pull.vertex], force: pull.force })),
    })),
  );
}

/** "mostly down z" for people; the numbers stand beside it. */
export function directionText(force: Vec3): string {
  const size = length(force);
  if (size === 0) return 'no direction';
  const [name, part] = (['x', 'y', 'z'] as const)
    .map((axis, i) => [axis, force[i] / size] as const)
    .reduce((best, one) => (Math.abs(one[1]) > Math.abs(best[1]) ? one : best));
  const along = `${part < 0 ? '−' : '+'}${name}`;
  return Math.abs(part) > 0.98 ? `along ${along}` : `mostly ${along}`;
}
