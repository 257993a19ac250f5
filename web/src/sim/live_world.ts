// SPDX-License-Identifier: Apache-2.0
// The library's world as the page uses it: models by the names of their files, bodies as the settings list them, frames
// to draw. What moves, and how, is the library's; this runs without a page.
import type { Input, Limber, LimberError, Model, Pose, Recording, StepReport, World, WorldBody } from 'limber';
import type { BodyJson, RecordedScene, WantedConstraints, WorldInput } from './recording';
import { shownName } from './shown_name';
import {
  bodyJson, defaultSettings, kDomainAsBuilt, flies, inputsBetween, newMount, newSettings, softMethods, type BodySettings, type BodySetup, type Method,
  type Settings,
} from './settings';
import { kBall, type BallFrame, type ContactFrame, type ContactPoint, type Device, type Obstacle } from './touching';
import { diagonal, kAtOrigin, kUnturned, length, rotated, type Quaternion, type Vec3 } from './vector';

/** How bodies of a model can fly, and why not otherwise. */
export interface Flight {
  soft: boolean;
  rigid: boolean;
  /** Why it does not fly as a soft body; empty: it does. */
  whyNotSoft: string;
}

export interface BodyFrame {
  name: string;
  /** What it is made of: its file's name, or one of shown_name.ts. */
  model: string;
  method: Method;
  q: Float64Array;
  /**
   * What the shape is computed from: q, and behind it the amplitudes of a warped body's companions, or the poses of a tree's
   * domains.
   */
  shapeCoordinates: Float64Array;
  /** World from body. */
  position: Vec3;
  orientation: Quaternion;
  kinetic: number;
  elastic: number;
  /** Of the pull, N; null without one. */
  force: Vec3 | null;
  /** Of all contacts on the body, N, and how many push. */
  contact: { points: number; force: Vec3 };
  asleep: boolean;
  report: StepReport;
}

/** A vibration mode, or another shape with the frequency that it would have. */
export interface Mode {
  hz: number;
  /** Coordinates, mass-normalised. */
  q: Float64Array;
}

// How fast a pulled body that flies swings about the pointer.
const kFlyingPullHz = 2;

// A pulled body that flies hangs this part of its size below the pointer, at most.
const kPullSag = 0.1;

// The ball is coupled to the pointer by a spring as stiff as the body where it is poked, and a damper: damping / stiffness, s.
const kCouplingSeconds = 0.004;
// Radii in a second: the ball follows a pointer that jumps at this speed.
const kBallSpeed = 60;
// N: no body of the page pushes more; beyond it the library would cut the force.
const kMostForce = 1e9;

// Numbers of a contact as the library lists them: a, b, obstacle, position, normal, impulse, force, depth, slip, device.
const kContactNumbers = 18, kPosition = 3, kForce = 12;

// Between so many shapes a straight line is near enough for the eye.
const kSwingShapes = 65;

function settingsOf({ settings, method }: WorldBody): BodySettings {
  const own = settings as BodySettings;
  if (method === 'domains') return wholeAgain(own);
  if (method !== 'linear') return own;
  const { warping: _warping, ...linear } = own;
  return linear;
}

/** As BodyFrame has them. */
export function shapeCoordinatesOf(body: WorldBody): Float64Array {
  const own = body.shapeCoordinates;
  if (body.method !== 'domains') return own;
  const poses = body.domainPoses, out = new Float64Array(own.length + poses.length);
  out.set(own);
  out.set(poses, own.length);
  return out;
}

// As a body begins: whole. What came off is there again after a reset.
function wholeAgain({ domains, ...others }: BodySettings): BodySettings {
  const changed = Object.entries(domains ?? {}).flatMap(([name, { detach: _detach, ...own }]) =>
    (JSON.stringify({ ...kDomainAsBuilt, ...own }) === JSON.stringify(kDomainAsBuilt) ? [] : [[name, own] as const]));
  return changed.length > 0 ? { ...others, domains: Object.fromEntries(changed) } : others;
}

function replacedParts({ settings }: WorldBody): Record<string, string> {
  const domains = Object.entries((settings as BodySettings).domains ?? {});
  return Object.fromEntries(domains.flatMap(([name, { replace }]) => (replace ? [[name, replace]] : [])));
}

