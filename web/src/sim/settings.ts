// SPDX-License-Identifier: Apache-2.0
// What the panels change: the time step, gravity, and the bodies with their places and settings, in the words of a
// scene file (docs/scene_file.md). The library describes each setting; the page keeps what it was told.
import type { Limber, Material, ModelInfo } from 'limber';
import type { BodyJson, WorldInput } from './recording';
import { kAtOrigin, kUnturned, type Quaternion, type Vec3 } from './vector';

export type Method = 'stvk' | 'warp' | 'linear' | 'rigid';
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
  young_scale?: number;
  density_scale?: number;
  /** kg/m³, of a rigid body */
  density?: number;
}

/** A body as it begins. */
export interface BodySetup {
  /** Of this body only. */
  name: string;
  /** The name of its file, such as "spoon.glb". */
  model: string;
  method: Method;
  /** Where the model's origin stands, m, and world from body. */
  position: Vec3;
  rotation: Quaternion;
  settings: BodySettings;
}

/** The world and its bodies. */
export interface Settings {
  /** s */
  dt: number;
  /** m/s² */
  gravity: Vec3;
  bodies: BodySetup[];
}

export const kMethodNames: Record<Method, string> = {
  stvk: 'Nonlinear (StVK)',
  warp: 'Modal warping',
  linear: 'Linear modes',
  rigid: 'Rigid',
};

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
  return [...(info.methods.includes('stvk') ? ['stvk' as const] : []),
    ...(info.methods.includes('warp') ? ['warp' as const, 'linear' as const] : [])];
}

/** How many numbers say what shape a body has. */
export function coordinatesOf(info: ModelInfo, method: Method): number {
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

export function newBody(
  info: ModelInfo, model: string, method: Method, bodies: readonly BodySetup[], position = kAtOrigin, rotation = kUnturned,
): BodySetup {
  return { name: nameFor(method, model, bodies), model, method, position, rotation, settings: newSettings(info, method) };
}

/** One body, as a model is first shown. */
export function defaultSettings(info: ModelInfo, model: string): Settings {
  return { dt: defaultDt(info), gravity: [0, 0, 0], bodies: [newBody(info, model, softMethods(info)[0] ?? 'rigid', [])] };
}

/** With the part in place of what was before; `rank` and `coordinates` say the same. */
export function withSettings(settings: BodySettings, part: BodySettings): BodySettings {
  const { rank: _rank, coordinates: _coordinates, ...others } = settings;
  const kept = part.rank !== undefined || part.coordinates !== undefined ? others : settings;
  return { ...kept, ...part, ...(part.damping ? { damping: { ...settings.damping, ...part.damping } } : {}) };
}

export function bodyJson({ name, model, method, position, rotation, settings }: BodySetup): BodyJson {
  const { warping, ...others } = settings;
  return {
    name, model, method,
    ...(position.some((x) => x !== 0) ? { position } : {}),
    ...(rotation[3] !== 1 ? { rotation } : {}),
    ...others, ...(warping && method === 'warp' ? { warping } : {}),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function changesOf(before: BodySetup, after: BodySetup): WorldInput[] {
  const out: WorldInput[] = [];
  if (!same([before.position, before.rotation], [after.position, after.rotation]))
    out.push({ body: after.name, place: { position: after.position, rotation: after.rotation } });
  const was = before.settings as Record<string, unknown>, now = after.settings as Record<string, unknown>;
  const changed = Object.keys(now).filter((key) => !same(now[key], was[key]));
  if (changed.length > 0)
    out.push({ body: after.name, set: Object.fromEntries(changed.map((key) => [key, now[key]])) as BodySettings });
  return out;
}

/** What has to happen in a world so that its bodies and gravity are those of `after`. */
export function inputsBetween(before: Settings, after: Settings): WorldInput[] {
  const stays = (one: BodySetup, among: BodySetup[]) =>
    among.find(({ name, model, method }) => name === one.name && model === one.model && method === one.method);
  return [
    ...before.bodies.filter((one) => !stays(one, after.bodies)).map(({ name }): WorldInput => ({ body: name, remove: true })),
    ...(same(before.gravity, after.gravity) ? [] : [{ gravity: after.gravity }]),
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
  if (Array.isArray(settings.bodies)) return settings as Settings;
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
  return { dt, gravity, bodies: [body] };
}
