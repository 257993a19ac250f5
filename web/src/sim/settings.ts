// SPDX-License-Identifier: Apache-2.0
// What the panels change: the time step, gravity, and the bodies with their places and settings, in the words of a
// scene file (docs/scene_file.md). The library describes each setting; the page keeps what it was told.
import type { DomainState, Limber, Material, Method, ModelInfo, Mount, WindSettings } from 'limber';
import type { BodyJson, WorldInput } from './recording';
import type { ContactSettings, Obstacle } from './touching';
import { kAtOrigin, kUnturned, type Quaternion, type Vec3 } from './vector';

export type { Method, Mount, WindSettings };
/** Every setting as the library describes it, by the name of its struct. */
export type Fields = Limber['fields'];
export type Integrator = 'newmark' | 'central' | 'euler' | 'energy';

/** Of one body; which of them it has depends on its method. */
export interface BodySettings {
  /** By the name of the group. */
  materials?: Record<string, Material>;
  /** The first so many coordinates are in use. */
  rank?: number;
  /** Those in use; empty: all. */
  coordinates?: number[];
  integrator?: Integrator;
  newton?: number;
  tolerance?: number;
  precision?: 'double' | 'float';
  /** 1/s, s, s */
  damping?: { alpha?: number; beta?: number; strain_rate?: number };
  warping?: 'warped' | 'local' | 'linear';
  step?: 'semi-implicit' | 'closed-form';
  coriolis?: boolean;
  /** Of a tree: what a domain feels of those that hang on it. */
  coupling?: 'exact' | 'L1' | 'L2';
  /** Of a tree: those that are not as they were built, by name. */
  domains?: Record<string, DomainSettings>;
  young_scale?: number;
  density_scale?: number;
  /** kg/m³, of a rigid body */
  density?: number;
}

/** Of one domain of a tree; detach is in inputs only, and the page offers no replace. */
export type DomainSettings = DomainState;

export const kDomainAsBuilt: Required<Omit<DomainSettings, 'detach' | 'replace'>> = { young_scale: 1, density_scale: 1, frozen: false };

/** A body as it begins. */
export interface BodySetup {
  /** Of this body only. */
  name: string;
  /** The name of its file, such as "spoon.glb". */
  model: string;
  method: Method;
  /** What holds it; left out: as the library has it. */
  mount?: Mount;
  /** Where the model's origin stands, m, and world from body. */
  position: Vec3;
  rotation: Quaternion;
  /** µ; left out: that of the contact settings. */
  friction?: number;
  /** Bits: it touches what has a common one; left out: everything. */
  layer?: number;
  /** Left out: at rest. */
  start?: BodyStart;
  settings: BodySettings;
}

/** Coordinates and their rates; of a body that flies, velocities in world axes, m/s and rad/s. */
export interface BodyStart {
  q?: number[];
  v?: number[];
  velocity?: Vec3;
  angular_velocity?: Vec3;
}

/** The world and its bodies. */
export interface Settings {
  /** s */
  dt: number;
  /** m/s² */
  gravity: Vec3;
  /** Null, or left out: no air. */
  wind?: WindSettings | null;
  /** Null: nothing touches. */
  contact: ContactSettings | null;
  obstacles: Obstacle[];
  bodies: BodySetup[];
}

export const kMethodNames: Record<Method, string> = {
  stvk: 'Nonlinear (StVK)',
  warp: 'Modal warping',
  linear: 'Linear modes',
  rigid: 'Rigid',
  domains: 'Tree of domains',
};

const kStructs: Record<Method, string> = {
  stvk: 'StvkSettings', warp: 'WarpSettings', linear: 'WarpSettings', rigid: 'RigidSettings', domains: 'DomainsSettings',
};

/** The settings of bodies of that method. */
export function fieldsOf(fields: Fields, method: Method): Fields[string] {
  return fields[kStructs[method]];
}

/** How a body is called in the page; `title` is that of its model, null where all are of one. */
export function bodyLabel({ method, settings }: BodySetup, title: string | null): string {
  const how = method === 'warp' && settings.warping === 'local' ? `${kMethodNames.warp}, local` : kMethodNames[method];
  return title ? `${title}: ${how}` : how;
}

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundDown125(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  const digit = x / power;
  const nice = digit >= 5 ? 5 : digit >= 2 ? 2 : 1;
  return Number((nice * power).toPrecision(1));
}

/** A hundredth of the first mode's period, a millisecond at most. */
export function defaultDt(info: ModelInfo): number {
  return roundDown125(Math.min(0.001, 0.01 / (info.frequencies_hz[0] || 1)));
}

