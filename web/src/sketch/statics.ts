// SPDX-License-Identifier: Apache-2.0
// The linear static model that a sketch is pulled on, as the library solves it: u = Φ q, q = C Φᵀ f
// (docs/math/basis.md, section 6; section 5.2 of Barbič and James 2005).
import type { LinearStatics as Solver, ModelInfo, SimulationMesh } from 'limber';
import type { Shape } from '../gpu/deformer';
import { library } from '../sim/library';
import { diagonal, type Vec3 } from '../sim/vector';

export interface LinearStatics {
  info: ModelInfo;
  shape: Shape;
  triangles: Int32Array;
  /** The diagonal of its box, m. */
  size: number;
  /** The vertex of the user's file that each vertex of the surface came from. */
  inputVertices: Int32Array;
  solver: Solver;
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
  const model = (await library()).loadModel(file);
  try {
    const solver = model.linearStatics(), rest = model.restPositions();
    return {
      info: model.info,
      size: diagonal(rest),
      triangles: model.triangles(),
      inputVertices: model.inputVertices(),
      mesh: model.simulationMesh(),
      shape: {
        rest, columns: solver.isModal ? model.warpModes() : model.surfaceBasis(), rotations: null, companions: null,
        rank: solver.rank,
      },
      solver,
    };
  } finally {
    model.destroy();
  }
}

/** q under these forces. */
export function coordinates({ solver }: LinearStatics, pulls: Pull[]): Float64Array {
  return solver.coordinates(pulls);
}

/** A vertex far from the fixed ones. */
export function softestVertex({ solver }: LinearStatics): number {
  return solver.softestVertex;
}

/** The force of a spring whose far end is `distance` from the vertex at rest, m. Null: the vertex is fixed. */
export function springForce({ solver }: LinearStatics, vertex: number, distance: Vec3): Vec3 | null {
  return solver.springForce(vertex, distance);
}
