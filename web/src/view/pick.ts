// SPDX-License-Identifier: Apache-2.0
// Which point of a deformed surface a ray meets first, and which vertex is next to it.
import type { Ray } from 'three';

export interface Hit {
  /** First of the three corners in the list of triangles, divided by three. */
  triangle: number;
  /** The corner nearest to the point. */
  vertex: number;
  /** Along the ray's direction, in its units. */
  distance: number;
}

/** Möller and Trumbore's test on every triangle, from both sides. Positions and ray in the same frame. */
export function pick(ray: Ray, positions: Float32Array, triangles: ArrayLike<number>): Hit | null {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  let best: Hit | null = null;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ex = positions[b] - ax, ey = positions[b + 1] - ay, ez = positions[b + 2] - az;
    const fx = positions[c] - ax, fy = positions[c + 1] - ay, fz = positions[c + 2] - az;
    const px = dy * fz - dz * fy, py = dz * fx - dx * fz, pz = dx * fy - dy * fx;
    const determinant = ex * px + ey * py + ez * pz;
    if (determinant === 0) continue;
    const inverse = 1 / determinant;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) * inverse;
    if (u < 0 || u > 1) continue;
    const qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
    const v = (dx * qx + dy * qy + dz * qz) * inverse;
    if (v < 0 || u + v > 1) continue;
    const distance = (fx * qx + fy * qy + fz * qz) * inverse;
    if (distance <= 0 || (best && distance >= best.distance)) continue;
    const nearest = 1 - u - v >= Math.max(u, v) ? 0 : u >= v ? 1 : 2;
    best = { triangle: t / 3, vertex: triangles[t + nearest], distance };
  }
  return best;
}
