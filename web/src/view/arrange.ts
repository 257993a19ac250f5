// SPDX-License-Identifier: Apache-2.0
// Bodies above a floor: dropped, stacked, poured in. Each takes the settings of a world and returns others; nothing moves.
import type { ModelInfo } from 'limber';
import { Box3, Quaternion as Turn, Vector3 } from 'three';
import type { Up } from '../api/jobs';
import type { Flight } from '../sim/live_world';
import { mounted, nameFor, newSettings, roundDown125, softMethods, type BodySetup, type Settings } from '../sim/settings';
import { floorAt, floorHeight } from '../sim/touching';
import { length, type Quaternion, type Vec3 } from '../sim/vector';
import { rotationBetween, worldBox } from './display';
import { axisOf, upVector } from './up';

/** What is asked of a model. */
export interface FlyingModel {
  title: string;
  info: ModelInfo;
  flight: Flight;
  /** At rest, m. */
  box: Box3;
}
export type ModelOf = (model: string) => FlyingModel;

export interface Arranged {
  settings: Settings;
  /** Bodies that are not what one might expect, with the reason. */
  remarks: string[];
}

export const kStacked = 5;
export const kPoured = 20;
/** Coordinates of a soft body that is poured in: its step costs half of that with 20. */
const kPouredRank = 12;
/** Of a world that the page makes; beyond it a picture a second is not to be had. */
export const kMostBodies = 120;

const kEarth = 9.81;
// Of the largest body's size: how high bodies are dropped from, and what is between two of a stack.
const kDropHeight = 0.5, kStackGap = 0.002;
// Dropped bodies are tilted so much, rad, so that they land on an edge and tumble.
const kTilt = 0.3;
// A floor stands so far below bodies that stay mounted, of their size: their bottom does not rest on it.
const kFloorGap = 0.01;
// Bodies in a layer of those that are poured, and the room of each in sizes of the largest.
const kLayer = 4, kRoom = 1.05;

/** The world with a floor, contact and gravity, where they are missing. */
export function withFloor(settings: Settings, modelOf: ModelOf, up: Up): Settings {
  const axis = upVector(up);
  const floored = settings.obstacles.some((obstacle) => floorHeight(obstacle, axis) !== null);
  return {
    ...settings,
    gravity: settings.gravity.some((g) => g !== 0) ? settings.gravity : axis.map((x) => (x === 0 ? 0 : -x * kEarth)) as Vec3,
    contact: { ...settings.contact, enabled: true },
    obstacles: floored ? settings.obstacles : [...settings.obstacles, floorAt(axis, bottomOf(settings, modelOf, up))],
  };
}

/** The bodies of these names with another model each, from rest; what it is made of stays. */
export function withModels(settings: Settings, names: readonly string[], of: (model: string) => string, modelOf: ModelOf): Settings {
  return {
    ...settings,
    bodies: settings.bodies.map((body) => {
      const model = of(body.model);
      if (body.method === 'rigid' || model === body.model || !names.includes(body.name)) return body;
      const { start: _start, ...still } = body, { info } = modelOf(model);
      const method = softMethods(info)[0], { materials } = body.settings;
      return { ...still, model, method, mount: 'free', settings: { ...newSettings(info, method), ...(materials && method === 'stvk' ? { materials } : {}) } };
    }),
  };
}

/** Every body that can fly above the floor, at rest. */
export function dropped(settings: Settings, modelOf: ModelOf, up: Up): Arranged {
  const remarks: string[] = [];
  const world = withFloor(settings, modelOf, up);
  const floor = floorOf(world, up);
  const bodies = world.bodies.reduce<BodySetup[]>((done, body, place) => {
    const others = [...done, ...world.bodies.slice(place + 1)];
    const flying = asFlying(body, modelOf(body.model), others, remarks);
    if (!flying) return [...done, body];
    const upright = rotationBetween(modelOf(body.model).info.up, up);
    const rotation = tilted(upright, up);
    const { box } = modelOf(body.model);
    return [...done, standing({ ...flying, rotation }, box, up, floor + dropHeight(flying, modelOf(body.model), world.gravity))];
  }, []);
  return { settings: { ...world, bodies, dt: stepOf(settings, bodies, modelOf, up) }, remarks };
}

