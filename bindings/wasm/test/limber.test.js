// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module against the native library, in Node.
import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyWorld, limber, load, made, refused, scenario, wasm, worldOf } from './loaded.js';
import { Motion, norm, relativeError } from './motion.js';

// The same twice, bit by bit.
function makeSteps(world, count, see) {
  for (let i = 0; i < count; ++i) {
    const { steps, notConverged } = world.step();
    assert.deepEqual([steps, notConverged, world.replayProblem], [1, 0, null], `step ${world.steps}`);
    see();
  }
  return world.bodies.map((body) => [body.name, ...body.q, ...body.v, ...body.pose.position, ...body.pose.rotation]);
}

test('the module is small', (t) => {
  t.diagnostic(`limber.wasm: ${wasm.length} bytes`);
  assert.ok(wasm.length < 2_600_000);
});

test('a recording of every kind of body equals that of the native library within 1e-9, saved states too', (t) => {
  const world = emptyWorld();
  const motion = new Motion(made('motion.f64'));
  const steps = scenario.scene.recording.steps;
  world.startReplay(scenario.scene);
  assert.deepEqual(world.replay, { step: 0, steps });
  makeSteps(world, steps, () => motion.compare(world));
  assert.equal(world.step(10).steps, 0);
  assert.equal(world.replay, null);
  assert.deepEqual(world.bodies.map((body) => [body.name, body.method, body.model]),
    [['stvk', 'stvk', 'soft'], ['warp', 'warp', 'soft'], ['box', 'rigid', 'box'], ['free', 'stvk', 'points'], ['late', 'stvk', 'soft']]);
  const saved = world.save();
  const ends = [1, 2].map(() => {
    world.restore(saved);
    for (const input of scenario.after) world.apply(input);
    return makeSteps(world, scenario.steps_after, () => motion.compare(world));
  });
  assert.deepEqual(ends[0], ends[1]);
  for (const body of world.bodies) {
    const u = body.surfaceDisplacement(), n = body.surfaceNormals();
    const expectedU = motion.next(u.length), expectedN = motion.next(n.length);
    assert.ok(relativeError(u, expectedU, norm(expectedU) || 1) < 1e-6, body.name); // floats
    assert.ok(relativeError(n, expectedN, norm(expectedN)) < 1e-5, body.name);
  }
  assert.ok(motion.isOver);
  t.diagnostic(`largest relative difference: ${motion.worst.toExponential(2)}`);
});

test('what is recorded live is replayed bit by bit', () => {
  const world = worldOf({ method: 'warp' }, { gravity: [0, -1, 0] });
  world.dt = 0.01;
  world.apply({ add: { name: 'box', model: 'box', method: 'rigid', angular_velocity: [1, 9, 0.2] } });
  world.step(20);
  assert.equal(world.recorded(), null);
  world.startRecording();
  world.step(30);
  world.apply({ body: 'it', pull: { vertex: 4, target: [1, 0, 0], stiffness: 3 } });
  world.step(30);
  world.dt = 0.02;
  world.apply({ add: { name: 'two', model: 'soft', method: 'stvk' } });
  world.step(40);
  const scene = world.stopRecording();
  const numbers = () => world.bodies.map((body) => [body.name, ...body.q, ...body.v, ...body.pose.position, ...body.pose.rotation]);
  const live = numbers();
  assert.equal(scene.recording.steps, 100);
  world.startReplay(JSON.parse(JSON.stringify(scene)));
  assert.equal(world.step(1000).steps, 100);
  assert.deepEqual(numbers(), live);
});

