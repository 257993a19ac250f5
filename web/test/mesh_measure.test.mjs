// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { areaOf } = await pageModule('make/mesh_measure.ts');

test('area', () => {
  // The corner of a cube of side 2, far from the origin: three right triangles and an equilateral one of side 2√2.
  const mesh = {
    positions: new Float32Array([10, 10, 10, 12, 10, 10, 10, 12, 10, 10, 10, 12]),
    edges: new Uint32Array(), triangles: new Int32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]), min: [10, 10, 10], max: [12, 12, 12],
  };
  assert.ok(Math.abs(areaOf(mesh) - (6 + 2 * Math.sqrt(3))) < 1e-12);
});
