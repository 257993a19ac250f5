// SPDX-License-Identifier: Apache-2.0
// Small vectors as the messages carry them.
import type { Quaternion, Vector3 as Vec3 } from 'limber';

export type { Quaternion, Vec3 };

export const kAtOrigin: Vec3 = [0, 0, 0];
export const kUnturned: Quaternion = [0, 0, 0, 1];

export function length(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** By the rotation of a quaternion: v + 2 w (u × v) + 2 u × (u × v). */
export function rotated([x, y, z, w]: Quaternion, v: Vec3): Vec3 {
  const once = cross([x, y, z], v), twice = cross([x, y, z], once);
  return v.map((each, k) => each + 2 * (w * once[k] + twice[k])) as Vec3;
}

/** Of the box around these positions, three numbers each. */
export function diagonal(positions: Float32Array): number {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3], x);
    high[k % 3] = Math.max(high[k % 3], x);
  });
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
