// SPDX-License-Identifier: Apache-2.0
// Vibration modes and modal derivatives of a reduced model, found by asking it: its answer to one static force for each
// coordinate is the inverse of its stiffness at rest. docs/math/basis.md has what modal derivatives are.
import type { Body, Model } from 'limber';

export interface Mode {
  hz: number;
  /** Coordinates, of unit length: mass-normalised, since the basis is. */
  q: Float64Array;
}

/** Eigenpairs of a symmetric matrix, row by row, by Jacobi's rotations; vectors are the rows of `vectors`. */
export function symmetricEigen(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice();
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; ++i) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < 60; ++sweep) {
    let off = 0, all = 0;
    for (let i = 0; i < size; ++i)
      for (let j = 0; j < size; ++j) {
        all += a[i * size + j] ** 2;
        if (i !== j) off += a[i * size + j] ** 2;
      }
    if (off <= 1e-30 * all) break;
    for (let p = 0; p < size; ++p)
      for (let q = p + 1; q < size; ++q) rotate(a, vectors, size, p, q);
  }
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]), vectors };
}

// Makes entry (p, q) zero.
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q];
  if (apq === 0) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1), s = t * c;
  for (let k = 0; k < size; ++k) {
    const kp = a[k * size + p], kq = a[k * size + q];
    a[k * size + p] = c * kp - s * kq;
    a[k * size + q] = s * kp + c * kq;
  }
  for (let k = 0; k < size; ++k) {
    const pk = a[p * size + k], qk = a[q * size + k];
    a[p * size + k] = c * pk - s * qk;
    a[q * size + k] = s * pk + c * qk;
    const vp = vectors[p * size + k], vq = vectors[q * size + k];
    vectors[p * size + k] = c * vp - s * vq;
    vectors[q * size + k] = s * vp + c * vq;
  }
}

/** What the model is asked with: no mass matters in one step of a thousand periods. */
export class ModeFinder {
  readonly modes: Mode[];
  #body: Body;
  #long: number;

  constructor(model: Model) {
    const rank = model.rank;
    this.#body = model.createBody({ integrator: 'euler', newton: 1, gravity: [0, 0, 0], damping: { alpha: 0, beta: 0, strain_rate: 0 } });
    this.#long = 1e4 / (model.info.frequencies_hz[0] || 1);
    const inverse = new Float64Array(rank * rank);
    for (let i = 0; i < rank; ++i) {
      const force = new Float64Array(rank);
      force[i] = 1e-6;
      const answer = this.#static(force);
      for (let j = 0; j < rank; ++j) inverse[i * rank + j] = answer[j] / 1e-6;
    }
    for (let i = 0; i < rank; ++i)
      for (let j = 0; j < i; ++j)
        inverse[i * rank + j] = inverse[j * rank + i] = 0.5 * (inverse[i * rank + j] + inverse[j * rank + i]);
    const { values, vectors } = symmetricEigen(inverse, rank);
    this.modes = Array.from(values, (value, i) => ({
      hz: 1 / (2 * Math.PI * Math.sqrt(Math.max(value, 1e-300))), q: vectors.slice(i * rank, (i + 1) * rank),
    })).sort((a, b) => a.hz - b.hz);
  }

  #static(force: Float64Array): Float64Array {
    const body = this.#body;
    body.state = { time: 0 };
    body.clearForces();
    body.addReducedForce(force);
    body.step(this.#long, 1);
    return body.state.q;
  }

  /**
   * How mode i changes along mode j: ∂²q/∂p_i∂p_j of the static shape q under the forces that would hold p_i and p_j of
   * the modes if the body were linear. By central differences, at a size where the bend is visible but small.
   */
  derivative(i: number, j: number, amplitude: number): Mode {
    const lambda = (place: number) => (2 * Math.PI * this.modes[place].hz) ** 2;
    const at = (pi: number, pj: number) => {
      const a = this.modes[i], b = this.modes[j];
      return this.#static(a.q.map((x, k) => lambda(i) * pi * x + lambda(j) * pj * b.q[k]));
    };
    this.#body.set({ newton: 20 });
    try {
      const h = amplitude;
      const terms = i === j
        ? [[at(h, 0), 1], [at(-h, 0), 1]] as const
        : [[at(h, h), 1], [at(h, -h), -1], [at(-h, h), -1], [at(-h, -h), 1]] as const;
      const sum = new Float64Array(this.modes[i].q.length);
      for (const [shape, sign] of terms) for (let k = 0; k < sum.length; ++k) sum[k] += sign * shape[k];
      const size = Math.hypot(...sum) || 1;
      const q = sum.map((x) => x / size);
      // Rayleigh's quotient: the squared frequency of this shape.
      const squared = this.modes.reduce((total, mode, m) => total + lambda(m) * mode.q.reduce((dot, x, k) => dot + x * q[k], 0) ** 2, 0);
      return { hz: Math.sqrt(squared) / (2 * Math.PI), q };
    } finally {
      this.#body.set({ newton: 1 });
    }
  }

  destroy(): void {
    this.#body.destroy();
  }
}
