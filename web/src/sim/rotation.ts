// SPDX-License-Identifier: Apache-2.0
// The mean rotation R̃(w) = I + c [w]× + e [w]×² along the path to the rotation vector w; docs/math/warping.md (6).
import { cross, type Vec3 } from './vector';

/** c = (1 − cos θ)/θ² and e = (θ − sin θ)/θ³, from θ². e by its series where its formula would cancel. */
export function meanRotationFactors(thetaSquared: number): { c: number; e: number } {
  const t = Math.max(thetaSquared, 1e-30);
  const theta = Math.sqrt(t);
  const half = Math.sin(0.5 * theta) / theta;
  const c = 2 * half * half;
  if (t >= 1) return { c, e: (1 - Math.sin(theta) / theta) / t };
  // Σ (−1)^k t^k / (2k + 3)!: ten terms reach 1e-22 at t = 1.
  let term = 1 / 6, e = 0;
  for (let k = 0; k < 10; ++k) {
    e += term;
    term *= -t / ((2 * k + 4) * (2 * k + 5));
  }
  return { c, e };
}

/** R̃(w) y */
export function meanRotated(w: Vec3, y: Vec3): Vec3 {
  const { c, e } = meanRotationFactors(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const wy = cross(w, y);
  const wwy = cross(w, wy);
  return [y[0] + c * wy[0] + e * wwy[0], y[1] + c * wy[1] + e * wwy[1], y[2] + c * wy[2] + e * wwy[2]];
}