const replacesDomains = ({ set }: WorldInput) => Object.values(set?.domains ?? {}).some(({ replace }) => replace !== undefined);

export class LiveWorld {
  settings: Settings;
  /** Called when a recording ends, also by a reset. */
  onRecorded: (scene: RecordedScene) => void = () => {};
  #limber: Limber;
  #models = new Map<string, Model>();
  #world: World;
  // Those that the user wants, by the name of the body: they outlive a reset.
  #constraints = new Map<string, WantedConstraints>();
  /** Frames list the contact points. */
  wantsContacts = false;
  // Null: there is none. Where it is, the world knows.
  #ball: Device | null = null;
  // Bodies that came off trees.
  #pieces = new Set<string>();
  // What frames call what bodies are made of; forgotten when that may change.
  #shownNames = new Map<string, string>();
  #replayReplaces = false;
  #recording = false;
  // The step at which the present time began.
  #began = { step: 0, time: 0 };

  /** `kept`: settings of an earlier visit, as far as they fit. */
  constructor(limber: Limber, name: string, file: ArrayBuffer, kept: Settings | null = null) {
    this.#limber = limber;
    this.open(name, file);
    this.settings = defaultSettings(this.model(name).info, name);
    // What the library does not tell, such as layers, is as it was kept.
    if (kept) this.settings = this.#fitting(kept);
    this.#world = this.#build(this.settings);
    this.#read();
  }

  destroy(): void {
    this.#world.destroy();
    for (const model of this.#models.values()) model.destroy();
  }

  /** Reads a model, so that bodies can be made of it. */
  open(name: string, file: ArrayBuffer): Model {
    const known = this.#models.get(name);
    if (known) return known;
    const model = this.#limber.loadModel(file);
    this.#models.set(name, model);
    this.#world?.addModel(name, model);
    return model;
  }

  model(name: string): Model {
    const model = this.#models.get(name);
    if (!model) throw new Error(`${name} is not open`);
    return model;
  }

  /** The methods that bodies of a model may have: rigid ones need a closed surface. */
  methodsOf(name: string): Method[] {
    const soft = softMethods(this.model(name).info);
    const world = this.#empty([0, 0, 0]);
    try {
      world.apply({ add: { name: 'rigid', model: name, method: 'rigid' } });
      return [...soft, 'rigid'];
    } catch {
      return soft;
    } finally {
      world.destroy();
    }
  }

  /** Whether bodies of a model can fly: soft ones that nothing is fixed of, rigid ones of a closed surface. */
  flightOf(name: string): Flight {
    const { info } = this.model(name);
    const rigid = this.methodsOf(name).includes('rigid');
    const method = info.methods.find((one) => one !== 'warp');
    if (!method) return { soft: false, rigid, whyNotSoft: 'warped bodies do not fly' };
    const world = this.#empty([0, 0, 0]);
    try {
      world.apply({ add: { name: 'free', model: name, method, mount: 'free' } as BodyJson });
      return { soft: true, rigid, whyNotSoft: '' };
    } catch (error) {
      const why = info.free_body ? (error as LimberError).problem : 'some of its vertices are fixed';
      return { soft: false, rigid, whyNotSoft: why };
    } finally {
      world.destroy();
    }
  }

  #empty(gravity: Vec3): World {
    const world = this.#limber.createWorld({ gravity });
    for (const [name, model] of this.#models) world.addModel(name, model);
    return world;
  }

  #build({ dt, gravity, wind, contact, obstacles, bodies }: Settings): World {
    const world = this.#empty(gravity);
    try {
      world.dt = dt;
      for (const obstacle of obstacles) world.apply({ add_obstacle: obstacle as Input['add_obstacle'] });
      world.apply({ contact });
      if (wind) world.apply({ wind } as Input);
      for (const body of bodies) world.apply({ add: bodyJson(body) });
      return world;
    } catch (error) {
      world.destroy();
      throw error;
    }
  }

