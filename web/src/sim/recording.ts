// SPDX-License-Identifier: Apache-2.0
// Recorded input: a scene file whose key "recording" lists what the user did, by step number. docs/recording.md is
// the format; `limber simulate` replays it too.
import type { FrameMotion, Manipulation, Material } from 'limber';
import type { Method } from './settings';
import type { Vec3 } from './vector';

/** A spring from a vertex of the surface to a point: force = stiffness (target − position), in the body's frame. */
export interface Pull {
  /** of the model's surface */
  vertex: number;
  /** m */
  target: Vec3;
  /** N/m */
  stiffness: number;
}

/** What changes before the step of this number, and holds until it is changed again. */
export interface RecordedInput {
  step: number;
  pull?: Pull | null;
  frame?: FrameMotion;
  pins?: Manipulation | null;
  gravity?: Vec3;
  dt?: number;
  /** For `set`: which body; all of them without it. */
  body?: string;
  set?: BodyKeys;
}

/** The keys of a scene's body that may change while it runs. */
export interface BodyKeys {
  rank?: number;
  integrator?: string;
  newton?: number;
  damping?: { alpha?: number; beta?: number; strain_rate?: number };
  materials?: Record<string, Partial<Material>>;
  /** Of a warped body: the words of the JavaScript library. */
  warping?: 'warped' | 'local' | 'linear';
  step?: 'semi-implicit' | 'closed-form';
  young_scale?: number;
  density_scale?: number;
}

export interface SceneBody extends BodyKeys {
  name: string;
  model: string;
  /** linear: warp with "warping": "linear" */
  method: 'stvk' | 'warp' | 'linear';
  q?: number[];
  v?: number[];
}

export interface RecordedScene {
  duration: number;
  dt: number;
  gravity: Vec3;
  bodies: SceneBody[];
  recording: { version: 1; steps: number; inputs: RecordedInput[] };
}

/** One input a line, so that a difference of two files reads well. */
export function sceneText(scene: RecordedScene): string {
  const { recording, ...rest } = scene;
  const head = JSON.stringify(rest, null, 1).slice(0, -2);
  const inputs = recording.inputs.map((input) => `   ${JSON.stringify(input)}`).join(',\n');
  return `${head},\n "recording": { "version": 1, "steps": ${recording.steps}, "inputs": [${inputs ? `\n${inputs}\n ` : ''}] }\n}\n`;
}

function refuse(problem: string): never {
  const error = new Error(problem) as Error & { where: string; problem: string; tryThis: string };
  error.where = 'recording';
  error.problem = problem;
  error.tryThis = 'choose a file that the studio saved (docs/recording.md)';
  throw error;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** How the page moves a body of a scene. */
export function methodOf(body: SceneBody): Method {
  if (body.method === 'stvk') return 'stvk';
  return body.method === 'linear' || body.warping === 'linear' ? 'linear' : 'warped';
}

const kWarpings = ['warped', 'local', 'linear'];

function checkWarping(keys: BodyKeys, where: string): void {
  if (keys.warping !== undefined && !kWarpings.includes(keys.warping))
    refuse(`${where} has "warping": ${JSON.stringify(keys.warping)}; ${kWarpings.map((word) => `"${word}"`).join(', ')} are known`);
}

function checkSet(bodies: SceneBody[], { body: name, set = {} }: RecordedInput, where: string): void {
  checkWarping(set, where);
  const other = bodies.some((body) => body.method !== 'stvk' && (!name || body.name === name) &&
    set.warping !== undefined && (set.warping === 'linear') !== (methodOf(body) === 'linear'));
  if (other)
    refuse(`${where} sets "warping": "${set.warping}"; the page keeps linear bodies linear and warped ones warped, ` +
      'limber simulate changes them');
}

/** Reads what sceneText wrote, or a person did. Throws with what is wrong. */
export function parseScene(text: string): RecordedScene {
  let scene: RecordedScene;
  try {
    scene = JSON.parse(text) as RecordedScene;
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}`);
  }
  if (typeof scene !== 'object' || scene === null || !scene.recording) refuse('the key "recording" is missing');
  const { steps, inputs } = scene.recording;
  if (scene.recording.version !== 1) refuse(`version ${String(scene.recording.version)} is not known; 1 is`);
  if (!Number.isInteger(steps) || steps < 0) refuse(`"steps" is ${String(steps)}; a whole number is needed`);
  if (!isNumber(scene.dt) || scene.dt <= 0) refuse(`"dt" is ${String(scene.dt)}; seconds above 0 are needed`);
  if (!Array.isArray(scene.bodies) || scene.bodies.length === 0) refuse('"bodies" is empty');
  for (const [place, body] of scene.bodies.entries()) {
    checkWarping(body, `body ${place}`);
    if (scene.bodies.slice(0, place).some((other) => methodOf(other) === methodOf(body)))
      refuse(`body ${place} moves as one before it does (${methodOf(body)}); the page shows one of each method, ` +
        'limber simulate any number');
  }
  if (!Array.isArray(inputs)) refuse('"inputs" is not a list');
  let last = 0;
  for (const [place, input] of inputs.entries()) {
    if (!Number.isInteger(input.step) || input.step < last)
      refuse(`input ${place} has step ${String(input.step)}; steps are whole numbers that do not fall (the one before has ${last})`);
    last = input.step;
    if (input.pull && !(isNumber(input.pull.stiffness) && Number.isInteger(input.pull.vertex)))
      refuse(`input ${place}: a pull has "vertex", "target" and "stiffness"`);
    if (input.set) checkSet(scene.bodies, input, `input ${place}`);
  }
  return scene;
}
