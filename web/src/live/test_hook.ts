// SPDX-License-Identifier: Apache-2.0
// window.limber: what the browser's console and the end-to-end tests see of the live view and Inspect. It is always
// there; what needs a model waits until one is shown. Nothing here does what a user could not do.
import { addBody, bodyBeside } from '../panels/bodies_panel';
import type { Frame, Surface } from '../sim/messages';
import type { RecordedScene } from '../sim/recording';
import type { BodySettings, Method, Settings } from '../sim/settings';
import type { Vec3 } from '../sim/vector';
import { fileOf, openModel, startReplay } from '../view/session';
import type { Workspace } from '../view/workspace';

export interface LimberHook {
  /** Resolves when a model is shown, at rest or moving. After a change of views: when the next one is. */
  readonly ready: Promise<void>;
  /** ms from the request for the model to its first picture. */
  loadTime(): number;
  run(on: boolean): void;
  /** Exactly n steps; resolves when they are made and shown. Pause first. */
  step(count: number): Promise<void>;
  reset(): Promise<void>;
  /** Bodies by their place in the world. */
  q(body?: number): Promise<Float64Array>;
  /** Puts a body to these coordinates and velocities (zeros without them). */
  setState(q: ArrayLike<number>, v?: ArrayLike<number>, body?: number): Promise<void>;
  /** Positions of the surface's vertices, m: from the graphics card, and from the library. Null: the CPU draws. */
  positionsFromGpu(body?: number): Promise<Float32Array | null>;
  positionsFromCpu(body?: number): Promise<Float32Array>;
  /** Normals of the shown vertices on the card, and the surface vertex of each. */
  normalsFromGpu(body?: number): Promise<{ normals: Float32Array; vertexOf: Uint32Array } | null>;
  /** Of the simulation mesh: where its vertices are drawn, null: it is not shown; and at rest. */
  meshPositions(body?: number): Promise<Float32Array | null>;
  restMesh(): Promise<Float32Array>;
  restPositions(): Promise<Float32Array>;
  triangles(): Promise<Int32Array>;
  /** Where a surface vertex is in the window, CSS pixels. */
  pixelOf(vertex: number, body?: number): Promise<{ x: number; y: number }>;
  /** Pulls every body that has such a vertex towards a point in its own frame. */
  pull(vertex: number, target: Vec3, stiffness: number): Promise<void>;
  release(): Promise<void>;
  settings(): Promise<Settings>;
  /** Of the world. */
  set(settings: Partial<Settings>): Promise<void>;
  /** Of one body. */
  setBody(settings: BodySettings, body?: number): Promise<void>;
  /** Bodies of the first model by these methods, side by side, in place of those that are there. */
  show(methods: Method[]): Promise<void>;
  /** Another body beside them; `model` by the name of its file. */
  add(method: Method, model?: string): Promise<void>;
  /** Opens a model of the gallery; resolves to the name of its file. */
  open(id: string): Promise<string>;
  state(): Promise<{ frame: Frame; running: boolean; pulling: boolean; onTheCard: boolean }>;
  record(): Promise<void>;
  stopRecording(): Promise<RecordedScene | null>;
  replay(scene: RecordedScene): Promise<void>;
  /** Steps a second of the world, with nothing drawn. */
  bench(steps: number): Promise<number>;
}

declare global {
  interface Window {
    limber: LimberHook;
  }
}

let live: Workspace | null = null;
let loadTime = 0;
let arrived: () => void = () => {};
let ready = new Promise<void>((resolve) => { arrived = resolve; });

/** Told by the workspace: what is shown now, and how long it took. */
export function setLive(workspace: Workspace | null, milliseconds = 0): void {
  live = workspace;
  loadTime = milliseconds;
  if (workspace) arrived();
  else ready = new Promise<void>((resolve) => { arrived = resolve; });
}

async function shown(): Promise<Workspace> {
  await ready;
  return live!;
}

// Positions are asked for after the picture of the present frame was made.
async function drawn(): Promise<Workspace> {
  const workspace = await shown();
  workspace.live.redraw();
  return workspace;
}