test('a clone goes on bit by bit and is a world of its own', () => {
  const world = worldOf({ method: 'stvk' }, { gravity: [0, -1, 0] });
  world.apply({ add_obstacle: { name: 'floor', shape: { plane: {} }, position: [0, 0, -5] } });
  world.apply({ body: 'it', pull: { vertex: 4, target: [1, 0, 0], stiffness: 3 } });
  world.step(20);
  const copy = world.clone();
  assert.deepEqual([copy.dt, copy.steps, copy.findObstacle('floor')], [world.dt, 20, world.findObstacle('floor')]);
  world.step(30);
  copy.step(30);
  assert.deepEqual(copy.body('it').q, world.body('it').q);
  assert.throws(() => copy.restore(world.save()), /another world/);
  copy.apply({ body: 'it', remove: true });
  world.destroy();
  copy.apply({ add: { name: 'again', model: 'soft', method: 'warp', layer: 0 } }); // it knows the models
  assert.deepEqual([copy.bodies.length, copy.step().steps], [1, 1]);
});

test('a body goes back by itself, bit by bit', () => {
  const world = worldOf({ method: 'stvk' }, { gravity: [0, -1, 0] });
  world.apply({ add: { name: 'box', model: 'box', method: 'rigid', angular_velocity: [1, 9, 0.2] } });
  const numbers = ({ q, v, pose }) => [...q, ...v, ...pose.position, ...pose.rotation];
  world.step(20);
  for (const body of world.bodies) {
    const state = body.save();
    world.step(10);
    const later = numbers(body);
    body.restore(state);
    assert.notDeepEqual(numbers(body), later);
    world.step(10);
    assert.deepEqual(numbers(body), later);
    refused('state', () => world.restore(state));
    state.destroy();
  }
});

test('what acts on a body is a list of inputs, and friction and layer are settings', () => {
  const world = worldOf({ method: 'stvk' });
  const it = world.body('it');
  assert.deepEqual([it.inputs, it.settings.friction, it.flight], [[], undefined, null]);
  const forces = [{ vertex: 3, force: [1, 0, 2] }], pull = [{ vertex: 4, target: [1, 0, 0], stiffness: 3 }];
  world.apply({ body: 'it', forces, pull, set: { friction: 0.25, layer: 6 } });
  assert.deepEqual(it.inputs, [{ body: 'it', forces }, { body: 'it', pull }]);
  assert.deepEqual([it.settings.friction, it.settings.layer], [0.25, 6]);
});

test('modes as they are handed out give the linear shape', () => {
  const model = load();
  assert.deepEqual(model.info.methods, ['stvk', 'warp']);
  const m = model.info.warp_modes, rows = 3 * model.info.vertices, modes = model.warpModes();
  const q = Float64Array.from({ length: m }, (_, i) => Math.sin(i + 1));
  const body = worldOf({ method: 'linear', q: [...q] }).body('it');
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
  assert.equal(k, 4);
  const modes = model.warpModes(), rotations = model.warpRotations(), companions = model.warpCompanions();
  const weighted = (columns, vertex, weights) => [0, 1, 2].map((axis) =>
    weights.reduce((sum, x, i) => sum + x * columns[i * 3 * vertices + 3 * vertex + axis], 0));
  const q = Float64Array.from({ length: m }, (_, i) => 0.3 * Math.sin(i + 1));
  for (const warping of ['warped', 'local']) {
    const body = worldOf({ method: 'warp', warping, q: [...q] }).body('it');
    const shape = body.shapeCoordinates, z = shape.slice(m);
    assert.deepEqual(shape.slice(0, m), q);
    assert.deepEqual(body.shapeRotations, q);
    assert.equal(z.length, k);
    assert.equal(z.some((x) => x !== 0), warping === 'warped');
    const shapes = Array.from({ length: vertices }, (_, vertex) => {
      const linear = weighted(modes, vertex, q), beside = weighted(companions, vertex, z);
      return meanRotated(weighted(rotations, vertex, q), linear.map((x, i) => x + beside[i]));
    });
    assert.ok(relativeError(body.surfaceDisplacement(), shapes.flat(), norm(shapes.flat())) < 1e-6, warping); // floats
    assert.ok(relativeError(body.displacement(7), shapes[7], norm(shapes[7])) < 1e-6);
    assert.ok(relativeError(body.rotation(7), weighted(rotations, 7, q), 1) < 1e-6);
  }
});

