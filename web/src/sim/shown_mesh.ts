// SPDX-License-Identifier: Apache-2.0
// What is drawn of a surface: its vertices, split where an edge is hard at rest, and for each the triangles that its
// normal is made of. Vertices that a texture seam split lie at the same point and share their triangles.

export interface ShownMesh {
  /** The surface vertex of each shown vertex. */
  vertexOf: Uint32Array;
  /** Three shown vertices a triangle, in the order of the surface's triangles. */
  index: Uint32Array;
  /** Two numbers a shown vertex: its first entry in fans, and how many. */
  fanOf: Uint32Array;
  /** Three surface vertices an entry. */
  fans: Uint32Array;
}

/** Edges that bend more than this at rest are hard. */
export const kHardAngle = 40 * Math.PI / 180;

/** Tables of hashes are at least twice as large as what is in them. */
export function tableSize(entries: number): number {
  return 2 ** Math.ceil(Math.log2(2 * entries + 2));
}

/** Vertices at the same place are one point: the first of them. */
export function pointsOf(positions: Float32Array): Uint32Array {
  // Zeros of both signs are the same place.
  const bits = new Uint32Array(positions.map((x) => x + 0).buffer);
  const count = positions.length / 3;
  const out = new Uint32Array(count);
  const table = new Int32Array(tableSize(count)).fill(-1);
  const mask = table.length - 1;
  for (let v = 0; v < count; ++v) {
    const x = bits[3 * v], y = bits[3 * v + 1], z = bits[3 * v + 2];
    let slot = mixed(Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const other = table[slot];
      if (other >= 0 && (bits[3 * other] !== x || bits[3 * other + 1] !== y || bits[3 * other + 2] !== z)) continue;
      if (other < 0) table[slot] = v;
      out[v] = other < 0 ? v : other;
      break;
    }
  }
  return out;
}

/** Spreads the high bits, in which coordinates differ most, over the low ones that choose a slot. */
export function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The normal of each triangle, as long as twice its area; `first`: of its three entries in triangles. */
export function forEachNormal(
  positions: Float32Array,
  triangles: Int32Array,
  visit: (nx: number, ny: number, nz: number, first: number) => void,
): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ex = positions[b] - positions[a], ey = positions[b + 1] - positions[a + 1], ez = positions[b + 2] - positions[a + 2];
    const fx = positions[c] - positions[a], fy = positions[c + 1] - positions[a + 1], fz = positions[c + 2] - positions[a + 2];
    visit(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx, t);
  }
}

function faceNormals(positions: Float32Array, triangles: Int32Array): Float64Array {
  const out = new Float64Array(triangles.length);
  forEachNormal(positions, triangles, (nx, ny, nz, first) => {
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    out[first] = nx / size;
    out[first + 1] = ny / size;
    out[first + 2] = nz / size;
  });
  return out;
}

// Union-find over corners.
function rootOf(parent: Uint32Array, corner: number): number {
  while (parent[corner] !== corner) {
    parent[corner] = parent[parent[corner]];
    corner = parent[corner];
  }
  return corner;
}

const nextOf = (corner: number) => (corner % 3 === 2 ? corner - 2 : corner + 1);