/** The body and so many more of its model, one upon another. */
export function stacked(settings: Settings, name: string, modelOf: ModelOf, up: Up, count = kStacked): Arranged {
  const remarks: string[] = [];
  const world = withFloor(settings, modelOf, up);
  const first = world.bodies.find((body) => body.name === name)!;
  const model = modelOf(first.model);
  const others = world.bodies.filter((body) => body !== first);
  const flying = asFlying(first, model, others, remarks);
  if (!flying) return { settings, remarks };
  const rotation = rotationBetween(model.info.up, up);
  const gap = kStackGap * sizeOf(model.box);
  const bodies = [...others];
  let height = floorOf(world, up) + gap;
  // Upon whatever stands there already.
  const here = worldBox({ box: model.box, position: flying.position, rotation });
  for (const body of others) {
    const there = worldBox({ ...body, box: modelOf(body.model).box });
    if (overlapAcross(here, there, up)) height = Math.max(height, endsOf(there, up).high + gap);
  }
  for (let i = 0; i < count; ++i) {
    const copy = { ...flying, rotation, name: i === 0 ? flying.name : nameFor(flying.method, flying.model, bodies) };
    bodies.push(standing(copy, model.box, up, height));
    const { low, high } = endsOf(worldBox({ box: model.box, position: [0, 0, 0], rotation }), up);
    height += high - low + gap;
  }
  return { settings: { ...world, bodies, dt: stepOf(settings, bodies, modelOf, up) }, remarks };
}

/** So many bodies of these models, in turn, above all that is there, each turned otherwise. */
export function poured(settings: Settings, models: readonly string[], modelOf: ModelOf, up: Up, count = kPoured): Arranged {
  const remarks: string[] = [];
  const world = withFloor(settings, modelOf, up);
  const able = models.filter((model) => modelOf(model).flight.soft || modelOf(model).flight.rigid);
  if (able.length === 0) return { settings, remarks: [`${models.join(', ')}: the surface is not closed, so it cannot be a rigid body.`] };
  const room = kRoom * Math.max(...able.map((model) => sizeOf(modelOf(model).box)));
  const boxes = world.bodies.map((body) => worldBox({ ...body, box: modelOf(body.model).box }));
  const all = boxes.reduce((sum, box) => sum.union(box), new Box3());
  const middle = all.getCenter(new Vector3());
  const base = Math.max(floorOf(world, up), endsOf(all, up).high) + 0.6 * room;
  const [one, two] = across(up);
  const random = randomNumbers(1);
  const bodies = [...world.bodies];
  for (let i = 0; i < count; ++i) {
    const model = able[i % able.length], { title, info, flight, box } = modelOf(model);
    const method = flight.soft ? softMethods(info)[0] : 'rigid' as const;
    const at = middle.clone();
    at[one] += room * ((i % kLayer & 1) - 0.5);
    at[two] += room * (((i % kLayer) >> 1) - 0.5);
    at[axisOf(up)] = (up === axisOf(up) ? 1 : -1) * (base + room * Math.floor(i / kLayer));
    const rotation = randomTurn(random);
    const centre = box.getCenter(new Vector3()).applyQuaternion(new Turn(...rotation));
    bodies.push({
      name: nameFor(method, model, bodies), model, method, mount: 'free',
      position: at.sub(centre).toArray() as Vec3, rotation,
      settings: { ...newSettings(info, method), ...(method === 'stvk' && info.rank > kPouredRank ? { rank: kPouredRank } : {}) },
    });
    if (i < able.length && !flight.soft) remarks.push(rigidRemark(title, flight));
  }
  return { settings: { ...world, bodies, dt: stepOf(settings, bodies, modelOf, up) }, remarks };
}

// s: the longest step of a world with contact that is chosen for the user; and of the shortest first period.
const kLongestStep = 0.002, kStepsInPeriod = 10;

// Vibrations are looked at in small steps, and what falls in longer ones: the first time that there is a floor.
function stepOf({ dt, obstacles }: Settings, bodies: readonly BodySetup[], modelOf: ModelOf, up: Up): number {
  if (obstacles.some((obstacle) => floorHeight(obstacle, upVector(up)) !== null)) return dt;
  const fastest = Math.max(0, ...bodies.filter(({ method }) => method !== 'rigid').map(({ model }) => modelOf(model).info.frequencies_hz[0] ?? 0));
  return fastest > 0 ? Math.max(dt, roundDown125(Math.min(kLongestStep, 1 / (kStepsInPeriod * fastest)))) : dt;
}

