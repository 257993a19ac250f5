// SPDX-License-Identifier: Apache-2.0
// Which way is up, and where there is a floor.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { axisOf, upright, upVector } = await pageModule('view/up.ts');
const { standsOnFloor } = await pageModule('view/floor.ts');
const { spacing } = await pageModule('view/display.ts');

const kUps = ['x', 'y', 'z', '-x', '-y', '-z'];

// v' = v + 2 r × (r × v + w v)
function rotated({ x, y, z, w }, v) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const r = [x, y, z];
  const inner = cross(r, v).map((c, k) => c + w * v[k]);
  return cross(r, inner).map((c, k) => v[k] + 2 * c);
}

test('every up becomes the scene’s +y by one rotation', () => {
  for (const up of kUps) {
    const turned = upright(up);
    rotated(turned, upVector(up)).forEach((c, k) => assert.ok(Math.abs(c - [0, 1, 0][k]) < 1e-15, up));
    assert.ok(Math.abs(Math.hypot(turned.x, turned.y, turned.z, turned.w) - 1) < 1e-15);
  }
  // z up as Blender exports it: (x, y, z) -> (x, z, −y).
  rotated(upright('z'), [1, 2, 3]).forEach((c, k) => assert.ok(Math.abs(c - [1, 3, -2][k]) < 1e-14));
});

test('bodies stand apart along the shorter side that is not up', () => {
  const size = { x: 3, y: 2, z: 1, length: () => Math.sqrt(14) };
  assert.deepEqual(kUps.map((up) => spacing(size, up).axis), ['z', 'z', 'y', 'z', 'z', 'y']);
  assert.deepEqual(kUps.map(axisOf), ['x', 'y', 'z', 'x', 'y', 'z']);
});

// Corners of a unit cube, x fastest.
const cube = Float32Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1);
const cornersAt = (axis, value) => Int32Array.from({ length: 8 }, (_, v) => v).filter((v) => cube[3 * v + axis] === value);

test('a body that is fixed at its bottom stands on a floor, others do not', () => {
  kUps.forEach((up) => {
    const axis = 'xyz'.indexOf(axisOf(up)), bottom = up.startsWith('-') ? 1 : 0;
    assert.equal(standsOnFloor({ positions: cube, fixedVertices: cornersAt(axis, bottom) }, up), true, up);
    assert.equal(standsOnFloor({ positions: cube, fixedVertices: cornersAt(axis, 1 - bottom) }, up), false, up);
    assert.equal(standsOnFloor({ positions: cube, fixedVertices: cornersAt((axis + 1) % 3, 0) }, up), false, up);
  });
  assert.equal(standsOnFloor({ positions: cube, fixedVertices: new Int32Array(0) }, 'z'), false);
});
