// SPDX-License-Identifier: Apache-2.0
// Which triangles meet at which edge, and what follows from that: one winding for each piece, and the part of the
// surface around a triangle. Vertices at the same place are one point here, as on the seams of textures.
import { mixed, tableSize } from '../sim/shown_mesh';

type Ids = ArrayLike<number>;

const nextOf = (corner: number) => (corner % 3 === 2 ? corner - 2 : corner + 1);

// The edge of a corner runs from it to the next corner of its triangle.
const kOpen = -1;
const kCrowded = -2;

/** Of each corner the corner whose triangle lies across its edge; negative where the edge has one triangle or more than two. */
export function edgeMates(points: Uint32Array, triangles: Ids): Int32Array {
  const corners = triangles.length;
  const mates = new Int32Array(corners).fill(kOpen);
  const table = new Int32Array(tableSize(corners)).fill(-1);
  const mask = table.length - 1;
  for (let corner = 0; corner < corners; ++corner) {
    const p = points[triangles[corner]];
    const q = points[triangles[nextOf(corner)]];
    if (p === q) continue;
    const low = Math.min(p, q);
    const high = Math.max(p, q);
    let slot = mixed(Math.imul(low, 73856093) ^ Math.imul(high, 19349663)) & mask;
    for (; table[slot] >= 0; slot = (slot + 1) & mask) {
      const a = points[triangles[table[slot]]];
      const b = points[triangles[nextOf(table[slot])]];
      if (Math.min(a, b) === low && Math.max(a, b) === high) break;
    }
    const first = table[slot];
    if (first < 0) {
      table[slot] = corner;
    } else if (mates[first] === kOpen) {
      mates[first] = corner;
      mates[corner] = first;
    } else {
      if (mates[first] >= 0) mates[mates[first]] = kCrowded;
      mates[first] = mates[corner] = kCrowded;
    }
  }
  return mates;
}

/** Six times the signed volume under a triangle, seen from a point. */
function sixVolumes(positions: Float32Array, triangles: Ids, t: number, x: number, y: number, z: number): number {
  const a = 3 * triangles[t];
  const b = 3 * triangles[t + 1];
  const c = 3 * triangles[t + 2];
  const ax = positions[a] - x;
  const ay = positions[a + 1] - y;
  const az = positions[a + 2] - z;
  const bx = positions[b] - x;
  const by = positions[b + 1] - y;
  const bz = positions[b + 2] - z;
  const cx = positions[c] - x;
  const cy = positions[c + 1] - y;
  const cz = positions[c + 2] - z;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/**
 * 1 for each triangle to flip, so that neighbours agree and the normals of every piece point outward. Light takes
 * normals for outward ones, and the mean normal of neighbours that disagree is none.
 */
export function trianglesToFlip(
  positions: Float32Array,
  points: Uint32Array,
  triangles: Ids,
  mates: Int32Array,
): Uint8Array {
  const count = triangles.length / 3;
  const flip = new Uint8Array(count);
  const seen = new Uint8Array(count);
  const queue = new Uint32Array(count);
  for (let start = 0, end = 0; start < count; ++start) {
    if (seen[start]) continue;
    // One piece: queue[begin … end).
    const begin = end;
    seen[start] = 1;
    queue[end++] = start;
    for (let at = begin; at < end; ++at) {
      const t = queue[at];
      for (let corner = 3 * t; corner < 3 * t + 3; ++corner) {
        const mate = mates[corner];
        if (mate < 0) continue;
        const other = Math.floor(mate / 3);
        if (seen[other]) continue;
        seen[other] = 1;
        // Neighbours that agree run along their edge in opposite directions.
        const agree = points[triangles[corner]] !== points[triangles[mate]];
        flip[other] = agree ? flip[t] : 1 - flip[t];
        queue[end++] = other;
      }
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let at = begin; at < end; ++at) {
      const v = 3 * triangles[3 * queue[at]];
      x += positions[v];
      y += positions[v + 1];
      z += positions[v + 2];
    }
    const size = end - begin;
    let volume = 0;
    for (let at = begin; at < end; ++at) {
      const one = sixVolumes(positions, triangles, 3 * queue[at], x / size, y / size, z / size);
      volume += flip[queue[at]] ? -one : one;
    }
    if (volume < 0) for (let at = begin; at < end; ++at) flip[queue[at]] = 1 - flip[queue[at]];
  }
  return flip;
}

/** The triangles with some of them flipped. */
export function flipped(triangles: Int32Array, flip: Uint8Array): Int32Array {
  const out = triangles.slice();
  for (let t = 0; t < flip.length; ++t) {
    if (!flip[t]) continue;
    out[3 * t + 1] = triangles[3 * t + 2];
    out[3 * t + 2] = triangles[3 * t + 1];
  }
  return out;
}

/** What spreads from a triangle: to those that face like it, over edges that bend little, or to all that is connected. */
export type Spread = 'face' | 'patch' | 'piece';

export interface Surface {
  positions: Float32Array;
  triangles: Ids;
  mates: Int32Array;
  /** As of trianglesToFlip(). */
  flip: Uint8Array;
}

function unitNormal({ positions, triangles, flip }: Surface, t: number): [number, number, number] {
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  const ex = positions[b] - positions[a];
  const ey = positions[b + 1] - positions[a + 1];
  const ez = positions[b + 2] - positions[a + 2];
  const fx = positions[c] - positions[a];
  const fy = positions[c + 1] - positions[a + 1];
  const fz = positions[c + 2] - positions[a + 2];
  const n: [number, number, number] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
  const size = Math.hypot(...n) * (flip[t] ? -1 : 1);
  return size === 0 ? [0, 0, 0] : [n[0] / size, n[1] / size, n[2] / size];
}

// A triangle without area has no normal: it bends nowhere.
function within(a: number[], b: number[], cosine: number): boolean {
  const product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return product >= cosine || !(a[0] || a[1] || a[2]) || !(b[0] || b[1] || b[2]);
}

/**
 * Marks the vertices of the part of the surface that contains a triangle. `degrees`: how far normals may differ, from
 * the first triangle's ('face') or from the neighbour's ('patch').
 */
export function markSpread(surface: Surface, start: number, how: Spread, degrees: number, marks: Uint8Array): void {
  const { triangles, mates } = surface;
  const cosine = Math.cos((Math.min(degrees, 180) * Math.PI) / 180) - 1e-6;
  const seen = new Uint8Array(triangles.length / 3);
  const queue = [start];
  seen[start] = 1;
  const first = unitNormal(surface, start);
  for (let t = queue.pop(); t !== undefined; t = queue.pop()) {
    const normal = how === 'patch' ? unitNormal(surface, t) : first;
    for (let corner = 3 * t; corner < 3 * t + 3; ++corner) {
      marks[triangles[corner]] = 1;
      const mate = mates[corner];
      if (mate < 0) continue;
      const other = Math.floor(mate / 3);
      if (seen[other] || (how !== 'piece' && !within(normal, unitNormal(surface, other), cosine))) continue;
      seen[other] = 1;
      queue.push(other);
    }
  }
}
