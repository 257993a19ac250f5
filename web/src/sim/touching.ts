// SPDX-License-Identifier: Apache-2.0
// What touches: obstacles and contact settings in the words of a scene file (docs/scene_file.md), and what the library
// tells of contact after a step.
import type {
  Contact, ContactReport, Device as LibraryDevice, DeviceSettings, Obstacle as LibraryObstacle, Pose, Shape,
} from 'limber';
import { rotated, type Quaternion, type Vec3 } from './vector';

export type { ContactSettings } from 'limber';

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** One of the library's shapes, so that each can be asked for. */
export type ObstacleShape = { [Key in KeyOf<Shape>]?: Extract<Shape, Record<Key, unknown>>[Key] };

/** A shape that stands, whatever touches it; the library gave it a name and a place. */
export type Obstacle = Omit<LibraryObstacle, 'shape'> & Required<Pick<LibraryObstacle, 'name'>> & Pose & { shape: ObstacleShape };

/** One point that touches. */
export type ContactPoint = Pick<Contact, 'position' | 'force'>;

/** Contact in the last step, with the points that push where the page asked for them. */
export type ContactFrame = Pick<ContactReport, 'stiffness' | 'margin' | 'touching' | 'asleep' | 'depth' | 'not_converged' | 'left_out' | 'cut_short'>
  & { points: ContactPoint[] };

/** The ball's device, with all that the page chooses of it. */
export type Device = LibraryDevice & Required<Pick<LibraryDevice, 'name'>>
  & Required<Pick<DeviceSettings, 'radius' | 'stiffness' | 'damping' | 'max_speed' | 'max_force'>>;

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
