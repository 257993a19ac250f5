// SPDX-License-Identifier: Apache-2.0
// Whether a body stands on a floor: then it casts a shadow there.
import type { SimulationMesh } from 'limber';
import type { Up } from '../api/jobs';
import { upVector } from './up';

// Of the body's height: what is so near to its lowest vertex is its bottom.
const kBottom = 0.01;

/** All of the bottom is fixed: to a floor, for all that one sees. */
export function standsOnFloor(mesh: Pick<SimulationMesh, 'positions' | 'fixedVertices'>, up: Up): boolean {
  const { positions, fixedVertices } = mesh;
  if (fixedVertices.length === 0) return false;
  const [x, y, z] = upVector(up);
  const height = (v: number) => x * positions[3 * v] + y * positions[3 * v + 1] + z * positions[3 * v + 2];
  let low = Infinity, high = -Infinity;
  for (let v = 0; v < positions.length / 3; ++v) [low, high] = [Math.min(low, height(v)), Math.max(high, height(v))];
  const fixed = new Set(fixedVertices);
  for (let v = 0; v < positions.length / 3; ++v)
    if (height(v) <= low + kBottom * (high - low) && !fixed.has(v)) return false;
  return true;
}
