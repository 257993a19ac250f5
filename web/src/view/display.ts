// SPDX-License-Identifier: Apache-2.0
// What of a body is shown, and how: the view's own options, which no simulation knows.
import type { Box3, Vector3 } from 'three';
import type { UpAxis } from './stage';
import type { ModelInfo } from 'limber';

export interface Display {
  up: UpAxis;
  wireframe: boolean;
  /** The elements that are simulated. */
  volume: boolean;
  fixed: boolean;
  /** Colours by displacement; the end of the map in m, null: the materials' colours. */
  colourEnd: number | null;
  /** The file's materials, else one plain colour. */
  materials: boolean;
}

// glTF has y up by its rules; most others, and the samples, have z up.
export function defaultDisplay(info: ModelInfo): Display {
  return {
    up: /\.(glb|gltf)\b/.test(info.command.replace(/(-o|--output)\s+\S+/, '')) ? 'y' : 'z',
    wireframe: false, volume: false, fixed: true, colourEnd: null, materials: true,
  };
}

export function upVector(up: UpAxis): [number, number, number] {
  return up === 'y' ? [0, 1, 0] : [0, 0, 1];
}

/** How far, and along which axis, bodies stand apart: along the shorter side that is not up. */
export function spacing(size: Vector3, up: UpAxis): { axis: 'x' | 'y' | 'z'; distance: number } {
  const across = up === 'y' ? (['x', 'z'] as const) : (['x', 'y'] as const);
  const axis = size[across[0]] < size[across[1]] ? across[0] : across[1];
  return { axis, distance: Math.max(1.25 * size[axis], 0.45 * size.length()) };
}

export function boxOfBodies(one: Box3, count: number, apart: { axis: 'x' | 'y' | 'z'; distance: number }): Box3 {
  const all = one.clone();
  all.max[apart.axis] += (count - 1) * apart.distance;
  return all;
}
