// SPDX-License-Identifier: Apache-2.0
// What the module refuses: bad input, bodies that are gone, handles that were freed, pointers out of range.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { emptyWorld, limber, LimberError, load, loadLimber, refused, scenario, softBytes, wasm, worldOf } from './loaded.js';

test('steps that cannot be made are reported', () => {
  const world = worldOf({});
  for (const dt of [-1, NaN, 0, Infinity]) refused('dt', () => { world.dt = dt; });
  refused('count', () => world.step(-1));
  world.dt = 0.01;
  world.apply({ body: 'it', state: { v: new Array(8).fill(1e300) } });
  const { steps, notConverged } = world.step();
  const body = world.body('it');
  assert.deepEqual([steps, notConverged, body.report.converged, body.report.problem], [1, 1, false, 'blow-up']);
  assert.ok([...body.q, ...body.v].every(Number.isFinite));
  assert.equal(world.step(5).notConverged, 0);
});

test('bad input gives errors that say where, and the world goes on', () => {
  const world = worldOf({});
  const set = (value) => () => world.apply({ body: 'it', set: value });
  refused('rank', () => world.apply({ add: { model: 'soft', rank: 9 } }));
  refused('add', () => world.apply({ add: { model: 'soft', dampin: {} } }));
  refused('model', () => world.apply({ add: { model: 'hard' } }));
  refused('it', () => world.apply({ add: { name: 'it', model: 'soft' } }));
  refused('damping', set({ damping: { gamma: 1 } }));
  refused('integrator', set({ integrator: 'magic' }));
  refused('materials', set({ materials: { wood: { young: 1 } } }));
  refused('soft', set({ materials: { soft: { poisson: 0.5 } } }));
  refused('young', set({ materials: { soft: { young: 'hard' } } }));
  refused('coordinates', set({ coordinates: [0, 0] }));
  refused('set', set(null));
  refused('gravity', () => world.apply({ gravity: [1, 2] }));
  refused('forces', () => world.apply({ body: 'it', forces: [{ vertex: 30, force: [1, 0, 0] }] }));
  refused('forces', () => world.apply({ body: 'it', forces: [{ vertex: 0, force: [null, 0, 0] }] }));
  refused('reduced_force', () => world.apply({ body: 'it', reduced_force: [1, 2] }));
  refused('state', () => world.apply({ body: 'it', state: { q: [1] } }));
  refused('', () => world.apply({ body: 'it', state: { q: new Array(8).fill(1e200) } }));
  refused('body', () => world.apply({ body: 'nobody', pull: null }));
  refused('input', () => world.apply({ body: 'it', pul: null }));
  refused('input', () => world.apply(null));
  refused('name', () => world.addModel('', load()));
  refused('gravity', () => limber.createWorld({ gravity: [NaN, 0, 0] }));
  refused('gravity', () => limber.createWorld({ gravity: [1] }), 'wrong-size');
  refused('vertices', () => world.body('it').position(30));
  refused('vertices', () => world.body('it').velocity(-1));
  refused('', () => world.body('it').suggestPullStiffness(99));
  refused('', () => world.body('it').suggestPullStiffness(0, -1));
  refused('', () => world.body('it').balance([{ vertex: 99, force: [0, 0, 0] }]));
  assert.equal(world.step(3).steps, 3);
});

test('bad input to warped and rigid bodies is refused, and they go on', () => {
  const world = worldOf({ method: 'warp' });
  world.apply({ add: { name: 'box', model: 'box', method: 'rigid' } });
  const constrain = (constraints) => () => world.apply({ body: 'it', constraints });
  refused('warping', () => world.apply({ body: 'it', set: { warping: 'bent' } }));
  refused('set', () => world.apply({ body: 'it', set: { rank: 3 } }));
  refused('coriolis', () => world.apply({ body: 'it', set: { coriolis: 1 } }));
  refused('young_scale', () => world.apply({ body: 'it', set: { young_scale: -1 } }));
  refused('support', () => world.apply({ body: 'it', support: { speed: [1, 0, 0] } }));
  refused('rotation', () => world.apply({ body: 'it', support: { rotation: [1, 0, 0] } }));
  refused('positions', constrain({ positions: [{ vertex: 1 }] }));
  refused('', constrain({ positions: [{ vertex: 1000, displacement: [0, 0, 0] }] }));
  refused('', constrain({ orientations: [{ vertex: 1, orientation: [0, 0, 0, 0] }] }));
  refused('density', () => world.apply({ body: 'box', set: { density: 0 } }));
  refused('', () => world.apply({ body: 'box', support: { position: [1, 0, 0] } }));
  refused('', () => world.apply({ body: 'box', state: { q: [1] } }));
  refused('', () => world.apply({ add: { model: 'box', method: 'stvk' } }));
  refused('', () => world.body('box').balance());
  assert.equal(world.step(3).notConverged, 0);
});

