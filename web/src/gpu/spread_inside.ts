// SPDX-License-Identifier: Apache-2.0
// Fields that are known on the surface, continued to the vertices of the simulation mesh: those at the surface take what
// is next to them, the others the mean of their neighbours, so that a field that is linear in place stays so.

export interface Surface {
  positions: Float32Array;
  triangles: Int32Array;
}

/** Vertices, and the pairs of them that edges join. */
export interface Lattice {
  positions: Float32Array;
  edges: Int32Array;
  /** Where fields are zero. */
  fixedVertices: Int32Array;
}

/** `columns` over the surface, three numbers a vertex, as columns over the lattice. */
export function spreadInside(surface: Surface, columns: Float32Array, lattice: Lattice): Float32Array {
  const count = columns.length / surface.positions.length;
  const vertices = lattice.positions.length / 3;
  // Vertex by vertex while they are computed: all fields of a vertex lie together.
  const width = 3 * count;
  const values = new Float32Array(width * vertices);
  const known = takeFromSurface(surface, columns, lattice, values);
  for (const vertex of lattice.fixedVertices) {
    known[vertex] = 1;
    values.fill(0, width * vertex, width * (vertex + 1));
  }
  fill(neighboursOf(lattice), known, values, width);
  const out = new Float32Array(width * vertices);
  for (let vertex = 0; vertex < vertices; ++vertex)
    for (let k = 0; k < width; ++k)
      out[3 * (vertices * Math.floor(k / 3) + vertex) + (k % 3)] = values[width * vertex + k];
  return out;
}

// Each point of the surface gives to the vertex nearest to it; a vertex takes the mean, near points first. Points are
// the surface's vertices, and some between them where its triangles are larger than the elements. Returns who got some.
function takeFromSurface(surface: Surface, columns: Float32Array, lattice: Lattice, values: Float32Array): Uint8Array {
  const { positions, triangles } = surface;
  const vertices = lattice.positions.length / 3, width = values.length / vertices;
  const cell = meanEdge(lattice);
  const grid = new PointGrid(lattice.positions, cell);
  const weightOf = new Float64Array(vertices);
  // A point that divides a triangle as `share` says.
  const give = (corners: readonly number[], share: readonly number[]) => {
    const at = (list: Float32Array, offset: number) => corners.reduce((sum, corner, k) => sum + share[k] * list[offset + 3 * corner], 0);
    const { nearest, squared } = grid.nearest([at(positions, 0), at(positions, 1), at(positions, 2)]);
    // One that lies on the vertex leaves the others no say.
    const weight = (cell * cell) / (squared + 1e-10 * cell * cell);
    weightOf[nearest] += weight;
    for (let k = 0; k < width; ++k)
      values[width * nearest + k] += weight * at(columns, positions.length * Math.floor(k / 3) + (k % 3));
  };
  for (let vertex = 0; vertex < positions.length / 3; ++vertex) give([vertex], [1]);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const longest = Math.max(...corners.map((corner, k) => distance(positions, corner, corners[(k + 1) % 3])));
    const parts = Math.ceil(longest / cell);
    for (let i = 0; i < parts; ++i)
      for (let j = i === 0 ? 1 : 0; i + j <= parts && j < parts; ++j)
        give(corners, [i / parts, j / parts, 1 - (i + j) / parts]);
  }
  for (let vertex = 0; vertex < vertices; ++vertex)
    if (weightOf[vertex] > 0) for (let k = 0; k < width; ++k) values[width * vertex + k] /= weightOf[vertex];
  return Uint8Array.from(weightOf, (weight) => (weight > 0 ? 1 : 0));
}

interface Neighbours {
  /** Those of vertex v are list[first[v]] … list[first[v + 1] − 1]. */
  first: Uint32Array;
  list: Uint32Array;
}

function neighboursOf({ positions, edges }: Lattice): Neighbours {
  const first = new Uint32Array(positions.length / 3 + 1);
  for (const vertex of edges) ++first[vertex + 1];
  for (let v = 1; v < first.length; ++v) first[v] += first[v - 1];
  const next = first.slice(), list = new Uint32Array(edges.length);
  for (let e = 0; e < edges.length; e += 2) {
    list[next[edges[e]]++] = edges[e + 1];
    list[next[edges[e + 1]]++] = edges[e];
  }
  return { first, list };
}

