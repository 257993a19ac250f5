// SPDX-License-Identifier: Apache-2.0
// Winding, patches, and what is drawn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { edgeMates, flipped, markSpread, trianglesToFlip } = await pageModule('make/mesh_topology.ts');
const { prepareMesh } = await pageModule('make/prepare_mesh.ts');
const { pointsOf } = await pageModule('sim/shown_mesh.ts');

// A cube of side 1 from (x, 0, 0), outward.
const kCube = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
  [1, 3, 7], [1, 7, 5]];
const corners = (x) => [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [x + (i & 1), (i & 2) / 2, (i & 4) / 4]);

function bytesOf(positions, triangles) {
  const out = new ArrayBuffer(12 + 12 * positions.length + 12 * triangles.length);
  new Uint32Array(out, 0, 3).set([positions.length, 0, triangles.length]);
  new Float32Array(out, 12).set(positions.flat());
  new Uint32Array(out, 12 + 12 * positions.length).set(triangles.flat());
  return out;
}

function surfaceOf(positions, triangles) {
  const at = new Float32Array(positions.flat()), list = new Int32Array(triangles.flat());
  const points = pointsOf(at), mates = edgeMates(points, list);
  return { positions: at, triangles: list, mates, flip: trianglesToFlip(at, points, list, mates) };
}

const turned = ([a, b, c]) => [a, c, b];

test('triangles are turned so that neighbours agree and pieces face outward, whatever the file says', () => {
  const second = kCube.map((t) => t.map((v) => v + 8));
  const positions = [...corners(0), ...corners(3)], outward = [...kCube, ...second];
  for (const given of [outward, outward.map(turned), outward.map((t, i) => (i % 3 ? t : turned(t))), [...kCube, ...second.map(turned)]]) {
    const { triangles, flip } = surfaceOf(positions, given);
    const drawn = flipped(triangles, flip);
    outward.forEach((t, i) => {
      // The same three vertices in the same cyclic order.
      const now = [...drawn.slice(3 * i, 3 * i + 3)];
      const from = now.indexOf(t[0]);
      assert.deepEqual([0, 1, 2].map((k) => now[(from + k) % 3]), t, `triangle ${i}`);
    });
  }
});

test('a cube whose faces have vertices of their own, as textures need them, is one piece', () => {
  const at = corners(0);
  const positions = [], triangles = [];
  for (let face = 0; face < 6; ++face) {
    const own = new Map();
    for (const t of [kCube[2 * face], kCube[2 * face + 1]])
      triangles.push(t.map((v) => {
        if (!own.has(v)) own.set(v, positions.push(at[v]) - 1);
        return own.get(v);
      }));
  }
  assert.equal(positions.length, 24);
  const surface = surfaceOf(positions, triangles);
  assert.ok(surface.mates.every((mate) => mate >= 0), 'no edge is open');
  const count = (how, degrees) => {
    const marks = new Uint8Array(24);
    markSpread(surface, 0, how, degrees, marks);
    return marks.reduce((sum, mark) => sum + mark, 0);
  };
  assert.equal(count('face', 15), 4, 'one side of the cube');
  assert.equal(count('patch', 30), 4);
  assert.equal(count('patch', 90), 24, 'right angles do not stop it');
  assert.equal(count('piece', 180), 24);
});

test('an edge of three triangles joins none of them', () => {
  const mates = edgeMates(Uint32Array.of(0, 1, 2, 3, 4), Int32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4));
  assert.ok([0, 3, 6].every((corner) => mates[corner] < 0));
});

test('normals of a mesh with mixed winding point outward', () => {
  const { drawn } = prepareMesh(bytesOf(corners(0), kCube.map((t, i) => (i % 2 ? t : turned(t)))));
  assert.equal(drawn.vertexOf.length, 24, 'four a side');
  for (let v = 0; v < 24; ++v) {
    const normal = drawn.normals.slice(3 * v, 3 * v + 3), at = drawn.positions.slice(3 * v, 3 * v + 3);
    const out = normal.reduce((sum, n, k) => sum + n * (at[k] - 0.5), 0);
    assert.ok(Math.abs(out - 0.5) < 1e-6, `vertex ${v}: the plane of its face is 0.5 from the middle, ${out}`);
  }
});

test('indices are unsigned, as WebGL wants them; a mesh that is cut short is refused', () => {
  const bytes = bytesOf(corners(0), kCube);
  assert.ok(prepareMesh(bytes).drawn.index instanceof Uint32Array);
  assert.throws(() => prepareMesh(bytes.slice(0, -4)), /cut short/);
});
