// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that simulates say to each other.
import type { ModelInfo, SimulationMesh, Tree } from 'limber';
import type { Problem } from '../api/client';
import type { BodyFrame, Flight, Mode } from './live_world';
import type { RecordedScene, WorldInput } from './recording';
import type { Fields, Method, Settings } from './settings';
import type { ShownMesh } from './shown_mesh';
import type { BallFrame, ContactFrame, Obstacle } from './touching';
import type { Vec3 } from './vector';

/** What the page needs of a model to show it. Columns follow each other, three numbers a vertex. */
export interface ShownModel {
  info: ModelInfo;
  /** That its bodies may have. */
  methods: Method[];
  flight: Flight;
  positions: Float32Array;
  triangles: Int32Array;
  /** Its surface with hard edges; found by the worker, since large ones take a second. */
  shown: ShownMesh;
  basis: Float32Array;
  warpModes: Float32Array;
  warpRotations: Float32Array;
  warpCompanions: Float32Array;
  inputVertices: Int32Array;
  mesh: SimulationMesh;
  /** Of a tree of domains; null: it is none. */
  tree: Tree | null;
}

/** A body's surface by the library itself, on the CPU. */
export interface Surface {
  displacement: Float32Array;
  normals: Float32Array;
}

/** How fast the simulation runs. */
export interface Pace {
  /** µs, timed over batches */
  stepMicroseconds: number;
  stepsPerSecond: number;
  /** Simulated seconds in a second, of those asked for: below 1 the machine is too slow. */
  share: number;
  /** Part of the frame's time that was not needed. */
  idle: number;
}

/** A body at one moment. */
export interface Moment {
  time: number;
  q: Float64Array;
  shapeCoordinates: Float64Array;
  kinetic: number;
  elastic: number;
}

export interface Frame {
  step: number;
  time: number;
  bodies: BodyFrame[];
  /** What the bodies are made of that is in no file (shown_name.ts), each when it is first named. */
  models: { name: string; shown: ShownModel }[];
  /** Null: nothing touches. */
  contact: ContactFrame | null;
  obstacles: Obstacle[];
  /** That the pointer carries; null: none. */
  ball: BallFrame | null;
  pace: Pace;
  recording: boolean;
  /** Steps made and steps in all; null: live. */
  replay: { step: number; steps: number } | null;
  /** For each body, where the page draws on the CPU. */
  surfaces: Surface[] | null;
  /** Of the body that the page asked for, since the last frame; the last one is now. */
  trail: Moment[];
}

/** Requests with an answer of the same id. */
export type Request =
  | { kind: 'load'; module: WebAssembly.Module; name: string; file: ArrayBuffer; settings: Settings | null }
  | { kind: 'open'; name: string; file: ArrayBuffer }
  | { kind: 'step'; count: number }
  | { kind: 'reset' }
  | { kind: 'settings'; settings: Settings }
  | { kind: 'apply'; input: WorldInput }
  /** Frames list the contact points, or not. */
  | { kind: 'contacts'; on: boolean }
  /** Null takes it away. `body`: whose stiffness the coupling has. */
  | { kind: 'ball'; position: Vec3 | null; radius: number; body: string }
  /** What is there now, as a scene. */
  | { kind: 'scene' }
  | { kind: 'detach'; body: string; domain: string }
  | { kind: 'stiffness'; body: string; vertex: number }
  | { kind: 'record' }
  | { kind: 'stop-recording' }
  | { kind: 'recorded' }
  | { kind: 'replay'; scene: RecordedScene }
  | { kind: 'surface'; body: string }
  | { kind: 'swing'; body: string; q: Float64Array }
  | { kind: 'modes'; model: string }
  | { kind: 'derivative'; model: string; i: number; j: number }
  | { kind: 'bench'; steps: number };

/** Told without an answer. `trail`: the body whose motion between two frames is wanted; null: none. */
export interface Tick {
  kind: 'tick';
  seconds: number;
  budgetSeconds: number;
  speed: number;
  surfaces: boolean;
  trail: string | null;
}

export type ToWorker = Tick | (Request & { id: number });

export type FromWorker =
  | { kind: 'frame'; frame: Frame }
  | { kind: 'recorded'; scene: RecordedScene }
  /** A replay is over: these are the settings that it left. */
  | { kind: 'settings'; settings: Settings }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refused'; id: number | null; problem: Problem };

/** What each request is answered with. */
export interface Answers {
  /** The file comes back: it is handed over and copied there, so that the page need not wait for half a gigabyte. */
  load: { shown: ShownModel; settings: Settings; fields: Fields; file: ArrayBuffer };
  open: { shown: ShownModel; file: ArrayBuffer };
  step: Frame;
  reset: Frame;
  settings: Settings;
  apply: null;
  contacts: null;
  ball: null;
  scene: RecordedScene;
  /** As they are then. */
  detach: Settings;
  stiffness: number;
  record: null;
  'stop-recording': null;
  recorded: RecordedScene | null;
  replay: { settings: Settings; frame: Frame };
  surface: Surface;
  /** Shape coordinates between −q and q, evenly spaced. */
  swing: Float64Array[];
  modes: Mode[];
  derivative: Mode;
  bench: { stepsPerSecond: number };
}
