// SPDX-License-Identifier: Apache-2.0
// Which way is up, and where there is a floor.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Box3, Vector3 } from 'three';
import { pageModule } from './bundle.mjs';

const { axisOf, upright, upVector } = await pageModule('view/up.ts');
const { standsOnFloor } = await pageModule('view/floor.ts');
const { besides, boxOfBodies, pathAt, rotationBetween, worldBox } = await pageModule('view/display.ts');

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

const kUnturned = [0, 0, 0, 1];
const boxOf = (x, y, z) => new Box3(new Vector3(0, 0, 0), new Vector3(x, y, z));

test('a new body stands free beside the others, along the shorter side that is not up', () => {
  const box = boxOf(3, 2, 1);
  kUps.forEach((up, k) => {
    const placed = [{ box, position: [0, 0, 0], rotation: kUnturned }];
    for (let i = 0; i < 3; ++i) placed.push({ box, position: besides(placed, box, kUnturned, up), rotation: kUnturned });
    const axis = [2, 2, 1, 2, 2, 1][k];
    const places = placed.map(({ position }) => position[axis]);
    placed.forEach(({ position }) => position.forEach((x, other) => assert.ok(other === axis || x === 0)));
    // Evenly, with room between them.
    const apart = places[1] - places[0];
    assert.ok(apart > 1.2 * [3, 2, 1][axis], `${apart} m`);
    places.forEach((x, i) => assert.ok(Math.abs(x - i * apart) < 1e-12));
  });
  assert.deepEqual(kUps.map(axisOf), ['x', 'y', 'z', 'x', 'y', 'z']);
  assert.deepEqual(besides([], box, kUnturned, 'z'), [0, 0, 0]);
});

test('a body of another model is turned so that up is up, stands level, and meets no other', () => {
  const first = { box: boxOf(1, 1, 4), position: [5, 0, 2], rotation: kUnturned };
  const other = new Box3(new Vector3(-1, -1, -1), new Vector3(2, 6, 2));
  const rotation = rotationBetween('y', 'z');
  const position = besides([first], other, rotation, 'z');
  const stands = worldBox({ box: other, position, rotation });
  assert.ok(Math.abs(stands.min.z - 2) < 1e-12 && Math.abs(stands.max.z - 9) < 1e-12, 'its y is up, from the floor of the first');
  assert.ok(!stands.intersectsBox(worldBox(first)));
  const both = boxOfBodies([first, { box: other, position, rotation }]);
  assert.ok(both.containsBox(stands) && both.containsBox(worldBox(first)));
});

test('a path turns a body about its own place', () => {
  const half = Math.SQRT1_2;
  const path = { name: 'turn', rate: 1, positions: [0, 0, 0, 0, 0, 1], orientations: [0, 0, 0, 1, 0, 0, half, half] };
  const { positions } = pathAt(path, [2, 0, 0]);
  // A quarter turn about z carries (2, 0, 0) to (0, 2, 0): the support goes so that the body's origin stays above its place.
  [0, 0, 0, 2, -2, 1].forEach((x, i) => assert.ok(Math.abs(positions[i] - x) < 1e-15, `${positions}`));
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