test('what the model says of itself', () => {
  const model = load();
  assert.equal(model.info.rank, 8);
  assert.equal(model.info.up, '-x');
  assert.equal(model.info.mass, 900 + 1200); // two groups of 1 m³
  assert.deepEqual(model.info.groups.map((g) => g.name), ['soft', 'hard']);
  assert.equal(model.info.groups[0].density, 900);
  assert.equal(model.restPositions().length, 3 * model.info.vertices);
  const triangles = model.triangles();
  assert.equal(triangles.length, 3 * model.info.triangles);
  assert.ok(triangles.every((id) => id >= 0 && id < model.info.vertices));

  // u = Uq with the basis as it is handed out.
  const q = Float64Array.from({ length: 8 }, (_, i) => Math.sin(i + 1));
  const body = worldOf({ q: [...q], position: [1, 2, 3], rotation: [0, 0.6, 0, 0.8] }).body('it');
  const basis = model.surfaceBasis(), u = body.surfaceDisplacement(), rows = 3 * model.info.vertices;
  const expected = Array.from({ length: rows }, (_, row) => q.reduce((sum, x, i) => sum + x * basis[i * rows + row], 0));
  assert.ok(relativeError(u, expected, norm(expected)) < 1e-6);
  // Turned by 2 atan(0.6/0.8) about y: cos 0.28, sin 0.96.
  const [x, y, z] = [0, 1, 2].map((axis) => model.restPositions()[15 + axis] + u[15 + axis]);
  assert.ok(relativeError(body.position(5), [1 + 0.28 * x + 0.96 * z, 2 + y, 3 - 0.96 * x + 0.28 * z], 1) < 1e-5);
  assert.deepEqual(body.pose, { position: [1, 2, 3], rotation: [0, 0.6, 0, 0.8] });
});

test('every setting is described', () => {
  const { StvkSettings, WarpSettings } = limber.fields;
  const alpha = StvkSettings.find((field) => field.name === 'damping.alpha');
  assert.deepEqual([alpha.kind, alpha.unit, alpha.least, alpha.default], ['number', '1/s', 0, 0]);
  assert.deepEqual(WarpSettings.find((field) => field.name === 'warping').words, ['warped', 'local', 'linear']);
});

test('settings are merged and read back', () => {
  const world = worldOf({ rank: 3, damping: { alpha: 1 } });
  world.apply({ body: 'it', set: { damping: { beta: 0.01 }, materials: { hard: { young: 5000 } } } });
  const { coordinates, damping, materials } = world.body('it').settings;
  assert.deepEqual(coordinates, [0, 1, 2]);
  assert.deepEqual(damping, { alpha: 1, beta: 0.01, strain_rate: 0 });
  assert.equal(materials.hard.young, 5000);
  assert.equal(materials.hard.density, 1200);
});

test('bodies are the same objects while they live, and know their springs', () => {
  const world = worldOf({ method: 'warp' });
  const it = world.body('it');
  world.apply({ add: { name: 'two', model: 'soft', method: 'stvk' } });
  assert.equal(world.bodies[0], it);
  assert.deepEqual(world.bodies.map((body) => body.name), ['it', 'two']);
  const rest = it.position(4), stiffness = it.suggestPullStiffness(4);
  assert.ok(stiffness > 0 && stiffness === it.suggestPullStiffness(4, 0.001));
  world.apply({ body: 'it', pull: { vertex: 4, target: rest.map((x) => x + 0.5), stiffness } });
  assert.ok(relativeError(it.springForces.flat(), [1, 1, 1].map(() => 0.5 * stiffness), stiffness) < 1e-12);
  assert.equal(it.constraintReport, null);
  world.apply({ body: 'it', constraints: { positions: [{ vertex: 4, displacement: [0.01, 0, 0] }], positions_by: 'newton' } });
  world.step(50);
  const { positionError, orientationError, iterations, fraction } = it.constraintReport;
  assert.ok(positionError < 1e-6 && orientationError === 0 && iterations <= 20 && fraction === 1);
  assert.ok(relativeError(it.displacement(4), [0.01, 0, 0], 1) < 1e-6);
});

