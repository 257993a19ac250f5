// SPDX-License-Identifier: Apache-2.0
// The simulation mesh of a body: at the surface it moves as the surface does, inside as its neighbours.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { spreadInside } = await pageModule('gpu/spread_inside.ts');
const { volumeShape } = await pageModule('gpu/volume_shape.ts');
const { shapePositions } = await pageModule('gpu/shape_cpu.ts');
const { modelArrays } = await pageModule('sim/model_arrays.ts');

// A box of a × b × c cubes of side h, and the vertices on its outside.
function box(cubes, h) {
  const counts = cubes.map((n) => n + 1);
  const id = (place) => place[0] + counts[0] * (place[1] + counts[1] * place[2]);
  const places = [], edges = [];
  for (let k = 0; k < counts[2]; ++k)
    for (let j = 0; j < counts[1]; ++j)
      for (let i = 0; i < counts[0]; ++i) {
        const place = [i, j, k];
        places.push(place);
        for (let axis = 0; axis < 3; ++axis)
          if (place[axis] < cubes[axis]) edges.push(id(place), id(place.map((x, a) => x + (a === axis ? 1 : 0))));
      }
  const outside = places.map((place) => place.some((x, axis) => x === 0 || x === cubes[axis]));
  return { positions: Float32Array.from(places.flat(), (x) => h * x), edges: Int32Array.from(edges), outside, places };
}

// Two columns, linear in place.
const linear = ([x, y, z]) => [[1 + x - 2 * y, 3 * z, 0.5 - y], [2 * z, x + y + z, -1]];

const at = (positions, v) => Array.from(positions.slice(3 * v, 3 * v + 3));

test('a field that is linear in place is continued as that, into a box that its surface fits', () => {
  const { positions, edges, outside } = box([12, 8, 6], 0.1);
  const corners = outside.flatMap((one, v) => (one ? [v] : []));
  const surface = {
    positions: Float32Array.from(corners.flatMap((v) => at(positions, v))), triangles: new Int32Array(0),
  };
  const columns = Float32Array.from([0, 1].flatMap((i) => corners.flatMap((v) => linear(at(positions, v))[i])));
  const found = spreadInside(surface, columns, { positions, edges, fixedVertices: Int32Array.of(5) });
  const size = positions.length;
  for (let v = 0; v < size / 3; ++v)
    for (let i = 0; i < 2; ++i)
      for (let axis = 0; axis < 3; ++axis) {
        const wanted = v === 5 ? 0 : linear(at(positions, v))[i][axis], off = Math.abs(found[size * i + 3 * v + axis] - wanted);
        // At the surface to rounding; inside to what the sweeps leave of fields of order 3.
        assert.ok(off < (outside[v] ? 1e-6 : 0.01), `vertex ${v}, column ${i}, axis ${axis}: ${off} off`);
      }
});

test('large triangles around small elements leave none of the outer vertices out', () => {
  const h = 0.1, n = 10, { positions, edges, outside } = box([n, n, n], h);
  const side = h * n;
  // Two triangles a side: eight vertices for 602 outer ones.
  const surface = {
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1], (x) => side * x),
    triangles: Int32Array.from([0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]),
  };
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((v) => at(surface.positions, v));
  const columns = Float32Array.from([0, 1].flatMap((i) => corners.flatMap((x) => linear(x)[i])));
  const found = spreadInside(surface, columns, { positions, edges, fixedVertices: new Int32Array(0) });
  outside.forEach((_, v) => {
    const wanted = linear(at(positions, v));
    // Points lie up to half an element from the vertices that take them; the steepest slope is 3.
    for (let i = 0; i < 2; ++i)
      for (let axis = 0; axis < 3; ++axis)
        assert.ok(Math.abs(found[positions.length * i + 3 * v + axis] - wanted[i][axis]) < 0.5 * 3 * h, `vertex ${v}`);
  });
});

test('the bar’s outer vertices move with its surface, whatever the method; held ones stay', async () => {
  const file = barFile();
  const limber = await loadWasm(), model = limber.loadModel(file);
  const mesh = model.simulationMesh();
  const shown = {
    info: model.info, mesh, positions: model.restPositions(), triangles: model.triangles(), basis: model.surfaceBasis(),
    warpModes: model.warpModes(), warpRotations: model.warpRotations(), warpCompanions: model.warpCompanions(),
  };
  const vertexAt = new Map(Array.from({ length: mesh.positions.length / 3 }, (_, v) => [at(mesh.positions, v).map((x) => x.toFixed(6)).join(), v]));
  const world = limber.createWorld();
  world.addModel('bar.glb', model);
  for (const [name, method, warping] of [['stvk', 'stvk'], ['warp', 'warp'], ['local', 'warp', 'local'], ['linear', 'linear']]) {
    world.apply({ add: { name, model: 'bar.glb', method, ...(warping ? { warping } : {}) } });
    const body = world.body(name);
    const q = new Array(body.q.length).fill(0);
    [q[0], q[1], q[2]] = [2, -1.5, 0.5];
    world.apply({ body: name, state: { q } });
    const coordinates = body.shapeCoordinates;
    const moved = shapePositions(volumeShape(shown, modelArrays(file), method), coordinates);
    const u = body.surfaceDisplacement();
    let farthest = 0;
    for (let v = 0; v < shown.positions.length / 3; ++v) {
      const place = vertexAt.get(at(shown.positions, v).map((x) => x.toFixed(6)).join());
      assert.notEqual(place, undefined, 'the bar’s surface is that of its bricks');
      for (let axis = 0; axis < 3; ++axis) {
        farthest = Math.max(farthest, Math.abs(u[3 * v + axis]));
        const off = Math.abs(moved[3 * place + axis] - shown.positions[3 * v + axis] - u[3 * v + axis]);
        assert.ok(off < 3e-6, `${method}, vertex ${v}: ${off} m off`); // floats of order 1
      }
    }
    assert.ok(farthest > 0.2, `${method} is bent by ${farthest} m`);
    for (const v of mesh.fixedVertices) assert.deepEqual(at(moved, v), at(mesh.positions, v));
  }
  const still = shapePositions(volumeShape(shown, modelArrays(file), 'rigid'), []);
  assert.deepEqual(still, mesh.positions);
  world.destroy();
  model.destroy();
});
