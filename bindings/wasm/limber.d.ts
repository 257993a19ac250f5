// SPDX-License-Identifier: Apache-2.0
// Soft and rigid bodies in JavaScript. Units are SI; arrays of the surface have three numbers a vertex; quaternions are
// x y z w. Settings stand between markers: scripts/describe_settings writes them.

/** Input that limber cannot take; nothing was changed. */
export class LimberError extends Error {
  readonly where: string;
  readonly problem: string;
  readonly tryThis: string;
  /** The error code of the interface in C: docs/c.md. */
  readonly status: 'refused' | 'null' | 'bad-handle' | 'wrong-kind' | 'wrong-size' | 'bad-pointer' | 'no-body' | 'no-memory' | 'failed';
}

export type Vector3 = [number, number, number];
export type Quaternion = [number, number, number, number];
export type Method = 'stvk' | 'warp' | 'linear' | 'rigid' | 'domains';
/** What holds a body: a support at rest, one that moves, or nothing. */
export type Mount = 'fixed' | 'moved' | 'free';

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

export interface StvkSettings {
  // fields: StvkSettings body
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
  /** Of energy, force and Newton's matrix; the state is always double. Default: "double". */
  precision?: 'double' | 'float';
  // end
}

/** Of the methods warp and linear. */
export interface WarpSettings {
  // fields: WarpSettings body
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
  /** The force of the local frames as they turn. Default: false. */
  coriolis?: boolean;
  /** All of Young's moduli, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  young_scale?: number;
  /** All densities, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  density_scale?: number;
  // end
}

export interface RigidSettings {
  // fields: RigidSettings body
  /**
   * Of the whole body; mass and inertia follow from its closed surface. Unit: kg/m^3, between 0 and 1e+09, the first
   * excluded. Default: 1000.
   */
  density?: number;
  // end
}

/** What one domain of a tree has of its own. */
export interface DomainState {
  // fields: DomainState
  /** Young's moduli of the domain, times those of its part. Range: from 1e-06 to 1000000. Default: 1. */
  young_scale?: number;
  /** Densities of the domain, times those of its part. Range: from 1e-06 to 1000000. Default: 1. */
  density_scale?: number;
  /** The domain keeps its shape and moves like a rigid one. Default: false. */
  frozen?: boolean;
  /**
   * The domain and all that hangs on it come off, for ever: while a world runs they become a free body named
   * TREE.DOMAIN, at the start of a body they are left out. Default: false.
   */
  detach?: boolean;
  /**
   * Another part of the same model in its place, at rest in the domain's frame; empty: that it was built with. It
   * must have as many coordinates, vertices and triangles, and interfaces of the same names for what hangs on the
   * domain. Default: as built.
   */
  replace?: string;
  // end
}