/** What a new body has beside the library's defaults: damped by 4% of critical, or as heavy as it was built. */
export function newSettings(info: ModelInfo, method: Method): BodySettings {
  if (method !== 'rigid') return { damping: { beta: Number((0.04 / (Math.PI * (info.frequencies_hz[0] || 1))).toPrecision(2)) } };
  let volume = 0, mass = 0;
  for (const group of info.groups) [volume, mass] = [volume + group.volume, mass + group.volume * group.density];
  return volume > 0 ? { density: mass / volume } : {};
}

/** The soft methods of a model. Linear modes are those of the warped body. */
export function softMethods(info: ModelInfo): Method[] {
  if (info.methods.includes('domains')) return ['domains'];
  return [...(info.methods.includes('stvk') ? ['stvk' as const] : []),
    ...(info.methods.includes('warp') ? ['warp' as const, 'linear' as const] : [])];
}

/** How many numbers say what shape a body has. */
export function coordinatesOf(info: ModelInfo, method: Method): number {
  if (method === 'domains') return info.coordinates;
  return method === 'rigid' ? 0 : method === 'stvk' ? info.rank : info.warp_modes;
}

/** A name that no body has yet: that of the method, with the model's before it where it is another one than the first. */
export function nameFor(method: Method, model: string, bodies: readonly BodySetup[]): string {
  const other = bodies.length > 0 && bodies[0].model !== model;
  const plain = `${other ? `${model.replace(/\.glb$/, '')}-` : ''}${method}`;
  const taken = (name: string) => bodies.some((body) => body.name === name);
  let name = plain;
  for (let number = 2; taken(name); ++number) name = `${plain}${number}`;
  return name;
}

/** Free where it can fly; a body of an older file, of which nothing is fixed, stays where it is. */
export function newMount(info: ModelInfo, method: Method): Mount {
  return method === 'rigid' || ((method === 'stvk' || method === 'domains') && info.can_be_free) ? 'free' : 'fixed';
}

/** Has it a rigid motion of its own? */
export function flies({ method, mount }: Pick<BodySetup, 'method' | 'mount'>): boolean {
  return method === 'rigid' || mount === 'free';
}

/** The body mounted in another way; how it is stepped is then the library's choice. */
export function mounted(body: BodySetup, mount: Mount): BodySetup {
  const { integrator: _integrator, newton: _newton, precision: _precision, ...settings } = body.settings;
  return { ...body, mount, settings };
}

export function newBody(
  info: ModelInfo, model: string, method: Method, bodies: readonly BodySetup[], position = kAtOrigin, rotation = kUnturned,
): BodySetup {
  return {
    name: nameFor(method, model, bodies), model, method, mount: newMount(info, method), position, rotation,
    settings: newSettings(info, method),
  };
}

/** One body, as a model is first shown. */
export function defaultSettings(info: ModelInfo, model: string): Settings {
  return { dt: defaultDt(info), gravity: [0, 0, 0], contact: null, obstacles: [], bodies: [newBody(info, model, softMethods(info)[0] ?? 'rigid', [])] };
}

/** With the part in place of what was before; `rank` and `coordinates` say the same. */
export function withSettings(settings: BodySettings, part: BodySettings): BodySettings {
  const { rank: _rank, coordinates: _coordinates, ...others } = settings;
  const kept = part.rank !== undefined || part.coordinates !== undefined ? others : settings;
  return { ...kept, ...part, ...(part.damping ? { damping: { ...settings.damping, ...part.damping } } : {}) };
}