test('a rigid body falls as Galileo says, and keeps its momentum', () => {
  const world = emptyWorld({ gravity: [0, 0, -10] });
  world.apply({ add: { name: 'box', model: 'box', method: 'rigid', density: 500, angular_velocity: [0, 0, 4], velocity: [1, 0, 0] } });
  const box = world.body('box');
  const before = box.momenta;
  assert.ok(relativeError(before.linear, [3, 0, 0], 1) < 1e-12); // 500 kg/m³ · 0.006 m³ · 1 m/s
  const { mass, centre, velocity, angularVelocity } = box.flight;
  assert.ok(relativeError([mass, ...centre, ...velocity, ...angularVelocity], [3, 0.1, 0, 0, 1, 0, 0, 0, 0, 4], 1) < 1e-12);
  world.dt = 0.01;
  world.step(100);
  assert.ok(relativeError(box.momenta.linear, [3, 0, -30], 1) < 1e-9);
  assert.ok(relativeError(box.momenta.angular, before.angular, 1) < 1e-12);
  assert.equal(box.q.length, 0);
  assert.equal(box.stableDt, Infinity);
  assert.ok(Math.abs(world.time - 1) < 1e-12 && world.steps === 100);
  assert.deepEqual(world.gravity, [0, 0, -10]);
});

test('numerics of a model: modes, derivatives, statics, selections, shapes', () => {
  const model = load();
  const { frequencies, shapes } = model.modes();
  assert.ok(frequencies.every((f, i) => f > 0 && (i === 0 || f >= frequencies[i - 1])));
  // Each mode's Rayleigh quotient is its frequency.
  shapes.forEach((shape, i) => assert.ok(Math.abs(model.rayleighFrequency(shape) / frequencies[i] - 1) < 1e-9));
  // Four times as stiff: twice as fast.
  const stiff = model.modes({ materials: { soft: { young: 4000 }, hard: { young: 12000 } } });
  stiff.frequencies.forEach((f, i) => assert.ok(Math.abs(f / frequencies[i] - 2) < 1e-9));
  assert.ok(relativeError(model.modalDerivative(0, 2), model.modalDerivative(2, 0), 1) < 1e-9);

  const statics = model.linearStatics();
  const [a, b] = [[1, 0, 0], [0, 2, 0]].map((force, i) => statics.coordinates([{ vertex: i, force }]));
  const both = statics.coordinates([{ vertex: 0, force: [1, 0, 0] }, { vertex: 1, force: [0, 2, 0] }]);
  assert.ok(relativeError(both, a.map((x, i) => x + b[i]), norm(both)) < 1e-12);
  // (A + s I) f = distance with s = tr A / 10.
  const v = statics.softestVertex, A = statics.compliance(v), distance = [0.1, 0.2, -0.1], force = statics.springForce(v, distance);
  const s = 0.1 * (A[0] + A[4] + A[8]);
  const back = [0, 1, 2].map((i) => force.reduce((sum, f, j) => sum + (A[3 * i + j] + (i === j ? s : 0)) * f, 0));
  assert.ok(relativeError(back, distance, 1) < 1e-9);
  statics.destroy();

  const rest = model.restPositions();
  const positive = Array.from({ length: model.info.vertices }, (_, i) => i).filter((i) => rest[3 * i] > 0.1);
  assert.deepEqual([...model.select('x > 0.1')], positive);
  assert.deepEqual([...limber.selectPoints('x > 0.1', rest)], positive);
  assert.deepEqual([...limber.selectPoints('none', [])], []);

  // Two shapes, one of them larger: found again up to their signs.
  const frame = (t) => Float64Array.of(3 * Math.cos(t), 0, 0, 0, Math.sin(t), 0);
  const found = limber.principalShapes(frame, { frames: 20, size: 6, tolerance: 1e-9, most: 5 });
  assert.equal(found.shapes.length, 2);
  assert.ok(found.error <= 1e-9);
  for (const t of [0, 7, 19]) {
    const sum = [0, 1, 2, 3, 4, 5].map((i) => found.shapes.reduce((x, shape, k) => x + shape[i] * found.weights[t][k], 0));
    assert.ok(relativeError(sum, frame(t), 1) < 1e-6);
  }
});

