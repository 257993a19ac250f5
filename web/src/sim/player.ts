// SPDX-License-Identifier: Apache-2.0
// The page's side of the simulation: owns the worker, keeps its latest frame and the settings with their history.
import { computed, signal } from '@preact/signals';
import type { Manipulation } from 'limber';
import { getBytes, type Problem } from '../api/client';
import { announce, clearProblem, showProblem } from '../page/announce';
import type { Answers, Frame, FromWorker, Request, ShownModel, ToWorker } from './messages';
import type { Pull, RecordedScene } from './recording';
import type { Settings } from './settings';
import type { Shake, SupportPath } from './support_motion';

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

let compiled: Promise<WebAssembly.Module> | null = null;

/** limber.wasm, compiled once for the page. */
function limberModule(): Promise<WebAssembly.Module> {
  compiled ??= getBytes('limber.wasm').then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

export class Player {
  readonly model: ShownModel;
  /** The model's. */
  readonly file: ArrayBuffer;
  readonly frame = signal<Frame | null>(null);
  readonly running = signal(false);
  /** Simulated seconds in a second. */
  readonly speed = signal(1);
  readonly recorded = signal<RecordedScene | null>(null);
  /** The present pull, or the one before it was released; null: none yet. */
  readonly lastPull = signal<Pull | null>(null);
  readonly settings;
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly canRedo = computed(() => this.#future.value.length > 0);
  /** Where the page draws on the CPU the frames bring the surfaces. */
  wantsSurfaces = false;
  /** Frames bring what happened since the last one. */
  wantsTrail = false;
  #past = signal<Settings[]>([]);
  #future = signal<Settings[]>([]);
  #worker: Worker;
  #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  #ticking = false;
  #lastTick = 0;
  // Changes of one slider in one go are one entry of the history.
  #lastChange = { what: '', at: 0 };

  private constructor(worker: Worker, { shown, settings, file }: Answers['load']) {
    this.#worker = worker;
    this.model = shown;
    this.file = file;
    this.settings = signal(settings);
  }

  /** Loads a model; `file` is handed over, `kept` are the settings of an earlier visit. */
  static async load(file: ArrayBuffer, kept: Settings | null): Promise<Player> {
    const module = await limberModule();
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    try {
      const loaded = await new Promise<Answers['load']>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if (data.kind === 'answer') resolve(data.value as Answers['load']);
          if (data.kind === 'refused') reject(new RefusedError(data.problem));
        };
        worker.onerror = (event) => reject(new Error(event.message || 'the simulation could not be started'));
        worker.postMessage({ kind: 'load', id: 0, module, file, settings: kept } satisfies ToWorker, [file]);
      });
      const player = new Player(worker, loaded);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => player.#receive(data);
      worker.onerror = (event) => showProblem(new Error(`the simulation stopped: ${event.message}`));
      player.frame.value = await player.ask('reset', { kind: 'reset' });
      return player;
    } catch (error) {
      worker.terminate();
      throw error;
    }
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
        this.frame.value = message.frame;
        break;
      case 'recorded':
        this.recorded.value = message.scene;
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

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  ask<Kind extends Request['kind']>(_kind: Kind, request: Extract<Request, { kind: Kind }>): Promise<Answers[Kind]> {
    const id = this.#nextId++;
    return new Promise<Answers[Kind]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject });
      this.#tell({ ...request, id } as ToWorker);
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
    this.#tell({
      kind: 'tick', seconds, speed: this.speed.value, surfaces: this.wantsSurfaces, trail: this.wantsTrail,
      budgetSeconds: kBudgetShare * Math.max(seconds, 1 / 60),
    });
  }

  async step(count: number): Promise<void> {
    this.frame.value = await this.ask('step', { kind: 'step', count });
  }

  async reset(): Promise<void> {
    this.frame.value = await this.ask('reset', { kind: 'reset' });
  }

  pull(pull: Pull | null): void {
    if (pull) this.lastPull.value = pull;
    this.#tell({ kind: 'pull', pull });
  }

  constrain(constraints: Manipulation | null): void {
    this.#tell({ kind: 'constraints', constraints });
  }

  shake(shake: Shake): void {
    this.#tell({ kind: 'shake', shake });
  }

  /** Moves the support along a path, from rest. */
  async follow(path: SupportPath): Promise<void> {
    await this.reset();
    this.#tell({ kind: 'follow', path });
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
      await this.ask('settings', { kind: 'settings', settings: next });
      // Whatever was refused before, these are taken.
      clearProblem();
      // Other bodies, or another shape of one that may be paused.
      if (next.methods.join() !== before.methods.join() || next.warping !== before.warping) await this.step(0);
    } catch (error) {
      if (this.settings.value === next) {
        this.settings.value = before;
        await this.ask('settings', { kind: 'settings', settings: before });
      }
      showProblem(error);
    }
  }

  async record(modelFile: string): Promise<void> {
    this.recorded.value = null;
    await this.ask('record', { kind: 'record', model: modelFile });
    await this.step(0);
  }

  async stopRecording(): Promise<void> {
    await this.ask('stop-recording', { kind: 'stop-recording' });
    await this.step(0);
  }

  async replay(scene: RecordedScene): Promise<void> {
    const { settings, frame } = await this.ask('replay', { kind: 'replay', scene });
    if (JSON.stringify(settings) !== JSON.stringify(this.settings.value)) {
      this.#past.value = [...this.#past.value, this.settings.value];
      this.settings.value = settings;
    }
    this.frame.value = frame;
  }
}
