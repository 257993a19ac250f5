// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module against the native library, in Node.   usage: node --test, with LIMBER_WASM_PACKAGE,
// LIMBER_WASM_MODEL, LIMBER_WASM_MOTION and LIMBER_WASM_WARPED set as in CMakeLists.txt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.LIMBER_WASM_PACKAGE;
const { loadLimber, LimberError } = await import(pathToFileURL(`${folder}/limber.js`));
const wasm = readFileSync(`${folder}/limber.wasm`);
const modelBytes = readFileSync(process.env.LIMBER_WASM_MODEL);
const scenario = JSON.parse(readFileSync(new URL('./scenario.json', import.meta.url)));

const limber = await loadLimber(wasm);
const load = () => limber.loadModel(modelBytes);

function norm(list) {
  return Math.hypot(...list);
}
function relativeError(found, expected, scale) {
  return norm(Array.from(found, (x, i) => x - expected[i])) / scale;
}

function play(body, scenario, step) {
  for (const event of scenario.events) {
    if (event.step !== step) continue;
    if (event.set) body.set(event.set);
    if (event.manipulation) body.setManipulation(event.manipulation);
    if (event.clear) body.clearForces();
    for (const { vertex, force } of event.forces ?? []) body.addForce(vertex, force);
    if (event.frame) body.setFrame(event.frame);
  }
}

// Plays a scenario beside what the native library recorded. Returns the largest relative difference, and what is left
// of the recording.
function compare(body, count, scenario, file) {
  const bytes = readFileSync(file);
  const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let at = 0;
  const next = (length) => numbers.subarray(at, (at += length));
  let worst = 0;
  for (let step = 0; step < scenario.steps; ++step) {
    play(body, scenario, step);
    const report = body.step(scenario.dt);
    assert.ok(report.converged, `step ${step}: ${report.problem}`);
    const { q, v } = body.state;
    const [expectedQ, expectedV, [kinetic, elastic]] = [next(count), next(count), next(2)];
    worst = Math.max(worst, relativeError(q, expectedQ, norm(expectedQ)), relativeError(v, expectedV, norm(expectedV)),
      Math.abs(body.kineticEnergy - kinetic) / (kinetic + elastic),
      Math.abs(body.elasticEnergy - elastic) / (kinetic + elastic));
  }
  return { worst, rest: numbers.subarray(at) };
}

function assertSameSurface(body, rest, surface) {
  const u = rest.subarray(0, surface), n = rest.subarray(surface);
  assert.equal(rest.length, 2 * surface);
  assert.ok(relativeError(body.surfaceDisplacement(), u, norm(u)) < 1e-6); // floats
  assert.ok(relativeError(body.surfaceNormals(), n, norm(n)) < 1e-5);
}

test('the module is small', (t) => {
  t.diagnostic(`limber.wasm: ${wasm.length} bytes`);
  assert.ok(wasm.length < 1_500_000);
});

test('a thousand steps equal those of the native library within 1e-9', (t) => {
  const model = load();
  const body = model.createBody(scenario.stvk.settings);
  const { worst, rest } = compare(body, model.rank, scenario.stvk, process.env.LIMBER_WASM_MOTION);
  t.diagnostic(`largest relative difference: ${worst.toExponential(2)}`);
  assert.ok(worst <= 1e-9);
  assertSameSurface(body, rest, 3 * model.info.vertices);
});

test('warped steps with a moving support and constraints equal those of the native library within 1e-9', (t) => {
  const model = load();
  const body = model.createWarpBody(scenario.warp.settings);
  const { worst, rest } = compare(body, model.info.warp_modes, scenario.warp, process.env.LIMBER_WASM_WARPED);
  t.diagnostic(`largest relative difference: ${worst.toExponential(2)}`);
  assert.ok(worst <= 1e-9);
  assertSameSurface(body, rest, 3 * model.info.vertices);
});

test('modes as they are handed out give the linear shape', () => {
  const model = load();
  assert.deepEqual(model.info.methods, ['stvk', 'warp']);
  const body = model.createWarpBody({ warping: 'linear' });
  const m = model.info.warp_modes, rows = 3 * model.info.vertices, modes = model.warpModes();
  const q = Float64Array.from({ length: m }, (_, i) => Math.sin(i + 1));
  body.state = { q };
  const expected = Array.from({ length: rows }, (_, row) => q.reduce((sum, x, i) => sum + x * modes[i * rows + row], 0));
  assert.ok(relativeError(body.surfaceDisplacement(), expected, norm(expected)) < 1e-6);
  assert.equal(model.warpRotations().length, modes.length);
  assert.ok(model.restNormals().length === rows && model.inputVertices().length === model.info.vertices);
});

