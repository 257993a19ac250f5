// SPDX-License-Identifier: Apache-2.0
// Warped shapes as the page computes them, for drawing and for picking.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { meanRotated, shapePositions, shapeVertex } = await pageModule('gpu/shape_cpu.ts');
const { gridFor, layersOfColumns } = await pageModule('gpu/layout.ts');

// Numbers between -1 and 1, the same every time.
function numbers(count, seed) {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed));
}

const vertices = 7, m = 3, k = 2;
const rest = numbers(3 * vertices, 1);
const [modes, rotations, companions] = [numbers(3 * vertices * m, 2), numbers(3 * vertices * m, 3), numbers(3 * vertices * k, 4)];
const q = [0.4, -0.7, 0.9], z = [0.3, -0.2];

// R̃(Ψq) (Φq + Γz) of a vertex, written out: docs/math/warping.md (25).
function expected(vertex, q, z) {
  const weighted = (columns, weights) => [0, 1, 2].map((axis) =>
    weights.reduce((sum, x, i) => sum + x * columns[3 * (vertices * i + vertex) + axis], 0));
  const linear = weighted(modes, q), beside = weighted(companions, z);
  return meanRotated(weighted(rotations, q), linear.map((x, axis) => x + beside[axis]));
}

function assertNear(found, wanted, bound) {
  for (let axis = 0; axis < 3; ++axis) assert.ok(Math.abs(found[axis] - wanted[axis]) <= bound, `${found} is not ${wanted}`);
}

const plus = (vertex, u) => u.map((x, axis) => rest[3 * vertex + axis] + x);

test('the drawn shape has companions behind its modes; without their coordinates it has none', () => {
  const shape = { rest, columns: modes, rotations, companions, rank: m };
  for (const amplitudes of [z, [], [0, 0]]) {
    const coordinates = [...q, ...amplitudes], all = shapePositions(shape, coordinates);
    for (let vertex = 0; vertex < vertices; ++vertex) {
      const wanted = plus(vertex, expected(vertex, q, amplitudes));
      assertNear(all.slice(3 * vertex, 3 * vertex + 3), wanted, 2e-6); // floats of order 1
      assertNear(shapeVertex(shape, coordinates, vertex), wanted, 1e-14);
    }
  }
  // Files of before have no companions.
  const plain = shapePositions({ ...shape, companions: new Float32Array(0) }, q);
  assert.deepEqual(plain, shapePositions(shape, q));
  assert.deepEqual(shapePositions({ ...shape, companions: null }, q), plain);
});

test('in a texture the companions are the layers behind the modes', () => {
  const grid = gridFor(vertices), texels = grid.width * grid.height;
  const layers = layersOfColumns([modes, companions], vertices, m + k, grid);
  assert.equal(layers.length, 4 * texels * (m + k));
  for (let layer = 0; layer < m + k; ++layer)
    for (let vertex = 0; vertex < vertices; ++vertex)
      for (let axis = 0; axis < 3; ++axis) {
        const place = 3 * (vertices * (layer < m ? layer : layer - m) + vertex) + axis;
        assert.equal(layers[4 * (texels * layer + vertex) + axis], (layer < m ? modes : companions)[place]);
      }
});