// A bar that meets a wall at speed v is compressed by v/c, c² = E/ρ. More than this, and a soft body is crushed.
const kMostStrain = 0.3;

// m; with v² = 2 g h.
function dropHeight({ method }: BodySetup, { info, box }: FlyingModel, gravity: Vec3): number {
  const height = kDropHeight * sizeOf(box);
  if (method === 'rigid') return height;
  const softest = Math.min(...info.groups.map(({ young, density }) => young / density));
  return Math.min(height, (kMostStrain ** 2 * softest) / (2 * length(gravity)));
}

function rigidRemark(what: string, { whyNotSoft }: Flight): string {
  return `${what} falls as a rigid body: ${whyNotSoft}.`;
}

// The body that flies in place of this one; null: it cannot.
function asFlying(body: BodySetup, { title, info, flight }: FlyingModel, others: readonly BodySetup[], remarks: string[]): BodySetup | null {
  const { start: _start, ...still } = body;
  if (body.method === 'rigid') return still;
  if (flight.soft) {
    if (body.method === 'stvk' || body.method === 'domains') return body.mount === 'free' ? still : mounted(still, 'free');
    // Warped bodies and linear modes do not fly.
    return { ...still, name: nameFor('stvk', body.model, others), method: 'stvk', mount: 'free', settings: newSettings(info, 'stvk') };
  }
  if (flight.rigid) {
    remarks.push(rigidRemark(title, flight));
    return { ...still, name: nameFor('rigid', body.model, others), method: 'rigid', mount: 'free', settings: newSettings(info, 'rigid') };
  }
  remarks.push(`${title} stays mounted: ${flight.whyNotSoft}, and its surface is not closed, so it cannot be rigid.`);
  return null;
}

function sizeOf(box: Box3): number {
  return box.getSize(new Vector3()).length();
}

// Along up.
function endsOf(box: Box3, up: Up): { low: number; high: number } {
  const axis = axisOf(up);
  return up === axis ? { low: box.min[axis], high: box.max[axis] } : { low: -box.max[axis], high: -box.min[axis] };
}

function across(up: Up): ['x' | 'y' | 'z', 'x' | 'y' | 'z'] {
  return (['x', 'y', 'z'] as const).filter((axis) => axis !== axisOf(up)) as ['x' | 'y' | 'z', 'x' | 'y' | 'z'];
}

function overlapAcross(a: Box3, b: Box3, up: Up): boolean {
  return across(up).every((axis) => a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis]);
}

/** The level that all bodies stand on, or above. */
function bottomOf({ bodies }: Settings, modelOf: ModelOf, up: Up): number {
  return Math.min(...bodies.map((body) => {
    const { box, flight } = modelOf(body.model);
    const stays = body.method !== 'rigid' && !flight.soft && !flight.rigid;
    return endsOf(worldBox({ ...body, box }), up).low - (stays ? kFloorGap * sizeOf(box) : 0);
  }));
}

function floorOf({ obstacles }: Settings, up: Up): number {
  return Math.max(...obstacles.flatMap((obstacle) => floorHeight(obstacle, upVector(up)) ?? []));
}

// With its lowest corner at this height.
function standing(body: BodySetup, box: Box3, up: Up, height: number): BodySetup {
  const { low } = endsOf(worldBox({ ...body, box }), up);
  const axis = upVector(up);
  return { ...body, position: body.position.map((x, k) => x + axis[k] * (height - low)) as Vec3 };
}

function tilted(rotation: Quaternion, up: Up): Quaternion {
  const [one, two] = across(up);
  const about = new Vector3();
  about[one] = 1;
  about[two] = 0.6;
  return new Turn().setFromAxisAngle(about.normalize(), kTilt).multiply(new Turn(...rotation)).toArray() as Quaternion;
}

// The same numbers every time (xorshift), so that what is poured twice falls alike.
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

function randomTurn(random: () => number): Quaternion {
  const numbers = [0, 0, 0, 0].map(() => random() - 0.5);
  const size = Math.hypot(...numbers) || 1;
  return numbers.map((x) => x / size) as Quaternion;
}
