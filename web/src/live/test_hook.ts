// SPDX-License-Identifier: Apache-2.0
// window.limber: what the browser's console and the end-to-end tests see of the live view and Inspect. It is always
// there; what needs a model waits until one is shown. Nothing here does what a user could not do.
import type { Frame, Surface } from '../sim/messages';
import type { RecordedScene } from '../sim/recording';
import type { Settings } from '../sim/settings';
import type { Vec3 } from '../sim/vector';
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
  q(body?: number): Promise<Float64Array>;
  /** Puts all bodies to these coordinates and velocities (zeros without them). */
  setState(q: ArrayLike<number>, v?: ArrayLike<number>): Promise<void>;
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
  pull(vertex: number, target: Vec3, stiffness: number): Promise<void>;
  release(): Promise<void>;
  settings(): Promise<Settings>;
  set(settings: Partial<Settings>): Promise<void>;
  state(): Promise<{ frame: Frame; running: boolean; pulling: boolean; onTheCard: boolean }>;
  record(): Promise<void>;
  stopRecording(): Promise<RecordedScene | null>;
  replay(scene: RecordedScene): Promise<void>;
  /** Steps a second of the first body, with nothing drawn. */
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
    setState: async (q, v) => {
      const one = await player();
      const numbers = Float64Array.from(q);
      one.frame.value = await one.ask('set-state',
        { kind: 'set-state', q: numbers, v: v ? Float64Array.from(v) : new Float64Array(numbers.length) });
      (await shown()).live.redraw();
    },
    positionsFromGpu: async (body = 0) => {
      const { live: scene } = await drawn();
      return scene.views[body].readBack(scene.stage.renderer)?.positions ?? null;
    },
    positionsFromCpu: async (body = 0) => {
      const one = await player();
      const surface: Surface = await one.ask('surface', { kind: 'surface', body });
      return surface.displacement.map((u, i) => one.model.positions[i] + u);
    },
    normalsFromGpu: async (body = 0) => {
      const { live: scene } = await drawn();
      const back = scene.views[body].readBack(scene.stage.renderer);
      return back && { normals: back.normals, vertexOf: scene.vertexOf };
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
      const world = scene.views[body].group.localToWorld(scene.vertexPosition({ body, vertex }));
      const pixel = scene.stage.pixelOf(world);
      const { left, top } = scene.stage.renderer.domElement.getBoundingClientRect();
      return { x: left + (pixel?.x ?? NaN), y: top + (pixel?.y ?? NaN) };
    },
    pull: async (vertex, target, stiffness) => (await player()).pull({ vertex, target, stiffness }),
    release: async () => (await player()).pull(null),
    settings: async () => (await player()).settings.value,
    set: async (settings) => {
      const one = await player();
      await one.change({ ...one.settings.value, ...settings }, 'console');
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
      await session.player.record(`${session.id}.glb`);
    },
    stopRecording: async () => {
      const one = await player();
      await one.stopRecording();
      return one.recorded.value;
    },
    replay: async (scene) => (await player()).replay(scene),
    bench: async (steps) => (await (await player()).ask('bench', { kind: 'bench', steps })).stepsPerSecond,
  };
}
