// SPDX-License-Identifier: Apache-2.0
// The exported animation: a valid glTF; a nonlinear body's is a model that limber reads, a warped one's shows its curves.
import assert from 'node:assert/strict';
import test from 'node:test';
import validator from 'gltf-validator';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { nonlinearMotion, shapesMotion } = await pageModule('motion/motion_glb.ts');
const limber = await loadWasm();

async function validated(bytes) {
  const { issues, info } = await validator.validateBytes(bytes);
  assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
  assert.equal(issues.numWarnings, 0, JSON.stringify(issues.messages.filter(({ severity }) => severity === 1)));
  assert.equal(info.animationCount, 1);
  const jsonBytes = new DataView(bytes.buffer).getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonBytes)));
  const numbers = (accessor, Type = Float32Array) => {
    const { bufferView, count, type, byteOffset = 0 } = gltf.accessors[accessor];
    const at = 28 + jsonBytes + gltf.bufferViews[bufferView].byteOffset + byteOffset;
    return new Type(bytes.buffer.slice(at, at + 4 * count * (type === 'VEC3' ? 3 : 1)));
  };
  return { gltf, numbers, issues };
}

test('a nonlinear motion passes Khronos’ validator, and limber reads the model again', async () => {
  const file = barFile();
  const { info } = limber.loadModel(file);
  const samples = [0, 0.016, 0.016 + 1e-12, 0.033].map((time, k) => ({
    time: 5 + time, shapeCoordinates: new Float64Array(info.rank).fill(0.01 * k),
  }));
  const bytes = nonlinearMotion(file, samples, info.target_scale);
  const { gltf, numbers } = await validated(bytes);
  assert.equal(limber.loadModel(bytes).rank, info.rank);
  const { input, output } = gltf.animations[0].samplers[0];
  // Two of the times are the same float.
  assert.deepEqual(numbers(input), Float32Array.of(0, 0.016, 0.033));
  const weights = numbers(output);
  assert.equal(weights.length, 3 * info.rank);
  assert.equal(weights[3 * info.rank - 1], Math.fround(0.03 / info.target_scale.at(-1)));
});

for (const warping of ['warped', 'local', 'linear'])
  test(`morph targets show the motion of a body that is ${warping}: each vertex where the library has it`, async () => {
    const file = barFile();
    const model = limber.loadModel(file);
    const world = limber.createWorld();
    world.addModel('bar.glb', model);
    world.apply({ add: { name: 'bar', model: 'bar.glb', method: 'warp', warping } });
    const body = world.body('bar');
    const rest = model.restPositions();
    const shape = {
      rest, columns: model.warpModes(), rank: model.info.warp_modes, rotations: warping === 'linear' ? null : model.warpRotations(),
      companions: warping === 'linear' ? null : model.warpCompanions(),
    };
    const wanted = [], samples = [];
    for (let k = 0; k < 60; ++k) {
      // The two bends by up to 45°, and some of the twist.
      const q = new Float64Array(model.info.warp_modes);
      [q[0], q[1], q[2]] = [1.4 * Math.sin(0.1 * k), Math.sin(0.23 * k), 0.3 * Math.cos(0.3 * k)];
      world.apply({ state: { q: [...q] } });
      samples.push({ time: 0.02 * k, shapeCoordinates: warping === 'linear' ? q : body.shapeCoordinates });
      wanted.push(body.surfaceDisplacement());
    }
    const size = Math.hypot(1, 0.2, 0.2);
    const { bytes, shapes, error } = shapesMotion(limber, file, samples, shape, size);
    assert.ok(error <= 1e-4 * size, `${error} m`);
    const { gltf, numbers, issues } = await validated(bytes);
    const unused = issues.messages.filter(({ code }) => code === 'UNUSED_OBJECT');
    assert.deepEqual(unused, [], 'nothing is in the file for nothing');
    assert.ok(bytes.length < file.byteLength, `${bytes.length} bytes of ${file.byteLength}`);

    const [{ primitives: [primitive], weights: first, extras }] = gltf.meshes;
    assert.equal(first.length, shapes);
    assert.equal(extras.targetNames.length, shapes);
    // Three linear modes move in three shapes; what turns needs more.
    assert.ok(warping === 'linear' ? shapes === 3 : shapes > 3 && shapes < 30, `${shapes} shapes`);
    assert.deepEqual(numbers(primitive.indices, Int32Array), model.triangles());
    const positions = numbers(primitive.attributes.POSITION), targets = primitive.targets.map(({ POSITION }) => numbers(POSITION));
    const weights = numbers(gltf.animations[0].samplers[0].output);
    let bent = 0;
    wanted.forEach((u, frame) => {
      for (let k = 0; k < u.length; ++k) {
        const x = targets.reduce((sum, target, i) => sum + weights[frame * shapes + i] * target[k], positions[k]);
        assert.ok(Math.abs(x - rest[k] - u[k]) < 1e-4 * size, `frame ${frame}, number ${k}`);
        bent = Math.max(bent, Math.abs(u[k]));
      }
    });
    assert.ok(bent > 0.4, `bent by ${bent} m`);
    assert.ok(weights.every((weight) => Math.abs(weight) <= 10), 'Blender cuts weights off at 10');
    world.destroy();
    model.destroy();
  });

test('of a warped motion about sixty frames a second are written', async () => {
  const file = barFile();
  const model = limber.loadModel(file);
  const shape = { rest: model.restPositions(), columns: model.warpModes(), rank: model.info.warp_modes, rotations: null, companions: null };
  for (const [apart, frames] of [[0.004, 63], [1 / 60, 60], [0.1, 10]]) {
    const samples = Array.from({ length: Math.round(1 / apart) }, (_, k) => ({ time: 3 + apart * k, shapeCoordinates: new Float64Array(6) }));
    const { gltf, numbers } = await validated(shapesMotion(limber, file, samples, shape, 1).bytes);
    const times = numbers(gltf.animations[0].samplers[0].input);
    assert.equal(times.length, frames);
    assert.equal(times[0], 0);
  }
});
