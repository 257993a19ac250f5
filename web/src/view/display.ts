// SPDX-License-Identifier: Apache-2.0
// What of a body is shown, and how: the view's own options, which no simulation knows.
import { Vector3, type Box3 } from 'three';
import type { SupportPath } from '../sim/support_motion';
import type { Up } from '../api/jobs';
import { axisOf } from './up';

export interface Display {
  wireframe: boolean;
  /** The elements that are simulated. */
  volume: boolean;
  fixed: boolean;
  /** Colours by displacement; the end of the map in m, null: the materials' colours. */
  colourEnd: number | null;
  /** The file's materials, else one plain colour. */
  materials: boolean;
}

export const kDefaultDisplay: Display = { wireframe: false, volume: false, fixed: true, colourEnd: null, materials: true };

/** How far, and along which axis, bodies stand apart: along the shorter side that is not up. */
export function spacing(size: Vector3, up: Up): { axis: 'x' | 'y' | 'z'; distance: number } {
  const [first, second] = (['x', 'y', 'z'] as const).filter((one) => one !== axisOf(up));
  const axis = size[first] < size[second] ? first : second;
  return { axis, distance: Math.max(1.25 * size[axis], 0.45 * size.length()) };
}

export function boxOfBodies(one: Box3, count: number, apart: { axis: 'x' | 'y' | 'z'; distance: number }): Box3 {
  const all = one.clone();
  all.max[apart.axis] += (count - 1) * apart.distance;
  return all;
}

/** The box around all places of the path. */
export function alongPath(box: Box3, path: SupportPath | null): Box3 {
  const all = box.clone();
  for (let i = 0; path && i < path.positions.length; i += 3)
    all.union(box.clone().translate(new Vector3().fromArray(path.positions, i)));
  return all;
}
