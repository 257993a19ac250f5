// SPDX-License-Identifier: Apache-2.0
// What happens to a world: bodies, obstacles, devices, forces, and recordings of them.
import type {
  Constraints, ContactSettings, DeviceSettings, DomainsSettings, Method, Mount, Pose, RigidSettings, StvkSettings, Vector3,
  WarpSettings, WindSettings,
} from './settings.js';

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

/** A haptic device; the settings that are left out are as in the table of docs/scene_file.md. */
export interface Device extends DeviceSettings {
  name?: string;
  /** Where it starts, m. */
  position?: Vector3;
  layer?: number;
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

/** The force is stiffness · (target − x), held for each step. */
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
