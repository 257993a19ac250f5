// SPDX-License-Identifier: Apache-2.0
// What of a body is shown, and how: the view's own options, which no simulation knows.
import { Box3, Matrix4, Quaternion as Turn, Vector3 } from 'three';
import type { SupportPath } from '../api/gallery';
import type { Up } from '../api/jobs';
import { rotated, type Quaternion, type Vec3 } from '../sim/vector';
import { axisOf, upVector } from './up';

export interface Display {
  wireframe: boolean;
  /** The elements that are simulated. */
  volume: boolean;
  fixed: boolean;
  /** Contact points and the forces in them. */
  contacts: boolean;
  /** Each domain of a tree in a colour of its own. */
  domains: boolean;
  /** Colours by displacement; the end of the map in m, null: the materials' colours. */
  colourEnd: number | null;
  /** The file's materials, else one plain colour. */
  materials: boolean;
}

export const kDefaultDisplay: Display = { wireframe: false, volume: false, fixed: true, contacts: false, domains: false, colourEnd: null, materials: true };

/** Where a body stands: the box of its model at rest, m, and its pose. */
export interface Placed {
  box: Box3;
  position: Vec3;
  rotation: Quaternion;
}

/** The box around it in the world. */
export function worldBox({ box, position, rotation }: Placed): Box3 {
  return box.clone().applyMatrix4(new Matrix4().compose(
    new Vector3(...position), new Turn(...rotation), new Vector3(1, 1, 1)));
}

export function boxOfBodies(bodies: readonly Placed[]): Box3 {
  return bodies.reduce((all, body) => all.union(worldBox(body)), new Box3());
}

/** So that one model's up is another's. */
export function rotationBetween(from: Up, to: Up): Quaternion {
  return new Turn().setFromUnitVectors(new Vector3(...upVector(from)), new Vector3(...upVector(to))).toArray() as Quaternion;
}

/**
 * Where a new body stands free beside all others: along the shorter side of what is there that is not up. Bodies of one
 * model stand at even distances.
 */
export function besides(others: readonly Placed[], box: Box3, rotation: Quaternion, up: Up): Vec3 {
  if (others.length === 0) return [0, 0, 0];
  const first = worldBox(others[0]), size = first.getSize(new Vector3());
  const [one, two] = (['x', 'y', 'z'] as const).filter((axis) => axis !== axisOf(up));
  const axis = size[one] < size[two] ? one : two;
  const own = worldBox({ box, position: [0, 0, 0], rotation }), ownSize = own.getSize(new Vector3());
  const all = boxOfBodies(others);
  const gap = Math.max(0.25 * Math.max(size[axis], ownSize[axis]), 0.45 * Math.min(size.length(), ownSize.length()) - ownSize[axis]);
  const place = new Vector3();
  place[axis] = all.max[axis] + gap - own.min[axis];
  // Level with the first one's bottom, or its top where down is up.
  const vertical = axisOf(up), end = up === vertical ? 'min' : 'max';
  if (others[0].box !== box) place[vertical] = first[end][vertical] - own[end][vertical];
  return place.toArray() as Vec3;
}

/** The box around all places of the path. */
export function alongPath(box: Box3, path: SupportPath | null): Box3 {
  const all = box.clone();
  for (let i = 0; path && i < path.positions.length; i += 3)
    all.union(box.clone().translate(new Vector3().fromArray(path.positions, i)));
  return all;
}

/** The path that turns a body about its own origin, which stands at `position`: p + s(t) − R(t) p. */
export function pathAt({ rate, positions, orientations }: SupportPath, position: Vec3) {
  const moved = positions.map((x, i) => {
    const pose = Math.floor(i / 3), axis = i % 3;
    const turned = rotated(orientations.slice(4 * pose, 4 * pose + 4) as Quaternion, position);
    return x + position[axis] - turned[axis];
  });
  return { rate, positions: moved, orientations };
}
