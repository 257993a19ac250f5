// SPDX-License-Identifier: Apache-2.0
// The simulation in a worker of its own. The page sends a tick for each frame that it draws; the worker makes the
// fixed steps that fit into the time since the last one, and answers with the coordinates.
import { loadLimber, LimberError, type Model } from 'limber';
import { shownMesh } from './shown_mesh';
import { shapeCoordinates, shapesAlong } from './body';
import type { Answers, Frame, FromWorker, Moment, Pace, Request, ShownModel, Surface, ToWorker } from './messages';
import { ModeFinder } from './modes';
import { defaultSettings, methodsOf, type Settings } from './settings';
import { Simulation } from './simulation';
import { following, shaking } from './support_motion';

let simulation: Simulation | null = null;
let modeFinder: ModeFinder | null = null;
/** Simulated seconds that were asked for and not made yet. */
let owed = 0;
let pace: Pace = { stepMicroseconds: 0, stepsPerSecond: 0, share: 1, idle: 1 };

function send(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as { postMessage(message: FromWorker, transfer: Transferable[]): void }).postMessage(message, transfer);
}

// Made when it is first asked for.
function modes(): ModeFinder {
  modeFinder ??= new ModeFinder(live().model);
  return modeFinder;
}

function live(): Simulation {
  if (!simulation) throw new Error('no model is loaded');
  return simulation;
}

function surfaceOf(place: number): Surface {
  const { body } = live().bodies[place];
  return { displacement: body.surfaceDisplacement(), normals: body.surfaceNormals() };
}

function frameOf(surfaces: boolean, trail: Moment[] = []): Frame {
  const sim = live();
  return {
    step: sim.stepNumber,
    time: sim.time,
    bodies: sim.frames(),
    pace,
    support: sim.support,
    recording: sim.recording,
    replay: sim.replay && { step: sim.stepNumber, steps: sim.replay.scene.recording.steps },
    surfaces: surfaces ? sim.bodies.map((_, place) => surfaceOf(place)) : null,
    trail,
  };
}

function shownModel(model: Model): ShownModel {
  const positions = model.restPositions(), triangles = model.triangles();
  return {
    info: model.info,
    positions,
    triangles,
    shown: shownMesh(positions, triangles),
    basis: model.info.methods.includes('stvk') ? model.surfaceBasis() : new Float32Array(0),
    warpModes: model.warpModes(),
    warpRotations: model.warpRotations(),
    warpCompanions: model.warpCompanions(),
    inputVertices: model.inputVertices(),
    mesh: model.simulationMesh(),
  };
}

function buffersOf({ file, shown: { info: _info, mesh, shown, ...arrays } }: Answers['load']): ArrayBuffer[] {
  return [file, ...[arrays, mesh, shown].flatMap((each) => Object.values(each)).map(({ buffer }) => buffer as ArrayBuffer)];
}

// Settings that were kept from an earlier visit may not fit the model as it is now.
function fitting(kept: Settings | null, model: Model): Settings {
  const fresh = defaultSettings(model.info);
  if (!kept) return fresh;
  const possible = methodsOf(model.info);
  const methods = kept.methods.filter((method) => possible.includes(method));
  const sameGroups = Object.keys(kept.materials).join() === Object.keys(fresh.materials).join();
  return {
    ...fresh, ...kept,
    methods: methods.length ? methods : fresh.methods,
    materials: sameGroups ? kept.materials : fresh.materials,
    rank: Math.min(kept.rank, model.info.rank),
  };
}

// Moments of the trail are so far apart, s: plots show what a frame would skip.
const kTrailSeconds = 0.004;

function momentOf(sim: Simulation): Moment {
  const { method, body } = sim.bodies[0];
  return {
    time: sim.time, q: body.state.q, shapeCoordinates: shapeCoordinates(method, body), kinetic: body.kineticEnergy,
    elastic: body.elasticEnergy,
  };
}

