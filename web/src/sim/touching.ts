// SPDX-License-Identifier: Apache-2.0
// What touches: obstacles and contact settings in the words of a scene file (docs/scene_file.md), and what the library
// tells of contact after a step.
import { rotated, type Quaternion, type Vec3 } from './vector';

/** One of them; sizes in m. Centres stand in the origin, axes along z; a plane is solid below z = 0. */
export interface ObstacleShape {
  plane?: { normal?: Vec3; offset?: number };
  sphere?: { radius: number };
  capsule?: { radius: number; length: number };
  box?: { size: Vec3 };
  cylinder?: { radius: number; length: number };
  /** The name of a model. */
  mesh?: string;
}

/** A shape that stands, whatever touches it. */
export interface Obstacle {
  name: string;
  shape: ObstacleShape;
  /** World from shape. */
  position: Vec3;
  rotation: Quaternion;
  /** µ; left out: that of the contact settings. */
  friction?: number;
  layer?: number;
}

/** Of the whole world; what is left out is the library's default. */
export interface ContactSettings {
  enabled?: boolean;
  /** Pa/m */
  stiffness?: number | 'auto';
  /** s/m */
  dissipation?: number;
  friction?: number;
  self?: boolean;
  /** m */
  margin?: number | 'auto';
  sleep?: boolean;
}

/** One point that touches; forces are those on body a, world axes. */
export interface ContactPoint {
  /** m */
  position: Vec3;
  /** N */
  force: Vec3;
}

/** Contact in the last step. */
export interface ContactFrame {
  /** Pa/m and m: what was set, or chosen. */
  stiffness: number;
  margin: number;
  /** Points that push. */
  touching: number;
  /** Bodies that sleep. */
  asleep: number;
  /** The deepest overlap, m. */
  depth: number;
  /** Islands that were not solved, and contacts beyond the limit. */
  notConverged: number;
  leftOut: number;
  /** Those that push, where the page asked for them. */
  points: ContactPoint[];
}

/** A haptic device: a ball, the proxy, coupled to a hand by a spring and a damper (docs/scene_file.md). */
export interface Device {
  name: string;
  /** m */
  radius: number;
  /** N/m and N s/m, of the coupling. */
  stiffness: number;
  damping: number;
  /** m/s and N */
  max_speed: number;
  max_force: number;
  position?: Vec3;
}

/** The ball that the pointer carries. */
export interface BallFrame {
  /** Of its centre, m. */
  position: Vec3;
  radius: number;
  /** Of the coupling, N/m. */
  stiffness: number;
  /** That the hand feels, N. */
  force: Vec3;
  touching: number;
}

/** A floor at this height along `up`, a unit vector. */
export function floorAt(up: Vec3, height: number): Obstacle {
  return { name: kFloor, shape: { plane: {} }, position: up.map((x) => (x === 0 ? 0 : x * height)) as Vec3, rotation: fromZ(up) };
}

export const kFloor = 'floor';
export const kBall = 'ball';

/** The height along `up` of an obstacle that is a floor: a plane that faces up. Null: it is none. */
export function floorHeight({ shape, position, rotation }: Obstacle, up: Vec3): number | null {
  if (!shape.plane) return null;
  const { normal = [0, 0, 1], offset = 0 } = shape.plane;
  const size = Math.hypot(...normal);
  const faces = rotated(rotation, normal.map((x) => x / size) as Vec3);
  if (dot(faces, up) < 1 - 1e-9) return null;
  return dot(position, up) + offset;
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The rotation of z to one of the six axes.
function fromZ(up: Vec3): Quaternion {
  const half = Math.SQRT1_2;
  if (up[2] === -1) return [1, 0, 0, 0];
  if (up[0] !== 0) return [0, up[0] * half, 0, half];
  if (up[1] !== 0) return [-up[1] * half, 0, 0, half];
  return [0, 0, 0, 1];
}
