// SPDX-License-Identifier: Apache-2.0
// The page's side of the simulation: owns the worker, keeps its latest frame and the settings with their history.
import { computed, signal, type Signal } from '@preact/signals';
import type { Problem } from '../api/client';
import { announce, clearProblem, showProblem } from '../page/announce';
import { limberModule } from './library';
import type { Answers, Frame, FromWorker, Request, ShownModel, ToWorker } from './messages';
import { expectModels, type RecordedScene, type Spring, type WorldInput } from './recording';
import { fileOfShown } from './shown_name';
import type { Vec3 } from './vector';
import { bodyLabel, withSettings, type BodySettings, type BodySetup, type Fields, type Settings } from './settings';

const kMostUndos = 200;
// Of a frame's time: the remainder is for drawing.
const kBudgetShare = 0.6;
// A longer pause is not caught up with.
const kLongestFrameSeconds = 0.1;

class RefusedError extends Error {
  readonly where: string;
  readonly problem: string;
  readonly tryThis: string;
  constructor(problem: Problem) {
    super(problem.problem);
    this.where = problem.where;
    this.problem = problem.problem;
    this.tryThis = problem.try_this;
  }
}

/** A model that bodies can be made of. */
export interface OpenModel {
  /** Of its file, such as "spoon.glb": what settings and recordings call it. */
  name: string;
  title: string;
  shown: ShownModel;
  file: ArrayBuffer;
  /** Of the parts of a tree, linear RGB by name; left out: all of one colour. */
  colours?: Record<string, Vec3>;
}

export class Player {
  /** The model that was opened first. */
  readonly model: ShownModel;
  readonly file: ArrayBuffer;
  /** By the names of their files. */
  readonly models: Signal<ReadonlyMap<string, OpenModel>>;
  readonly fields: Fields;
  readonly frame = signal<Frame | null>(null);
  readonly running = signal(false);
  /** Simulated seconds in a second. */
  readonly speed = signal(1);
  readonly recorded = signal<RecordedScene | null>(null);
  /** The present pull, or the one before it was released; null: none yet. */
  readonly lastPull = signal<{ body?: string; pull: Spring } | null>(null);
  readonly settings: Signal<Settings>;
  /** The name of the body that the panels act on. */
  readonly selected = signal('');
  /** That body; the first one where no other is chosen. */
  readonly body = computed(() => this.settings.value.bodies.find(({ name }) => name === this.selected.value)
    ?? this.settings.value.bodies[0]);
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly canRedo = computed(() => this.#future.value.length > 0);
  /** Where the page draws on the CPU the frames bring the surfaces. */
  wantsSurfaces = false;
  /** Frames bring how the selected body moved since the last one. */
  wantsTrail = false;
  #past = signal<Settings[]>([]);
  #future = signal<Settings[]>([]);
  #worker: Worker;
  #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  // What frames brought, by the names of shown_name.ts.
  #made = new Map<string, OpenModel>();
  #ticking = false;
  #lastTick = 0;
  // Changes of one slider in one go are one entry of the history.
  #lastChange = { what: '', at: 0 };

  private constructor(worker: Worker, name: string, title: string, { shown, settings, fields, file }: Answers['load']) {
    this.#worker = worker;
    this.model = shown;
    this.file = file;
    this.fields = fields;
    this.settings = signal(settings);
    this.models = signal<ReadonlyMap<string, OpenModel>>(new Map([[name, { name, title, shown, file }]]));
  }

  /** Loads a model; `file` is handed over, `kept` are the settings of an earlier visit. */
  static async load(name: string, title: string, file: ArrayBuffer, kept: Settings | null): Promise<Player> {
    const module = await limberModule();
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    try {
      const loaded = await new Promise<Answers['load']>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if (data.kind === 'answer') resolve(data.value as Answers['load']);
          if (data.kind === 'refused') reject(new RefusedError(data.problem));
        };
        worker.onerror = (event) => reject(new Error(event.message || 'the simulation could not be started'));
        worker.postMessage({ kind: 'load', id: 0, module, name, file, settings: kept } satisfies ToWorker, [file]);
      });
      const player = new Player(worker, name, title || loaded.shown.info.name || name, loaded);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => player.#receive(data);
      worker.onerror = (event) => showProblem(new Error(`the simulation stopped: ${event.message}`));
      await player.step(0);
      return player;
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  /** Another model, so that bodies can be made of it; `file` is handed over. */
  async open(name: string, title: string, file: ArrayBuffer): Promise<OpenModel> {
    const known = this.models.value.get(name);
    if (known) return known;
    const opened = await this.ask('open', { kind: 'open', name, file }, [file]);
    const model: OpenModel = { name, title: title || opened.shown.info.name || name, ...opened };
    this.models.value = new Map([...this.models.value, [name, model]]);
    return model;
  }

