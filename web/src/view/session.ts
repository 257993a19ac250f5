// SPDX-License-Identifier: Apache-2.0
// One model that is open: its simulation, what is shown of it, and what survives a reload. The live view and Inspect
// show the same session.
import { effect, signal, type Signal } from '@preact/signals';
import { ApiError, isExport, type OnBytes } from '../api/client';
import { fetchGallery, fetchModel, type GalleryModel, type SupportPath } from '../api/gallery';
import { keep, keepLarge, kept, keptLarge } from '../api/keep';
import { announce, showProblem } from '../page/announce';
import { openingSettings, openingShake, openingSpeed } from '../sim/opening';
import { Player, type OpenModel } from '../sim/player';
import { modelsOf, type RecordedScene } from '../sim/recording';
import { settingsOf, type OpenedScene } from '../sim/scene_file';
import { flies, softMethods, translateSettings, type BodySetup, type Settings } from '../sim/settings';
import { kDefaultDisplay, pathAt, type Display } from './display';
import { emptyHistory, type History } from './history';
import { translateConstraints, type Constraint } from './constraints';

export interface Session {
  id: string;
  title: string;
  entry: GalleryModel;
  file: ArrayBuffer;
  player: Player;
  display: Signal<Display>;
  constraints: Signal<Constraint[]>;
  history: History;
}

let current: Session | null = null;
/** Counts the calls below: one that was overtaken by another gives up. */
let opened = 0;
let stopKeeping: (() => void)[] = [];

/**
 * The session of this model, or a new one in place of the present one. `build` is called where the model is not built
 * yet, and resolves to whether it is now; `onBytes` while the file is read. Null: it is not built, or the user went
 * elsewhere meanwhile.
 */
export async function openSession(
  id: string, build: (entry: GalleryModel) => Promise<boolean>, onBytes: OnBytes,
): Promise<Session | null> {
  if (current?.id === id) return current;
  closeSession();
  const turn = ++opened;
  if (id.startsWith(kSceneId)) return openScene(id, turn);
  const entry = (await fetchGallery()).models.find((model) => model.id === id);
  if (!entry)
    throw new ApiError(404, { where: id, problem: 'there is no such model', try_this: 'choose one in the gallery' });
  if (entry.state !== 'ready' && !isExport && !(await build(entry))) return null;
  const name = fileOf(id);
  const earlier = translateSettings(kept<unknown>(`settings.${id}`), name);
  const player = await Player.load(name, entry.title, await fetchModel(id, onBytes), earlier);
  if (Object.keys(entry.colors ?? {}).length > 0) player.models.value.get(name)!.colours = entry.colors;
  if (earlier) await openOthers(player, earlier);
  else if (entry.kind === 'sample') await player.begin(openingSettings(player.settings.value, player.model, entry.wind ?? null));
  const recorded = await keptLarge<RecordedScene>(`recording.${id}`);
  if (turn !== opened) {
    player.destroy();
    return null;
  }
  const display = signal<Display>({ ...kDefaultDisplay, ...kept<Partial<Display>>(`display.${id}`) });
  const session: Session = {
    id, file: player.file, entry, player, display, title: entry.title || player.model.info.name || id,
    constraints: signal(translateConstraints(kept<Constraint[]>(`pins.${id}`) ?? [])), history: emptyHistory(),
  };
  player.recorded.value = recorded;
  const still = begin(session);
  stopKeeping = [
    effect(() => keep(`settings.${id}`, player.settings.value)),
    effect(() => keep(`display.${id}`, display.value)),
    effect(() => keep(`pins.${id}`, session.constraints.value)),
    keepRecording(session),
    effect(() => {
      if (player.recorded.value) void keepLarge(`recording.${id}`, player.recorded.value);
    }),
  ];
  current = session;
  if (entry.kind === 'sample' && !still) moveAtOnce(session);
  return session;
}

// Whether it waits, since the system asks for less motion.
function begin({ player, title }: Session): boolean {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  player.running.value = !still;
  announce(`${title} is ready${still ? ', paused' : ''}.`);
  return still;
}

/** Ids of scenes that were opened from a file; no model of the gallery has such a one. */
export const kSceneId = '@scene';

interface KeptScene extends OpenedScene {
  id: string;
}

// The last one, where the browser keeps nothing.
let lastScene: KeptScene | null = null;

/** Keeps a scene that was read, and resolves to where it is shown: a fragment of the address. */
export async function addressOfScene(scene: OpenedScene): Promise<string> {
  lastScene = { ...scene, id: `${kSceneId}-${Date.now().toString(36)}` };
  await keepLarge('scene', lastScene);
  return `#/live/${lastScene.id}`;
}

