// SPDX-License-Identifier: Apache-2.0
// The page's world: recordings, replays to the last bit, several bodies of one method, rigid ones, pulls and constraints.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { expectModels, modelsOf, parseScene, sceneText } = await pageModule('sim/recording.ts');
const { LiveWorld } = await pageModule('sim/live_world.ts');
const { defaultSettings, newBody } = await pageModule('sim/settings.ts');
const limber = await loadWasm();
const file = barFile();
const kBar = 'bar.glb';
const bar = limber.loadModel(file);

const rest = bar.restPositions();
const tip = Array.from({ length: rest.length / 3 }, (_, v) => v).reduce((best, v) => (rest[3 * v] > rest[3 * best] ? v : best), 0);
const restOf = (vertex) => [...rest.slice(3 * vertex, 3 * vertex + 3)];
// 0.2 s up and down, with a turn about z.
const kHop = {
  rate: 60,
  positions: Array.from({ length: 13 }, (_, i) => [0, 0, 0.01 * (1 - Math.cos(Math.PI * i / 6))]).flat(),
  orientations: Array.from({ length: 13 }, (_, i) => [0, 0, Math.sin(0.01 * i), Math.cos(0.01 * i)]).flat(),
};

// Bodies a metre apart.
function settingsWith(methods, changes = {}) {
  const bodies = [];
  methods.forEach((method, place) => {
    const body = newBody(bar.info, kBar, method, bodies, [0, place, 0]);
    bodies.push({ ...body, settings: { ...body.settings, ...(method === 'rigid' ? {} : changes) } });
  });
  return { ...defaultSettings(bar.info, kBar), bodies };
}
const open = (settings) => new LiveWorld(limber, kBar, file, settings);
const states = (world) => world.frames().map(({ q, position, orientation }) => [[...q], position, orientation]);

// Pulls, shakes, edits and lets go, in uneven portions of steps as frames would bring them.
function play(world) {
  const soft = world.settings.bodies.filter(({ method }) => method !== 'rigid');
  const { name } = world.settings.bodies[0];
  const stiffness = world.stiffnessAt(name, tip);
  world.step(7);
  for (let i = 0; i < 20; ++i) {
    world.apply({ body: name, pull: { vertex: tip, target: [1, 0.01 * i, 0.02 * i], stiffness } });
    world.step(3 + (i % 5));
  }
  world.apply({ body: name, pull: null });
  const turn = Math.PI / 8;
  for (const body of soft.filter(({ method }) => method === 'warp')) world.apply({
    body: body.name, constraints: {
      positions_by: 'newton', exercised: [tip, tip - 1, tip - 2], positions: [{ vertex: tip, displacement: [-0.02, 0, 0.1] }],
      orientations: [{ vertex: tip, orientation: [Math.sin(turn), 0, 0, Math.cos(turn)] }], smoothing: 0.06,
    },
  });
  world.step(60);
  for (const body of soft.filter(({ method }) => method === 'warp')) world.apply({ body: body.name, constraints: null });
  world.apply({ shake: { direction: [0, 0, 1], amplitude: 0.004, hz: 4, periods: 2 } });
  world.step(400);
  if (soft.length > 0) world.apply({ body: soft[0].name, follow: kHop });
  world.step(300);
  world.change({
    ...world.settings, gravity: [0, 0, -9.81],
    bodies: world.settings.bodies.map((body) => (body.method === 'stvk' ? { ...body, settings: {
      ...body.settings, materials: { default: { ...body.settings.materials.default, young: 2e6 } } } } : body)),
  });
  world.step(50);
  world.change({ ...world.settings, dt: 0.0005 });
  world.step(31);
}

const kStaged = [
  [['stvk'], {}], [['warp'], {}], [['warp'], { warping: 'local' }], [['stvk', 'warp', 'linear'], {}],
  [['stvk', 'stvk', 'rigid', 'rigid'], {}],
];
for (const [methods, changes] of kStaged) {
  test(`a replay of ${methods.join(' beside ')} ${JSON.stringify(changes)} repeats the recorded motion to the last bit`, () => {
    const world = open(settingsWith(methods, methods.length === 1 ? changes : {}));
    assert.equal(world.bodies.length, methods.length);
    // Not from rest: the file must bring shape and speed along.
    world.apply({ pull: { vertex: tip, target: [1, 0.2, 0], stiffness: 50, space: 'frame' } });
    world.step(40);
    let scene = null;
    world.onRecorded = (recorded) => { scene = recorded; };
    world.startRecording();
    const first = world.stepNumber;
    play(world);
    const steps = world.stepNumber - first;
    const expected = states(world);
    world.stopRecording();
    assert.equal(scene.recording.steps, steps);
    assert.equal(scene.recording.version, 3);
    assert.deepEqual(scene.bodies.map(({ name, method, model }) => [name, method, model]),
      world.settings.bodies.map(({ name, method, model }) => [name, method, model]));

    const again = open(null);
    again.startReplay(parseScene(sceneText(scene)));
    // One step less than all: the replay is still on.
    again.step(steps - 1);
    assert.ok(again.replay);
    again.step(1);
    assert.deepEqual(states(again), expected);
    again.step(1);
    assert.equal(again.replay, null);
    assert.deepEqual(again.settings.bodies.map(({ settings }) => settings), world.settings.bodies.map(({ settings }) => settings));
    world.destroy();
    again.destroy();
  });
}