  /** Of a body as the settings have it, or as a frame has it. */
  modelOf({ model }: { model: string }): OpenModel {
    return this.#made.get(model) ?? this.models.value.get(model)!;
  }

  #show(frame: Frame): void {
    for (const { name, shown } of frame.models) this.#made.set(name, { ...this.models.value.get(fileOfShown(name))!, name, shown });
    this.frame.value = frame;
  }

  /** What the page calls a body; with its model's title where there are several models. */
  labelOf(setup: BodySetup): string {
    const several = this.settings.value.bodies.some(({ model }) => model !== setup.model);
    return bodyLabel(setup, several ? this.modelOf(setup).title : null);
  }

  destroy(): void {
    this.running.value = false;
    this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'frame':
        this.#ticking = false;
        if (this.frame.value?.replay && !message.frame.replay) {
          this.running.value = false;
          announce('Replay finished.');
        }
        this.#show(message.frame);
        break;
      case 'recorded':
        this.recorded.value = message.scene;
        break;
      case 'settings':
        this.settings.value = message.settings;
        break;
      case 'answer':
        this.#waiting.get(message.id)?.resolve(message.value as never);
        this.#waiting.delete(message.id);
        break;
      case 'refused': {
        const error = new RefusedError(message.problem);
        const waiting = message.id === null ? undefined : this.#waiting.get(message.id);
        if (waiting) waiting.reject(error);
        else showProblem(error);
        if (message.id !== null) this.#waiting.delete(message.id);
        break;
      }
    }
  }

  ask<Kind extends Request['kind']>(
    _kind: Kind, request: Extract<Request, { kind: Kind }>, transfer: Transferable[] = [],
  ): Promise<Answers[Kind]> {
    const id = this.#nextId++;
    return new Promise<Answers[Kind]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject });
      this.#worker.postMessage({ ...request, id } as ToWorker, transfer);
    });
  }

  /** Once for each frame drawn, with its time in ms. A hidden tab draws none, so it pauses. */
  tick(now: number): void {
    const seconds = Math.min((now - this.#lastTick) / 1000, kLongestFrameSeconds);
    // The worker is still busy with the last tick: its time counts in the next one.
    if (this.#ticking) return;
    this.#lastTick = now;
    if (!this.running.value || seconds <= 0) return;
    this.#ticking = true;
    this.#worker.postMessage({
      kind: 'tick', seconds, speed: this.speed.value, surfaces: this.wantsSurfaces,
      trail: this.wantsTrail ? this.body.value.name : null, budgetSeconds: kBudgetShare * Math.max(seconds, 1 / 60),
    } satisfies ToWorker);
  }

  async step(count: number): Promise<void> {
    this.#show(await this.ask('step', { kind: 'step', count }));
  }

  async reset(): Promise<void> {
    this.#show(await this.ask('reset', { kind: 'reset' }));
  }

  /** Before the next step. */
  async apply(input: WorldInput): Promise<void> {
    await this.ask('apply', { kind: 'apply', input });
  }

  /** Without a name: every body. */
  pull(body: string | undefined, pull: Spring | null): void {
    const input = { ...(body ? { body } : {}), pull };
    if (pull) this.lastPull.value = { ...input, pull };
    void this.apply(input).catch(showProblem);
  }

  /** Changes settings of one body; `what` names the control. */
  set(name: string, part: BodySettings, what: string): Promise<void> {
    const settings = this.settings.value;
    return this.change({
      ...settings, bodies: settings.bodies.map((body) => (body.name === name
        ? { ...body, settings: withSettings(body.settings, part) } : body)),
    }, `${name} ${what}`);
  }

  /** Changes settings; `what` names the control, so that a drag of a slider is undone as one. */
  async change(next: Settings, what: string): Promise<void> {
    const before = this.settings.value;
    const now = performance.now();
    const goesOn = this.#lastChange.what === what && now - this.#lastChange.at < 1000;
    this.#lastChange = { what, at: now };
    if (!goesOn) this.#past.value = [...this.#past.value.slice(-kMostUndos), before];
    this.#future.value = [];
    await this.#send(next);
  }

  /** What a scene begins with, from its first step on; nothing to undo. Throws what the library refuses. */
  async begin(settings: Settings): Promise<void> {
    this.settings.value = await this.ask('settings', { kind: 'settings', settings });
    await this.reset();
  }

  async undo(): Promise<void> {
    const past = this.#past.value;
    if (past.length === 0) return;
    this.#future.value = [...this.#future.value, this.settings.value];
    this.#past.value = past.slice(0, -1);
    await this.#travel(past[past.length - 1]);
    announce('Undone.');
  }

  async redo(): Promise<void> {
    const future = this.#future.value;
    if (future.length === 0) return;
    this.#past.value = [...this.#past.value, this.settings.value];
    this.#future.value = future.slice(0, -1);
    await this.#travel(future[future.length - 1]);
    announce('Redone.');
  }

  #travel(settings: Settings): Promise<void> {
    this.#lastChange = { what: '', at: 0 };
    return this.#send(settings);
  }

  // The controls follow at once; settings that the library refuses go back to what they were.
  async #send(next: Settings): Promise<void> {
    const before = this.settings.value;
    this.settings.value = next;
    try {
      const taken = await this.ask('settings', { kind: 'settings', settings: next });
      if (this.settings.value === next) this.settings.value = taken;
      // Whatever was refused before, these are taken.
      clearProblem();
      // Other bodies, or another shape of one that may be paused.
      const shapes = ({ bodies }: Settings) => bodies.map(({ name, model, method, mount, position, rotation, settings: { warping } }) =>
        [name, model, method, mount, position, rotation, warping].join()).join();
      const obstacles = ({ obstacles: all }: Settings) => JSON.stringify(all);
      if (shapes(next) !== shapes(before) || obstacles(next) !== obstacles(before)) await this.step(0);
    } catch (error) {
      if (this.settings.value === next) this.settings.value = before;
      showProblem(error);
    }
  }

  /** Lets a domain of a tree fly off with all that hangs on it. */
  async detach(body: string, domain: string): Promise<void> {
    this.settings.value = await this.ask('detach', { kind: 'detach', body, domain });
    await this.step(0);
  }

  async record(): Promise<void> {
    this.recorded.value = null;
    await this.ask('record', { kind: 'record' });
    await this.step(0);
  }

  async stopRecording(): Promise<void> {
    await this.ask('stop-recording', { kind: 'stop-recording' });
    await this.step(0);
  }

  /** Its models are open, or it is refused with the names of those that are missing. */
  async replay(scene: RecordedScene): Promise<void> {
    expectModels(scene, [...this.models.value.keys()]);
    const { settings, frame } = await this.ask('replay', { kind: 'replay', scene });
    if (JSON.stringify(settings) !== JSON.stringify(this.settings.value)) {
      this.#past.value = [...this.#past.value, this.settings.value];
      this.settings.value = settings;
    }
    this.#show(frame);
  }
}
