// SPDX-License-Identifier: Apache-2.0
// Constraints go smoothly to where the user wants them: a jump within one step would be a blow that no body survives. Two
// exponential approaches, one behind the other, so that the speed has no jump either.
import type { Manipulation } from 'limber';
import type { Quaternion, Vec3 } from './vector';

/** Where a vertex is now: m from rest, and its orientation. */
export interface Placement {
  displacement: Vec3;
  orientation: Quaternion;
}

interface Followed {
  first: number[];
  second: number[];
  target: readonly number[];
  turns: boolean;
}

// Smaller than this, of the body's size or of 2π rad, counts as reached.
const kClose = 1e-7;

function toward(from: number[], to: readonly number[], fraction: number, turns: boolean): number[] {
  // Quaternions of opposite sign are the same rotation: the near one is meant.
  const sign = turns && from.reduce((sum, x, k) => sum + x * to[k], 0) < 0 ? -1 : 1;
  const next = from.map((x, k) => x + fraction * (sign * to[k] - x));
  if (!turns) return next;
  const size = Math.hypot(...next);
  return next.map((x) => x / size);
}

export class ConstraintMotion {
  #positions: { vertex: number; followed: Followed }[];
  #orientations: { vertex: number; followed: Followed }[];
  #rest: Manipulation;
  #scale: number;

  /** `now` tells where vertices are at the start; `size` is the body's, m. */
  constructor(target: Manipulation, now: (vertex: number) => Placement, size: number, before: ConstraintMotion | null) {
    const { positions = [], orientations = [], ...rest } = target;
    this.#rest = rest;
    this.#scale = size;
    const follow = (start: readonly number[], wanted: readonly number[], turns: boolean, earlier?: Followed): Followed =>
      (earlier ? { ...earlier, target: wanted } : { first: [...start], second: [...start], target: wanted, turns });
    const known = (list: { vertex: number; followed: Followed }[], vertex: number) =>
      list.find((one) => one.vertex === vertex)?.followed;
    this.#positions = positions.map(({ vertex, displacement }) => ({
      vertex, followed: follow(now(vertex).displacement, displacement, false, known(before ? before.#positions : [], vertex)),
    }));
    this.#orientations = orientations.map(({ vertex, orientation }) => ({
      vertex, followed: follow(now(vertex).orientation, orientation, true, known(before ? before.#orientations : [], vertex)),
    }));
  }

  /** All are where they are wanted. */
  get arrived(): boolean {
    return [...this.#positions, ...this.#orientations].every(({ followed: { second, target } }) =>
      second.every((x, k) => x === target[k]));
  }

  /** One step; `fraction` is its length divided by the time constant. */
  advance(fraction: number): void {
    for (const { followed } of [...this.#positions, ...this.#orientations]) {
      const { target, turns } = followed;
      followed.first = toward(followed.first, target, fraction, turns);
      followed.second = toward(followed.second, followed.first, fraction, turns);
      const close = kClose * (turns ? 1 : this.#scale);
      const opposite = turns && followed.second.reduce((sum, x, k) => sum + x * target[k], 0) < 0;
      const wanted = opposite ? target.map((x) => -x) : target;
      if ([followed.first, followed.second].every((one) => one.every((x, k) => Math.abs(x - wanted[k]) < close)))
        followed.first = followed.second = [...target];
    }
  }

  get present(): Manipulation {
    return {
      ...this.#rest,
      positions: this.#positions.map(({ vertex, followed }) => ({ vertex, displacement: followed.second as Vec3 })),
      ...(this.#orientations.length ? {
        orientations: this.#orientations.map(({ vertex, followed }) => ({ vertex, orientation: followed.second as Quaternion })),
      } : {}),
    };
  }
}