test('bodies come and go, and a reset puts all of them back where they began', () => {
  const world = open(settingsWith(['stvk']));
  const two = settingsWith(['stvk', 'stvk', 'rigid']);
  world.change({ ...two, gravity: [0, 0, -9.81] });
  assert.deepEqual(world.bodies.map(({ name }) => name), ['stvk', 'stvk2', 'rigid']);
  world.step(100);
  // A rigid body falls by g t²/2, to rounding: its step is exact for a constant force.
  const [soft, second, fallen] = world.frames();
  assert.ok(Math.abs(fallen.position[2] + 0.5 * 9.81 * 0.01) < 1e-4, `${fallen.position}`);
  assert.deepEqual(soft.q, second.q);
  world.reset();
  assert.equal(world.time, 0);
  assert.deepEqual(world.frames().map(({ position }) => position), [[0, 0, 0], [0, 1, 0], [0, 2, 0]]);
  assert.ok(world.frames()[0].q.every((x) => x === 0));
  const left = { ...world.settings, bodies: world.settings.bodies.slice(1) };
  world.change(left);
  assert.deepEqual(world.bodies.map(({ name }) => name), ['stvk2', 'rigid']);
  assert.throws(() => world.apply({ body: 'stvk', pull: null }), /stvk/);
  world.destroy();
});

test('settings that the library refuses change nothing', () => {
  const world = open(settingsWith(['stvk', 'warp']));
  const before = world.settings;
  const [stvk, warp] = before.bodies;
  const wrong = { ...warp, settings: { ...warp.settings, young_scale: -1 } };
  assert.throws(() => world.change({ ...before, gravity: [0, 0, -1], bodies: [{ ...stvk, settings: { ...stvk.settings, newton: 3 } }, wrong] }));
  assert.deepEqual(world.settings, before);
  assert.equal(world.body('stvk').settings.newton, 1);
  assert.throws(() => world.change({ ...before, dt: -1 }));
  assert.equal(world.dt, before.dt);
  world.destroy();
});

test('settings of an earlier visit that no longer fit are those of a new body', () => {
  const kept = settingsWith(['stvk', 'warp']);
  kept.bodies[0].settings = { integrator: 'none such' };
  kept.bodies[1].settings = { ...kept.bodies[1].settings, warping: 'local' };
  kept.bodies.push({ ...kept.bodies[0], name: 'other', model: 'other.glb' });
  const world = open(kept);
  assert.deepEqual(world.settings.bodies.map(({ name, settings: { integrator, warping } }) => [name, integrator, warping]),
    [['stvk', 'newmark', undefined], ['warp', undefined, 'local']]);
  world.destroy();
});

test('a pull that fits the body bends it and lets it return', () => {
  for (const method of ['stvk', 'warp', 'linear']) {
    // A third of critical damping of the first mode, 1 Hz: twenty seconds leave e^-40 of it.
    const world = open(settingsWith([method], { damping: { beta: 0.1 } }));
    const stiffness = world.stiffnessAt(method, tip), [x, y, z] = restOf(tip);
    world.apply({ body: method, pull: { vertex: tip, target: [x, y, z + 0.3], stiffness } });
    world.step(4000);
    const [{ q, report }] = world.frames();
    assert.equal(report.converged, true);
    const lifted = world.body(method).position(tip)[2] - z;
    // Two thirds of the way by the linear model; large bends are stiffer.
    assert.ok(lifted > 0.08 && lifted < 0.22, `${method}: lifted by ${lifted} m`);
    world.apply({ body: method, pull: null });
    world.step(20000);
    const left = Math.hypot(...world.frames()[0].q);
    assert.ok(left < 1e-3 * Math.hypot(...q), `${method}: ${left} is left`);
    world.destroy();
  }
});

