// SPDX-License-Identifier: Apache-2.0
// The library's world in a worker of its own. The page sends a tick for each frame that it draws; the worker asks for
// the fixed steps that fit into the time since the last one, and answers with the coordinates.
import { loadLimber, LimberError, type Limber, type Model } from 'limber';
import { LiveWorld, shapeCoordinatesOf, type BodyFrame, type Mode } from './live_world';
import type { Answers, Frame, FromWorker, Moment, Pace, Request, ShownModel, Surface, Tick, ToWorker } from './messages';
import { fileOfShown } from './shown_name';
import { shownMesh } from './shown_mesh';

let world: LiveWorld | null = null;
/** Simulated seconds that were asked for and not made yet. */
let owed = 0;
/** What frames name beside files: the page has it. */
const handed = new Set<string>();
let pace: Pace = { stepMicroseconds: 0, stepsPerSecond: 0, share: 1, idle: 1 };

function send(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as { postMessage(message: FromWorker, transfer: Transferable[]): void }).postMessage(message, transfer);
}

function live(): LiveWorld {
  if (!world) throw new Error('no model is loaded');
  return world;
}

function surfaceOf(name: string): Surface {
  const body = live().body(name);
  return { displacement: body.surfaceDisplacement(), normals: body.surfaceNormals() };
}

// What the page has not seen yet: pieces of trees, and trees of which domains were replaced.
function newModels(bodies: readonly BodyFrame[]): Frame['models'] {
  return bodies.filter(({ model }) => model !== fileOfShown(model) && !handed.has(model)).map(({ name, model }) => {
    handed.add(model);
    const made = live().body(name).presentModel();
    const shown = shownModel(fileOfShown(model), made);
    made.destroy();
    return { name: model, shown };
  });
}

function frameOf(surfaces: boolean, trail: Moment[] = []): Frame {
  const now = live(), bodies = now.frames();
  return {
    step: now.stepNumber,
    time: now.time,
    bodies,
    models: newModels(bodies),
    contact: now.contact(),
    obstacles: now.obstacles(),
    ball: now.ball(),
    pace,
    recording: now.recording,
    replay: now.replay,
    surfaces: surfaces ? now.bodies.map(({ name }) => surfaceOf(name)) : null,
    trail,
  };
}

// `file`: whose model it is, or is made of.
function shownModel(file: string, model: Model): ShownModel {
  const positions = model.restPositions(), triangles = model.triangles();
  return {
    info: model.info,
    methods: live().methodsOf(file),
    flight: live().flightOf(file),
    positions,
    triangles,
    shown: shownMesh(positions, triangles),
    basis: model.info.methods.includes('stvk') ? model.surfaceBasis() : new Float32Array(0),
    warpModes: model.warpModes(),
    warpRotations: model.warpRotations(),
    warpCompanions: model.warpCompanions(),
    inputVertices: model.inputVertices(),
    mesh: model.simulationMesh(),
    tree: model.tree(),
  };
}

function buffersOf({ file, shown: { info: _info, methods: _methods, flight: _flight, mesh, shown, tree, ...arrays } }: Answers['open']): ArrayBuffer[] {
  const ofTree = tree ? [tree.sharedVertices, ...tree.parts.flatMap(({ positions, basis }) => [positions, basis])] : [];
  return [file, ...[...[arrays, mesh, shown].flatMap((each) => Object.values(each)), ...ofTree].map(({ buffer }) => buffer as ArrayBuffer)];
}

// Moments of the trail are so far apart, s: plots show what a frame would skip.
const kTrailSeconds = 0.004;

function momentOf(name: string): Moment {
  const body = live().body(name);
  return {
    time: live().time, q: body.q, shapeCoordinates: shapeCoordinatesOf(body), ...body.energies,
  };
}

