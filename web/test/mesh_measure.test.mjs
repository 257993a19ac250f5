// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { areaOf, outwardTriangles } = await pageModule('make/mesh_measure.ts');

// The corner of a cube of side 2, far from the origin.
const tetrahedron = (triangles) => ({
  positions: new Float32Array([10, 10, 10, 12, 10, 10, 10, 12, 10, 10, 10, 12]),
  edges: new Uint32Array(), triangles: new Int32Array(triangles), min: [10, 10, 10], max: [12, 12, 12],
});
const outward = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

test('a surface that is inside out is turned round, one that is not stays as it is', () => {
  const mesh = tetrahedron(outward);
  assert.equal(outwardTriangles(mesh), mesh.triangles);
  const inside = tetrahedron([...outward].reverse());
  assert.deepEqual([...outwardTriangles(inside)], outward);
});

test('area', () => {
  // Three right triangles and an equilateral one of side 2√2.
  assert.ok(Math.abs(areaOf(tetrahedron(outward)) - (6 + 2 * Math.sqrt(3))) < 1e-12);
});