// Makes each unknown vertex the mean of its neighbours, from the known ones inwards. The first guess goes in layer by
// layer; then successive over-relaxation, a few sweeps for each layer, brings the rest to a thousandth.
function fill({ first, list }: Neighbours, known: Uint8Array, values: Float32Array, width: number): void {
  const reached = known.slice();
  const sum = new Float64Array(width);
  // Towards the mean of those neighbours that have been reached.
  const relax = (vertex: number, factor: number) => {
    let near = 0;
    sum.fill(0);
    for (let n = first[vertex]; n < first[vertex + 1]; ++n) {
      if (reached[list[n]] !== 1) continue;
      ++near;
      for (let k = 0, from = width * list[n]; k < width; ++k, ++from) sum[k] += values[from];
    }
    for (let k = 0, to = width * vertex; k < width; ++k, ++to) values[to] += factor * (sum[k] / near - values[to]);
  };
  const inwards: number[] = [];
  let layers = 0;
  for (let front = Array.from(known.keys()).filter((vertex) => known[vertex] === 1); front.length > 0; ++layers) {
    const next: number[] = [];
    for (const vertex of front)
      for (let n = first[vertex]; n < first[vertex + 1]; ++n)
        if (reached[list[n]] === 0) {
          // Found, but those beside it in the same layer do not take from it yet.
          reached[list[n]] = 2;
          next.push(list[n]);
        }
    for (const vertex of next) relax(vertex, 1);
    for (const vertex of next) {
      reached[vertex] = 1;
      inwards.push(vertex);
    }
    front = next;
  }
  const factor = 2 / (1 + Math.sin(Math.PI / (2 * layers)));
  for (let sweep = 0; sweep < 2 + 2 * layers; ++sweep) for (const vertex of inwards) relax(vertex, factor);
}

function distance(positions: Float32Array, a: number, b: number): number {
  return Math.hypot(positions[3 * a] - positions[3 * b], positions[3 * a + 1] - positions[3 * b + 1],
    positions[3 * a + 2] - positions[3 * b + 2]);
}

function meanEdge({ positions, edges }: Lattice): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) sum += distance(positions, edges[e], edges[e + 1]);
  return sum / Math.max(1, edges.length / 2);
}

/** Points by the cube of a grid that they are in. */
class PointGrid {
  #points: Float32Array;
  #cell: number;
  #low = [Infinity, Infinity, Infinity];
  #cubes = new Map<number, number[]>();
  constructor(points: Float32Array, cell: number) {
    this.#points = points;
    this.#cell = cell;
    points.forEach((x, k) => {
      this.#low[k % 3] = Math.min(this.#low[k % 3], x);
    });
    for (let point = 0; point < points.length / 3; ++point) {
      const [i, j, k] = [0, 1, 2].map((axis) => this.#place(points[3 * point + axis], axis));
      const key = this.#key(i, j, k);
      const cube = this.#cubes.get(key);
      if (cube) cube.push(point);
      else this.#cubes.set(key, [point]);
    }
  }
  #place(x: number, axis: number): number {
    return Math.floor((x - this.#low[axis]) / this.#cell);
  }
  // Cubes a hundred thousand apart share a key; then their points are compared for nothing.
  #key(i: number, j: number, k: number): number {
    return i + 1e5 * (j + 1e5 * k);
  }
  /** Looks in the cubes around, farther out until none beyond can be nearer. */
  nearest(at: readonly number[]): { nearest: number; squared: number } {
    const [i0, j0, k0] = at.map((x, axis) => this.#place(x, axis));
    let nearest = -1, squared = Infinity;
    for (let ring = 0; nearest < 0 || squared > ((ring - 1) * this.#cell) ** 2; ++ring)
      for (let i = -ring; i <= ring; ++i)
        for (let j = -ring; j <= ring; ++j) {
          // Inside the ring's faces only its two ends are new.
          const onFace = Math.abs(i) === ring || Math.abs(j) === ring;
          for (let k = -ring; k <= ring; k += onFace ? 1 : 2 * ring)
            for (const point of this.#cubes.get(this.#key(i0 + i, j0 + j, k0 + k)) ?? []) {
              const [dx, dy, dz] = [0, 1, 2].map((axis) => this.#points[3 * point + axis] - at[axis]);
              const away = dx * dx + dy * dy + dz * dz;
              if (away < squared) [nearest, squared] = [point, away];
            }
        }
    return { nearest, squared };
  }
}
