// SPDX-License-Identifier: Apache-2.0
// The arrays of a model file as the page reads them, against the library.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { modelArrays, surfaceBasis } = await pageModule('sim/model_arrays.ts');

test('the basis of the surface is the library’s, to the last bit of a float', async () => {
  const file = barFile();
  const model = (await loadWasm()).loadModel(file);
  const columns = surfaceBasis(modelArrays(file), model.rank);
  const expected = model.surfaceBasis();
  assert.equal(columns.length, model.rank);
  const size = 3 * model.info.vertices;
  columns.forEach(({ values, scale }, i) => {
    assert.equal(values.length, size);
    assert.deepEqual(Float32Array.from(values, (x) => x / scale), expected.slice(i * size, (i + 1) * size));
  });
  model.destroy();
});

test('doubles come first where a file has them', () => {
  const doubles = Float64Array.from({ length: 12 }, (_, i) => i / 3);
  const arrays = {
    doubles: (name) => ({ 'surface.basis': doubles, target_scale: Float64Array.of(2, 4) })[name] ?? null,
    floats: () => null,
  };
  const columns = surfaceBasis(arrays, 2);
  assert.deepEqual(Array.from(columns[1].values, (x) => x / columns[1].scale), Array.from(doubles.slice(6)));
});
