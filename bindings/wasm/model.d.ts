// SPDX-License-Identifier: Apache-2.0
// A model and its arrays.
import type { VertexForce } from './inputs.js';
import type { Material, Quaternion, StvkSettings, Vector3 } from './settings.js';

export interface ModelInfo {
  readonly name: string;
  readonly rank: number;
  readonly modes: number;
  readonly basis: string;
  readonly vertices: number;
  readonly triangles: number;
  readonly free_body: boolean;
  /** Its nonlinear bodies can fly: nothing is fixed, and the file has inertia tensors (format 6). */
  readonly can_be_free: boolean;
  /** Which way is up in the model's own coordinates. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** How a soft body of it can move; any model with a closed surface can be rigid. */
  readonly methods: ('stvk' | 'warp' | 'domains')[];
  /** kg, as built */
  readonly mass: number;
  /** Linear modes of the warped body; 0: none. */
  readonly warp_modes: number;
  /** Fields that keep the lengths of its warped shapes; 0 in older files, and without warping. */
  readonly warp_companions: number;
  readonly volume_vertices: number;
  readonly volume_elements: number;
  readonly command: string;
  /** Singular values of the basis, descending; may be empty. */
  readonly spectrum: number[];
  readonly frequencies_hz: number[];
  /** Weight i of the glTF morph targets is q[i] / target_scale[i]. */
  readonly target_scale: number[];
  readonly groups: (Material & { name: string; volume: number })[];
  /** Domains of a tree, and their coordinates in all; 0: the model is none. */
  readonly domains: number;
  readonly coordinates: number;
}

/** A part of a tree: what all its instances share. */
export interface TreePart {
  readonly name: string;
  /** 0: it is rigid. */
  readonly rank: number;
  readonly vertices: number;
  readonly triangles: number;
  /** Of its surface at rest, in its own frame, m; U column by column. */
  readonly positions: Float32Array;
  readonly basis: Float32Array;
}

/** A domain: an instance of a part on its parent. */
export interface TreeDomain {
  readonly name: string;
  /** Into the parts. */
  readonly part: number;
  /** A domain before it; −1: the root. */
  readonly parent: number;
  /** At rest, in the body's frame; scale: lengths over those of the part. */
  readonly position: Vector3;
  readonly rotation: Quaternion;
  readonly scale: number;
}

/**
 * A tree of domains. Vertices of the surface, and coordinates, are those of the domains one after another; a vertex is
 * at position + orientation · scale · (X + Uq), with the poses of WorldBody.domainPoses.
 */
export interface Tree {
  readonly parts: TreePart[];
  readonly domains: TreeDomain[];
  /** Of each vertex of the surface the next in the ring that domains share: it is drawn where they are on average. */
  readonly sharedVertices: Int32Array;
}

export interface SimulationMesh {
  positions: Float32Array;
  /** Pairs of vertex ids: each edge of an element once. */
  edges: Int32Array;
  fixedVertices: Int32Array;
  basis: Float32Array;
}

export interface ReducedModes {
  /** Hz, ascending */
  frequencies: Float64Array;
  /** For each the reduced coordinates, orthonormal in the mass. */
  shapes: Float64Array[];
}

/** u = Φq, q = C Φᵀf: Φ are warpModes() where isModal, else surfaceBasis(). */
export interface LinearStatics {
  readonly rank: number;
  readonly isModal: boolean;
  /** The vertex that the first column moves farthest. */
  readonly softestVertex: number;
  /** q under these forces. */
  coordinates(forces: VertexForce[]): Float64Array;
  /** How a vertex gives way to a force at itself: 3 x 3 numbers, m/N */
  compliance(vertex: number): Float64Array;
  /** The force of a spring whose far end is `distance` (m) from the vertex at rest; null: the vertex is fixed. */
  springForce(vertex: number, distance: Vector3): Vector3 | null;
  destroy(): void;
}

export interface Model {
  readonly info: ModelInfo;
  readonly rank: number;
  /** Copies, for the graphics card: positions at rest, vertex ids, and U column by column. */
  restPositions(): Float32Array;
  triangles(): Int32Array;
  surfaceBasis(): Float32Array;
  /** Unit normals at rest, as the surface's hard edges want them. */
  restNormals(): Float32Array;
  /** Of the surface, column by column: the modes Φ, their rotations Ψ, and the companions Γ; empty without warping. */
  warpModes(): Float32Array;
  warpRotations(): Float32Array;
  warpCompanions(): Float32Array;
  /** The vertex of the user's file that each vertex of the surface came from. */
  inputVertices(): Int32Array;
  /** What was simulated; empty arrays in a lean model. The basis is U over its vertices, column by column. */
  simulationMesh(): SimulationMesh;
  /** The parts and domains of a tree; null: the model is none. */
  tree(): Tree | null;
  /** Small vibrations of the reduced model about rest; `materials` of the settings count. */
  modes(settings?: StvkSettings): ReducedModes;
  /** How mode i changes along mode j, reduced coordinates. */
  modalDerivative(i: number, j: number, settings?: StvkSettings): Float64Array;
  /** How fast this shape would vibrate without the others, Hz. */
  rayleighFrequency(q: ArrayLike<number>, settings?: StvkSettings): number;
  linearStatics(): LinearStatics;
  /** SELECT: vertices of the surface, ascending. */
  select(text: string): Int32Array;
  /** Gives the memory back; worlds that use it keep it. */
  destroy(): void;
}
