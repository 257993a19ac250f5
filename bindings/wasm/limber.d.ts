// SPDX-License-Identifier: Apache-2.0
// Soft bodies in JavaScript. Units are SI; arrays of the surface have three numbers a vertex.

/** Input that limber cannot take; nothing was changed. */
export class LimberError extends Error {
  readonly where: string;
  readonly problem: string;
  readonly tryThis: string;
}

export interface Material {
  // fields: Material required
  /** Young's modulus: how stiff it is. Unit: Pa, from 1e-20 to 1e+20. Default: 1000000. */
  young: number;
  /**
   * Poisson's ratio: how much it narrows when it is stretched. Range: between -1 and 0.5, both excluded. Default:
   * 0.45.
   */
  poisson: number;
  /** Mass per volume. Unit: kg/m^3, from 1e-20 to 1e+20. Default: 1000. */
  density: number;
  // end
}

export interface BodySettings {
  // fields: StvkSettings
  /**
   * Young's modulus, Poisson's ratio and density by the name of the material group; what is not named stays. Default:
   * as built.
   */
  materials?: Record<string, Partial<Material>>;
  /** Use only the first basis vectors, so many. Range: from 1 to 1000. Default: all. */
  rank?: number;
  /** Use only these basis vectors, numbered from 0, each once. Default: all. */
  coordinates?: number[];
  /**
   * Newmark (implicit, average acceleration), central differences (explicit), backward Euler (damps) or the average
   * vector field (keeps energy). Default: "newmark".
   */
  integrator?: 'newmark' | 'central' | 'euler' | 'energy';
  /** Newton iterations per step; 0: until the tolerance is met, at most 20. Range: from 0 to 1000. Default: 1. */
  newton?: number;
  /** Newton's method ends at this residual, relative to the largest force. Range: above 0. Default: 1e-08. */
  tolerance?: number;
  damping?: {
    /** Rayleigh damping by mass: slow motions, also rigid ones. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by the stiffness of the present shape: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
    /** Viscous stress by the rate of strain; never adds energy. Unit: s, 0 or more. Default: 0. */
    strain_rate?: number;
  };
  /** In world axes. Unit: m/s^2. Default: [0,0,0]. */
  gravity?: [number, number, number];
  /** Of energy, force and Newton's matrix; the state is always double. Default: "double". */
  precision?: 'double' | 'float';
  // end
}

export interface StepReport {
  /** Steps made; fewer than asked for if one was refused. */
  steps: number;
  /** False: the last step was refused, and the body is where it was before it. */
  converged: boolean;
  /** Why. After a blow-up the body was stopped as well. */
  problem: 'none' | 'time-step' | 'not-solved' | 'blow-up';
  /** Newton's corrections, and what was left of the equation before the last one, relative. */
  iterations: number;
  residual: number;
  /** Matrices that were not positive definite, and corrections that were shortened. */
  shifts: number;
  lineSearches: number;
}

export interface BodyState {
  /** s */
  time: number;
  /** Reduced coordinates and their derivatives, rank entries each. */
  q: Float64Array;
  v: Float64Array;
  a: Float64Array;
}

export interface ModelInfo {
  readonly name: string;
  readonly rank: number;
  readonly modes: number;
  readonly basis: string;
  readonly vertices: number;
  readonly triangles: number;
  readonly free_body: boolean;
  /** Which way is up in the model's own coordinates. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** How it can run: createBody (stvk), createWarpBody (warp). */
  readonly methods: ('stvk' | 'warp')[];
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
}

export interface SimulationMesh {
  positions: Float32Array;
  /** Pairs of vertex ids: each edge of an element once. */
  edges: Int32Array;
  fixedVertices: Int32Array;
  basis: Float32Array;
}