test('removed bodies, states of other worlds and late restores are refused', () => {
  const world = worldOf({});
  const body = world.body('it'), saved = world.save();
  refused('', () => worldOf({}).restore(saved));
  world.apply({ body: 'it', remove: true });
  refused('body', () => body.q, 'no-body');
  refused('body', () => body.surfaceDisplacement(), 'no-body');
  refused('body', () => world.body('it'), 'no-body');
  assert.equal(world.bodies.length, 0);
  world.restore(saved);
  assert.equal(body.q.length, 8); // it is back
  world.startRecording();
  refused('state', () => world.restore(saved));
  world.stopRecording();
  world.startReplay(scenario.scene);
  refused('state', () => world.restore(saved));
  refused('recording', () => world.startRecording());
});

test('bad recordings are refused, and an input that fails ends its replay', () => {
  const world = emptyWorld();
  refused('recording', () => world.startReplay([]));
  refused('recording', () => world.startReplay({ bodies: [{ model: 'unknown' }] }));
  refused('recording', () => world.startReplay({ bodies: [], recording: { version: 2, inputs: [] } }));
  assert.equal(world.replay, null);
  world.startReplay({ bodies: [{ name: 'a', model: 'soft' }], recording: { version: 2, steps: 10, inputs: [{ step: 4, body: 'b', pull: null }] } });
  assert.equal(world.replayProblem, null);
  assert.equal(world.step(10).steps, 4);
  assert.match(world.replayProblem.where, /inputs/);
  assert.equal(world.replay, null);
});

test('bytes that are no model give errors, not traps', () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(100), new TextEncoder().encode('glTF, but not really'),
    softBytes.subarray(0, 1000), softBytes.subarray(0, softBytes.length - 8)])
    assert.throws(() => limber.loadModel(bytes), LimberError);
  // Every 97th byte wrong, one at a time: refused, or (in a name) loaded.
  let count = 0;
  for (let i = 0; i < softBytes.length; i += 97) {
    const bytes = Uint8Array.from(softBytes);
    bytes[i] ^= 0x55;
    try {
      limber.loadModel(bytes).destroy();
    } catch (error) {
      assert.ok(error instanceof LimberError, `byte ${i}: ${error}`);
      ++count;
    }
  }
  assert.ok(count > 100);
  assert.equal(load().rank, 8);
});

test('what is destroyed says so, and gives its memory back', () => {
  const model = load();
  const world = limber.createWorld();
  world.addModel('m', model);
  world.apply({ add: { name: 'a', model: 'm' } });
  const body = world.body('a'), state = world.save();
  model.destroy();
  assert.equal(world.step().steps, 1);
  assert.throws(() => model.select('all'), /destroyed/);
  assert.throws(() => limber.createWorld().addModel('m', model), /destroyed/);
  state.destroy();
  assert.throws(() => world.restore(state), /destroyed/);
  world.destroy();
  world.destroy();
  assert.throws(() => world.step(), /destroyed/);
  assert.throws(() => body.q, /destroyed/);
});

test('a thousand worlds and models leave no memory behind', async () => {
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  const { exports } = instance;
  exports._initialize();
  const bytes = exports.limber_alloc(softBytes.length), out = exports.limber_alloc(8);
  const whole = () => new Uint32Array(exports.memory.buffer, out, 1)[0];
  new Uint8Array(exports.memory.buffer, bytes, softBytes.length).set(softBytes);
  const once = () => {
    assert.equal(exports.limber_model_load(bytes, softBytes.length, out), 0);
    const model = whole();
    assert.equal(exports.limber_world_create(0, out), 0);
    const world = whole();
    assert.equal(exports.limber_world_free(world), 0);
    assert.equal(exports.limber_model_free(model), 0);
  };
  for (let i = 0; i < 10; ++i) once();
  const before = exports.memory.buffer.byteLength;
  for (let i = 0; i < 1000; ++i) once();
  assert.equal(exports.memory.buffer.byteLength, before);
});

const imports = {
  limber: { field: () => 1 },
  wasi_snapshot_preview1: new Proxy({}, { get: () => () => 8 }),
};