// R̃(w) y, docs/math/warping.md (6)
function meanRotated(w, y) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const angle = norm(w), c = (1 - Math.cos(angle)) / angle ** 2, e = (angle - Math.sin(angle)) / angle ** 3;
  const wy = cross(w, y), wwy = cross(w, wy);
  return y.map((x, i) => x + c * wy[i] + e * wwy[i]);
}

test('modes, rotations and companions as they are handed out give the warped shape', () => {
  const model = load();
  const { warp_modes: m, warp_companions: k, vertices } = model.info;
  const rows = 3 * vertices;
  const [modes, rotations, companions] = [model.warpModes(), model.warpRotations(), model.warpCompanions()];
  assert.ok(k > 0);
  assert.equal(companions.length, rows * k);
  const weighted = (columns, vertex, weights) => [0, 1, 2].map((axis) =>
    weights.reduce((sum, x, i) => sum + x * columns[i * rows + 3 * vertex + axis], 0));
  const q = Float64Array.from({ length: m }, (_, i) => 0.5 * Math.sin(i + 1));
  for (const warping of ['warped', 'local']) {
    const body = model.createWarpBody({ warping });
    assert.deepEqual(body.shapeCoordinates, new Float64Array(m + k));
    body.state = { q };
    const shape = body.shapeCoordinates, z = shape.slice(m);
    assert.deepEqual(shape.slice(0, m), q);
    assert.equal(z.length, k);
    assert.equal(z.some((x) => x !== 0), warping === 'warped');
    const expected = Array.from({ length: vertices }, (_, vertex) => {
      const linear = weighted(modes, vertex, q), beside = weighted(companions, vertex, z);
      return meanRotated(weighted(rotations, vertex, q), linear.map((x, i) => x + beside[i]));
    }).flat();
    assert.ok(relativeError(body.surfaceDisplacement(), expected, norm(expected)) < 1e-6, warping); // floats
  }
  const linear = model.createWarpBody({ warping: 'linear' });
  linear.state = { q };
  assert.ok(linear.shapeCoordinates.slice(m).every((x) => x === 0));
});

test('bad input to warped bodies is refused, and they go on', () => {
  const model = load();
  const body = model.createWarpBody();
  const refused = (where, act) =>
    assert.throws(act, (error) => error instanceof LimberError && error.where.includes(where) && error.problem.length > 0);
  refused('warping', () => model.createWarpBody({ warping: 'bent' }));
  refused('settings', () => model.createWarpBody({ rank: 3 }));
  refused('coriolis', () => body.set({ coriolis: 1 }));
  refused('young_scale', () => body.set({ young_scale: -1 }));
  refused('frame', () => body.setFrame({ speed: [1, 0, 0] }));
  refused('orientation', () => body.setFrame({ orientation: [1, 0, 0] }));
  refused('positions', () => body.setManipulation({ positions: [{ vertex: 1 }] }));
  refused('', () => body.setManipulation({ positions: [{ vertex: 1000, displacement: [0, 0, 0] }] }));
  refused('', () => body.setManipulation({ orientations: [{ vertex: 1, orientation: [0, 0, 0, 0] }] }));
  refused('', () => body.movePosition(0, [0, 0, 0]));
  refused('force', () => body.addModalForce([1]));
  refused('state q', () => { body.state = { q: [1] }; });
  assert.equal(body.step(1 / 30, 3).steps, 3);
});

test('what the model says of itself', () => {
  const model = load();
  assert.equal(model.info.rank, 8);
  assert.equal(model.info.up, '-x');
  assert.deepEqual(model.info.groups.map((g) => g.name), ['soft', 'hard']);
  assert.equal(model.info.groups[0].density, 900);
  assert.equal(model.restPositions().length, 3 * model.info.vertices);
  const triangles = model.triangles();
  assert.equal(triangles.length, 3 * model.info.triangles);
  assert.ok(triangles.every((id) => id >= 0 && id < model.info.vertices));

  // u = Uq with the basis as it is handed out.
  const body = model.createBody();
  const q = Float64Array.from({ length: 8 }, (_, i) => Math.sin(i + 1));
  body.state = { q };
  const basis = model.surfaceBasis(), u = body.surfaceDisplacement(), rows = 3 * model.info.vertices;
  const expected = Array.from({ length: rows }, (_, row) => q.reduce((sum, x, i) => sum + x * basis[i * rows + row], 0));
  assert.ok(relativeError(u, expected, norm(expected)) < 1e-6);
});