export interface WarpSettings {
  // fields: WarpSettings
  /**
   * Young's modulus, Poisson's ratio and density by the name of the material group; they become the scales, so all
   * groups change by the same factor and Poisson's ratio stays. Default: as built.
   */
  materials?: Record<string, Partial<Material>>;
  /**
   * Warped with companions that keep lengths, local (without them, as in the paper), or plain linear modes. Default:
   * "warped".
   */
  warping?: 'warped' | 'local' | 'linear';
  /** Backward Euler (damps), or exact for a constant force. Default: "semi-implicit". */
  step?: 'semi-implicit' | 'closed-form';
  damping?: {
    /** Rayleigh damping by mass: slow motions, also rigid ones. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by stiffness: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
  };
  /** In world axes. Unit: m/s^2. Default: [0,0,0]. */
  gravity?: [number, number, number];
  /** The force of the local frames as they turn. Default: false. */
  coriolis?: boolean;
  /** All of Young's moduli, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  young_scale?: number;
  /** All densities, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  density_scale?: number;
  // end
}

/** How the rigid support moves at this moment, in world axes; what is left out is at rest. */
export interface FrameMotion {
  // fields: FrameMotion
  /** World from frame, x y z w, of unit length. Default: [0,0,0,1]. */
  orientation?: [number, number, number, number];
  /** Of the frame's origin, in world axes. Unit: m/s^2. Default: [0,0,0]. */
  acceleration?: [number, number, number];
  /** In world axes. Unit: rad/s. Default: [0,0,0]. */
  angular_velocity?: [number, number, number];
  /** In world axes. Unit: rad/s^2. Default: [0,0,0]. */
  angular_acceleration?: [number, number, number];
  // end
}

export interface Manipulation {
  /** displacement: m from rest */
  positions?: { vertex: number; displacement: [number, number, number] }[];
  /** orientation: x y z w, of unit length */
  orientations?: { vertex: number; orientation: [number, number, number, number] }[];
  // fields: Constraints
  /** The surface vertices that the constraint forces act on. Default: the constrained ones, with torques. */
  exercised?: number[];
  /** Which is met first where not all can be. Default: "position". */
  priority?: 'position' | 'orientation';
  /**
   * How positions are met: by predicted rotations (fast, leaves an error), by Newton's method, or with the rotations
   * of the previous step. Default: "predicted".
   */
  positions_by?: 'predicted' | 'newton' | 'previous';
  // end
  /** The old spelling of positions_by. */
  method?: 'predicted' | 'newton' | 'previous';
}

/** What the last step left of the targets: the largest errors, m and rad. */
export interface ManipulationReport {
  position_error: number;
  orientation_error: number;
  iterations: number;
  /** How much of the correction was made: 1 unless the targets would have thrown the body. */
  share: number;
}

export interface WarpState {
  /** s */
  time: number;
  /** Modal coordinates and their velocities, warp_modes entries each. */
  q: Float64Array;
  v: Float64Array;
  /** What held loads brought in beyond their work, J by the scale of the density: docs/math/warping.md (28). */
  surplus: number;
}

export interface WarpBody {
  clone(): WarpBody;
  destroy(): void;
  readonly settings: Required<Omit<WarpSettings, 'materials'>>;
  set(settings: WarpSettings): void;
  step(dt: number, count?: number): StepReport;
  /** Saved and set again, the motion goes on bit by bit with the same settings, frame and forces, but not under
   *  constraints, whose memory of earlier steps is not in the state: clone() copies that too. */
  get state(): WarpState;
  set state(state: Partial<WarpState>);
  /**
   * For whoever computes the shape elsewhere: q, then the amplitudes z of the companions, warp_modes + warp_companions
   * entries. u = R̃(Ψq)(Φq + Γz), docs/math/warping.md (25). z = 0 unless `warping` is 'warped'.
   */
  readonly shapeCoordinates: Float64Array;
  setFrame(frame: FrameMotion): void;
  clearForces(): void;
  /** On a vertex of the surface, N, in world axes. Throws LimberError. */
  addForce(vertex: number, force: [number, number, number]): void;
  addModalForce(force: ArrayLike<number>): void;
  /**
   * Vertices that are dragged and turned, instead of those before; {} lets go. The same vertices, held in the same way,
   * are moved and turned on. Throws LimberError.
   */
  setManipulation(manipulation: Manipulation): void;
  /** By the number of the constraint in its list. */
  movePosition(position: number, displacement: [number, number, number]): void;
  turnOrientation(orientation: number, target: [number, number, number, number]): void;
  readonly manipulationReport: ManipulationReport;
  readonly kineticEnergy: number;
  readonly elasticEnergy: number;
  surfaceDisplacement(): Float32Array;
  surfaceNormals(): Float32Array;
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
  /** A body at rest. Throws LimberError. */
  createBody(settings?: BodySettings): Body;
  /** A body of linear modes, warped or not. Throws LimberError where the model has none. */
  createWarpBody(settings?: WarpSettings): WarpBody;
  /** Gives the memory back; bodies made of it live on. */
  destroy(): void;
}

export interface Body {
  /** A second body in the same state under the same forces; shares the model's coefficients. */
  clone(): Body;
  destroy(): void;
  readonly settings: Required<Omit<BodySettings, 'rank'>>;
  /** Changes what is named and keeps the state; new materials give exact new forces. Throws LimberError. */
  set(settings: BodySettings): void;
  /** `count` steps of dt seconds; ends after one that was refused. Never throws on numbers. */
  step(dt: number, count?: number): StepReport;
  /** Saved and set again, with the same settings, frame and forces, the motion goes on bit by bit. Setting throws
   *  LimberError; what is left out is 0. */
  get state(): BodyState;
  set state(state: Partial<BodyState>);
  /** The acceleration that the forces give at the present state: with what a run that is not at rest begins. */
  setAccelerationFromForces(): void;
  /** How the rigid support moves in the next steps until it is changed. Throws LimberError. */
  setFrame(frame: FrameMotion): void;
  /** Forces act until they are cleared. */
  clearForces(): void;
  /** On a vertex of the surface, N. Throws LimberError. */
  addForce(vertex: number, force: [number, number, number]): void;
  addReducedForce(force: ArrayLike<number>): void;
  /** J */
  readonly kineticEnergy: number;
  readonly elasticEnergy: number;
  /** The longest explicit step at the present state, s */
  readonly stableDt: number;
  /** Copies: u = Uq, and unit normals of the deformed surface. */
  surfaceDisplacement(): Float32Array;
  surfaceNormals(): Float32Array;
}

/** One setting, as limber describes it. What does not apply is left out. */
export interface Field {
  /** 'damping.alpha' is the member alpha of the object damping. */
  readonly name: string;
  readonly kind: 'number' | 'whole number' | 'flag' | 'word' | 'vector' | 'quaternion' | 'whole numbers' | 'materials';
  readonly sentence: string;
  readonly unit?: string;
  readonly least?: number;
  readonly most?: number;
  readonly least_excluded?: boolean;
  readonly most_excluded?: boolean;
  readonly default?: unknown;
  readonly default_text?: string;
  readonly words?: string[];
  /** A world has one value for all its bodies. */
  readonly of_world?: boolean;
}

export interface Limber {
  /** Every setting, by the name of its struct: StvkSettings, WarpSettings, Material, Constraints, FrameMotion … */
  readonly fields: Record<string, Field[]>;
  /** Reads the bytes of a model.glb. Throws LimberError. */
  loadModel(bytes: Uint8Array | ArrayBuffer): Model;
}

/** Instantiates limber.wasm from its bytes, a compiled module, or the response that brings it. */
export function loadLimber(source: BufferSource | WebAssembly.Module | Response): Promise<Limber>;
