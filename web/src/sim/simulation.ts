// SPDX-License-Identifier: Apache-2.0
// The simulation itself, without a page: bodies of one model side by side, input by step number, recording, replay.
// Everything that moves a body passes through the inputs below, so a recording repeats a motion bit by bit.
import type { FrameMotion, Limber, Manipulation, Model, StepReport } from 'limber';
import {
  applySettings, beginMotion, placement, pullForce, pullStiffness, setFrame, setConstraints, shapeCoordinates, stageBody,
  stepBody, toRest, type StagedBody,
} from './body';
import { modelArrays, type ModelArrays } from './model_arrays';
import { ConstraintMotion } from './constraint_motion';
import { methodOf, type BodyKeys, type Pull, type RecordedInput, type RecordedScene, type SceneBody } from './recording';
import { sceneKeys, type Method, type Settings } from './settings';
import { kSupportAtRest, type SupportMotion, type SupportPose } from './support_motion';
import { diagonal, type Vec3 } from './vector';

export interface BodyFrame {
  method: Method;
  q: Float64Array;
  /** What the shape is computed from: q, and behind it the amplitudes of a warped body's companions. */
  shapeCoordinates: Float64Array;
  kinetic: number;
  elastic: number;
  /** Of the pull, N; null without one. */
  force: Vec3 | null;
  report: StepReport | null;
}

interface Replay {
  scene: RecordedScene;
  next: number;
}

const kAtRest: FrameMotion = {};
// Time constant of constraints on their way, s.
const kConstraintSeconds = 0.06;

export class Simulation {
  readonly model: Model;
  bodies: StagedBody[] = [];
  settings: Settings;
  stepNumber = 0;
  /** s */
  time = 0;
  /** Where the support is now. */
  support: SupportPose = kSupportAtRest;
  replay: Replay | null = null;
  /** Called when a recording ends, also by a reset. */
  onRecorded: (scene: RecordedScene) => void = () => {};
  #arrays: ModelArrays;
  #reports: (StepReport | null)[] = [];
  #pull: Pull | null = null;
  #constraints: Manipulation | null = null;
  #constraintMotion: ConstraintMotion | null = null;
  #constraintsWanted = false;
  /** Of the body, m. */
  #size: number;
  #frame: FrameMotion = kAtRest;
  #supportMotion: { at: SupportMotion; began: number } | null = null;
  #recorded: { scene: RecordedScene; began: number } | null = null;
  // The next step is the first of a motion: accelerations begin as the forces give them, as in `limber simulate`.
  #begins = true;

  constructor(limber: Limber, file: ArrayBuffer, settingsOf: (model: Model) => Settings) {
    this.model = limber.loadModel(file);
    this.#arrays = modelArrays(file);
    this.#size = diagonal(this.model.restPositions());
    this.settings = settingsOf(this.model);
    this.#stage(this.settings.methods);
  }

  destroy(): void {
    for (const { body } of this.bodies) body.destroy();
    this.model.destroy();
  }

