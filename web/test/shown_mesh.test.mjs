// SPDX-License-Identifier: Apache-2.0
// Normals of what is drawn: smooth where the surface is, hard where it is not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { shownMesh, shownNormals } = await pageModule('sim/shown_mesh.ts');

// Unit cube, eight vertices, outward triangles.
const cube = {
  positions: Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
  triangles: Int32Array.from([0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]),
};

test('a cube keeps its twelve hard edges: each face has corners of its own, with the face’s normal', () => {
  const mesh = shownMesh(cube.positions, cube.triangles);
  assert.equal(mesh.vertexOf.length, 24);
  const normals = shownNormals(mesh, cube.positions);
  for (let t = 0; t < mesh.index.length; t += 3) {
    const corner = (k) => [0, 1, 2].map((axis) => cube.positions[3 * mesh.vertexOf[mesh.index[t + k]] + axis]);
    // All corners of an outward face of the unit cube lie at 0 or at 1 along one axis.
    const axis = [0, 1, 2].find((a) => [0, 1, 2].every((k) => corner(k)[a] === corner(0)[a]));
    for (let k = 0; k < 3; ++k)
      for (let a = 0; a < 3; ++a)
        assert.equal(normals[3 * mesh.index[t + k] + a] || 0, a === axis ? 2 * corner(0)[a] - 1 : 0);
  }
});

test('with no edge called hard, a vertex of the cube has the mean normal of its faces, by area', () => {
  const mesh = shownMesh(cube.positions, cube.triangles, Math.PI);
  assert.equal(mesh.vertexOf.length, 8);
  const normals = shownNormals(mesh, cube.positions);
  for (let shown = 0; shown < 8; ++shown) {
    const vertex = mesh.vertexOf[shown];
    const expected = [0, 0, 0];
    for (let t = 0; t < cube.triangles.length; t += 3) {
      const ids = [...cube.triangles.slice(t, t + 3)];
      if (!ids.includes(vertex)) continue;
      const [a, b, c] = ids.map((id) => [...cube.positions.slice(3 * id, 3 * id + 3)]);
      const e = b.map((x, k) => x - a[k]), f = c.map((x, k) => x - a[k]);
      [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]].forEach((x, k) => { expected[k] += x; });
    }
    const size = Math.hypot(...expected);
    // Rounding of floats of size 1.
    for (let k = 0; k < 3; ++k) assert.ok(Math.abs(normals[3 * shown + k] - expected[k] / size) < 1e-6);
  }
});

test('vertices that a texture seam split stay apart but share one normal', () => {
  // Two triangles of a flat square, with the diagonal's vertices doubled; then bent along it by 20 degrees.
  const bend = Math.tan(Math.PI / 9);
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, bend * Math.SQRT1_2]);
  const mesh = shownMesh(positions, Int32Array.from([0, 1, 2, 3, 4, 5]));
  assert.equal(mesh.vertexOf.length, 6);
  const normals = shownNormals(mesh, positions);
  const normalOf = (vertex) => [...normals.slice(3 * mesh.vertexOf.indexOf(vertex), 3 * mesh.vertexOf.indexOf(vertex) + 3)];
  assert.deepEqual(normalOf(0), normalOf(3));
  assert.deepEqual(normalOf(2), normalOf(4));
  assert.notDeepEqual(normalOf(0), normalOf(1));
});