export function installTestHook(): void {
  const player = async () => (await shown()).session.player;
  window.limber = {
    get ready() {
      return ready;
    },
    loadTime: () => loadTime,
    run: (on) => {
      if (live) live.session.player.running.value = on;
    },
    step: async (count) => {
      await (await player()).step(count);
      (await shown()).live.redraw();
    },
    reset: async () => (await player()).reset(),
    q: async (body = 0) => (await player()).frame.value!.bodies[body].q,
    setState: async (q, v = [], body = 0) => {
      const one = await player();
      await one.apply({ body: one.frame.value!.bodies[body].name, state: { q: Array.from(q), ...(v.length ? { v: Array.from(v) } : {}) } });
      await one.step(0);
      (await shown()).live.redraw();
    },
    positionsFromGpu: async (body = 0) => {
      const { live: scene } = await drawn();
      return scene.views[body].readBack(scene.stage.renderer)?.positions ?? null;
    },
    positionsFromCpu: async (body = 0) => {
      const one = await player();
      const { name, model } = one.frame.value!.bodies[body];
      const surface: Surface = await one.ask('surface', { kind: 'surface', body: name });
      const { positions } = one.modelOf({ model }).shown;
      return surface.displacement.map((u, i) => positions[i] + u);
    },
    normalsFromGpu: async (body = 0) => {
      const { live: scene } = await drawn();
      const back = scene.views[body].readBack(scene.stage.renderer);
      return back && { normals: back.normals, vertexOf: scene.views[body].parts.shown.vertexOf };
    },
    meshPositions: async (body = 0) => {
      const { live: scene } = await drawn();
      return scene.views[body].volumePositions(scene.stage.renderer);
    },
    restMesh: async () => (await player()).model.mesh.positions,
    restPositions: async () => (await player()).model.positions,
    triangles: async () => (await player()).model.triangles,
    pixelOf: async (vertex, body = 0) => {
      const { live: scene } = await drawn();
      const pixel = scene.stage.pixelOf(scene.scenePoint(scene.vertexPosition({ body, vertex })));
      const { left, top } = scene.stage.renderer.domElement.getBoundingClientRect();
      return { x: left + (pixel?.x ?? NaN), y: top + (pixel?.y ?? NaN) };
    },
    pull: async (vertex, target, stiffness) => (await player()).pull(undefined, { vertex, target, stiffness, space: 'frame' }),
    release: async () => (await player()).pull(undefined, null),
    settings: async () => (await player()).settings.value,
    set: async (settings) => {
      const one = await player();
      await one.change({ ...one.settings.value, ...settings }, 'console');
    },
    setBody: async (settings, body = 0) => {
      const one = await player();
      await one.set(one.settings.value.bodies[body].name, settings, 'console');
    },
    show: async (methods) => {
      const { live: scene, session: { player: one } } = await shown();
      const settings = one.settings.value, [{ model }] = settings.bodies;
      // Those that are there stay where they are.
      const bodies = settings.bodies.filter((body) => body.model === model && methods.includes(body.method));
      for (const method of methods)
        if (!bodies.some((body) => body.method === method)) bodies.push(bodyBeside(scene, bodies, model, method));
      await one.change({ ...settings, bodies }, 'console');
      scene.redraw();
    },
    add: async (method, model) => {
      const { live: scene, session: { player: one } } = await shown();
      await addBody(scene, model ?? one.settings.value.bodies[0].model, method);
      scene.redraw();
    },
    open: async (id) => {
      await openModel(await player(), { id, title: id });
      return fileOf(id);
    },
    state: async () => {
      const { session, pulling, live: scene } = await shown();
      return {
        frame: session.player.frame.value!, running: session.player.running.value, pulling: pulling.pulling.value,
        onTheCard: scene.onTheCard,
      };
    },
    record: async () => {
      const { session } = await shown();
      await session.player.record();
    },
    stopRecording: async () => {
      const one = await player();
      await one.stopRecording();
      return one.recorded.value;
    },
    replay: async (scene) => startReplay(await player(), scene),
    bench: async (steps) => (await (await player()).ask('bench', { kind: 'bench', steps })).stepsPerSecond,
  };
}