test('the module exports what the C interface lists for it, and nothing else', () => {
  const listed = JSON.parse(readFileSync(new URL('../../c/functions.json', import.meta.url)))
    .flatMap(({ functions }) => functions.filter(({ only }) => only !== 'native').map(({ name }) => name));
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name);
  assert.deepEqual(exported.sort(), [...listed, 'memory', '_initialize'].sort());
});

test('pointers out of range and handles of nothing give error codes, not traps', async () => {
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  const { exports } = instance;
  exports._initialize();
  const [kNull, kBadHandle, kWrongKind, kWrongSize, kBadPointer] = [2, 3, 4, 5, 6];
  const out = exports.limber_alloc(64), bytes = exports.limber_alloc(softBytes.length);
  new Uint8Array(exports.memory.buffer, bytes, softBytes.length).set(softBytes);
  const size = () => exports.memory.buffer.byteLength;
  const whole = () => new Uint32Array(exports.memory.buffer, out, 1)[0];
  // Past the end, across the end, around the address space, in the module's own data and stack, not aligned.
  const bad = () => [size(), size() - 4, 0xfffffff0, 0x7fffffff & ~7, 16, 1024, out + 1];
  assert.equal(exports.limber_model_load(bytes, softBytes.length, out), 0);
  const model = whole();
  assert.equal(exports.limber_world_create(0, out), 0);
  const world = whole();
  for (const pointer of bad()) {
    assert.equal(exports.limber_world_clock(world, pointer), kBadPointer, `clock at ${pointer}`);
    assert.equal(exports.limber_world_step(world, 1, pointer), kBadPointer);
    assert.equal(exports.limber_model_floats(model, 0, pointer, 90), kBadPointer);
    assert.equal(exports.limber_world_create(pointer, out), kBadPointer);
  }
  for (const pointer of bad().filter((p) => p !== out + 1 && p !== size() - 4)) {
    assert.equal(exports.limber_world_create(0, pointer), kBadPointer);
    assert.equal(exports.limber_world_apply(world, pointer, 100), kBadPointer);
    assert.equal(exports.limber_model_load(pointer, 100, out), kBadPointer);
    assert.equal(exports.limber_model_info(model, pointer), kBadPointer);
    assert.equal(exports.limber_statics_create(model, pointer), kBadPointer);
  }
  assert.equal(exports.limber_world_apply(world, bytes, 0xffffffff), kWrongSize);
  assert.equal(exports.limber_world_apply(world, bytes, 0x7fffffff), kBadPointer);
  assert.equal(exports.limber_world_apply(world, 0, 3), kNull);
  assert.equal(exports.limber_model_floats(model, 0, out, 3), kWrongSize);
  assert.equal(exports.limber_model_floats(model, 0, out, 0x40000000), kWrongSize);
  for (const handle of [1, 12345, 0xffffffff, world + 1, out]) {
    assert.equal(exports.limber_world_step(handle, 1, 0), kBadHandle, `handle ${handle}`);
    assert.equal(exports.limber_model_free(handle), kBadHandle);
  }
  assert.equal(exports.limber_world_step(0, 1, 0), kNull);
  assert.equal(exports.limber_world_step(model, 1, 0), kWrongKind);
  assert.equal(exports.limber_world_step(world, 1, 0), 0);
  assert.equal(exports.limber_world_free(world), 0);
  assert.equal(exports.limber_world_free(world), kBadHandle);
});

test('a field that throws ends the search for shapes with its own error', async () => {
  const own = new Error('mine');
  const options = { frames: 5, size: 6, tolerance: 0.1, most: 3 };
  assert.throws(() => limber.principalShapes((frame) => { if (frame === 3) throw own; return new Float64Array(6).fill(frame); }, options), own);
  assert.throws(() => limber.principalShapes(() => [1], options), LimberError);
  assert.throws(() => limber.principalShapes(() => new Float64Array(6).fill(NaN), options), LimberError);
  assert.throws(() => limber.principalShapes(() => [], { ...options, size: 5 }), LimberError);
  // Of two modules each calls its own.
  const second = await loadLimber(wasm);
  const inner = () => second.principalShapes(() => [1, 0, 0], { frames: 1, size: 3, tolerance: 0, most: 1 }).shapes[0];
  assert.deepEqual([...limber.principalShapes(inner, { frames: 1, size: 3, tolerance: 0, most: 1 }).shapes[0]], [1, 0, 0]);
});