/** Of the method domains. */
export interface DomainsSettings {
  // fields: DomainsSettings body
  /**
   * What a domain feels of those that hang on it: exact, or their mass at the interface (L1) or at its centre (L2),
   * as in the paper. Default: "exact".
   */
  coupling?: 'exact' | 'L1' | 'L2';
  /**
   * Newton's method ends at a correction of this part of the accelerations. Range: between 0 and 0.1, the first
   * excluded. Default: 0.01.
   */
  tolerance?: number;
  damping?: {
    /** Rayleigh damping by mass, of each domain in its own frame. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by the stiffness of each domain at rest: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
  };
  /**
   * Domains by name: `young_scale`, `density_scale`, `frozen`, `detach`, `replace`; what is not named stays. Default:
   * as built.
   */
  domains?: Record<string, DomainState>;
  // end
}

/** Air that moves past the domains of trees: docs/scene_file.md. */
export interface WindSettings {
  // fields: WindSettings
  /** Of the air on average, at most 1000 m/s. Unit: m/s. Default: [0,0,0]. */
  velocity?: [number, number, number];
  /** Coefficient C of the force ½ρCAu² with ρ = 1.2 kg/m³. Range: from 0 to 1000. Default: 1. */
  drag?: number;
  /** Standard deviation of each component over the mean speed. Range: from 0 to 100. Default: 0. */
  gusts?: number;
  /** Of the gusts: each has its own. Range: from 0 to 1e+09. Default: 0. */
  seed?: number;
  // end
}

export interface Constraints {
  /** displacement: m from rest */
  positions?: { vertex: number; displacement: Vector3 }[];
  /** orientation: of unit length */
  orientations?: { vertex: number; orientation: Quaternion }[];
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
}

/** How things touch: docs/scene_file.md. */
export interface ContactSettings {
  // fields: ContactSettings
  /** Whether bodies touch obstacles and each other. Default: true. */
  enabled?: boolean;
  /**
   * Pressure per depth of overlap, whatever the mesh; chosen from sizes, weights and materials and told in the
   * result. Unit: Pa/m, from 1 to 1e+15. Default: "auto".
   */
  stiffness?: number | 'auto';
  /**
   * How much a contact damps: none pushes apart faster than one over this. Unit: s/m, from 0 to 1000000. Default: 1.
   */
  dissipation?: number;
  /**
   * Of bodies and obstacles that have none of their own; between two it is the geometric mean of theirs. Range: from
   * 0 to 1000. Default: 0.5.
   */
  friction?: number;
  /** Whether a body touches itself. Default: false. */
  self?: boolean;
  /**
   * From which gap on a contact is listed; a hundredth of the smallest body. Unit: m, between 0 and 1000000, the
   * first excluded. Default: "auto".
   */
  margin?: number | 'auto';
  /** Bodies at rest with all that they touch are not stepped until something wakes them. Default: true. */
  sleep?: boolean;
  // end
}

export type Shape =
  | { plane: { normal?: Vector3; offset?: number } }
  | { sphere: { radius: number } }
  | { capsule: { radius: number; length: number } }
  | { box: { size: Vector3 } }
  | { cylinder: { radius: number; length: number } }
  /** A closed surface: the name that addModel gave it. */
  | { mesh: string };

/** Whatever stands or is moved, and whatever bodies touch. Lengths in m; axes along z. */
export interface Obstacle extends Partial<Pose> {
  name?: string;
  shape: Shape;
  friction?: number;
  /** Bits; touches what has a common one. Left out: all. */
  layer?: number;
}

export interface DeviceSettings {
  // fields: DeviceSettings
  /** Of the proxy, the sphere that touches bodies. Unit: m, from 1e-09 to 1e+09. Default: 0.01. */
  radius?: number;
  /** Of the coupling between device and proxy. Unit: N/m, between 0 and 1e+12, the first excluded. Default: 500. */
  stiffness?: number;
  /** Of the coupling between device and proxy. Unit: N s/m, from 0 to 1e+09. Default: 2. */
  damping?: number;
  /** Of the proxy; at 0 it follows at once. Unit: kg, from 0 to 1000000. Default: 0. */
  mass?: number;
  /**
   * Of the device itself. Where it is given, the coupling is scaled down to what is passive for any hand; at 0 it is
   * unknown, and nothing is claimed. Unit: N s/m, from 0 to 1e+09. Default: 0.
   */
  device_damping?: number;
  /** From a reading to the force that answers it; at most 15 steps count. Unit: s, from 0 to 1. Default: 0. */
  delay?: number;
  /**
   * Readings that are faster are followed at this speed, and reported. Unit: m/s, between 0 and 1e+09, the first
   * excluded. Default: 5.
   */
  max_speed?: number;
  /** What is beyond is cut, and reported. Unit: N, between 0 and 1e+12, the first excluded. Default: 1000. */
  max_force?: number;
  /** Of the proxy; auto: that of the contact settings. Range: from 0 to 1000. Default: "auto". */
  friction?: number | 'auto';
  // end
}

/** A haptic device; the settings that are left out are as in the table of docs/scene_file.md. */
export interface Device extends DeviceSettings {
  name?: string;
  /** Where it starts, m. */
  position?: Vector3;
  layer?: number;
}
export interface DeviceState {
  number: number;
  name: string;
  /** m; m; N, to the hand */
  position: Vector3;
  proxy: Vector3;
  force: Vector3;
  /** Points that push the proxy, and the depth of the deepest, m. */
  contacts: number;
  depth: number;
  /** After it was limited to what is passive. */
  coupling: { stiffness: number; damping: number; scale: number; is_passive: boolean };
  /** J */
  passivity: { absorbed: number; dissipated: number; most_given: number };
  readings: { count: number; not_finite: number; jumps: number; largest_jump: number; forces_cut: number };
}

export interface Pose {
  /** m */
  position: Vector3;
  /** Of unit length. */
  rotation: Quaternion;
}

/** A body of a world as it starts; settings stand beside. */
export interface BodyDefinition
  extends StvkSettings,
    Omit<WarpSettings, 'damping' | 'materials'>,
    RigidSettings,
    Omit<DomainsSettings, 'damping' | 'tolerance'>,
    Partial<Pose> {
  /** Not that of another body; left out: body1, body2, … */
  name?: string;
  /** The name that addModel gave it. */
  model: string;
  /** Of a tree of domains: only this domain and all that hangs on it. */
  subtree?: string;
  /** Left out: the first that the model can do. */
  method?: Method;
  /** Left out: 'fixed' where something of the model is fixed, else 'free'; a rigid body is free. */
  mount?: Mount;
  /** Coordinates and their rates; left out: at rest. */
  q?: number[];
  v?: number[];
  /** Of a body that flies: of its centre of mass, m/s, and rad/s, world axes. */
  velocity?: Vector3;
  angular_velocity?: Vector3;
  /** Left out: that of the contact settings. */
  friction?: number;
  /** Bits; touches what has a common one, 0 nothing. Left out: all. */
  layer?: number;
}

/** The force is stiffness · (target − x), at the start of each step. */
export interface Spring {
  /** Of the surface. */
  vertex: number;
  /** m */
  target: Vector3;
  /** N/m */
  stiffness: number;
  /** Whose coordinates the target has; left out: world. */
  space?: 'world' | 'frame';
}

export interface VertexForce {
  /** Of the surface. */
  vertex: number;
  /** N, world axes */
  force: Vector3;
}

/** How the rigid support of a body stands and moves, in world axes; what is left out is at rest at the origin. */
export interface Support extends Partial<Pose> {
  /** m/s */
  velocity?: Vector3;
  /** m/s² */
  acceleration?: Vector3;
  /** rad/s */
  angular_velocity?: Vector3;
  /** rad/s² */
  angular_acceleration?: Vector3;
}

/**
 * Everything that can happen between two steps: docs/recording.md. Without `body` it is for every body that can take it;
 * with `obstacle` remove, place, shake and follow are for that one.
 */
export interface Input {
  body?: string;
  obstacle?: string;
  add_obstacle?: Obstacle;
  device?: string;
  add_device?: Device;
  /** Where the device is at the end of the next step, m. */
  move?: Vector3;
  /** Null: nothing touches. */
  contact?: ContactSettings | null;
  add?: BodyDefinition;
  remove?: true;
  /** m/s² */
  gravity?: Vector3;
  /** elapsed: s for which its gusts have blown. Null: no air. */
  wind?: (WindSettings & { elapsed?: number }) | null;
  place?: Partial<Pose> & { velocity?: Vector3; angular_velocity?: Vector3 };
  state?: { q?: number[]; v?: number[] };
  /** Settings of the body's method; what is left out stays. */
  set?: (StvkSettings | WarpSettings | RigidSettings | DomainsSettings) & { friction?: number; layer?: number };
  support?: Support | null;
  /** amplitude: m; elapsed: s of it that are over */
  shake?: { direction: Vector3; amplitude: number; hz: number; periods?: number; elapsed?: number };
  /** Poses a second, and 3 and 4 numbers for each. */
  follow?: { rate: number; positions: number[]; orientations: number[]; elapsed?: number };
  /** In place of those before. smoothing: the time constant of the way to the targets, s */
  constraints?: (Constraints & { smoothing?: number }) | null;
  /** In place of those before. */
  forces?: VertexForce[];
  /** On the coordinates, N/√kg */
  reduced_force?: number[];
  /** In place of those before. */
  pull?: Spring | Spring[] | null;
}

/** A scene with its recording: docs/recording.md. */
export interface Recording {
  dt?: number;
  gravity?: Vector3;
  duration?: number;
  bodies: BodyDefinition[];
  wind?: (WindSettings & { elapsed?: number }) | null;
  contact?: ContactSettings | null;
  obstacles?: Obstacle[];
  devices?: Device[];
  recording?: { version: number; steps: number; inputs: (Input & { step: number; dt?: number })[] };
}

/** Of one point in the last step; forces are those on `a`, world axes. */
export interface Contact {
  /** Numbers of the bodies, and of the obstacle; 0: none. */
  a: number;
  b: number;
  obstacle: number;
  /** m */
  position: Vector3;
  /** Unit, from b to a. */
  normal: Vector3;
  /** N s */
  impulse: Vector3;
  /** N */
  force: Vector3;
  /** m */
  depth: number;
  /** m/s */
  slip: number;
  /** Number; 0: none. */
  device: number;
}

/** Contact of the whole world in the last step. */
export interface ContactReport {
  enabled: boolean;
  /** Pa/m: what was set, or chosen. */
  stiffness: number;
  /** m */
  margin: number;
  /** Listed, and those that push. */
  points: number;
  touching: number;
  islands: number;
  /** Bodies. */
  asleep: number;
  iterations: number;
  linearizations: number;
  residual: number;
  /** m */
  depth: number;
  /** The largest between a contact's predicted and real speed, m/s. */
  speed_error: number;
  /** Islands that were not solved. */
  not_converged: number;
  /** Islands whose speed_error the last linearisation left above 0.001 margin/dt. */
  speeds_off: number;
  /** Islands whose friction radii still changed by more than 1% at their last update. */
  radii_unsettled: number;
  /** Islands that went back to the linearisation before, because a body refused the later one. */
  reverted: number;
  /** Contacts beyond the 20,000 deepest. */
  left_out: number;
  /** Pairs of bodies with more near triangles than are looked at. */
  cut_short: number;
  /** Bodies and obstacles whose numbers are not finite. */
  refused: number;
}

export interface StepReport {
  /** False: the step was refused, and the body is where it was before it. */
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

/** What the last step left of the targets: the largest errors, m and rad. */
export interface ConstraintReport {
  positionError: number;
  orientationError: number;
  iterations: number;
  /** How much of the correction was made: 1 unless the targets would have thrown the body. */
  fraction: number;
}

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

/** All that the future of a world depends on. */
export interface WorldState {
  destroy(): void;
}

/** Each call throws LimberError after the body was removed. Arrays are copies. */
export interface WorldBody {
  /** Of the world; never given twice. */
  readonly number: number;
  readonly name: string;
  readonly method: Method;
  readonly mount: Mount;
  /** The name that addModel gave it. */
  readonly model: string;
  /** Of a domain that came off a tree of that model: its name; else empty. */
  readonly subtree: string;
  /** All of the method's. */
  readonly settings: StvkSettings & WarpSettings & RigidSettings;
  /** Coordinates and their rates; empty of a rigid body. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /**
   * For whoever computes the shape elsewhere: q, then the amplitudes z of a warped body's companions.
   * u = R̃(Ψq)(Φq + Γz), docs/math/warping.md (25). z = 0 unless `warping` is 'warped'.
   */
  readonly shapeCoordinates: Float64Array;
  /** The q whose rotations the shape has. */
  readonly shapeRotations: Float64Array;
  /** Of each domain of a tree 7 numbers: position (m) and quaternion in the body's frame, 0 of one that came off; empty for others. */
  readonly domainPoses: Float64Array;
  /** World from body. */
  readonly pose: Pose;
  /** World from the support that carries it. */
  readonly supportPose: Pose;
  /** J */
  readonly energies: { kinetic: number; elastic: number };
  readonly kineticEnergy: number;
  readonly elasticEnergy: number;
  /** Of the last step. */
  readonly report: StepReport;
  /** Null: it is not constrained. */
  readonly constraintReport: ConstraintReport | null;
  /** Of each spring at the present positions, N, world axes. */
  readonly springForces: Vector3[];
  /** The longest explicit step of a nonlinear body, s */
  readonly stableDt: number;
  /** Of a body that flies: kg m/s, and about its centre of mass kg m²/s. */
  readonly momenta: { linear: Vector3; angular: Vector3 } | null;
  /** Points that push, total force (N) and impulse of the step (N s) on the body, deepest overlap (m). */
  readonly contacts: { points: number; force: Vector3; impulse: Vector3; depth: number };
  /** At rest with all that it touches: not stepped until something wakes it. */
  readonly isAsleep: boolean;
  /** Of a vertex of the surface: in the world, m and m/s; … */
  position(vertex: number): Vector3;
  velocity(vertex: number): Vector3;
  /** … in the body's frame, m from rest, and rad (0 unless it is warped). */
  displacement(vertex: number): Vector3;
  rotation(vertex: number): Vector3;
  /** In the body's frame. */
  surfaceDisplacement(): Float32Array;
  surfaceNormals(): Float32Array;
  /** For pulling at a vertex by a spring, N/m; dt is the world's unless it is given. 0: the vertex cannot move. */
  suggestPullStiffness(vertex: number, dt?: number): number;
  /** The coordinates in balance under gravity and these forces; the body stays as it is. */
  balance(forces?: VertexForce[]): { q: Float64Array; report: StepReport };
}

/** Between a device's driver and a simulation. */
export interface Link {
  /** The driver's: the position that was read in, the force for the hand out; bits of events as in limber.h. */
  exchange(position: Vector3): { force: Vector3; events: number };
  /** The simulation's, before a step and after it. */
  read(): { position: Vector3; readings: number };
  answer(force: Vector3): void;
  /** Readings, not finite, jumps, largest jump, forces cut, stale, not finite, energy absorbed, dissipated, most given. */
  numbers(): Float64Array;
  destroy(): void;
}

export interface World {
  /** Gives a model the name that inputs and recordings call it. */
  addModel(name: string, model: Model): void;
  /** One input, recorded where it succeeds. Throws LimberError. */
  apply(input: Input): void;
  /** The time step, s; 0.001 at first. Recorded. */
  dt: number;
  /** m/s²; apply({ gravity }) changes it. */
  readonly gravity: Vector3;
  /** s */
  readonly time: number;
  /** Made so far. */
  readonly steps: number;
  /**
   * Up to `count` steps (1), fewer where a replay ends. notConverged: steps of single bodies that were refused;
   * iterations: the most that a body's step took.
   */
  step(count?: number): { steps: number; notConverged: number; iterations: number };
  /** In the order in which they were added; a body stays the same object while it lives. */
  readonly bodies: readonly WorldBody[];
  /** Throws LimberError where there is none of that name. */
  body(name: string): WorldBody;
  /** null: there is no air; apply({ wind }) changes it. elapsed: how long the gusts blow, s; left out: 0. */
  readonly wind: (Required<WindSettings> & { elapsed?: number }) | null;
  /** null: contact is off; apply({ contact }) changes them. */
  readonly contactSettings: Required<ContactSettings> | null;
  readonly contactReport: ContactReport;
  /** Of the last step. */
  readonly contacts: Contact[];
  /** The same as 18 numbers each: a, b, obstacle, position, normal, impulse, force, depth, slip, device. */
  contactNumbers(): Float64Array;
  readonly obstacles: (Obstacle & Pose & { number: number })[];
  /** The number of an obstacle. Throws LimberError where there is none of that name. */
  findObstacle(name: string): number;
  readonly devices: (Device & DeviceState)[];
  /** The number of a device. Throws LimberError where there is none of that name. */
  findDevice(name: string): number;
  /** Where the device is at the end of the next step, m, as it was read: also NaN or far away. */
  moveDevice(device: number, position: Vector3): void;
  /** 20 numbers: position, proxy, force (3 each), contacts, depth, stiffness, damping, is passive, absorbed,
   * dissipated, most given, readings, not finite, jumps. */
  deviceNumbers(device: number): Float64Array;
  /** A second world that goes on bit by bit, with the same models and dt. It neither records nor replays. */
  clone(): World;
  save(): WorldState;
  /** Goes on bit by bit as after save(). Throws LimberError for a state of another world, and while recording or replaying. */
  restore(state: WorldState): void;
  /** Records from the present on. */
  startRecording(): void;
  /** So far; null: nothing is recorded. */
  recorded(): Recording | null;
  stopRecording(): Recording | null;
  /** Bodies, gravity and dt of a scene in place of those here, and its inputs at their steps. */
  startReplay(scene: Recording): void;
  /** Null: live. */
  readonly replay: { step: number; steps: number } | null;
  /** Why the replay ended early; null: it did not. */
  readonly replayProblem: LimberError | null;
  /** The bodies move on. */
  stopReplay(): void;
  destroy(): void;
}

export interface PrincipalShapes {
  /** Those that move most first; orthonormal. */
  shapes: Float32Array[];
  /** For each frame a weight of each shape. */
  weights: Float64Array[];
  /** How far a vertex may be from where it belongs, m. */
  error: number;
}

/** One setting, as limber describes it. What does not apply is left out. */
export interface Field {
  /** 'damping.alpha' is the member alpha of the object damping. */
  readonly name: string;
  readonly kind: 'number' | 'number or auto' | 'whole number' | 'flag' | 'word' | 'text' | 'vector' | 'quaternion' | 'whole numbers' | 'materials' | 'domains';
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
  /** An empty world; gravity in m/s². */
  createWorld(options?: { gravity?: Vector3 }): World;
  /** s, N s/m, s, N, m/s */
  createLink(options?: { period?: number; damping?: number; delay?: number; maxForce?: number; maxSpeed?: number }): Link;
  /** SELECT on points, three numbers each: those that are meant, ascending. */
  selectPoints(text: string, positions: ArrayLike<number>): Int32Array;
  /**
   * `field` gives the displacements of a frame, `size` numbers, three a vertex; frames are asked for more than once. As
   * many shapes as bring every vertex of every frame within `tolerance` (m) of its place, but at most `most`; then the
   * error may be larger.
   */
  principalShapes(field: (frame: number) => ArrayLike<number>,
    options: { frames: number; size: number; tolerance: number; most: number }): PrincipalShapes;
}

/** Instantiates limber.wasm from its bytes, a compiled module, or the response that brings it. */
export function loadLimber(source: BufferSource | WebAssembly.Module | Response): Promise<Limber>;