  // Bodies of models that are not open are left out; settings that a model no longer takes are those of a new body.
  #fitting(before: Settings): Settings {
    const kept = { ...before, obstacles: before.obstacles.filter(({ shape: { mesh } }) => !mesh || this.#models.has(mesh)) };
    const fits = (body: BodySetup): BodySetup[] => {
      if (!this.#models.has(body.model)) return [];
      // Settings of an earlier visit do not say how the body was mounted.
      const { info } = this.model(body.model), mount = body.mount ?? newMount(info, body.method);
      for (const settings of [body.settings, newSettings(info, body.method)]) {
        try {
          this.#build({ ...kept, bodies: [{ ...body, mount, settings }] }).destroy();
          return [{ ...body, mount, settings }];
        } catch {
          // Tried with the next ones.
        }
      }
      return [];
    };
    const bodies = kept.bodies.flatMap(fits);
    return bodies.length > 0 ? { ...kept, bodies } : this.settings;
  }

  // The settings as the library has them.
  #read(): void {
    const world = this.#world;
    const known = new Map<string, Partial<BodySetup> & Pose>(this.settings.bodies.map((body) => [body.name, body]));
    const obstacles = new Map(this.settings.obstacles.map((obstacle) => [obstacle.name, obstacle]));
    this.settings = {
      dt: world.dt, gravity: [...world.gravity] as Vec3, contact: this.settings.contact,
      ...(this.settings.wind ? { wind: this.settings.wind } : {}),
      obstacles: world.obstacles.map(({ number: _number, ...one }) =>
        obstacles.get(one.name!) ?? (one as Obstacle)),
      // Domains that came off a tree are there until the next reset.
      bodies: world.bodies.filter(({ name }) => !this.#pieces.has(name)).map((body) => {
        const { position, rotation, friction, layer, start } = known.get(body.name) ?? { ...body.pose };
        return {
          name: body.name, model: body.model, method: body.method, mount: body.mount, position, rotation,
          ...(friction === undefined ? {} : { friction }), ...(layer === undefined ? {} : { layer }),
          ...(start ? { start } : {}),
          settings: settingsOf(body),
        };
      }),
    };
  }

  /** On an error the world is as before. */
  change(next: Settings): void {
    const before = this.settings, world = this.#world;
    const inputs = inputsBetween(before, next);
    // A recording already has what was applied.
    const saved = inputs.length > 1 && !this.#recording && !this.replay ? world.save() : null;
    try {
      if (next.dt !== before.dt) world.dt = next.dt;
      for (const input of inputs) this.apply(input);
      this.settings = next;
      this.#read();
    } catch (error) {
      if (saved) world.restore(saved);
      if (world.dt !== before.dt) world.dt = before.dt;
      throw error;
    } finally {
      this.#shownNames.clear();
      saved?.destroy();
    }
  }

  apply(input: WorldInput): void {
    this.#world.apply(input as Input);
    if (input.set || input.remove) this.#shownNames.clear();
    const { body, constraints } = input;
    if (body && constraints) this.#constraints.set(body, constraints);
    else if (body && (constraints === null || input.remove)) this.#constraints.delete(body);
  }

  /** What hangs on the domain becomes a body of its own, until the next reset. */
  detach(body: string, domain: string): void {
    const before = new Set(this.bodies.map(({ name }) => name));
    this.apply({ body, set: { domains: { [domain]: { detach: true } } } });
    for (const { name } of this.bodies) if (!before.has(name)) this.#pieces.add(name);
    this.#read();
  }

