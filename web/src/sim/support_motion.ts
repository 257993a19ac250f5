// SPDX-License-Identifier: Apache-2.0
// How the rigid support of a body moves in time: a shake, or the path of a skeleton's bone.
import type { FrameMotion } from 'limber';
import type { SupportPath } from '../api/gallery';
import { length, type Quaternion, type Vec3 } from './vector';

export type { SupportPath } from '../api/gallery';

/** The support swings by amplitude (1 − cos ωt) along a direction, for whole periods: it begins and ends at rest. */
export interface Shake {
  /** unit vector */
  direction: Vec3;
  /** m */
  amplitude: number;
  hz: number;
  periods: number;
}

export interface SupportPose {
  /** m from where it began */
  offset: Vec3;
  orientation: Quaternion;
}

export interface SupportMoment {
  pose: SupportPose;
  motion: FrameMotion;
  /** It stands still from here on. */
  over: boolean;
}

/** Seconds since it began -> where the support is, and how it moves. */
export type SupportMotion = (seconds: number) => SupportMoment;

export const kSupportAtRest: SupportPose = { offset: [0, 0, 0], orientation: [0, 0, 0, 1] };

export function shaking({ direction, amplitude, hz, periods }: Shake): SupportMotion {
  const omega = 2 * Math.PI * hz;
  const along = (factor: number) => direction.map((d) => d * factor) as Vec3;
  return (seconds) => {
    if (seconds * hz > periods) return { pose: kSupportAtRest, motion: {}, over: true };
    return {
      pose: { ...kSupportAtRest, offset: along(amplitude * (1 - Math.cos(omega * seconds))) },
      motion: { acceleration: along(amplitude * omega * omega * Math.cos(omega * seconds)) },
      over: false,
    };
  };
}

// The rotation vector from one orientation to the next, the short way, in world axes: 2 log(b a⁻¹).
function rotationBetween(a: Quaternion, b: Quaternion): Vec3 {
  const w = b[3] * a[3] + b[0] * a[0] + b[1] * a[1] + b[2] * a[2];
  const v: Vec3 = [
    -b[3] * a[0] + b[0] * a[3] - b[1] * a[2] + b[2] * a[1],
    -b[3] * a[1] + b[1] * a[3] - b[2] * a[0] + b[0] * a[2],
    -b[3] * a[2] + b[2] * a[3] - b[0] * a[1] + b[1] * a[0],
  ];
  const s = length(v);
  const factor = s > 0 ? (2 * Math.atan2(s, Math.abs(w)) * Math.sign(w || 1)) / s : 0;
  return v.map((x) => factor * x) as Vec3;
}

function mixed<List extends number[]>(a: List, b: List, part: number): List {
  return a.map((x, k) => x + part * (b[k] - x)) as List;
}

/** Velocities and accelerations by central differences at the poses, and in between along straight lines. */
export function following({ rate, positions, orientations }: SupportPath): SupportMotion {
  const count = positions.length / 3;
  const clamped = (i: number) => Math.max(0, Math.min(i, count - 1));
  const place = (i: number) => positions.slice(3 * clamped(i), 3 * clamped(i) + 3) as Vec3;
  const turn = (i: number) => orientations.slice(4 * clamped(i), 4 * clamped(i) + 4) as Quaternion;
  const spin = (i: number) => rotationBetween(turn(i - 1), turn(i + 1)).map((x) => 0.5 * rate * x) as Vec3;
  const keys = Array.from({ length: count }, (_, i) => {
    const [before, now, next] = [place(i - 1), place(i), place(i + 1)];
    return {
      offset: now,
      orientation: turn(i),
      acceleration: now.map((x, k) => rate * rate * (before[k] - 2 * x + next[k])) as Vec3,
      angular_velocity: spin(i),
      angular_acceleration: spin(i + 1).map((x, k) => 0.5 * rate * (x - spin(i - 1)[k])) as Vec3,
    };
  });
  return (seconds) => {
    const at = Math.max(0, seconds * rate), low = Math.min(Math.floor(at), count - 1);
    const a = keys[low], b = keys[clamped(low + 1)], part = at - low;
    if (at >= count - 1) {
      const { offset, orientation } = keys[count - 1];
      return { pose: { offset, orientation }, motion: { orientation }, over: true };
    }
    const side = a.orientation.reduce((sum, x, k) => sum + x * b.orientation[k], 0) < 0 ? -1 : 1;
    const raw = mixed(a.orientation, b.orientation.map((x) => side * x) as Quaternion, part);
    const size = Math.hypot(...raw);
    const orientation = raw.map((x) => x / size) as Quaternion;
    return {
      pose: { offset: mixed(a.offset, b.offset, part), orientation },
      motion: {
        orientation,
        acceleration: mixed(a.acceleration, b.acceleration, part),
        angular_velocity: mixed(a.angular_velocity, b.angular_velocity, part),
        angular_acceleration: mixed(a.angular_acceleration, b.angular_acceleration, part),
      },
      over: false,
    };
  };
}
