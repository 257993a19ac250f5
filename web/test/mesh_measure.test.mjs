// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { areaOf, thicknessOf } = await pageModule('make/mesh_measure.ts');

test('area', () => {
  // The corner of a cube of side 2, far from the origin: three right triangles and an equilateral one of side 2√2.
  const mesh = {
    positions: new Float32Array([10, 10, 10, 12, 10, 10, 10, 12, 10, 10, 10, 12]),
    edges: new Uint32Array(), triangles: new Int32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]), min: [10, 10, 10], max: [12, 12, 12],
  };
  assert.ok(Math.abs(areaOf(mesh) - (6 + 2 * Math.sqrt(3))) < 1e-12);
});

test('the thickness of a thin plate is its own; what encloses nothing has none', () => {
  const [side, thickness] = [1, 0.001];
  const area = 2 * side * side + 4 * side * thickness;
  // The rim adds its part of the area.
  assert.ok(Math.abs(thicknessOf(side * side * thickness, area) / thickness - 1 / (1 + 2 * thickness)) < 1e-12);
  assert.equal(thicknessOf(0, area), null);
});
