// SPDX-License-Identifier: Apache-2.0
// Soft and rigid bodies in JavaScript. Units are SI; arrays of the surface have three numbers a vertex; quaternions are
// x y z w.
import type { Device, Input, Obstacle, Recording, VertexForce } from './inputs.js';
import type { Model } from './model.js';
import type { ContactSettings, Method, Mount, Pose, RigidSettings, StvkSettings, Vector3, WarpSettings, WindSettings } from './settings.js';

export * from './inputs.js';
export * from './model.js';
export * from './settings.js';

/** Input that limber cannot take; nothing was changed. */
export class LimberError extends Error {
  readonly where: string;
  readonly problem: string;
  readonly tryThis: string;
  /** The error code of the interface in C: docs/c.md. */
  readonly status: 'refused' | 'null' | 'bad-handle' | 'wrong-kind' | 'wrong-size' | 'bad-pointer' | 'no-body' | 'no-memory' | 'failed';
}

export interface DeviceState {
  number: number;
  name: string;
  /** m; m; N, to the hand */
  position: Vector3;
  proxy: Vector3;
  /** m/s */
  proxy_velocity: Vector3;
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

/** All that the future of a world depends on. */
export interface WorldState {
  destroy(): void;
}

/** How a body is shaped and moves. */
export interface BodyState {
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
  /** All of the method's; friction and layer where the body has its own. */
  readonly settings: StvkSettings & WarpSettings & RigidSettings & { friction?: number; layer?: number };
  /** What acts on it now: support, shake or follow, constraints, forces, pull. */
  readonly inputs: Input[];
  /**
   * What the body is made of now, to be destroyed by the caller: not the model that was added where it came off a tree, or
   * domains of it were replaced.
   */
  presentModel(): Model;
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
  /** Of a body that flies: kg, and of its centre of mass m, m/s, rad/s in world axes. */
  readonly flight: { mass: number; centre: Vector3; velocity: Vector3; angularVelocity: Vector3 } | null;
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
  /** Not its settings, nor what acts on it. */
  save(): BodyState;
  /** Of this body, or of another one of the same method, mount and model. Throws LimberError while recording or replaying. */
  restore(state: BodyState): void;
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
  /** What moves an obstacle now: place with velocities, shake or follow. */
  obstacleInputs(obstacle: number): Input[];
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
