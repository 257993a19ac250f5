// SPDX-License-Identifier: Apache-2.0
// How the simulation mesh moves with a body, whichever method moves it.
import type { ShownModel } from '../sim/messages';
import type { ModelArrays } from '../sim/model_arrays';
import type { Method } from '../sim/settings';
import type { Shape } from './deformer';
import { spreadInside } from './spread_inside';

/** Null where the file does not say: lean ones have no mesh. */
export function volumeShape(model: ShownModel, arrays: ModelArrays, method: Method): Shape | null {
  const { mesh, info } = model;
  if (mesh.edges.length === 0 || method === 'domains') return null;
  if (method === 'rigid') return stillShape(mesh.positions);
  if (method === 'stvk') return { rest: mesh.positions, columns: mesh.basis, rotations: null, companions: null, rank: info.rank };
  const modes = arrays.floats('warp.node_modes'), rotations = arrays.floats('warp.node_rotations');
  if (!modes || !rotations) return null;
  const free = freeVertices(mesh);
  const shape = { rest: mesh.positions, columns: columnsOf(modes, free, mesh.positions.length, info.warp_modes), rank: info.warp_modes };
  if (method === 'linear') return { ...shape, rotations: null, companions: null };
  return {
    ...shape,
    rotations: columnsOf(rotations, free, mesh.positions.length, info.warp_modes),
    // The file has them on the surface only. Inside they only bend lines a little.
    companions: spreadInside(model, model.warpCompanions, mesh),
  };
}

/** Of a body that does not deform: one column, of zeros, since a card takes no empty textures. */
export function stillShape(rest: Float32Array): Shape {
  return { rest, columns: new Float32Array(rest.length), rotations: null, companions: null, rank: 1 };
}

// The nodes of the file's modes: vertices of elements that are not fixed, ascending.
function freeVertices({ positions, edges, fixedVertices }: ShownModel['mesh']): number[] {
  const free = new Uint8Array(positions.length / 3);
  for (const vertex of edges) free[vertex] = 1;
  for (const vertex of fixedVertices) free[vertex] = 0;
  return Array.from(free.keys()).filter((vertex) => free[vertex] === 1);
}

// From three rows a free vertex to columns over all of them, `size` numbers each; fixed ones stay where they are.
function columnsOf(rows: Float32Array, free: number[], size: number, count: number): Float32Array {
  const out = new Float32Array(size * count);
  free.forEach((vertex, place) => {
    for (let axis = 0; axis < 3; ++axis)
      for (let i = 0; i < count; ++i) out[size * i + 3 * vertex + axis] = rows[(3 * place + axis) * count + i];
  });
  return out;
}