export function shownMesh(positions: Float32Array, triangles: Int32Array, hardAngle = kHardAngle): ShownMesh {
  const corners = triangles.length;
  const points = pointsOf(positions);
  const normals = faceNormals(positions, triangles);
  const smooth = Math.cos(hardAngle);
  const parent = new Uint32Array(corners);
  for (let corner = 0; corner < corners; ++corner) parent[corner] = corner;
  const join = (a: number, b: number) => {
    parent[rootOf(parent, a)] = rootOf(parent, b);
  };
  // Edges by their ends: the last corner that an edge began at, and from there the ones before.
  const table = new Int32Array(tableSize(corners)).fill(-1);
  const before = new Int32Array(corners).fill(-1);
  const mask = table.length - 1;
  for (let corner = 0; corner < corners; ++corner) {
    const next = nextOf(corner), t = corner - (corner % 3);
    const p = points[triangles[corner]], q = points[triangles[next]];
    const low = Math.min(p, q), high = Math.max(p, q);
    let slot = mixed(Math.imul(low, 73856093) ^ Math.imul(high, 19349663)) & mask;
    for (; table[slot] >= 0; slot = (slot + 1) & mask) {
      const a = points[triangles[table[slot]]], b = points[triangles[nextOf(table[slot])]];
      if (Math.min(a, b) === low && Math.max(a, b) === high) break;
    }
    before[corner] = table[slot];
    table[slot] = corner;
    // Corners on both sides of a smooth edge belong together, at both of its ends.
    for (let other = before[corner]; other >= 0; other = before[other]) {
      const s = other - (other % 3);
      if (normals[t] * normals[s] + normals[t + 1] * normals[s + 1] + normals[t + 2] * normals[s + 2] < smooth) continue;
      const along = points[triangles[other]] === p;
      join(corner, along ? other : nextOf(other));
      join(next, along ? nextOf(other) : other);
    }
  }
  return gathered(triangles, parent);
}

function gathered(triangles: Int32Array, parent: Uint32Array): ShownMesh {
  const corners = triangles.length;
  // The fan of a group of corners: their triangles.
  const size = new Uint32Array(corners);
  for (let corner = 0; corner < corners; ++corner) ++size[rootOf(parent, corner)];
  const first = new Uint32Array(corners);
  for (let root = 0, at = 0; root < corners; ++root) {
    first[root] = at;
    at += size[root];
  }
  const filled = new Uint32Array(corners);
  const fans = new Uint32Array(3 * corners);
  const index = new Uint32Array(corners);
  const vertexOf = new Uint32Array(corners), fanOf = new Uint32Array(2 * corners);
  // The shown vertices of a group, one for each surface vertex in it: the last, and from there the ones before.
  const last = new Int32Array(corners).fill(-1), before = new Int32Array(corners).fill(-1);
  let count = 0;
  for (let corner = 0; corner < corners; ++corner) {
    const root = rootOf(parent, corner), vertex = triangles[corner], t = corner - (corner % 3);
    const entry = 3 * (first[root] + filled[root]++);
    for (let k = 0; k < 3; ++k) fans[entry + k] = triangles[t + k];
    let id = last[root];
    while (id >= 0 && vertexOf[id] !== vertex) id = before[id];
    if (id < 0) {
      id = count++;
      vertexOf[id] = vertex;
      fanOf[2 * id] = first[root];
      fanOf[2 * id + 1] = size[root];
      before[id] = last[root];
      last[root] = id;
    }
    index[corner] = id;
  }
  return { vertexOf: vertexOf.slice(0, count), index, fanOf: fanOf.slice(0, 2 * count), fans };
}

/** The normals of the shown vertices on the CPU, for a surface at these positions. */
export function shownNormals(mesh: ShownMesh, positions: Float32Array): Float32Array {
  const out = new Float32Array(3 * mesh.vertexOf.length);
  for (let shown = 0; shown < mesh.vertexOf.length; ++shown) {
    let x = 0, y = 0, z = 0;
    const begin = mesh.fanOf[2 * shown], end = begin + mesh.fanOf[2 * shown + 1];
    for (let k = begin; k < end; ++k) {
      const a = 3 * mesh.fans[3 * k], b = 3 * mesh.fans[3 * k + 1], c = 3 * mesh.fans[3 * k + 2];
      const ex = positions[b] - positions[a], ey = positions[b + 1] - positions[a + 1], ez = positions[b + 2] - positions[a + 2];
      const fx = positions[c] - positions[a], fy = positions[c + 1] - positions[a + 1], fz = positions[c + 2] - positions[a + 2];
      x += ey * fz - ez * fy;
      y += ez * fx - ex * fz;
      z += ex * fy - ey * fx;
    }
    const size = Math.hypot(x, y, z);
    out[3 * shown] = size > 0 ? x / size : 0;
    out[3 * shown + 1] = size > 0 ? y / size : 0;
    out[3 * shown + 2] = size > 0 ? z / size : 1;
  }
  return out;
}