export function bodyJson({ name, model, method, mount, position, rotation, friction, layer, start, settings }: BodySetup): BodyJson {
  const { warping, ...others } = settings;
  return {
    name, model, method, ...(mount && (method === 'stvk' || method === 'domains') ? { mount } : {}),
    ...(friction === undefined ? {} : { friction }), ...(layer === undefined ? {} : { layer }), ...start,
    ...(position.some((x) => x !== 0) ? { position } : {}),
    ...(rotation[3] !== 1 ? { rotation } : {}),
    ...others, ...(warping && method === 'warp' ? { warping } : {}),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

// The library keeps what is not named: a domain that is as built again is named as such.
function domainsBetween({ settings: before }: BodySetup, { settings: after }: BodySetup): Pick<BodySettings, 'domains'> {
  const gone = Object.keys(before.domains ?? {}).filter((name) => !(name in (after.domains ?? {})));
  return gone.length === 0 ? {} : { domains: { ...after.domains, ...Object.fromEntries(gone.map((name) => [name, kDomainAsBuilt])) } };
}

function changesOf(before: BodySetup, after: BodySetup): WorldInput[] {
  const out: WorldInput[] = [];
  if (!same([before.position, before.rotation], [after.position, after.rotation]))
    out.push({ body: after.name, place: { position: after.position, rotation: after.rotation } });
  const of = ({ settings, friction, layer }: BodySetup): Record<string, unknown> =>
    ({ ...settings, ...(friction === undefined ? {} : { friction }), ...(layer === undefined ? {} : { layer }) });
  const was = of(before);
  const now: Record<string, unknown> = { ...of(after), ...domainsBetween(before, after) };
  const changed = Object.keys(now).filter((key) => !same(now[key], was[key]));
  if (changed.length > 0)
    out.push({ body: after.name, set: Object.fromEntries(changed.map((key) => [key, now[key]])) as BodySettings });
  return out;
}

// An obstacle of another shape or friction is another one.
function obstacleInputs(before: Obstacle[], after: Obstacle[]): { gone: WorldInput[]; come: WorldInput[] } {
  const fixed = ({ name, shape, friction, layer }: Obstacle) => [name, shape, friction, layer];
  const stays = (one: Obstacle, among: Obstacle[]) => among.find((other) => same(fixed(one), fixed(other)));
  return {
    gone: before.filter((one) => !stays(one, after)).map(({ name }) => ({ obstacle: name, remove: true })),
    come: after.flatMap((one): WorldInput[] => {
      const known = stays(one, before), { name, position, rotation } = one;
      if (!known) return [{ add_obstacle: one }];
      return same([known.position, known.rotation], [position, rotation]) ? [] : [{ obstacle: name, place: { position, rotation } }];
    }),
  };
}

/** What has to happen in a world so that its bodies, obstacles, contact and gravity are those of `after`. */
export function inputsBetween(before: Settings, after: Settings): WorldInput[] {
  const stays = (one: BodySetup, among: BodySetup[]) =>
    among.find((other) => same([other.name, other.model, other.method, other.mount, other.start],
      [one.name, one.model, one.method, one.mount, one.start]));
  const { gone, come } = obstacleInputs(before.obstacles, after.obstacles);
  return [
    ...before.bodies.filter((one) => !stays(one, after.bodies)).map(({ name }): WorldInput => ({ body: name, remove: true })),
    ...gone,
    ...(same(before.gravity, after.gravity) ? [] : [{ gravity: after.gravity }]),
    ...(same(before.wind ?? null, after.wind ?? null) ? [] : [{ wind: after.wind ?? null }]),
    ...come,
    // After the obstacles: the first one turns contact on.
    ...(same(before.contact, after.contact) ? [] : [{ contact: after.contact }]),
    ...after.bodies.flatMap((one): WorldInput[] => {
      const known = stays(one, before.bodies);
      return known ? changesOf(known, one) : [{ add: bodyJson(one) }];
    }),
  ];
}

// As the page kept settings before each body had its own.
interface SharedSettings {
  methods: ('stvk' | 'warped' | 'linear')[];
  dt: number;
  gravity: Vec3;
  materials: Record<string, Material>;
  rank: number;
  integrator: Integrator;
  newton: number;
  damping: { alpha: number; beta: number; strain_rate: number };
  warpStep: 'semi-implicit' | 'closed-form';
  warping?: 'warped' | 'local';
}

/** Settings of an earlier visit in the words of today; those of today as they are. Null: they are none. */
export function translateSettings(kept: unknown, model: string): Settings | null {
  const settings = kept as Partial<Settings & SharedSettings> | null;
  if (!settings || typeof settings !== 'object' || !(settings.dt! > 0)) return null;
  if (Array.isArray(settings.bodies)) return { contact: null, obstacles: [], ...settings } as Settings;
  if (!Array.isArray(settings.methods)) return null;
  const { dt, gravity, materials, rank, integrator, newton, damping, warpStep, warping } = settings as SharedSettings;
  // Several stood side by side in the picture only; one is where it was.
  const [method] = settings.methods;
  const body: BodySetup = {
    name: method === 'warped' ? 'warp' : method, model, method: method === 'warped' ? 'warp' : method,
    position: kAtOrigin, rotation: kUnturned,
    settings: method === 'stvk' ? { materials, rank, integrator, newton, damping }
      : { step: warpStep, damping: { alpha: damping.alpha, beta: damping.beta }, ...(method === 'warped' && warping ? { warping } : {}) },
  };
  return { dt, gravity, contact: null, obstacles: [], bodies: [body] };
}
