// SPDX-License-Identifier: Apache-2.0
// A scene with its models, as one archive: scene.json, which limber simulate takes, and the files that it names. What the
// page has beside a scene file, and what it cannot open of one, is said here.
import { modelsOf, type BodyJson, type RecordedScene, type WorldInput } from './recording';
import type { BodySettings, BodySetup, Settings } from './settings';
import { kAtOrigin, kUnturned } from './vector';
import { readZip, writeZip, type ZipEntry } from './zip';

/** Simulated seconds that limber simulate makes of a saved scene, and its frames a second. */
const kSeconds = 2, kFrames = 60;

type PlainScene = Omit<RecordedScene, 'recording'> & { every?: number; recording?: RecordedScene['recording'] };

/** What was opened: a scene and the bytes of its models by name; null: the gallery may have it. */
export interface OpenedScene {
  title: string;
  scene: PlainScene;
  models: Map<string, ArrayBuffer>;
}

function refuse(problem: string, tryThis: string, where = 'scene'): never {
  throw Object.assign(new Error(problem), { where, problem, tryThis });
}

/** The scene as text: what acts on the bodies stands in "recording". */
export function sceneJson({ duration: _recorded, dt, bodies, recording: { version, inputs }, ...others }: RecordedScene): string {
  const scene: PlainScene = {
    duration: kSeconds, dt, ...others, every: Math.max(1, Math.round(1 / kFrames / dt)), bodies,
    ...(inputs.length > 0 ? { recording: { version, steps: Math.round(kSeconds / dt), inputs } } : {}),
  };
  // Lists of numbers in one line.
  return `${JSON.stringify(scene, null, 1).replace(/\[\s+([-\d.e+,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`)}\n`;
}

/** One file: scene.json and its models. `fileOf` gives the bytes of a model. */
export function packScene(scene: RecordedScene, fileOf: (model: string) => ArrayBuffer): Uint8Array<ArrayBuffer> {
  return writeZip([
    { path: 'scene.json', bytes: new TextEncoder().encode(sceneJson(scene)) },
    ...modelsOf(scene).map((path): ZipEntry => ({ path, bytes: new Uint8Array(fileOf(path)) })),
  ]);
}

// What says how a scene is written to a file, not how it moves.
const kBeside = ['duration', 'every', 'probes', 'up'];
const kTaken = ['dt', 'gravity', 'wind', 'contact', 'obstacles', 'bodies', 'recording', ...kBeside];

/** Of the text of a scene file. What is wrong inside its bodies the library says when it is opened. */
export function parsePlainScene(text: string, where: string): PlainScene {
  let scene: PlainScene;
  try {
    scene = JSON.parse(text) as PlainScene;
  } catch (error) {
    return refuse(`it is not JSON: ${(error as Error).message}`, 'choose a scene file (docs/scene_file.md)', where);
  }
  if (typeof scene !== 'object' || scene === null || !Array.isArray(scene.bodies) || scene.bodies.length === 0)
    refuse('it has no list "bodies"', 'choose a scene file (docs/scene_file.md)', where);
  const other = Object.keys(scene).filter((key) => !kTaken.includes(key));
  if (other.length > 0)
    refuse(`the studio cannot open "${other[0]}" of a scene`, `remove "${other.join('", "')}"`, where);
  scene.bodies.forEach((body, i) => {
    if (typeof body?.model !== 'string') refuse('the key "model" is missing', 'the name of a model.glb', `${where}: bodies[${i}]`);
    if (!/\.glb$/i.test(body.model))
      refuse(`${body.model} is a mesh; the studio opens models (.glb)`, 'make a model of it: drop the mesh on the page', `${where}: bodies[${i}].model`);
    for (const key of ['support', 'subtree', 'release', 'priority', 'positions_by'])
      if (key in body) refuse(`the studio cannot open "${key}" of a body`, `remove "${key}"`, `${where}: bodies[${i}]`);
  });
  (scene.obstacles ?? []).forEach((obstacle, i) => {
    if (typeof obstacle?.shape !== 'object') refuse('the key "shape" is missing', '{"plane": {"normal": [0, 0, 1], "offset": 0}}', `${where}: obstacles[${i}]`);
    if ('motion' in obstacle) refuse('the studio cannot open "motion" of an obstacle', 'remove "motion"; a position is enough for one that stands', `${where}: obstacles[${i}]`);
  });
  return scene;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** An archive, or a scene file with those of its models that were chosen beside it. */
export async function readScene(files: readonly ZipEntry[]): Promise<OpenedScene> {
  const archive = files.find(({ path }) => /\.zip$/i.test(path));
  const all = archive ? await readZip(archive.bytes) : files;
  const where = archive ? nameOf(archive.path) : 'scene';
  const scenes = all.filter(({ path }) => /\.json$/i.test(path));
  const found = scenes.find(({ path }) => nameOf(path) === 'scene.json') ?? scenes[0];
  if (!found) refuse('there is no scene file (.json) in it', 'choose what "Save scene" wrote', where);
  const scene = parsePlainScene(new TextDecoder().decode(found.bytes), nameOf(found.path));
  const models = new Map<string, ArrayBuffer>();
  for (const model of modelsOf(scene)) {
    const entry = all.find(({ path }) => path === model) ?? all.find(({ path }) => nameOf(path) === nameOf(model));
    if (entry) models.set(model, entry.bytes.slice().buffer);
  }
  const title = nameOf((archive ?? found).path).replace(/\.(zip|json)$/i, '');
  return { title, scene, models };
}

// Keys of a body that are not settings of its method.
type BodyKeys = Omit<BodyJson, keyof BodySettings>;

function setupOf(body: BodyJson, methodOf: (model: string) => BodySetup['method'], place: number): BodySetup {
  const { name = `body${place + 1}`, model, method = methodOf(model), mount, position = kAtOrigin, rotation = kUnturned, friction,
    layer, q, v, velocity, angular_velocity, ...settings } = body as BodyKeys & Partial<BodyJson>;
  const start = { ...(q ? { q } : {}), ...(v ? { v } : {}), ...(velocity ? { velocity } : {}), ...(angular_velocity ? { angular_velocity } : {}) };
  return {
    name, model, method, position, rotation, settings: settings as BodySettings, ...(mount ? { mount } : {}),
    ...(friction === undefined ? {} : { friction }), ...(layer === undefined ? {} : { layer }), ...(Object.keys(start).length > 0 ? { start } : {}),
  };
}

/** The scene in the page's words, and what acts from its first step on. */
export function settingsOf({ dt = 0.001, gravity = [0, 0, 0], wind, contact, obstacles = [], bodies, recording }: PlainScene,
  methodOf: (model: string) => BodySetup['method']): { settings: Settings; inputs: WorldInput[]; recorded: RecordedScene | null } {
  const inputs = (recording?.inputs ?? []).filter(({ step }) => step === 0).map(({ step: _step, ...input }) => input as WorldInput);
  const later = recording?.inputs.some(({ step }) => step > 0) ?? false;
  return {
    settings: {
      dt, gravity, ...(wind ? { wind } : {}), contact: contact ?? (contact === undefined && obstacles.length > 0 ? {} : null),
      obstacles: obstacles.map((obstacle, i) => ({
        ...obstacle, name: obstacle.name ?? `obstacle${i + 1}`, position: obstacle.position ?? kAtOrigin, rotation: obstacle.rotation ?? kUnturned,
      })),
      bodies: bodies.map((body, i) => setupOf(body, methodOf, i)),
    },
    inputs,
    recorded: later ? { dt, gravity, ...(wind ? { wind } : {}), ...(contact === undefined ? {} : { contact }), obstacles, bodies, recording: recording! } : null,
  };
}
