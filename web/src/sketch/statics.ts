// SPDX-License-Identifier: Apache-2.0
// The linear static model that a sketch is pulled on: u = Φ q,  q = C Φᵀ f. With the body's vibration modes C is
// diag(1/λ_i), λ_i = (2π f_i)² (docs/math/basis.md, section 6; section 5.2 of Barbič and James 2005). A model
// without them lends its own basis, at rest.
import { loadLimber, type Model, type ModelInfo, type SimulationMesh } from 'limber';
import { getBytes } from '../api/client';
import type { Shape } from '../gpu/deformer';
import type { Vec3 } from '../sim/vector';

export interface LinearStatics {
  info: ModelInfo;
  shape: Shape;
  triangles: Int32Array;
  /** The diagonal of its box, m. */
  size: number;
  /** The vertex of the user's file that each vertex of the surface came from. */
  inputVertices: Int32Array;
  /** C, rank × rank; symmetric */
  compliance: Float64Array;
  /** What the body is made of. */
  mesh: SimulationMesh;
}

export interface Pull {
  /** Of the surface. */
  vertex: number;
  /** N */
  force: Vec3;
}

export async function openStatics(file: ArrayBuffer): Promise<LinearStatics> {
  const limber = await loadLimber(await getBytes('limber.wasm'));
  const model = limber.loadModel(file);
  try {
    return staticsOf(model);
  } finally {
    model.destroy();
  }
}

function staticsOf(model: Model): LinearStatics {
  const { info } = model;
  const modal = info.warp_modes > 0 && info.frequencies_hz.length >= info.warp_modes;
  const rank = modal ? info.warp_modes : model.rank;
  return {
    info,
    size: sizeOf(model.restPositions()),
    triangles: model.triangles(),
    inputVertices: model.inputVertices(),
    mesh: model.simulationMesh(),
    shape: {
      rest: model.restPositions(),
      columns: modal ? model.warpModes() : model.surfaceBasis(),
      rotations: null,
      companions: null,
      rank,
    },
    compliance: modal ? modalCompliance(info, rank) : complianceAtRest(model),
  };
}

function sizeOf(rest: Float32Array): number {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  rest.forEach((x, i) => {
    min[i % 3] = Math.min(min[i % 3], x);
    max[i % 3] = Math.max(max[i % 3], x);
  });
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

function modalCompliance(info: ModelInfo, rank: number): Float64Array {
  const out = new Float64Array(rank * rank);
  for (let i = 0; i < rank; ++i) out[i * rank + i] = 1 / (2 * Math.PI * info.frequencies_hz[i]) ** 2;
  return out;
}

// Column i is the answer to a small unit force: one backward Euler step of many periods with one Newton iteration solves
// (K + I/dt²) q = e_i at rest, and 1/dt² is nothing beside K.
function complianceAtRest(model: Model): Float64Array {
  const { rank } = model;
  const out = new Float64Array(rank * rank);
  const body = model.createBody({
    integrator: 'euler',
    newton: 1,
    gravity: [0, 0, 0],
    damping: { alpha: 0, beta: 0, strain_rate: 0 },
  });
  try {
    const long = 1000 / (model.info.frequencies_hz[0] || 1);
    const small = 1e-9;
    for (let i = 0; i < rank; ++i) {
      const unit = new Float64Array(rank);
      unit[i] = small;
      body.state = { time: 0 };
      body.clearForces();
      body.addReducedForce(unit);
      body.step(long);
      const { q } = body.state;
      for (let k = 0; k < rank; ++k) out[k * rank + i] = q[k] / small;
    }
  } finally {
    body.destroy();
  }
  return out;
}

/** q under these forces. */
export function coordinates({ shape, compliance }: LinearStatics, pulls: Pull[]): Float64Array {
  const { rank, columns, rest } = shape;
  const load = new Float64Array(rank);
  const q = new Float64Array(rank);
  for (const { vertex, force } of pulls)
    for (let i = 0; i < rank; ++i)
      for (let axis = 0; axis < 3; ++axis) load[i] += columns[i * rest.length + 3 * vertex + axis] * force[axis];
  for (let i = 0; i < rank; ++i) for (let k = 0; k < rank; ++k) q[i] += compliance[i * rank + k] * load[k];
  return q;
}

/** The vertex that the first column moves farthest: far from the fixed vertices. */
export function freestVertex({ shape: { columns, rest } }: LinearStatics): number {
  let best = 0;
  let farthest = -1;
  for (let v = 0; 3 * v < rest.length; ++v) {
    const moved = Math.hypot(columns[3 * v], columns[3 * v + 1], columns[3 * v + 2]);
    if (moved > farthest) [best, farthest] = [v, moved];
  }
  return best;
}

/** The compliance of a vertex to a force at itself, m/N: A = Φ_v C Φ_vᵀ, row by row. */
export function vertexCompliance(statics: LinearStatics, vertex: number): number[] {
  const { columns, rest, rank } = statics.shape;
  const out = new Array<number>(9).fill(0);
  for (let axis = 0; axis < 3; ++axis) {
    const force: Vec3 = [0, 0, 0];
    force[axis] = 1;
    const q = coordinates(statics, [{ vertex, force }]);
    for (let i = 0; i < rank; ++i)
      for (let row = 0; row < 3; ++row) out[3 * row + axis] += columns[i * rest.length + 3 * vertex + row] * q[i];
  }
  return out;
}

// Of the spring that a pointer pulls with: where the body is softest, the vertex moves by nine tenths of the distance.
const kGive = 0.1;

/**
 * The force of a spring whose far end is `way` from the vertex at rest: f = (A + s I)⁻¹ way. The give s keeps it
 * finite where the vertex hardly moves. Null: the vertex is fixed.
 */
export function springForce(statics: LinearStatics, vertex: number, way: Vec3): Vec3 | null {
  const a = vertexCompliance(statics, vertex);
  const softest = a[0] + a[4] + a[8];
  if (!(softest > 0)) return null;
  const m = a.map((value, i) => value + (i % 4 === 0 ? kGive * softest : 0));
  return solve3(m, way);
}

// Cramer's rule, for a positive definite matrix.
function solve3(m: number[], b: Vec3): Vec3 {
  const minor = (i: number, j: number, k: number, l: number) => m[i] * m[l] - m[j] * m[k];
  const determinant = m[0] * minor(4, 5, 7, 8) - m[1] * minor(3, 5, 6, 8) + m[2] * minor(3, 4, 6, 7);
  return [
    (b[0] * minor(4, 5, 7, 8) - m[1] * (b[1] * m[8] - m[5] * b[2]) + m[2] * (b[1] * m[7] - m[4] * b[2])) / determinant,
    (m[0] * (b[1] * m[8] - m[5] * b[2]) - b[0] * minor(3, 5, 6, 8) + m[2] * (m[3] * b[2] - b[1] * m[6])) / determinant,
    (m[0] * (m[4] * b[2] - b[1] * m[7]) - m[1] * (m[3] * b[2] - b[1] * m[6]) + b[0] * minor(3, 4, 6, 7)) / determinant,
  ];
}