test('every setting is described', () => {
  const { StvkSettings, WarpSettings } = limber.fields;
  const alpha = StvkSettings.find((field) => field.name === 'damping.alpha');
  assert.deepEqual([alpha.kind, alpha.unit, alpha.least, alpha.default], ['number', '1/s', 0, 0]);
  assert.deepEqual(WarpSettings.find((field) => field.name === 'warping').words, ['warped', 'local', 'linear']);
});

test('settings are merged and read back', () => {
  const body = load().createBody({ rank: 3, damping: { alpha: 1 } });
  body.set({ damping: { beta: 0.01 }, materials: { hard: { young: 5000 } } });
  const { coordinates, damping, materials } = body.settings;
  assert.deepEqual(coordinates, [0, 1, 2]);
  assert.deepEqual(damping, { alpha: 1, beta: 0.01, strain_rate: 0 });
  assert.equal(materials.hard.young, 5000);
  assert.equal(materials.hard.density, 1200);
});

test('a saved state goes on bit by bit, in a clone too', () => {
  const body = load().createBody({ gravity: [0, -9, 0] });
  body.step(0.01, 20);
  const saved = body.state;
  const clone = body.clone();
  assert.equal(body.step(0.01, 30).steps, 30);
  const once = body.state;
  body.state = saved;
  body.step(0.01, 30);
  clone.step(0.01, 30);
  assert.deepEqual(body.state, once);
  assert.deepEqual(clone.state, once);
});

test('steps that cannot be made are reported', () => {
  const body = load().createBody();
  assert.deepEqual([body.step(-1).problem, body.step(NaN).problem, body.step(0).steps], ['time-step', 'time-step', 0]);
  body.state = { v: new Float64Array(8).fill(1e300) };
  const report = body.step(0.01, 5);
  assert.equal(report.problem, 'blow-up');
  assert.equal(report.converged, false);
  assert.ok([...body.state.q, ...body.state.v].every(Number.isFinite));
  assert.equal(body.step(0.01, 5).steps, 5);
});

test('bad input gives errors that say where, and the module goes on', () => {
  const model = load();
  const body = model.createBody();
  const refused = (where, act) =>
    assert.throws(act, (error) => error instanceof LimberError && error.where.includes(where) && error.problem.length > 0);
  refused('rank', () => model.createBody({ rank: 9 }));
  refused('settings', () => model.createBody({ dampin: {} }));
  refused('damping', () => model.createBody({ damping: { gamma: 1 } }));
  refused('integrator', () => body.set({ integrator: 'magic' }));
  refused('materials', () => body.set({ materials: { wood: { young: 1 } } }));
  refused('soft', () => body.set({ materials: { soft: { poisson: 0.5 } } }));
  refused('young', () => body.set({ materials: { soft: { young: 'hard' } } }));
  refused('gravity', () => body.set({ gravity: [1, 2] }));
  refused('coordinates', () => body.set({ coordinates: [0, 0] }));
  refused('settings', () => body.set(null));
  refused('force', () => body.addForce(30, [1, 0, 0]));
  refused('force', () => body.addForce(0, [NaN, 0, 0]));
  refused('force', () => body.addReducedForce([1, 2]));
  refused('state q', () => { body.state = { q: new Float64Array(8).fill(1e200) }; });
  refused('state q', () => { body.state = { q: [1] }; });
  assert.equal(body.step(0.01, 3).steps, 3);
});

test('bytes that are no model give errors, not traps', () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(100), new TextEncoder().encode('glTF, but not really'),
    modelBytes.subarray(0, 1000), modelBytes.subarray(0, modelBytes.length - 8)])
    assert.throws(() => limber.loadModel(bytes), LimberError);
  // Every 97th byte wrong, one at a time: refused, or (in a name) loaded.
  let refused = 0;
  for (let i = 0; i < modelBytes.length; i += 97) {
    const bytes = Uint8Array.from(modelBytes);
    bytes[i] ^= 0x55;
    try {
      limber.loadModel(bytes).destroy();
    } catch (error) {
      assert.ok(error instanceof LimberError, `byte ${i}: ${error}`);
      ++refused;
    }
  }
  assert.ok(refused > 100);
  assert.equal(load().rank, 8);
});

test('destroyed bodies and models say so, and give their memory back', () => {
  const model = load();
  const body = model.createBody();
  model.destroy();
  assert.equal(body.step(0.01).steps, 1);
  body.destroy();
  assert.throws(() => body.step(0.01), /destroyed/);
  assert.throws(() => model.createBody(), /destroyed/);
  for (let i = 0; i < 300; ++i) {
    const again = load();
    again.createBody({ damping: { strain_rate: 0.01 } }).destroy();
    again.destroy();
  }
});
