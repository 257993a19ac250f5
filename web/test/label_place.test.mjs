// SPDX-License-Identifier: Apache-2.0
// Places of labels.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { overlap, placeBeside, placeBesideAll, placeCoveringFewest } = await pageModule('view/label_place.ts');

const label = (x, y) => ({ x, y, width: 60, height: 20 });

test('a label stays where nothing is', () => {
  assert.deepEqual(placeBeside(label(10, 50), [{ x: 100, y: 50, width: 60, height: 20 }], 300), label(10, 50));
});

test('a label goes to the nearest free place above or below', () => {
  const body = { x: 0, y: 40, width: 200, height: 100 };
  assert.equal(placeBeside(label(10, 50), [body], 300).y, 18);
  assert.equal(placeBeside(label(10, 120), [body], 300).y, 142);
  // Not above the picture: then below the body.
  assert.equal(placeBeside(label(10, 10), [{ x: 0, y: 0, width: 200, height: 100 }], 300).y, 102);
});

test('no place is found where everything is taken', () => {
  assert.equal(placeBeside(label(10, 50), [{ x: 0, y: 0, width: 200, height: 400 }], 380), null);
});

test('many labels and bodies never overlap where there is room', () => {
  const taken = Array.from({ length: 6 }, (_, i) => ({ x: 0, y: 60 * i, width: 100, height: 30 }));
  const labels = [];
  for (let i = 0; i < 5; ++i) {
    const place = placeBeside(label(5, 60 * i + 5), [...taken, ...labels], 400);
    assert.ok(place);
    for (const other of [...taken, ...labels]) assert.ok(!overlap(place, other));
    labels.push(place);
  }
});

test('a label with no room beside the boxes of bodies covers as little of the bodies as it can', () => {
  // A spoon: a thin neck at the left, a bowl at the right, in a box that fills the picture.
  const neck = Array.from({ length: 40 }, (_, i) => ({ x: 5 * i, y: 100 }));
  const bowl = Array.from({ length: 200 }, (_, i) => ({ x: 200 + 5 * (i % 20), y: 50 + 10 * Math.floor(i / 20) }));
  const covered = (place) => [...neck, ...bowl].filter(({ x, y }) => overlap(place, { x, y, width: 0.1, height: 0.1 })).length;
  const wanted = label(20, 95);
  assert.ok(covered(wanted) > 0);
  const place = placeCoveringFewest(wanted, 300, [...neck, ...bowl], [], 180);
  assert.equal(covered(place), 0);
  assert.ok(Math.abs(place.y - wanted.y) < 40, 'near to where it was wanted');
  const other = placeCoveringFewest(wanted, 300, [...neck, ...bowl], [place], 180);
  assert.ok(!overlap(place, other));
  assert.equal(placeCoveringFewest(wanted, 300, [], [{ x: 0, y: 0, width: 300, height: 300 }], 180), null);
});

test('a label with no room above or below its body goes to an edge of the picture', () => {
  const body = { x: 80, y: 0, width: 120, height: 400 };
  assert.deepEqual(placeBesideAll({ x: 100, y: 50, width: 60, height: 30 }, 300, [body], 380), { x: 4, y: 50, width: 60, height: 30 });
  const left = { x: 0, y: 0, width: 80, height: 400 };
  assert.deepEqual(placeBesideAll({ x: 100, y: 50, width: 60, height: 30 }, 300, [body, left], 380), { x: 236, y: 50, width: 60, height: 30 });
  assert.equal(placeBesideAll({ x: 100, y: 50, width: 60, height: 30 }, 200, [body, left], 380), null);
});