  // Bodies that stay keep their state.
  #stage(methods: Method[]): void {
    const before = this.bodies;
    this.bodies = methods.map((method) => before.find((one) => one.method === method) ??
      stageBody(this.model, this.#arrays, method, this.settings));
    for (const one of before) if (!this.bodies.includes(one)) one.body.destroy();
    this.#reports = this.bodies.map(() => null);
    this.#applyForces();
    for (const one of this.bodies) {
      setConstraints(one, this.#constraints);
      setFrame(one, this.#frame);
    }
  }

  change(settings: Settings): void {
    if (!(settings.dt > 0))
      throw Object.assign(new Error(), {
        where: 'time step', problem: `${settings.dt} s is not above 0`, try_this: 'a hundredth of the period of the lowest mode',
      });
    const before = this.settings;
    this.settings = settings;
    if (settings.methods.join() !== before.methods.join()) {
      this.stopRecording();
      this.#stage(settings.methods);
    }
    for (const one of this.bodies) applySettings(one, this.model, settings);
    if (!this.#recorded) return;
    if (settings.dt !== before.dt) this.#record({ dt: settings.dt });
    if (settings.gravity.join() !== before.gravity.join()) this.#record({ gravity: settings.gravity });
    for (const one of this.bodies) {
      const set = sceneKeys(settings, this.model.info, one.method);
      if (JSON.stringify(set) !== JSON.stringify(sceneKeys(before, this.model.info, one.method)))
        this.#record({ body: one.method, set });
    }
  }

  get pull(): Pull | null {
    return this.#pull;
  }
  set pull(pull: Pull | null) {
    if (!pull && !this.#pull) return;
    this.#pull = pull;
    this.#record({ pull });
    this.#applyForces();
  }

  /** Where the user wants the constraints; they go there over the next steps. Null removes them, before the next step. */
  wantConstraints(target: Manipulation | null): void {
    const warped = this.bodies.find((one) => one.method === 'warped');
    this.#constraintMotion = target && warped
      ? new ConstraintMotion(target, (vertex) => placement(warped, vertex), this.#size, this.#constraintMotion) : null;
    this.#constraintsWanted = true;
  }

  #setConstraints(constraints: Manipulation | null): void {
    this.#constraints = constraints;
    for (const one of this.bodies) setConstraints(one, constraints);
    this.#record({ pins: constraints });
  }

  get #constraintsMove(): boolean {
    return this.#constraintsWanted || (this.#constraintMotion !== null && !this.#constraintMotion.arrived);
  }

  // Once a step at most, so that a replay makes the same calls.
  #moveConstraints(): void {
    if (!this.#constraintsMove) return;
    this.#constraintsWanted = false;
    this.#constraintMotion?.advance(Math.min(1, this.settings.dt / kConstraintSeconds));
    this.#setConstraints(this.#constraintMotion?.present ?? null);
  }

  /** From the next step on. */
  moveSupport(motion: SupportMotion): void {
    this.#supportMotion = { at: motion, began: this.stepNumber };
  }

  stiffnessAt(vertex: number): number {
    return this.bodies.length ? pullStiffness(this.bodies[0], vertex, this.settings, this.model) : 0;
  }

  reset(): void {
    this.stopRecording();
    this.replay = null;
    this.stepNumber = 0;
    this.time = 0;
    this.#pull = null;
    this.#supportMotion = null;
    this.support = kSupportAtRest;
    this.#setFrame(kAtRest);
    this.#applyForces();
    for (const one of this.bodies) toRest(one);
    this.#begins = true;
    this.#reports = this.bodies.map(() => null);
  }

  /** Up to `count` steps; fewer where a replay ends. Steps in which nothing changes are made in one call. */
  step(count: number): number {
    let made = 0;
    while (made < count) {
      if (this.replay) {
        this.#playInputs(this.replay);
        if (this.stepNumber >= this.replay.scene.recording.steps) {
          this.#endReplay();
          break;
        }
      }
      this.#moveSupport();
      this.#moveConstraints();
      this.#applyForces();
      if (this.#begins) this.bodies.forEach(beginMotion);
      this.#begins = false;
      const batch = Math.min(count - made, this.#stepsUntilChange());
      this.bodies.forEach((one, place) => {
        this.#reports[place] = stepBody(one, this.settings.dt, batch);
      });
      this.stepNumber += batch;
      this.time += batch * this.settings.dt;
      made += batch;
    }
    return made;
  }

  // How many steps may be made at once: a pull and a moving support change at every step.
  #stepsUntilChange(): number {
    if (this.#pull || this.#supportMotion || this.#constraintsMove) return 1;
    if (!this.replay) return Infinity;
    const { scene, next } = this.replay;
    const changes = scene.recording.inputs[next]?.step ?? Infinity;
    return Math.max(1, Math.min(changes, scene.recording.steps) - this.stepNumber);
  }

  #applyForces(): void {
    for (const one of this.bodies) {
      one.body.clearForces();
      if (this.#pull) one.body.addForce(this.#pull.vertex, pullForce(one, this.#pull));
    }
  }

  #setFrame(frame: FrameMotion): void {
    this.#frame = frame;
    for (const one of this.bodies) setFrame(one, frame);
    this.#record({ frame });
  }

  #moveSupport(): void {
    if (!this.#supportMotion) return;
    const { at, began } = this.#supportMotion;
    const { pose, motion, over } = at((this.stepNumber + 1 - began) * this.settings.dt);
    if (over) this.#supportMotion = null;
    this.support = pose;
    this.#setFrame(motion);
  }

  get recording(): boolean {
    return this.#recorded !== null;
  }

  #record(input: Omit<RecordedInput, 'step'>): void {
    if (!this.#recorded) return;
    const { scene, began } = this.#recorded;
    const step = this.stepNumber - began;
    const inputs = scene.recording.inputs;
    // A later word on the same thing before the same step replaces the earlier one.
    const key = Object.keys(input).join();
    for (let i = inputs.length - 1; i >= 0 && inputs[i].step === step; --i) {
      const { step: _step, ...earlier } = inputs[i];
      if (Object.keys(earlier).join() === key && earlier.body === input.body) inputs.splice(i, 1);
    }
    inputs.push({ step, ...input });
  }

  /** From the present shape and speed on. */
  startRecording(modelFile: string): void {
    const { settings, model } = this;
    const bodies: SceneBody[] = this.bodies.map((one) => {
      const { q, v } = one.body.state;
      one.body.state = { time: 0, q, v };
      return {
        name: one.method, model: modelFile, method: one.kind, ...sceneKeys(settings, model.info, one.method),
        ...(q.some((x) => x !== 0) || v.some((x) => x !== 0) ? { q: [...q], v: [...v] } : {}),
      };
    });
    this.#recorded = {
      began: this.stepNumber,
      scene: {
        duration: 0, dt: settings.dt, gravity: settings.gravity, bodies,
        recording: { version: 1, steps: 0, inputs: [] },
      },
    };
    if (this.#pull) this.#record({ pull: this.#pull });
    if (this.#constraints) this.#record({ pins: this.#constraints });
    if (this.#frame !== kAtRest) this.#record({ frame: this.#frame });
    this.#begins = true;
  }

  /** What was recorded so far; null without a recording. */
  recordedScene(): RecordedScene | null {
    if (!this.#recorded) return null;
    const { scene, began } = this.#recorded;
    const steps = this.stepNumber - began;
    const inputs = scene.recording.inputs.filter((input) => input.step < steps);
    return { ...scene, duration: steps * scene.dt, recording: { version: 1, steps, inputs } };
  }

  stopRecording(): void {
    const scene = this.recordedScene();
    this.#recorded = null;
    if (scene) this.onRecorded(scene);
  }

  /** Puts the bodies where the recording began; the steps that follow repeat it. Returns the settings in use. */
  startReplay(scene: RecordedScene): Settings {
    this.reset();
    this.#constraintMotion = null;
    this.#setConstraints(null);
    const methods = scene.bodies.map(methodOf);
    let settings: Settings = { ...this.settings, methods, dt: scene.dt, gravity: scene.gravity, warping: 'warped' };
    for (const body of scene.bodies) settings = withKeys(settings, body, this.model);
    this.change(settings);
    scene.bodies.forEach((body, place) => {
      this.bodies[place].body.state = {
        time: 0, q: body.q && Float64Array.from(body.q), v: body.v && Float64Array.from(body.v),
      };
    });
    this.replay = { scene, next: 0 };
    this.#playInputs(this.replay);
    this.#begins = true;
    return this.settings;
  }

  #playInputs(replay: Replay): void {
    const { inputs } = replay.scene.recording;
    for (; replay.next < inputs.length && inputs[replay.next].step <= this.stepNumber; ++replay.next) {
      const input = inputs[replay.next];
      if (input.pull !== undefined) this.pull = input.pull;
      if (input.pins !== undefined) this.#setConstraints(input.pins);
      if (input.frame) this.#setFrame(input.frame);
      let settings = this.settings;
      if (input.dt) settings = { ...settings, dt: input.dt };
      if (input.gravity) settings = { ...settings, gravity: input.gravity };
      if (input.set) settings = withKeys(settings, input.set, this.model);
      if (settings !== this.settings) this.change(settings);
    }
  }

  #endReplay(): void {
    this.replay = null;
    this.pull = null;
    this.#setFrame(kAtRest);
  }

  frames(): BodyFrame[] {
    return this.bodies.map((one, place) => ({
      method: one.method,
      q: one.body.state.q,
      shapeCoordinates: shapeCoordinates(one.method, one.body),
      kinetic: one.body.kineticEnergy,
      elastic: one.body.elasticEnergy,
      force: this.#pull ? pullForce(one, this.#pull) : null,
      report: this.#reports[place],
    }));
  }
}

// The settings with a body's keys in them; a scale of the warped body becomes materials.
function withKeys(settings: Settings, keys: BodyKeys, model: Model): Settings {
  const next: Settings = { ...settings, materials: { ...settings.materials } };
  if (keys.rank !== undefined) next.rank = keys.rank;
  if (keys.integrator !== undefined) next.integrator = keys.integrator as Settings['integrator'];
  if (keys.newton !== undefined) next.newton = keys.newton;
  if (keys.damping) next.damping = { ...next.damping, ...keys.damping };
  if (keys.step) next.warpStep = keys.step;
  if (keys.warping && keys.warping !== 'linear') next.warping = keys.warping;
  for (const [name, material] of Object.entries(keys.materials ?? {}))
    next.materials[name] = { ...next.materials[name], ...material };
  // Beside a nonlinear body, its materials say what the scales of the others are.
  if (settings.methods.includes('stvk')) return next;
  for (const { name, young, density } of model.info.groups) {
    const material = next.materials[name];
    if (keys.young_scale !== undefined) next.materials[name] = { ...material, young: young * keys.young_scale };
    if (keys.density_scale !== undefined)
      next.materials[name] = { ...next.materials[name], density: density * keys.density_scale };
  }
  return next;
}
