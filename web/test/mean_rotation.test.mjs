// SPDX-License-Identifier: Apache-2.0
// The mean rotation against its definition: the integral of rotations along the way.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { meanRotated } = await pageModule('gpu/shape_cpu.ts');

// exp([w]×) y by Rodrigues' formula.
function rotated(w, y) {
  const angle = Math.hypot(...w);
  if (angle === 0) return y;
  const k = w.map((x) => x / angle);
  const cross = [k[1] * y[2] - k[2] * y[1], k[2] * y[0] - k[0] * y[2], k[0] * y[1] - k[1] * y[0]];
  const along = k[0] * y[0] + k[1] * y[1] + k[2] * y[2];
  return y.map((x, i) => x * Math.cos(angle) + cross[i] * Math.sin(angle) + k[i] * along * (1 - Math.cos(angle)));
}

// Simpson's rule; 2000 intervals leave out (2π/2000)⁴ at the largest angle, far below 1e-10.
function integrated(w, y) {
  const n = 2000, sum = [0, 0, 0];
  for (let i = 0; i <= n; ++i) {
    const weight = i === 0 || i === n ? 1 : i % 2 ? 4 : 2;
    rotated(w.map((x) => (x * i) / n), y).forEach((x, k) => { sum[k] += (weight * x) / (3 * n); });
  }
  return sum;
}

test('R̃(w) y is the integral of the rotations from 0 to w', () => {
  const y = [0.3, -1.1, 0.7];
  for (const w of [[0, 0, 0], [1e-9, 0, 0], [0.02, -0.01, 0.03], [0.6, 0.5, -0.6], [0.59, 0.58, 0.57], [1.4, -2, 0.4], [3, 3, 3]]) {
    const found = meanRotated(w, y), expected = integrated(w, y);
    for (let k = 0; k < 3; ++k) assert.ok(Math.abs(found[k] - expected[k]) < 1e-10, `${w}: ${found} is not ${expected}`);
  }
});
