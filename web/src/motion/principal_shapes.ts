// SPDX-License-Identifier: Apache-2.0
// A motion as a few shapes and their weights, for programs that can only add shapes; as src/build/scene/principal_shapes.h
// finds them.
import { symmetricEigen } from '../sim/modes';

export interface PrincipalShapes {
  /** Those that move most first; orthonormal. */
  shapes: Float32Array[];
  /** For each frame a weight of each shape. */
  weights: Float64Array[];
  /** How far a vertex may be from where it belongs, m. */
  error: number;
}

// Three sums side by side, for the three numbers of a vertex: one would wait for itself.
function dot(a: Float32Array, b: Float32Array): number {
  let x = 0, y = 0, z = 0;
  for (let k = 0; k < a.length; k += 3) {
    x += a[k] * b[k];
    y += a[k + 1] * b[k + 1];
    z += a[k + 2] * b[k + 2];
  }
  return x + y + z;
}

/** a += factor b */
function add(a: Float32Array, factor: number, b: Float32Array): void {
  for (let i = 0; i < a.length; ++i) a[i] += factor * b[i];
}

/** How far the vertex goes that goes farthest. */
export function farthest(field: Float32Array): number {
  let most = 0;
  for (let k = 0; k < field.length; k += 3) most = Math.max(most, field[k] ** 2 + field[k + 1] ** 2 + field[k + 2] ** 2);
  return Math.sqrt(most);
}

/**
 * `field` gives the displacements of a frame, three numbers a vertex. As many shapes as bring every vertex of every frame
 * within `tolerance` (m) of its place, but at most `most`; then the error may be larger.
 */
export function principalShapes(field: (frame: number) => Float32Array, frames: number, tolerance: number, most: number): PrincipalShapes {
  const { basis, coordinates, error } = spanning(field, frames, 0.5 * tolerance, most);
  const size = basis.length;
  const gram = new Float64Array(size * size);
  for (const c of coordinates)
    for (let i = 0; i < c.length; ++i) for (let j = 0; j < c.length; ++j) gram[size * i + j] += c[i] * c[j];
  const { values, vectors } = symmetricEigen(gram, size);
  const turns = Array.from(values.keys()).sort((i, j) => values[j] - values[i])
    .map((row) => vectors.subarray(size * row, size * (row + 1)));
  const turned = coordinates.map((c) => Float64Array.from(turns, (turn) => c.reduce((sum, x, i) => sum + x * turn[i], 0)));
  const shapes = turns.map((turn) => {
    const shape = new Float32Array(basis[0].length);
    basis.forEach((b, i) => add(shape, turn[i], b));
    return shape;
  });
  const left = leftOut(shapes.map(farthest), turned);
  const enough = left.findIndex((distance) => distance <= tolerance - Math.min(error, 0.5 * tolerance));
  return { shapes: shapes.slice(0, enough), weights: turned.map((row) => row.subarray(0, enough)), error: error + left[enough] };
}

// An orthonormal basis that grows by what a frame has and it has not, and the coordinates of each frame in as much of it
// as there was then: what came later would only correct what is near enough.
function spanning(field: (frame: number) => Float32Array, frames: number, tolerance: number, most: number) {
  const basis: Float32Array[] = [], coordinates: number[][] = [];
  let error = 0;
  for (let frame = 0; frame < frames; ++frame) {
    const rest = field(frame);
    const along = basis.map(() => 0);
    const take = () => basis.forEach((b, i) => {
      const part = dot(b, rest);
      along[i] += part;
      add(rest, -part, b);
    });
    take();
    const missing = farthest(rest);
    if (missing <= tolerance || basis.length >= most) {
      error = Math.max(error, missing);
    } else {
      // Once more, against rounding.
      take();
      const size = Math.sqrt(dot(rest, rest));
      basis.push(rest.map((x) => x / size));
      along.push(size);
    }
    coordinates.push(along);
  }
  return { basis, coordinates, error };
}

// At most so far is a vertex off in some frame if only the first k shapes are kept, for k = 0 … all of them.
function leftOut(reach: number[], weights: Float64Array[]): number[] {
  const out = new Array<number>(reach.length + 1).fill(0);
  for (const row of weights) {
    let sum = 0;
    for (let k = reach.length - 1; k >= 0; --k) {
      sum += Math.abs(row[k]) * reach[k];
      out[k] = Math.max(out[k], sum);
    }
  }
  return out;
}
