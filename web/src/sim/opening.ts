// SPDX-License-Identifier: Apache-2.0
// The motion that a sample begins with, so that one sees at once that it is soft.
import type { ShownModel } from './messages';
import type { Shake } from './recording';
import type { Settings } from './settings';
import { diagonal, length, type Vec3 } from './vector';

// Of the body's size; at resonance three swings of the support become a visible swing of the body.
const kAmplitude = 0.012;
const kColumns = 6;

/** Where the first basis vector that has a direction moves the surface on the whole; null: none has. */
export function mainDirection(columns: Float32Array, vertices: number): Vec3 | null {
  for (let column = 0; column < kColumns && 3 * vertices * (column + 1) <= columns.length; ++column) {
    const sum: Vec3 = [0, 0, 0];
    let squares = 0;
    for (let v = 0; v < vertices; ++v)
      for (let axis = 0; axis < 3; ++axis) {
        const u = columns[3 * (column * vertices + v) + axis];
        sum[axis] += u;
        squares += u * u;
      }
    const size = length(sum);
    // Less than a third of its own size: it twists, or its halves move against each other.
    if (size > Math.sqrt(vertices * squares) / 3) return sum.map((x) => x / size) as Vec3;
  }
  return null;
}

// A body that swings more slowly than this, Hz, is shown faster than real time.
const kSlow = 0.2, kFast = 5;

/** Simulated seconds per second to begin with: a bridge of 256 m has a period of 15 s. */
export function openingSpeed({ info }: Pick<ShownModel, 'info'>): number {
  return info.frequencies_hz[0] < kSlow ? kFast : 1;
}

// Of a body in free flight, rad/s about up.
const kSpin = 0.5;
// Standard deviation of the first gusts over the mean speed.
const kGusts = 0.3;

// A step of a tree with so many domains takes longer than a millisecond: it is stepped once a picture, s.
const kLargeTree = 300, kLargeTreeStep = 1 / 60;

/** The world that a sample begins in: with air that moves past it, or turning where nothing holds it. */
export function openingSettings(before: Settings, { info, tree }: Pick<ShownModel, 'info' | 'tree'>, air: Vec3 | null): Settings {
  const settings = info.domains > kLargeTree ? { ...before, dt: kLargeTreeStep } : before;
  if (air) return { ...settings, wind: { velocity: air, drag: 1, gusts: kGusts, seed: 1 } };
  if (!info.free_body || !tree) return settings;
  const spin = ['x', 'y', 'z'].map((axis) => (info.up.endsWith(axis) ? kSpin : 0)) as Vec3;
  return { ...settings, bodies: settings.bodies.map((body) => ({ ...body, start: { angular_velocity: spin } })) };
}

/** Null: it has no support to shake. */
export function openingShake({ info, positions, basis, warpModes, tree }: ShownModel): Shake | null {
  const hz = info.frequencies_hz[0];
  // A tree sways across.
  const across: Vec3 = info.up.endsWith('x') ? [0, 1, 0] : [1, 0, 0];
  const direction = tree ? across : mainDirection(basis.length ? basis : warpModes, positions.length / 3);
  if (info.free_body || !(hz > 0) || !direction) return null;
  return { direction, amplitude: kAmplitude * diagonal(positions), hz, periods: 3 };
}
