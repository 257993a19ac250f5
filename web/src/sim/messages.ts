// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that simulates say to each other.
import type { Manipulation, ModelInfo, SimulationMesh } from 'limber';
import type { Problem } from '../api/client';
import type { ShownMesh } from './shown_mesh';
import type { Mode } from './modes';
import type { Pull, RecordedScene } from './recording';
import type { Settings } from './settings';
import type { BodyFrame } from './simulation';
import type { Shake, SupportPath, SupportPose } from './support_motion';

/** What the page needs of a model to show it. Columns follow each other, three numbers a vertex. */
export interface ShownModel {
  info: ModelInfo;
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

/** The first body at one moment. */
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
  pace: Pace;
  support: SupportPose;
  recording: boolean;
  /** Steps made and steps in all; null: live. */
  replay: { step: number; steps: number } | null;
  /** For each body, where the page draws on the CPU. */
  surfaces: Surface[] | null;
  /** Since the last frame, where the page asked for it; the last one is now. */
  trail: Moment[];
}

/** Requests with an answer of the same id. */
export type Request =
  | { kind: 'load'; module: WebAssembly.Module; file: ArrayBuffer; settings: Settings | null }
  | { kind: 'step'; count: number }
  | { kind: 'reset' }
  | { kind: 'settings'; settings: Settings }
  | { kind: 'stiffness'; vertex: number }
  | { kind: 'record'; model: string }
  | { kind: 'stop-recording' }
  | { kind: 'recorded' }
  | { kind: 'replay'; scene: RecordedScene }
  | { kind: 'surface'; body: number }
  | { kind: 'set-state'; q: Float64Array; v: Float64Array }
  | { kind: 'swing'; q: Float64Array }
  | { kind: 'modes' }
  | { kind: 'derivative'; i: number; j: number; amplitude: number }
  | { kind: 'bench'; steps: number };

/** Told without an answer. */
export type Notice =
  | { kind: 'tick'; seconds: number; budgetSeconds: number; speed: number; surfaces: boolean; trail: boolean }
  | { kind: 'pull'; pull: Pull | null }
  | { kind: 'constraints'; constraints: Manipulation | null }
  | { kind: 'shake'; shake: Shake }
  | { kind: 'follow'; path: SupportPath };

export type ToWorker = Notice | (Request & { id: number });

export type FromWorker =
  | { kind: 'frame'; frame: Frame }
  | { kind: 'recorded'; scene: RecordedScene }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refused'; id: number | null; problem: Problem };

/** What each request is answered with. */
export interface Answers {
  /** The file comes back: it is handed over and copied there, so that the page need not wait for half a gigabyte. */
  load: { shown: ShownModel; settings: Settings; file: ArrayBuffer };
  step: Frame;
  reset: Frame;
  settings: Settings;
  stiffness: number;
  record: null;
  'stop-recording': null;
  recorded: RecordedScene | null;
  replay: { settings: Settings; frame: Frame };
  surface: Surface;
  'set-state': Frame;
  /** Shape coordinates of the first body on the way from −q to q, evenly spaced. */
  swing: Float64Array[];
  modes: Mode[];
  derivative: Mode;
  bench: { stepsPerSecond: number };
}
