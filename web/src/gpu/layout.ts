// SPDX-License-Identifier: Apache-2.0
// How arrays over vertices lie in textures: item i at texel (i mod width, i / width).

export interface Grid {
  width: number;
  height: number;
}

/** As square as may be: the limits of a texture are on its sides. */
export function gridFor(items: number): Grid {
  const width = Math.max(1, Math.ceil(Math.sqrt(items)));
  return { width, height: Math.max(1, Math.ceil(items / width)) };
}

/**
 * Columns of three numbers a vertex, those of one list behind those of the other, as `count` layers of four: the form
 * in which a card reads floats at full speed.
 */
export function layersOfColumns(lists: Float32Array[], vertices: number, count: number, grid: Grid): Float32Array {
  const texels = grid.width * grid.height;
  const out = new Float32Array(4 * texels * count);
  let layer = 0;
  for (const columns of lists)
    for (let from = 0; from < columns.length && layer < count; ++layer)
      for (let vertex = 0, to = 4 * texels * layer; vertex < vertices; ++vertex, from += 3, to += 4) {
        out[to] = columns[from];
        out[to + 1] = columns[from + 1];
        out[to + 2] = columns[from + 2];
      }
  return out;
}

/** Three of each four numbers, for the first `vertices` texels. */
export function threeOfFour(texels: Float32Array, vertices: number): Float32Array {
  const out = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; ++i)
    for (let axis = 0; axis < 3; ++axis) out[3 * i + axis] = texels[4 * i + axis];
  return out;
}