/** A session of a scene from a file. Nothing of it is kept but the file: a reload opens it again. */
async function openScene(id: string, turn: number): Promise<Session | null> {
  const kept = lastScene?.id === id ? lastScene : await keptLarge<KeptScene>('scene');
  if (kept?.id !== id)
    throw new ApiError(404, { where: 'scene', problem: 'this scene is no longer stored in the browser', try_this: 'open its file again' });
  const { title, scene } = kept;
  const files = await filesOf(kept);
  const [first, ...others] = modelsOf(scene);
  const titleOf = (model: string) => model.replace(/\.glb$/i, '');
  const player = await Player.load(first, titleOf(first), files.get(first)!.slice(0), null);
  try {
    for (const model of others) await player.open(model, titleOf(model), files.get(model)!.slice(0));
    const methodOf = (model: string) => softMethods(player.modelOf({ model }).shown.info)[0] ?? 'rigid';
    const { settings, inputs, recorded } = settingsOf(scene, methodOf);
    await player.begin(settings);
    for (const input of inputs) await player.apply(input);
    player.recorded.value = recorded;
  } catch (error) {
    player.destroy();
    throw error;
  }
  if (turn !== opened) {
    player.destroy();
    return null;
  }
  const entry: GalleryModel = {
    id, title, text: '', kind: 'given', state: 'ready', job: null, model: null, picture: null, vertices: 0, rank: 0, size: '', command: '',
  };
  const session: Session = {
    id, title, entry, file: player.file, player, display: signal({ ...kDefaultDisplay }), constraints: signal([]), history: emptyHistory(),
  };
  begin(session);
  current = session;
  return session;
}

// Those of the archive, else of the gallery; refuses where one is in neither.
async function filesOf({ scene, models }: OpenedScene): Promise<Map<string, ArrayBuffer>> {
  const out = new Map(models);
  const missing = modelsOf(scene).filter((model) => !out.has(model));
  if (missing.length === 0) return out;
  const { models: gallery } = await fetchGallery();
  for (const model of missing) {
    const entry = gallery.find(({ id, state }) => state === 'ready' && fileOf(id) === model);
    if (entry) out.set(model, await fetchModel(entry.id));
  }
  const lost = missing.filter((model) => !out.has(model));
  if (lost.length > 0)
    throw new ApiError(404, {
      where: 'scene', problem: `it needs ${lost.join(' and ')}, which ${lost.length > 1 ? 'are' : 'is'} neither beside it nor in the gallery`,
      try_this: 'choose the scene and its models together, or the .zip that holds them',
    });
  return out;
}

// Samples show at once that they are soft; models of the user wait for the user.
function moveAtOnce({ entry, player }: Session): void {
  const shake = openingShake(player.model);
  player.speed.value = openingSpeed(player.model);
  if (entry.motion) void follow(player, entry.motion).catch(showProblem);
  else if (shake && !player.settings.value.wind) void player.apply({ shake }).catch(showProblem);
}

/** Moves the supports of the soft bodies along a path, from rest, each about its own place. */
export async function follow(player: Player, path: SupportPath): Promise<void> {
  await player.reset();
  for (const body of player.settings.value.bodies)
    if (!flies(body)) await player.apply({ body: body.name, follow: pathAt(path, body.position) });
}

/** What settings and recordings call the model of an id. */
export function fileOf(id: string): string {
  return `${id}.glb`;
}

/** A model of the gallery, so that bodies can be made of it. */
export async function openModel(player: Player, entry: Pick<GalleryModel, 'id' | 'title'>): Promise<OpenModel> {
  const name = fileOf(entry.id);
  return player.models.value.get(name) ?? player.open(name, entry.title, await fetchModel(entry.id));
}

/** Opens those of these files that the gallery has. */
async function openFiles(player: Player, files: readonly string[]): Promise<void> {
  const missing = files.filter((file) => !player.models.value.has(file));
  if (missing.length === 0) return;
  const { models } = await fetchGallery();
  for (const entry of models)
    if (entry.state === 'ready' && missing.includes(fileOf(entry.id))) await openModel(player, entry);
}

/** Opens what a recording needs and the gallery has, then starts it. */
export async function startReplay(player: Player, scene: RecordedScene): Promise<void> {
  await openFiles(player, modelsOf(scene));
  await player.replay(scene);
}

// Bodies of other models of an earlier visit; those whose model is gone stay away.
async function openOthers(player: Player, earlier: Settings): Promise<void> {
  const others = earlier.bodies.filter(({ model }) => !player.models.value.has(model));
  if (others.length === 0) return;
  await openFiles(player, others.map(({ model }) => model)).catch(showProblem);
  const { bodies: there } = player.settings.value;
  const bodies = earlier.bodies.flatMap((body): BodySetup[] => {
    if (others.includes(body)) return player.models.value.has(body.model) ? [body] : [];
    return there.filter(({ name }) => name === body.name);
  });
  const obstacles = earlier.obstacles.filter(({ shape: { mesh } }) => !mesh || player.models.value.has(mesh));
  if (bodies.length > 0) await player.change({ ...earlier, obstacles, bodies }, 'kept');
}

// A recording that is still going on, every other second: a reload loses no more.
const kKeepInterval = 2000;

function keepRecording({ id, player }: Session): () => void {
  const timer = setInterval(() => {
    if (player.frame.value?.recording)
      void player.ask('recorded', { kind: 'recorded' }).then((scene) => scene && keepLarge(`recording.${id}`, scene));
  }, kKeepInterval);
  return () => clearInterval(timer);
}

export function closeSession(): void {
  for (const stop of stopKeeping) stop();
  stopKeeping = [];
  current?.player.destroy();
  current = null;
}