// Steps in batches until the time is spent: the clock's resolution is a tenth of a millisecond.
function advance(seconds: number, budgetSeconds: number, speed: number, trail: Moment[] | null): void {
  const sim = live();
  const dt = sim.settings.dt;
  owed += seconds * speed;
  const wanted = Math.floor(owed / dt + 1e-9);
  const began = performance.now();
  const budget = 1000 * budgetSeconds;
  let made = 0, spent = 0;
  let batch = Math.max(1, Math.floor(pace.stepMicroseconds > 0 ? 1000 / pace.stepMicroseconds : 4));
  while (made < wanted && spent < budget) {
    const asked = Math.min(batch, wanted - made, trail ? Math.max(1, Math.round(kTrailSeconds / dt)) : Infinity);
    const stepped = sim.step(asked);
    made += stepped;
    trail?.push(momentOf(sim));
    spent = performance.now() - began;
    if (stepped < asked) break;
    if (spent < 0.25 * budget) batch *= 2;
  }
  // What could not be made in time is dropped: the motion is slower than real time, and the meter says so.
  owed = Math.min(owed - made * dt, dt);
  const share = wanted > 0 ? made / wanted : pace.share;
  const smooth = (before: number, now: number) => before + 0.15 * (now - before);
  pace = {
    stepMicroseconds: made >= 4 && spent > 0.3 ? smooth(pace.stepMicroseconds || (1000 * spent) / made, (1000 * spent) / made)
      : pace.stepMicroseconds,
    stepsPerSecond: seconds > 0 ? smooth(pace.stepsPerSecond, made / seconds) : pace.stepsPerSecond,
    share: smooth(pace.share, share),
    idle: smooth(pace.idle, Math.max(0, 1 - spent / budget)),
  };
}

async function load({ module, file, settings }: Extract<Request, { kind: 'load' }>): Promise<Answers['load']> {
  simulation?.destroy();
  simulation = null;
  const limber = await loadLimber(module);
  simulation = new Simulation(limber, file, (model) => fitting(settings, model));
  simulation.onRecorded = (scene) => send({ kind: 'recorded', scene });
  simulation.reset();
  return { shown: shownModel(simulation.model), settings: simulation.settings, file: file.slice(0) };
}

function bench(steps: number): Answers['bench'] {
  const { body } = live().bodies[0];
  const dt = live().settings.dt;
  const before = body.state;
  body.step(dt, steps);
  const began = performance.now();
  body.step(dt, steps);
  const seconds = (performance.now() - began) / 1000;
  body.state = before;
  return { stepsPerSecond: steps / seconds };
}

async function answer(request: Request): Promise<unknown> {
  if (request.kind === 'load') return load(request);
  const sim = live();
  switch (request.kind) {
    case 'step':
      sim.step(request.count);
      return frameOf(false);
    case 'reset':
      sim.reset();
      owed = 0;
      return frameOf(false);
    case 'settings':
      sim.change(request.settings);
      return sim.settings;
    case 'stiffness':
      return sim.stiffnessAt(request.vertex);
    case 'record':
      sim.startRecording(request.model);
      return null;
    case 'stop-recording':
      sim.stopRecording();
      return null;
    case 'recorded':
      return sim.recordedScene();
    case 'replay':
      return { settings: sim.startReplay(request.scene), frame: frameOf(false) };
    case 'surface':
      return surfaceOf(request.body);
    case 'set-state':
      for (const { body } of sim.bodies) body.state = { time: 0, q: request.q, v: request.v };
      return frameOf(false);
    case 'swing':
      return shapesAlong(sim.bodies[0], request.q);
    case 'modes':
      return modes().modes;
    case 'derivative':
      return modes().derivative(request.i, request.j, request.amplitude);
    case 'bench':
      return bench(request.steps);
  }
}

function refusal(id: number | null, error: unknown): FromWorker {
  const problem = error instanceof LimberError
    ? { where: error.where, problem: error.problem, try_this: error.tryThis }
    : { where: '', problem: error instanceof Error ? error.message : String(error), try_this: '', ...(error as object) };
  return { kind: 'refused', id, problem };
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  const id = 'id' in data ? data.id : null;
  try {
    if ('id' in data) {
      const value = await answer(data);
      // A model's arrays are handed over, not copied: the page goes on drawing.
      send({ kind: 'answer', id: data.id, value }, data.kind === 'load' ? buffersOf(value as Answers['load']) : []);
      return;
    }
    switch (data.kind) {
      case 'tick': {
        const trail: Moment[] = [];
        advance(data.seconds, data.budgetSeconds, data.speed, data.trail ? trail : null);
        send({ kind: 'frame', frame: frameOf(data.surfaces, trail) });
        break;
      }
      case 'pull':
        live().pull = data.pull;
        break;
      case 'constraints':
        live().wantConstraints(data.constraints);
        break;
      case 'shake':
        live().moveSupport(shaking(data.shake));
        break;
      case 'follow':
        live().moveSupport(following(data.path));
        break;
    }
  } catch (error) {
    send(refusal(id, error));
    if (data.kind === 'tick') send({ kind: 'frame', frame: frameOf(false) });
  }
};