test('a rigid body swings about the end of its spring twice a second', () => {
  const world = open(settingsWith(['rigid']));
  const stiffness = world.stiffnessAt('rigid', tip), x = restOf(tip);
  world.apply({ body: 'rigid', pull: { vertex: tip, target: [x[0], x[1], x[2] + 0.001], stiffness } });
  const height = () => world.body('rigid').position(tip)[2] - x[2];
  // The mass is the least that a pull there moves, so other directions are slower: half a period is 0.25 s or a little more.
  let steps = 0;
  for (let before = height(); steps === 0 || height() > before; ++steps) {
    before = height();
    world.step(1);
  }
  assert.ok(steps * world.dt > 0.2 && steps * world.dt < 0.5, `${steps * world.dt} s`);
  world.destroy();
});

test('a constraint that is moved far goes there smoothly, and the warped body with it', () => {
  const world = open(settingsWith(['warp']));
  world.apply({ body: 'warp', constraints: { positions_by: 'newton', positions: [{ vertex: tip, displacement: [0, 0, 0.3] }], smoothing: 0.06 } });
  const height = () => world.body('warp').displacement(tip)[2];
  // The time constant is 0.06 s: after 1 ms it has hardly begun, after 2 s it is there.
  world.step(1);
  assert.ok(height() < 1e-3);
  world.step(2000);
  assert.ok(Math.abs(height() - 0.3) < 1e-6, `${height()} m`);
  assert.equal(world.frames()[0].report.converged, true);
  // A reset keeps the constraint, and begins at rest.
  world.reset();
  assert.equal(height(), 0);
  world.step(2000);
  assert.ok(Math.abs(height() - 0.3) < 1e-6, `${height()} m`);
  world.destroy();
});

test('a mode is played without moving the body', () => {
  const world = open(settingsWith(['warp']));
  const q = Float64Array.from({ length: bar.info.warp_modes }, (_, i) => (i < 2 ? 1 : 0));
  const swing = world.shapesAlong('warp', q);
  const middle = (swing.length - 1) / 2;
  assert.deepEqual([...swing.at(-1).slice(0, q.length)], [...q]);
  assert.ok(swing[middle].every((x) => x === 0));
  assert.ok(swing.at(-1).slice(q.length).some((z) => z !== 0), 'companions come with it');
  assert.ok(world.frames()[0].q.every((x) => x === 0));
  world.destroy();
});

test('a recording is refused with what is wrong with it', () => {
  assert.throws(() => parseScene('{'), /not JSON/);
  assert.throws(() => parseScene('{}'), /"recording" is missing/);
  const world = open(null), before = world.settings;
  const scene = (recording, body = {}) => ({ dt: 0.001, bodies: [{ name: 'a', model: kBar, method: 'stvk', ...body }], recording });
  const refused = (given, why) => {
    assert.throws(() => world.startReplay(given), why);
    assert.equal(world.replay, null);
    assert.deepEqual(world.settings, before);
  };
  refused(scene({ version: 7, steps: 1, inputs: [] }), /version 7/);
  refused(scene({ version: 2, steps: -1, inputs: [] }), /steps/);
  refused(scene({ version: 2, steps: 9, inputs: [{ step: 5 }, { step: 4 }] }), /step 4 is before step 5/);
  refused(scene({ version: 2, steps: 1, inputs: [] }, { model: 'spoon.glb' }), /spoon\.glb/);
  world.destroy();
});

test('a recording that needs models which are not open names their files', () => {
  const body = (model) => ({ name: model, model, method: 'stvk' });
  const scene = { dt: 0.001, bodies: [body(kBar), body('spoon.glb')], recording: { version: 2, steps: 1, inputs: [{ step: 0, add: body('heart.glb') }] } };
  assert.deepEqual(modelsOf(scene), [kBar, 'spoon.glb', 'heart.glb']);
  assert.throws(() => expectModels(scene, [kBar]), /spoon\.glb and heart\.glb, which are not open/);
  expectModels(scene, [kBar, 'spoon.glb', 'heart.glb']);
});

test('a recording of version 1 is replayed', () => {
  const world = open(null);
  world.startReplay({
    duration: 0.1, dt: 0.001, gravity: [0, 0, 0], bodies: [{ name: 'warped', model: kBar, method: 'warp', warping: 'warped' }],
    recording: { version: 1, steps: 100, inputs: [
      { step: 0, pull: { vertex: tip, target: [1, 0, 0.3], stiffness: 50 } }, { step: 50, pull: null },
      { step: 60, pins: { method: 'newton', positions: [{ vertex: tip, displacement: [0, 0, 0.01] }] } }] },
  });
  world.step(50);
  assert.ok(world.frames()[0].force);
  world.step(60);
  assert.equal(world.replay, null);
  assert.deepEqual(world.settings.bodies.map(({ name, method }) => [name, method]), [['warped', 'warp']]);
  world.destroy();
});
