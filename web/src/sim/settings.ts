// SPDX-License-Identifier: Apache-2.0
// What the panels change: one plain object for all bodies on the stage, and how each body takes it.
import type { BodySettings, Material, ModelInfo, WarpSettings } from 'limber';
import type { BodyKeys } from './recording';
import type { Vec3 } from './vector';

export type Method = 'stvk' | 'warped' | 'linear';
export type Integrator = 'newmark' | 'central' | 'euler' | 'energy';

export interface Settings {
  /** The same body, once for each. */
  methods: Method[];
  /** s */
  dt: number;
  /** m/s² */
  gravity: Vec3;
  /** By the name of the group. */
  materials: Record<string, Material>;
  /** Coordinates in use: the first so many. */
  rank: number;
  integrator: Integrator;
  /** Corrections a step; 0: until the tolerance is met. */
  newton: number;
  /** 1/s, s, s */
  damping: { alpha: number; beta: number; strain_rate: number };
  warpStep: 'semi-implicit' | 'closed-form';
  /** The warped body's shape: with companions that keep its lengths, or without, as the method was published. */
  warping: WarpedShape;
}

export type WarpedShape = 'warped' | 'local';

export const kMethodNames: Record<Method, string> = {
  stvk: 'Nonlinear (StVK)',
  warped: 'Modal warping',
  linear: 'Linear modes',
};

/** The body of a method, as it is set now. */
export function bodyName(method: Method, { warping }: Settings): string {
  return method === 'warped' && warping === 'local' ? `${kMethodNames.warped}, local` : kMethodNames[method];
}

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundDown125(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  const digit = x / power;
  const nice = digit >= 5 ? 5 : digit >= 2 ? 2 : 1;
  return Number((nice * power).toPrecision(1));
}

/** A hundredth of the first mode's period, a millisecond at most; damped by 4% of critical. */
export function defaultSettings(info: ModelInfo): Settings {
  const first = info.frequencies_hz[0] || 1;
  const materials: Record<string, Material> = {};
  for (const { name, young, poisson, density } of info.groups) materials[name] = { young, poisson, density };
  return {
    methods: [info.methods.includes('stvk') ? 'stvk' : 'warped'],
    dt: roundDown125(Math.min(0.001, 0.01 / first)),
    gravity: [0, 0, 0],
    materials,
    rank: info.rank,
    integrator: 'newmark',
    newton: 1,
    damping: { alpha: 0, beta: Number((0.04 / (Math.PI * first)).toPrecision(2)), strain_rate: 0 },
    warpStep: 'semi-implicit',
    warping: 'warped',
  };
}

/** Which methods a model can run. Linear modes are those of the warped body. */
export function methodsOf(info: ModelInfo): Method[] {
  return [...(info.methods.includes('stvk') ? ['stvk' as const] : []),
    ...(info.methods.includes('warp') ? ['warped' as const, 'linear' as const] : [])];
}

/** How many numbers say where a body is. */
export function coordinatesOf(info: ModelInfo, method: Method): number {
  return method === 'stvk' ? info.rank : info.warp_modes;
}

// The mean over the volume of what a constant was multiplied by: warped modes know one factor for the whole body.
function meanScale(settings: Settings, info: ModelInfo, constant: 'young' | 'density'): number {
  let volume = 0, sum = 0;
  for (const group of info.groups) {
    volume += group.volume;
    sum += group.volume * (settings.materials[group.name]?.[constant] ?? group[constant]) / group[constant];
  }
  return volume > 0 ? sum / volume : 1;
}

/** Changes of the material that modal warping ignores, in words; empty: none. */
export function warpingLeavesOut(settings: Settings, info: ModelInfo): string {
  const factors = info.groups.map((group) => (settings.materials[group.name] ?? group).young / group.young);
  const uneven = factors.some((factor) => Math.abs(factor / factors[0] - 1) > 1e-9);
  const poisson = info.groups.some((group) => (settings.materials[group.name] ?? group).poisson !== group.poisson);
  const parts = [
    ...(uneven ? ['different stiffness factors of the groups (it uses their mean)'] : []),
    ...(poisson ? ["changes of Poisson's ratio"] : []),
  ];
  return parts.join(' and ');
}

export function bodySettings(settings: Settings): BodySettings {
  const { materials, rank, integrator, newton, damping, gravity } = settings;
  return { materials, rank, integrator, newton, damping, gravity };
}

export function warpSettings(settings: Settings, info: ModelInfo, method: 'warped' | 'linear'): WarpSettings {
  return {
    warping: method === 'linear' ? 'linear' : settings.warping,
    step: settings.warpStep,
    damping: { alpha: settings.damping.alpha, beta: settings.damping.beta },
    gravity: settings.gravity,
    young_scale: meanScale(settings, info, 'young'),
    density_scale: meanScale(settings, info, 'density'),
  };
}

/** The same as keys of a scene's body. */
export function sceneKeys(settings: Settings, info: ModelInfo, method: Method): BodyKeys {
  if (method === 'stvk') {
    const { materials, rank, integrator, newton, damping } = settings;
    return { rank, integrator, newton, damping, materials };
  }
  const { warping, step, damping, young_scale, density_scale } = warpSettings(settings, info, method);
  return { warping, step, damping, young_scale, density_scale };
}
