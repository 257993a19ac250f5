// SPDX-License-Identifier: Apache-2.0
// The arrays of a model file as the page reads them, against the library.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { modelArrays } = await pageModule('sim/model_arrays.ts');

test('the morph targets are the library’s basis times their scale', async () => {
  const file = barFile();
  const model = (await loadWasm()).loadModel(file), arrays = modelArrays(file);
  const basis = model.surfaceBasis(), size = 3 * model.info.vertices;
  for (let i = 0; i < model.rank; ++i) {
    const target = arrays.floats(`surface.target.${i}`);
    assert.equal(target.length, size);
    const scale = model.info.target_scale[i], most = Math.max(...target.map(Math.abs));
    // Both are rounded to floats.
    target.forEach((x, k) => assert.ok(Math.abs(x - scale * basis[i * size + k]) < 3e-7 * most));
  }
  assert.equal(arrays.floats('no such array'), null);
  model.destroy();
});