  /** All bodies where they began, at rest; the time is 0. Settings and constraints stay. */
  reset(): void {
    this.stopRecording();
    const ball = this.#ball && { ...this.#ball, position: this.ball()!.position };
    const world = this.#build(this.settings);
    this.#world.destroy();
    this.#world = world;
    this.#began = { step: 0, time: 0 };
    this.#pieces.clear();
    this.#shownNames.clear();
    for (const [body, constraints] of this.#constraints) world.apply({ body, constraints });
    if (ball) world.apply({ add_device: ball });
  }

  /**
   * The ball that the pointer carries: a haptic device of the library (docs/math/haptics.md), whose hand is the pointer. It
   * comes to a place in the world, m; null takes it away. `body` is poked first: its stiffness is that of the coupling.
   */
  moveBall(position: Vec3 | null, radius: number, body: string): void {
    if (this.#ball && (!position || this.#ball.radius !== radius)) {
      this.apply({ device: kBall, remove: true });
      this.#ball = null;
      // The ball turned it on.
      if (!position && !this.settings.contact) this.apply({ contact: null });
    }
    if (!position) return;
    if (this.#ball) {
      this.apply({ device: kBall, move: position });
      return;
    }
    const stiffness = this.#couplingAt(body, position);
    const ball: Device = {
      name: kBall, radius, stiffness, damping: kCouplingSeconds * stiffness, max_speed: kBallSpeed * radius, max_force: kMostForce,
    };
    this.apply({ add_device: { ...ball, position } });
    this.#ball = ball;
  }

  // N/m: what suits a pull at the nearest vertex that can move.
  #couplingAt(name: string, [x, y, z]: Vec3): number {
    const body = this.body(name), { position, rotation } = body.pose;
    // The rest positions of a domain that came off are not asked for: the ball is as soft as at its first vertex.
    if (body.subtree) return Math.max(1, this.stiffnessAt(name, 0));
    const rest = this.model(body.model).restPositions(), moved = body.surfaceDisplacement();
    const near = Array.from({ length: rest.length / 3 }, (_, v) => {
      const at = rotated(rotation, [0, 1, 2].map((k) => rest[3 * v + k] + moved[3 * v + k]) as Vec3);
      return { v, far: Math.hypot(at[0] + position[0] - x, at[1] + position[1] - y, at[2] + position[2] - z) };
    }).sort((a, b) => a.far - b.far);
    for (const { v } of near) {
      const stiffness = this.stiffnessAt(name, v);
      if (stiffness > 0) return stiffness;
    }
    return 1;
  }

