// SPDX-License-Identifier: Apache-2.0
// Inputs of a world, and a recording of them: a scene file whose key "recording" lists what the user did, by step number.
// docs/recording.md is the format. The library reads, checks and replays it; here it is only carried.
import type { Spring } from 'limber';
import type { BodySettings, BodyStart, Method, Mount, WindSettings } from './settings';
import type { ContactSettings, Device, Obstacle } from './touching';
import type { Quaternion, Vec3 } from './vector';

export type { Spring };

/** The support swings by amplitude (1 − cos ωt) along a direction, for whole periods: it begins and ends at rest. */
export interface Shake {
  /** unit vector */
  direction: Vec3;
  /** m */
  amplitude: number;
  hz: number;
  periods: number;
}

export interface WantedConstraints {
  positions: { vertex: number; displacement: Vec3 }[];
  orientations?: { vertex: number; orientation: Quaternion }[];
  positions_by?: 'predicted' | 'newton' | 'previous';
  /** Time constant with which the targets are approached, s. */
  smoothing?: number;
}

export interface BodyJson extends BodySettings, BodyStart {
  name: string;
  model: string;
  method: Method;
  mount?: Mount;
  position?: Vec3;
  rotation?: Quaternion;
  friction?: number;
  layer?: number;
}

/** What happens to a world between two steps; without `body` to every body that can take it. */
export interface WorldInput {
  body?: string;
  pull?: Spring | null;
  set?: BodySettings;
  constraints?: WantedConstraints | null;
  shake?: Shake;
  follow?: { rate: number; positions: number[]; orientations: number[] };
  gravity?: Vec3;
  /** Null: no air. */
  wind?: WindSettings | null;
  add?: BodyJson;
  remove?: true;
  place?: { position: Vec3; rotation?: Quaternion; velocity?: Vec3; angular_velocity?: Vec3 };
  state?: { q?: number[]; v?: number[] };
  /** Null: nothing touches. */
  contact?: ContactSettings | null;
  add_obstacle?: Obstacle;
  /** Whom `remove`, `place` and `follow` are for, in place of `body`. */
  obstacle?: string;
  add_device?: Device;
  /** Whom `remove` and `move` are for, in place of `body`. */
  device?: string;
  /** Where the hand holds the device, m. */
  move?: Vec3;
}

export interface RecordedScene {
  duration?: number;
  dt: number;
  gravity?: Vec3;
  wind?: WindSettings | null;
  contact?: ContactSettings | null;
  obstacles?: Obstacle[];
  bodies: BodyJson[];
  recording: { version: number; steps: number; inputs: (WorldInput & { step: number })[] };
}

/** One input a line, so that a difference of two files reads well. */
export function sceneText(scene: RecordedScene): string {
  const { recording: { version, steps, inputs }, ...rest } = scene;
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  const lines = inputs.map((input) => `   ${JSON.stringify(input)}`).join(',\n');
  return `${head},\n "recording": { "version": ${version}, "steps": ${steps}, "inputs": [${lines ? `\n${lines}\n ` : ''}] }\n}\n`;
}

function refuse(problem: string, tryThis = 'choose a file that the studio saved (docs/recording.md)'): never {
  throw Object.assign(new Error(problem), { where: 'recording', problem, tryThis });
}

/** Reads what sceneText wrote, or a person did. What is wrong inside it the library says when it is replayed. */
export function parseScene(text: string): RecordedScene {
  let scene: RecordedScene;
  try {
    scene = JSON.parse(text) as RecordedScene;
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}`);
  }
  if (typeof scene !== 'object' || scene === null || !scene.recording) refuse('the key "recording" is missing');
  if (!Array.isArray(scene.bodies) || scene.bodies.length === 0) refuse('"bodies" is empty');
  if (!Array.isArray(scene.recording.inputs)) refuse('"inputs" is not a list');
  return scene;
}

/** The files of the models that a scene or a recording needs, each once; obstacles may be models too. */
export function modelsOf({ bodies, obstacles = [], recording }: Omit<RecordedScene, 'recording'> & Partial<Pick<RecordedScene, 'recording'>>): string[] {
  const inputs = recording?.inputs ?? [];
  const added = inputs.flatMap(({ add }) => (add ? [add] : []));
  const meshes = [...obstacles, ...inputs.flatMap(({ add_obstacle: one }) => (one ? [one] : []))].flatMap(({ shape }) => shape?.mesh ?? []);
  return [...new Set([...[...bodies, ...added].map(({ model }) => model), ...meshes])];
}

/** Refuses a recording whose models are not all open; the message names the files. */
export function expectModels(scene: RecordedScene, open: readonly string[]): void {
  const missing = modelsOf(scene).filter((model) => !open.includes(model));
  if (missing.length > 0)
    refuse(`it needs ${missing.join(' and ')}, which ${missing.length > 1 ? 'are' : 'is'} not open; open: ${open.join(', ')}`,
      'put the file into the gallery, or change the name in the recording');
}
