// SPDX-License-Identifier: Apache-2.0
// Modes that the page finds by asking the reduced model.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { ModeFinder, symmetricEigen } = await pageModule('sim/modes.ts');

test('the eigenvalues of a chain of springs are 2 − 2 cos(kπ/(n+1))', () => {
  const n = 7, matrix = new Float64Array(n * n);
  for (let i = 0; i < n; ++i) {
    matrix[i * n + i] = 2;
    if (i + 1 < n) matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
  }
  const { values, vectors } = symmetricEigen(matrix, n);
  const sorted = [...values].sort((a, b) => a - b);
  // Rounding of numbers up to 4.
  sorted.forEach((value, k) => assert.ok(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)))) < 1e-14));
  for (let m = 0; m < n; ++m) {
    const v = vectors.slice(m * n, (m + 1) * n);
    for (let i = 0; i < n; ++i) {
      const product = v.reduce((sum, x, j) => sum + matrix[i * n + j] * x, 0);
      assert.ok(Math.abs(product - values[m] * v[i]) < 1e-14);
    }
  }
});

test('the first modes are those that the model was built from', async () => {
  const model = (await loadWasm()).loadModel(barFile());
  const finder = new ModeFinder(model);
  // The two bends, which mass-PCA weights most: what it leaves out of them is below a part in a thousand.
  for (let i = 0; i < 2; ++i) {
    const built = model.info.frequencies_hz[i];
    assert.ok(Math.abs(finder.modes[i].hz / built - 1) < 1e-3, `mode ${i}: ${finder.modes[i].hz} Hz, built ${built} Hz`);
  }
});

test('bending a bar’s first mode draws its tip back: the derivative shortens it, evenly to both sides', async () => {
  const model = (await loadWasm()).loadModel(barFile());
  const finder = new ModeFinder(model);
  const { q } = finder.derivative(0, 0, 1e-3);
  const x = model.restPositions(), basis = model.surfaceBasis();
  let tip = 0;
  for (let v = 0; v < x.length / 3; ++v) if (x[3 * v] > x[3 * tip]) tip = v;
  const moved = [0, 1, 2].map((axis) => q.reduce((sum, qi, i) => sum + qi * basis[i * x.length + 3 * tip + axis], 0));
  assert.ok(moved[0] < 0, `the tip moves by ${moved}`);
  assert.ok(Math.abs(moved[0]) > Math.hypot(moved[1], moved[2]));
});
