// SPDX-License-Identifier: Apache-2.0
// Warped shapes as the page computes them: for drawing and for picking in floats, for pulls and constraints in doubles.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { shapePositions, shapeVertex } = await pageModule('gpu/shape_cpu.ts');
const { gridFor, layersOfColumns } = await pageModule('gpu/layout.ts');
const { placement, pullForce, shapeCoordinates, shapesAlong, stageBody } = await pageModule('sim/body.ts');
const { meanRotated } = await pageModule('sim/rotation.ts');
const { defaultSettings } = await pageModule('sim/settings.ts');

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

// As much of the library as a staged body asks for; z = (q0², q1 q2).
function fakeModel() {
  const makeBody = () => ({
    state: { q: Float64Array.from(q) },
    get shapeCoordinates() {
      const now = this.state.q;
      return Float64Array.from([...now, now[0] ** 2, now[1] * now[2]]);
    },
    clone: makeBody,
    destroy() {},
  });
  return {
    info: { groups: [], frequencies_hz: [1], methods: ['warp'], rank: 0, warp_modes: m, warp_companions: k },
    warpModes: () => modes, warpRotations: () => rotations, warpCompanions: () => companions, createWarpBody: makeBody,
  };
}

test('pulls, constraints and played modes take a warped body with its companions, a linear one without', () => {
  const model = fakeModel(), arrays = { doubles: () => Float64Array.from(rest) };
  const [warped, linear] = ['warped', 'linear'].map((method) => stageBody(model, arrays, method, defaultSettings(model.info)));
  const amplitudes = [q[0] ** 2, q[1] * q[2]], vertex = 4;
  const u = expected(vertex, q, amplitudes), at = plus(vertex, u);
  assert.deepEqual(warped.position(vertex, []), plus(vertex, [0, 0, 0]));
  assertNear(warped.position(vertex, shapeCoordinates('warped', warped.body)), at, 1e-14);
  assertNear(placement(warped, vertex).displacement, u, 1e-14);
  assertNear(pullForce(warped, { vertex, target: [1, 2, 3], stiffness: 2 }), [1, 2, 3].map((x, i) => 2 * (x - at[i])), 1e-13);

  assert.deepEqual([...shapeCoordinates('linear', linear.body)], q);
  const moved = [0, 1, 2].map((axis) => q.reduce((sum, x, i) => sum + x * modes[3 * (vertices * i + vertex) + axis], 0));
  assertNear(placement(linear, vertex).displacement, moved, 1e-14);

  const swing = shapesAlong(warped, Float64Array.from(q));
  assert.deepEqual([...swing.at(-1)], [...q, ...amplitudes]);
  assert.deepEqual([...swing[0]], [...q.map((x) => -x), ...amplitudes]);
  assert.deepEqual([...swing[(swing.length - 1) / 2]].map(Math.abs), [0, 0, 0, 0, 0]);
  assert.deepEqual([...warped.body.state.q], q);
});