  /** Null: there is none. */
  ball(): BallFrame | null {
    const device = this.#ball && this.#world.devices.find(({ name }) => name === kBall);
    if (!device) return null;
    const { proxy, force, contacts, coupling: { stiffness } } = device;
    return { position: proxy, radius: this.#ball!.radius, stiffness, force, touching: contacts };
  }

  /** Null: nothing touches. */
  contact(): ContactFrame | null {
    const { enabled, stiffness, margin, touching, asleep, depth, not_converged, left_out, cut_short } = this.#world.contactReport;
    if (!enabled) return null;
    return { stiffness, margin, touching, asleep, depth, not_converged, left_out, cut_short, points: this.wantsContacts ? this.#points() : [] };
  }

  #points(): ContactPoint[] {
    const all = this.#world.contactNumbers(), out: ContactPoint[] = [];
    const vector = (at: number) => [all[at], all[at + 1], all[at + 2]] as Vec3;
    for (let at = 0; at < all.length; at += kContactNumbers) {
      const force = vector(at + kForce);
      if (length(force) > 0) out.push({ position: vector(at + kPosition), force });
    }
    return out;
  }

  /** Obstacles where they are now. */
  obstacles(): Obstacle[] {
    return this.#world.obstacles as unknown as Obstacle[];
  }

  /**
   * Bodies, obstacles and settings as they are now, and what acts on them; the motion goes on as that of a world that opens
   * them.
   */
  scene(): RecordedScene {
    if (this.#recording || this.replay)
      throw Object.assign(new Error('a recording or a replay is running'), { where: 'scene', tryThis: 'stop it, then save' });
    if (this.#ball) throw Object.assign(new Error('the ball is pressed'), { where: 'scene', tryThis: 'release it, then save' });
    this.#world.startRecording();
    return this.#world.stopRecording() as RecordedScene;
  }

  /** Up to `count` steps; fewer where a replay ends. Throws what refused an input of the replay. */
  step(count: number): number {
    if (count <= 0) return 0;
    const replayed = this.#world.replay !== null;
    const { steps } = this.#world.step(count);
    if (replayed && this.#replayReplaces) this.#shownNames.clear();
    if (replayed && this.#world.replay === null) this.#read();
    if (this.#world.replayProblem) throw this.#world.replayProblem;
    return steps;
  }

  get stepNumber(): number {
    return this.#world.steps - this.#began.step;
  }
  get time(): number {
    return this.#world.time - this.#began.time;
  }
  get dt(): number {
    return this.#world.dt;
  }

  body(name: string): WorldBody {
    return this.#world.body(name);
  }
  get bodies(): readonly WorldBody[] {
    return this.#world.bodies;
  }

  frames(): BodyFrame[] {
    return this.#world.bodies.map((body) => ({
      name: body.name,
      model: this.#shownName(body),
      method: body.method,
      q: body.q,
      shapeCoordinates: shapeCoordinatesOf(body),
      position: body.pose.position,
      orientation: body.pose.rotation,
      ...body.energies,
      force: body.springForces[0] ?? null,
      contact: { points: body.contacts.points, force: body.contacts.force },
      asleep: body.isAsleep,
      report: body.report,
    }));
  }

  #shownName(body: WorldBody): string {
    if (body.method !== 'domains') return body.model;
    const known = this.#shownNames.get(body.name) ?? shownName(body.model, body.subtree, replacedParts(body));
    this.#shownNames.set(body.name, known);
    return known;
  }

  /** For pulling at a vertex, N/m. */
  stiffnessAt(name: string, vertex: number): number {
    const body = this.body(name), stiffness = body.suggestPullStiffness(vertex, this.dt);
    if (!flies(body)) return stiffness;
    const sag = kPullSag * diagonal(this.model(body.model).restPositions());
    const omegaSquared = Math.max((2 * Math.PI * kFlyingPullHz) ** 2, length(this.#world.gravity) / sag);
    // Nothing holds a rigid body, so the library gives what the step can hold, k = m/(4 dt²) with the mass m that a pull
    // at the vertex moves. A hand wants less: k = m ω², but enough to lift it, m g = k · sag. A free body is soft beside: its
    // own mass will do.
    if (body.method === 'rigid') return Math.min(stiffness, 4 * stiffness * this.dt ** 2 * omegaSquared);
    return Math.min(stiffness, this.model(body.model).info.mass * omegaSquared);
  }

  startRecording(): void {
    this.#world.startRecording();
    this.#recording = true;
  }
  get recording(): boolean {
    return this.#recording;
  }
  /** What was recorded so far; null without a recording. */
  recordedScene(): RecordedScene | null {
    return this.#recording ? this.#world.recorded() as RecordedScene : null;
  }
  stopRecording(): void {
    if (!this.#recording) return;
    this.#recording = false;
    this.onRecorded(this.#world.stopRecording() as RecordedScene);
  }

  /** Bodies and time step of the recording in place of those that are here; the steps that follow repeat it. */
  startReplay(scene: RecordedScene): void {
    this.stopRecording();
    this.#world.startReplay(scene as Recording);
    this.#constraints.clear();
    this.#began = { step: this.#world.steps, time: this.#world.time };
    this.#ball = null;
    this.#shownNames.clear();
    this.#replayReplaces = scene.recording?.inputs.some(replacesDomains) ?? false;
    this.settings = {
      ...this.settings, wind: scene.wind ?? null, contact: scene.contact ?? (scene.obstacles?.length ? {} : null), obstacles: [],
      bodies: scene.bodies.map(({ name, model, method, mount, position = kAtOrigin, rotation = kUnturned }) =>
        ({ name, model, method, position, rotation, ...(mount ? { mount } : {}), settings: {} })),
    };
    this.#read();
  }
  get replay(): { step: number; steps: number } | null {
    return this.#world.replay;
  }

  /** Shape coordinates between −q and q, evenly spaced; the body itself stays where it is. */
  shapesAlong(name: string, q: Float64Array): Float64Array[] {
    const setup = this.settings.bodies.find((body) => body.name === name)!;
    const world = this.#build({ ...this.settings, bodies: [setup] });
    try {
      return Array.from({ length: kSwingShapes }, (_, k) => {
        const share = (2 * k) / (kSwingShapes - 1) - 1;
        world.apply({ state: { q: Array.from(q, (x) => share * x) } });
        return shapeCoordinatesOf(world.bodies[0]);
      });
    } finally {
      world.destroy();
    }
  }

  /** Steps a second of the whole world, which is then as it was. */
  bench(steps: number): number {
    const saved = this.#world.save();
    this.#world.step(steps);
    const began = performance.now();
    this.#world.step(steps);
    const seconds = (performance.now() - began) / 1000;
    this.#world.restore(saved);
    saved.destroy();
    return steps / seconds;
  }
}
