// SPDX-License-Identifier: Apache-2.0
// What the steps of making a model say, and the sides of a body.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { findingInWords, sizeInWords } = await pageModule('make/words.ts');
const { withoutCommands } = await pageModule('page/format.ts');
const { axisTowards, kSides, sideText } = await pageModule('make/sides.ts');
const { upright, upVector } = await pageModule('view/up.ts');

test('sizes are told by things that everybody knows', () => {
  assert.equal(sizeInWords(0.2), '20 cm long, about the size of a spoon');
  assert.equal(sizeInWords(9.9e-6), '9.9 µm long, smaller than a grain of sand');
  assert.equal(sizeInWords(30000), '30 km long, larger than a long bridge');
});

test('findings say what works, and never name a command', () => {
  const finding = (kind, count = 400) => findingInWords({ kind, count, message: 'edge 3 is odd', try_this: 'limber mesh repair' }, false);
  assert.equal(finding('open_edges'), 'The surface has holes (400 open edges). Cubes will work; tetrahedra need a repair.');
  assert.match(finding('self_intersections', 1), /^The surface intersects itself \(1 pair /);
  assert.equal(finding('something_new'), 'Edge 3 is odd.');
});

test('advice for the command line is left out', () => {
  for (const [note, expected] of [
    ['Filled with 4000 cubes of 3.2 mm. A build takes about 5 s. --resolution takes another number.', 'Filled with 4000 cubes of 3.2 mm. A build takes about 5 s.'],
    ['limber mesh repair', ''], ['-o with another name', ''], ['cubes work: limber mesh voxelize', 'cubes work.'],
    ['a well-known file - at 1.5 m', 'a well-known file - at 1.5 m'],
    ['Fixed: 712 nodes, at 0.013 m^2 of the surface; 2 m^3.', 'Fixed: 712 nodes, at 0.013 m² of the surface; 2 m³.'],
    ['see whether limber studio is still running', 'see whether limber studio is still running'],
  ]) assert.equal(withoutCommands(note), expected);
});

test('the sides of a body are where the picture shows them', () => {
  const seen = { top: [0, 1, 0], bottom: [0, -1, 0], right: [1, 0, 0], left: [-1, 0, 0], front: [0, 0, 1], back: [0, 0, -1] };
  for (const up of ['x', 'y', 'z', '-x', '-y', '-z']) {
    const { x, y, z, w } = upright(up);
    // q v q⁻¹ of a unit quaternion
    const turned = ([a, b, c]) => {
      const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
      return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
    };
    for (const side of kSides)
      turned(upVector(axisTowards(side, up))).forEach((value, k) =>
        assert.ok(Math.abs(value - seen[side][k]) < 1e-12, `${side} of a body whose up is ${up}`));
  }
  assert.equal(sideText('bottom', 'z'), 'z < zmin + 0.05*(zmax-zmin)');
  assert.equal(sideText('bottom', '-y'), 'y > ymax - 0.05*(ymax-ymin)');
  assert.equal(sideText('left', 'z'), 'x < xmin + 0.05*(xmax-xmin)');
});
