// SPDX-License-Identifier: Apache-2.0
// How the support moves: accelerations and rates of known paths, and the shake that a sample begins with.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { following, shaking } = await pageModule('sim/support_motion.ts');
const { mainDirection, openingShake, openingSpeed } = await pageModule('sim/opening.ts');

const near = (a, b, tolerance) => a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) <= tolerance, `${a} is not ${b}`));

// A parabola along z at 3 m/s², turning about z at 2 rad/s.
const rate = 60, count = 121;
const times = Array.from({ length: count }, (_, i) => i / rate);
const path = {
  name: 'throw', rate,
  positions: times.flatMap((t) => [0, 0, 1.5 * t * t]),
  orientations: times.flatMap((t) => [0, 0, Math.sin(t), Math.cos(t)]),
};

test('a path gives its acceleration and its rate of rotation', () => {
  const at = following(path);
  const { pose, motion, over } = at(1.005);
  assert.equal(over, false);
  // Second differences of a parabola and the angle between two rotations are exact; rounding is times rate².
  near(motion.acceleration, [0, 0, 3], 1e-10);
  near(motion.angular_velocity, [0, 0, 2], 1e-10);
  near(motion.angular_acceleration, [0, 0, 0], 1e-9);
  // Along the chord of 1/60 s: 3 h²/8 off.
  near(pose.offset, [0, 0, 1.5 * 1.005 ** 2], 3 / 8 / rate ** 2);
  near(pose.orientation, [0, 0, Math.sin(1.005), Math.cos(1.005)], 1e-4);
  near(motion.orientation, pose.orientation, 0);
});

test('a path ends where it ends, and stays there at rest', () => {
  const { pose, motion, over } = following(path)(5);
  assert.equal(over, true);
  near(pose.offset, [0, 0, 6], 1e-12);
  assert.deepEqual(Object.keys(motion), ['orientation']);
});

test('orientations of either sign are the same path', () => {
  const flipped = { ...path, orientations: path.orientations.map((x, i) => (Math.floor(i / 4) % 2 ? -x : x)) };
  near(following(flipped)(1.005).motion.angular_velocity, [0, 0, 2], 1e-10);
  near(following(flipped)(1.005).pose.orientation.map(Math.abs), following(path)(1.005).pose.orientation.map(Math.abs), 1e-12);
});

test('a shake begins and ends where it began', () => {
  const at = shaking({ direction: [0, 1, 0], amplitude: 0.01, hz: 2, periods: 3 });
  near(at(0.25).pose.offset, [0, 0.02, 0], 1e-15);
  near(at(0).motion.acceleration, [0, 0.01 * (4 * Math.PI) ** 2, 0], 1e-12);
  assert.deepEqual(at(1.6), { pose: { offset: [0, 0, 0], orientation: [0, 0, 0, 1] }, motion: {}, over: true });
});

test('a sample is shaken where it gives way', () => {
  // Four vertices: the first column twists, the second moves all along −y.
  const columns = Float32Array.from([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, ...[0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0]]);
  near(mainDirection(columns, 4), [0, -1, 0], 0);
  assert.equal(mainDirection(columns.subarray(0, 12), 4), null);
  const model = { info: { frequencies_hz: [2], free_body: false }, positions: new Float32Array(12), basis: columns, warpModes: columns };
  assert.equal(openingShake(model).hz, 2);
  assert.equal(openingSpeed(model), 1);
  assert.equal(openingSpeed({ info: { frequencies_hz: [0.066] } }), 5);
  assert.equal(openingShake({ ...model, info: { ...model.info, free_body: true } }), null);
});