test('a body in balance stays where it is', () => {
  const world = worldOf({ method: 'stvk', newton: 0, tolerance: 1e-12 }, { gravity: [0, 0, -0.5] });
  const forces = [{ vertex: 3, force: [0.2, 0, 0] }];
  const { q, report } = world.body('it').balance(forces);
  assert.ok(report.converged);
  world.apply({ body: 'it', state: { q: [...q] }, forces });
  world.dt = 0.01;
  world.step(100);
  assert.ok(relativeError(world.body('it').q, q, norm(q)) < 1e-6);
});

test('settings of contact and wind are read back as they were applied', () => {
  const world = emptyWorld();
  assert.equal(world.contactSettings, null);
  assert.equal(world.wind, null);
  world.apply({ contact: { friction: 0.25, margin: 0.01, self: true }, wind: { velocity: [3, 0, 0], gusts: 0.2, seed: 7, elapsed: 2 } });
  assert.deepEqual(world.contactSettings, { enabled: true, stiffness: 'auto', dissipation: 1, friction: 0.25, self: true, margin: 0.01, sleep: true });
  assert.deepEqual(world.wind, { velocity: [3, 0, 0], drag: 1, gusts: 0.2, seed: 7, elapsed: 2 });
  world.apply({ contact: null, wind: null });
  assert.equal(world.contactSettings, null);
  assert.equal(world.wind, null);
});

test('every contact is told', () => {
  const world = emptyWorld({ gravity: [0, 0, -10] });
  world.apply({ contact: { sleep: false }, add_obstacle: { name: 'floor', shape: { plane: {} } } });
  world.apply({ add: { name: 'stone', model: 'box', method: 'rigid', density: 1000, position: [0, 0, 0.2] } });
  world.dt = 0.001;
  world.step(3000);
  world.apply({ obstacle: 'floor', place: { velocity: [0, 0, 0], angular_velocity: [0, 0, 2] } });
  const [{ place }] = world.obstacleInputs(world.findObstacle('floor'));
  assert.deepEqual(place.angular_velocity, [0, 0, 2]);
  const { contacts, contactReport, obstacles } = world, stone = world.body('stone');
  const weight = 60;  // N: 0.3 x 0.2 x 0.1 m
  assert.ok(contacts.length >= 3);
  let force = 0;
  for (const contact of contacts) {
    assert.deepEqual([contact.a, contact.b, contact.obstacle, contact.device], [stone.number, 0, obstacles[0].number, 0]);
    assert.ok(Math.abs(contact.position[2]) < 1e-9);
    assert.deepEqual(contact.normal, [0, 0, 1]);
    assert.ok(Math.abs(contact.impulse[2] - 0.001 * contact.force[2]) < 1e-12 * weight);
    assert.ok(contact.depth >= 0 && contact.slip < 1e-6);
    force += contact.force[2];
  }
  assert.ok(Math.abs(force - weight) < 1e-3 * weight, `${force} N under ${weight} N`);
  assert.ok(Math.abs(stone.contacts.force[2] - force) < 1e-9 * force);
  assert.equal(contactReport.touching, stone.contacts.points);
  for (const limit of ['not_converged', 'speeds_off', 'radii_unsettled', 'reverted', 'left_out', 'cut_short', 'refused'])
    assert.equal(contactReport[limit], 0, limit);
});
