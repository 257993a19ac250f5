// SPDX-License-Identifier: Apache-2.0
// The same shapes on the CPU: for picking, and to draw where the card cannot render to floats.
import { meanRotated, meanRotationFactors } from '../sim/rotation';
import type { Vec3 } from '../sim/vector';
import type { Shape } from './deformer';

function sumInto(out: Float32Array, columns: Float32Array, q: ArrayLike<number>): void {
  const size = out.length;
  for (let i = 0, at = 0; i < q.length && at < columns.length; ++i, at += size) {
    const weight = q[i];
    if (weight === 0) continue;
    for (let k = 0; k < size; ++k) out[k] += weight * columns[at + k];
  }
}

/** Rest positions plus displacements, three numbers a vertex. */
export function shapePositions(shape: Shape, q: ArrayLike<number>): Float32Array {
  const u = new Float32Array(shape.rest.length);
  sumInto(u, shape.columns, q);
  if (shape.rotations) {
    const w = new Float32Array(shape.rest.length);
    sumInto(w, shape.rotations, q);
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
export function shapeVertex(shape: Shape, q: ArrayLike<number>, vertex: number): Vec3 {
  const weighted = (columns: Float32Array): Vec3 => {
    const sum: Vec3 = [0, 0, 0];
    for (let i = 0, at = 3 * vertex; i < q.length && at < columns.length; ++i, at += shape.rest.length)
      for (let axis = 0; axis < 3; ++axis) sum[axis] += q[i] * columns[at + axis];
    return sum;
  };
  const moved = weighted(shape.columns);
  const u = shape.rotations ? meanRotated(weighted(shape.rotations), moved) : moved;
  return [0, 1, 2].map((axis) => shape.rest[3 * vertex + axis] + u[axis]) as Vec3;
}
