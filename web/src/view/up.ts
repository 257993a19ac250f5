// SPDX-License-Identifier: Apache-2.0
// The axis that points up in a model's own coordinates. The scene's up is +y: only the view is rotated, positions stay
// the model's.
import { Quaternion, Vector3 } from 'three';
import type { Up } from '../api/jobs';
import type { Vec3 } from '../sim/vector';

/** The axis without its sign. */
export function axisOf(up: Up): 'x' | 'y' | 'z' {
  return up.slice(-1) as 'x' | 'y' | 'z';
}

/** Unit vector in the model's coordinates. */
export function upVector(up: Up): Vec3 {
  const out: Vec3 = [0, 0, 0];
  out['xyz'.indexOf(axisOf(up))] = up.startsWith('-') ? -1 : 1;
  return out;
}

/** scene_from_model: about one axis, as the nodes of a model file are rotated (gltf_from_model in the library). */
export function upright(up: Up): Quaternion {
  if (up === '-y') return new Quaternion(1, 0, 0, 0);
  return new Quaternion().setFromUnitVectors(new Vector3(...upVector(up)), new Vector3(0, 1, 0));
}