// Steps in batches until the time is spent: the clock's resolution is a tenth of a millisecond.
function advance({ seconds, budgetSeconds, speed, trail: of }: Tick, trail: Moment[]): void {
  const now = live();
  owed += seconds * speed;
  const wanted = Math.floor(owed / now.dt + 1e-9);
  const began = performance.now();
  const budget = 1000 * budgetSeconds;
  const follows = of !== null && now.bodies.some(({ name }) => name === of);
  let made = 0, spent = 0;
  let batch = Math.max(1, Math.floor(pace.stepMicroseconds > 0 ? 1000 / pace.stepMicroseconds : 4));
  while (made < wanted && spent < budget) {
    const asked = Math.min(batch, wanted - made, follows ? Math.max(1, Math.round(kTrailSeconds / now.dt)) : Infinity);
    const stepped = now.step(asked);
    made += stepped;
    if (follows && now.bodies.some(({ name }) => name === of)) trail.push(momentOf(of!));
    spent = performance.now() - began;
    if (stepped < asked) break;
    if (spent < 0.25 * budget) batch *= 2;
  }
  // What could not be made in time is dropped: the motion is slower than real time, and the meter says so.
  owed = Math.min(owed - made * now.dt, now.dt);
  const share = wanted > 0 ? made / wanted : pace.share;
  const smooth = (before: number, next: number) => before + 0.15 * (next - before);
  pace = {
    stepMicroseconds: made >= 4 && spent > 0.3 ? smooth(pace.stepMicroseconds || (1000 * spent) / made, (1000 * spent) / made)
      : pace.stepMicroseconds,
    stepsPerSecond: seconds > 0 ? smooth(pace.stepsPerSecond, made / seconds) : pace.stepsPerSecond,
    share: smooth(pace.share, share),
    idle: smooth(pace.idle, Math.max(0, 1 - spent / budget)),
  };
}

async function load({ module, name, file, settings }: Extract<Request, { kind: 'load' }>): Promise<Answers['load']> {
  world?.destroy();
  const limber: Limber = await loadLimber(module);
  world = new LiveWorld(limber, name, file, settings);
  world.onRecorded = (scene) => send({ kind: 'recorded', scene });
  return { shown: shownModel(name, world.model(name)), settings: world.settings, fields: limber.fields, file: file.slice(0) };
}

function modesOf(model: Model): Mode[] {
  const { frequencies, shapes } = model.modes();
  return Array.from(frequencies, (hz, i) => ({ hz, q: shapes[i] }));
}

function derivativeOf(model: Model, i: number, j: number): Mode {
  const q = model.modalDerivative(i, j), size = Math.hypot(...q) || 1;
  return { hz: model.rayleighFrequency(q), q: q.map((x) => x / size) };
}

async function answer(request: Request): Promise<unknown> {
  if (request.kind === 'load') return load(request);
  const now = live();
  switch (request.kind) {
    case 'open':
      return { shown: shownModel(request.name, now.open(request.name, request.file)), file: request.file.slice(0) };
    case 'step':
      now.step(request.count);
      return frameOf(false);
    case 'reset':
      now.reset();
      owed = 0;
      return frameOf(false);
    case 'settings':
      now.change(request.settings);
      return now.settings;
    case 'apply':
      now.apply(request.input);
      return null;
    case 'contacts':
      now.wantsContacts = request.on;
      return null;
    case 'ball':
      now.moveBall(request.position, request.radius, request.body);
      return null;
    case 'scene':
      return now.scene();
    case 'detach':
      now.detach(request.body, request.domain);
      return now.settings;
    case 'stiffness':
      return now.stiffnessAt(request.body, request.vertex);
    case 'record':
      now.startRecording();
      return null;
    case 'stop-recording':
      now.stopRecording();
      return null;
    case 'recorded':
      return now.recordedScene();
    case 'replay':
      now.startReplay(request.scene);
      owed = 0;
      return { settings: now.settings, frame: frameOf(false) };
    case 'surface':
      return surfaceOf(request.body);
    case 'swing':
      return now.shapesAlong(request.body, request.q);
    case 'modes':
      return modesOf(now.model(request.model));
    case 'derivative':
      return derivativeOf(now.model(request.model), request.i, request.j);
    case 'bench':
      return { stepsPerSecond: now.bench(request.steps) };
  }
}

function refusal(id: number | null, error: unknown): FromWorker {
  const problem = error instanceof LimberError
    ? { where: error.where, problem: error.problem, try_this: error.tryThis }
    : { where: '', problem: error instanceof Error ? error.message : String(error), try_this: '', ...(error as object) };
  return { kind: 'refused', id, problem };
}

// Tells the page when a replay has ended meanwhile.
async function watched(work: () => unknown): Promise<void> {
  const replayed = world?.replay ?? null;
  await work();
  if (replayed && world && !world.replay) send({ kind: 'settings', settings: world.settings });
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  const id = 'id' in data ? data.id : null;
  try {
    await watched(async () => {
      if ('id' in data) {
        const value = await answer(data);
        // A model's arrays are handed over, not copied: the page goes on drawing.
        const handed = data.kind === 'load' || data.kind === 'open';
        send({ kind: 'answer', id: data.id, value }, handed ? buffersOf(value as Answers['open']) : []);
        return;
      }
      const trail: Moment[] = [];
      advance(data, trail);
      send({ kind: 'frame', frame: frameOf(data.surfaces, trail) });
    });
  } catch (error) {
    send(refusal(id, error));
    if (data.kind === 'tick') send({ kind: 'frame', frame: frameOf(false) });
  }
};
