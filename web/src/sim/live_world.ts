// SPDX-License-Identifier: Apache-2.0
// The library's world as the page uses it: models by the names of their files, bodies as the settings list them, frames
// to draw. What moves, and how, is the library's; this runs without a page.
import type { Limber, Model, StepReport, World, WorldBody } from 'limber';
import type { RecordedScene, WantedConstraints, WorldInput } from './recording';
import {
  bodyJson, defaultSettings, inputsBetween, newSettings, softMethods, type BodySettings, type BodySetup, type Method,
  type Settings,
} from './settings';
import { kAtOrigin, kUnturned, type Quaternion, type Vec3 } from './vector';

export interface BodyFrame {
  name: string;
  /** The name of its file. */
  model: string;
  method: Method;
  q: Float64Array;
  /** What the shape is computed from: q, and behind it the amplitudes of a warped body's companions. */
  shapeCoordinates: Float64Array;
  /** World from body. */
  position: Vec3;
  orientation: Quaternion;
  kinetic: number;
  elastic: number;
  /** Of the pull, N; null without one. */
  force: Vec3 | null;
  report: StepReport;
}

/** A vibration mode, or another shape with the frequency that it would have. */
export interface Mode {
  hz: number;
  /** Coordinates, mass-normalised. */
  q: Float64Array;
}

// How fast a pulled rigid body swings about the pointer.
const kRigidPullHz = 2;

// Between so many shapes a straight line is near enough for the eye.
const kSwingShapes = 65;

function settingsOf({ settings, method }: WorldBody): BodySettings {
  const { gravity: _gravity, ...own } = settings as BodySettings & { gravity?: unknown };
  if (method !== 'linear') return own;
  const { warping: _warping, ...linear } = own;
  return linear;
}

export class LiveWorld {
  settings: Settings;
  /** Called when a recording ends, also by a reset. */
  onRecorded: (scene: RecordedScene) => void = () => {};
  #limber: Limber;
  #models = new Map<string, Model>();
  #world: World;
  // Those that the user wants, by the name of the body: they outlive a reset.
  #constraints = new Map<string, WantedConstraints>();
  #recording = false;
  // The step at which the present time began.
  #began = { step: 0, time: 0 };

  /** `kept`: settings of an earlier visit, as far as they fit. */
  constructor(limber: Limber, name: string, file: ArrayBuffer, kept: Settings | null = null) {
    this.#limber = limber;
    this.open(name, file);
    this.settings = defaultSettings(this.model(name).info, name);
    this.#world = this.#build(kept ? this.#fitting(kept) : this.settings);
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

  #empty(gravity: Vec3): World {
    const world = this.#limber.createWorld({ gravity });
    for (const [name, model] of this.#models) world.addModel(name, model);
    return world;
  }

  #build({ dt, gravity, bodies }: Settings): World {
    const world = this.#empty(gravity);
    try {
      world.dt = dt;
      for (const body of bodies) world.apply({ add: bodyJson(body) });
      return world;
    } catch (error) {
      world.destroy();
      throw error;
    }
  }

  // Bodies of models that are not open are left out; settings that a model no longer takes are those of a new body.
  #fitting(kept: Settings): Settings {
    const fits = (body: BodySetup): BodySetup[] => {
      if (!this.#models.has(body.model)) return [];
      for (const settings of [body.settings, newSettings(this.model(body.model).info, body.method)]) {
        try {
          this.#build({ ...kept, bodies: [{ ...body, settings }] }).destroy();
          return [{ ...body, settings }];
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
    const known = new Map(this.settings.bodies.map((body) => [body.name, body]));
    this.settings = {
      dt: world.dt, gravity: [...world.gravity] as Vec3,
      bodies: world.bodies.map((body) => ({
        name: body.name, model: body.model, method: body.method,
        position: known.get(body.name)?.position ?? body.pose.position,
        rotation: known.get(body.name)?.rotation ?? body.pose.rotation,
        settings: settingsOf(body),
      })),
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
      saved?.destroy();
    }
  }

  apply(input: WorldInput): void {
    this.#world.apply(input);
    const { body, constraints } = input;
    if (body && constraints) this.#constraints.set(body, constraints);
    else if (body && (constraints === null || input.remove)) this.#constraints.delete(body);
  }

  /** All bodies where they began, at rest; the time is 0. Settings and constraints stay. */
  reset(): void {
    this.stopRecording();
    const world = this.#build(this.settings);
    this.#world.destroy();
    this.#world = world;
    this.#began = { step: 0, time: 0 };
    for (const [body, constraints] of this.#constraints) world.apply({ body, constraints });
  }

  /** Up to `count` steps; fewer where a replay ends. Throws what refused an input of the replay. */
  step(count: number): number {
    if (count <= 0) return 0;
    const replayed = this.#world.replay !== null;
    const { steps } = this.#world.step(count);
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
      model: body.model,
      method: body.method,
      q: body.q,
      shapeCoordinates: body.shapeCoordinates,
      position: body.pose.position,
      orientation: body.pose.rotation,
      kinetic: body.kineticEnergy,
      elastic: body.elasticEnergy,
      force: body.springForces[0] ?? null,
      report: body.report,
    }));
  }

  /** For pulling at a vertex, N/m. */
  stiffnessAt(name: string, vertex: number): number {
    const body = this.body(name), stiffness = body.suggestPullStiffness(vertex, this.dt);
    if (body.method !== 'rigid') return stiffness;
    // Nothing holds a rigid body, so the library gives what the step can hold, k = m/(4 dt²) with the mass m that a pull
    // at the vertex moves. A hand wants less: k = m ω².
    return Math.min(stiffness, 4 * stiffness * (this.dt * 2 * Math.PI * kRigidPullHz) ** 2);
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
    this.#world.startReplay(scene);
    this.#constraints.clear();
    this.#began = { step: this.#world.steps, time: this.#world.time };
    this.settings = {
      ...this.settings,
      bodies: scene.bodies.map(({ name, model, method, position = kAtOrigin, rotation = kUnturned }) =>
        ({ name, model, method, position, rotation, settings: {} })),
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
        return world.bodies[0].shapeCoordinates;
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
