// SPDX-License-Identifier: Apache-2.0
// The same shapes on the CPU: for picking, and to draw where the card cannot render to floats.
import { meanRotated, meanRotationFactors } from '../sim/rotation';
import type { Vec3 } from '../sim/vector';
import type { Shape } from './deformer';

// The columns' coordinates begin at `first`.
function sumInto(out: Float32Array, columns: Float32Array, coordinates: ArrayLike<number>, first = 0): void {
  const size = out.length;
  for (let i = first, at = 0; i < coordinates.length && at < columns.length; ++i, at += size) {
    const weight = coordinates[i];
    if (weight === 0) continue;
    for (let k = 0; k < size; ++k) out[k] += weight * columns[at + k];
  }
}

/** Rest positions plus displacements, three numbers a vertex. */
export function shapePositions(shape: Shape, coordinates: ArrayLike<number>): Float32Array {
  const u = new Float32Array(shape.rest.length);
  sumInto(u, shape.columns, coordinates);
  if (shape.companions) sumInto(u, shape.companions, coordinates, shape.rank);
  if (shape.rotations) {
    const w = new Float32Array(shape.rest.length);
    sumInto(w, shape.rotations, coordinates);
    for (let k = 0; k < u.length; k += 3) {
      const [wx, wy, wz, x, y, z] = [w[k], w[k + 1], w[k + 2], u[k], u[k + 1], u[k + 2]];
      const { c, e } = meanRotationFactors(wx * wx + wy * wy + wz * wz);
      const cx = wy * z - wz * y, cy = wz * x - wx * z, cz = wx * y - wy * x;
      u[k] = x + c * cx + e * (wy * cz - wz * cy);
      u[k + 1] = y + c * cy + e * (wz * cx - wx * cz);
      u[k + 2] = z + c * cz + e * (wx * cy - wy * cx);
    }
  }
  for (let k = 0; k < u.length; ++k) u[k] += shape.rest[k];
  return u;
}

/** The same for one vertex. */
export function shapeVertex(shape: Shape, coordinates: ArrayLike<number>, vertex: number): Vec3 {
  const addTo = (sum: Vec3, columns: Float32Array, first: number): Vec3 => {
    for (let i = first, at = 3 * vertex; i < coordinates.length && at < columns.length; ++i, at += shape.rest.length)
      for (let axis = 0; axis < 3; ++axis) sum[axis] += coordinates[i] * columns[at + axis];
    return sum;
  };
  const moved = addTo([0, 0, 0], shape.columns, 0);
  if (shape.companions) addTo(moved, shape.companions, shape.rank);
  const u = shape.rotations ? meanRotated(addTo([0, 0, 0], shape.rotations, 0), moved) : moved;
  return [0, 1, 2].map((axis) => shape.rest[3 * vertex + axis] + u[axis]) as Vec3;
}
