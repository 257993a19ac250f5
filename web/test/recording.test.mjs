// SPDX-License-Identifier: Apache-2.0
// Recordings: the file, and that a replay repeats a motion to the last bit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { parseScene, sceneText } = await pageModule('sim/recording.ts');
const { Simulation } = await pageModule('sim/simulation.ts');
const { defaultSettings } = await pageModule('sim/settings.ts');
const { following, shaking } = await pageModule('sim/support_motion.ts');
const limber = await loadWasm();
const file = barFile();

const tip = (sim) => {
  const x = sim.model.restPositions();
  let best = 0;
  for (let v = 0; v < x.length / 3; ++v) if (x[3 * v] > x[3 * best]) best = v;
  return best;
};
// 0.2 s up and down, with a turn about z.
const kHop = {
  name: 'hop', rate: 60,
  positions: Array.from({ length: 13 }, (_, i) => [0, 0, 0.01 * (1 - Math.cos(Math.PI * i / 6))]).flat(),
  orientations: Array.from({ length: 13 }, (_, i) => [0, 0, Math.sin(0.01 * i), Math.cos(0.01 * i)]).flat(),
};
const coordinates = (sim) => sim.frames().map(({ q }) => [...q]);

// Pulls, shakes, edits and lets go, in uneven portions of steps as frames would bring them.
function play(sim) {
  const vertex = tip(sim);
  const stiffness = sim.stiffnessAt(vertex);
  sim.step(7);
  for (let i = 0; i < 20; ++i) {
    sim.pull = { vertex, target: [1, 0.01 * i, 0.02 * i], stiffness };
    sim.step(3 + (i % 5));
  }
  sim.pull = null;
  const turn = Math.PI / 8;
  sim.wantConstraints({
    method: 'newton', exercised: [vertex, vertex - 1, vertex - 2], positions: [{ vertex, displacement: [-0.02, 0, 0.1] }],
    orientations: [{ vertex, orientation: [Math.sin(turn), 0, 0, Math.cos(turn)] }],
  });
  sim.step(60);
  sim.wantConstraints(null);
  sim.moveSupport(shaking({ direction: [0, 0, 1], amplitude: 0.004, hz: 4, periods: 2 }));
  sim.step(400);
  sim.moveSupport(following(kHop));
  sim.step(300);
  const { default: material } = sim.settings.materials;
  sim.change({ ...sim.settings, materials: { default: { ...material, young: 2 * material.young } }, gravity: [0, 0, -9.81] });
  sim.step(50);
  sim.change({ ...sim.settings, dt: 0.0005 });
  sim.step(31);
}

const kStaged = [
  [['stvk'], 'warped'], [['warped'], 'warped'], [['warped'], 'local'], [['stvk', 'warped', 'linear'], 'local'],
];
for (const [methods, warping] of kStaged) {
  test(`a replay of ${methods.join(' beside ')} (${warping}) repeats the recorded motion to the last bit`, () => {
    const settings = (model) => ({ ...defaultSettings(model.info), methods, warping });
    const sim = new Simulation(limber, file, settings);
    // Not from rest: the file must bring shape and speed along.
    sim.pull = { vertex: tip(sim), target: [1, 0.2, 0], stiffness: sim.stiffnessAt(tip(sim)) };
    sim.step(40);
    let scene = null;
    sim.onRecorded = (recorded) => { scene = recorded; };
    sim.startRecording('bar.glb');
    const first = sim.stepNumber;
    play(sim);
    const steps = sim.stepNumber - first;
    const expected = coordinates(sim);
    sim.stopRecording();
    assert.equal(scene.recording.steps, steps);
    for (const body of scene.bodies) assert.equal(body.warping, { stvk: undefined, warped: warping, linear: 'linear' }[body.name]);

    const again = new Simulation(limber, file, (model) => defaultSettings(model.info));
    again.startReplay(parseScene(sceneText(scene)));
    // One step less than all: the replay is still on.
    again.step(steps - 1);
    assert.ok(again.replay);
    again.step(1);
    assert.deepEqual(coordinates(again), expected);
    assert.ok(Math.abs(expected[0][0]) > 0);
    again.step(1);
    assert.equal(again.replay, null);
    sim.destroy();
    again.destroy();
  });
}

test('a body that becomes local on the way does so in the replay, and one whose scene says nothing is not', () => {
  const sim = new Simulation(limber, file, (model) => ({ ...defaultSettings(model.info), methods: ['warped', 'linear'] }));
  let scene = null;
  sim.onRecorded = (recorded) => { scene = recorded; };
  sim.startRecording('bar.glb');
  const vertex = tip(sim), stiffness = sim.stiffnessAt(vertex);
  sim.pull = { vertex, target: [0.8, 0.2, 0.5], stiffness };
  sim.step(300);
  const shape = () => sim.frames()[0].shapeCoordinates;
  const companions = (all) => [...all.slice(sim.model.info.warp_modes)];
  assert.ok(companions(shape()).some((z) => z !== 0));
  sim.change({ ...sim.settings, warping: 'local' });
  assert.ok(companions(shape()).every((z) => z === 0));
  sim.step(100);
  const expected = coordinates(sim);
  sim.stopRecording();
  const changes = scene.recording.inputs.filter(({ set }) => set);
  assert.deepEqual(changes.map(({ step, body, set }) => [step, body, set.warping]), [[300, 'warped', 'local']]);

  const replay = parseScene(sceneText(scene));
  delete replay.bodies[0].warping;
  const again = new Simulation(limber, file, (model) => ({ ...defaultSettings(model.info), warping: 'local' }));
  assert.equal(again.startReplay(replay).warping, 'warped');
  again.step(400);
  assert.deepEqual(coordinates(again), expected);
  assert.equal(again.settings.warping, 'local');
  sim.destroy();
  again.destroy();
});

test('a pull that fits the body bends it and lets it return', () => {
  for (const method of ['stvk', 'warped', 'linear']) {
    // A third of critical damping of the first mode, 1 Hz: twenty seconds leave e^-40 of it.
    const sim = new Simulation(limber, file, (model) => ({
      ...defaultSettings(model.info), methods: [method], damping: { alpha: 0, beta: 0.1, strain_rate: 0 },
    }));
    const vertex = tip(sim), rest = sim.bodies[0].position(vertex, []);
    const stiffness = sim.stiffnessAt(vertex);
    sim.pull = { vertex, target: [rest[0], rest[1], rest[2] + 0.3], stiffness };
    sim.step(4000);
    const [{ q, shapeCoordinates, report }] = sim.frames();
    assert.equal(report.converged, true);
    const lifted = sim.bodies[0].position(vertex, shapeCoordinates)[2] - rest[2];
    // Two thirds of the way by the linear model; large bends are stiffer.
    assert.ok(lifted > 0.08 && lifted < 0.22, `${method}: lifted by ${lifted} m`);
    sim.pull = null;
    sim.step(20000);
    const left = Math.hypot(...sim.frames()[0].q);
    assert.ok(left < 1e-3 * Math.hypot(...q), `${method}: ${left} is left`);
    sim.destroy();
  }
});

test('a constraint that is moved far goes there smoothly, and the warped body with it', () => {
  const sim = new Simulation(limber, file, (model) => ({ ...defaultSettings(model.info), methods: ['warped'] }));
  const vertex = tip(sim);
  sim.wantConstraints({ method: 'newton', positions: [{ vertex, displacement: [0, 0, 0.3] }] });
  const [body] = sim.bodies;
  const height = () => body.position(vertex, sim.frames()[0].shapeCoordinates)[2] - body.position(vertex, [])[2];
  // The time constant is 0.06 s: after 1 ms it has hardly begun, after 2 s it is there.
  sim.step(1);
  assert.ok(height() < 1e-3);
  sim.step(2000);
  assert.ok(Math.abs(height() - 0.3) < 1e-6, `${height()} m`);
  assert.equal(sim.frames()[0].report.converged, true);
  sim.destroy();
});

test('a recording is refused with what is wrong with it', () => {
  assert.throws(() => parseScene('{'), /not JSON/);
  assert.throws(() => parseScene('{}'), /"recording" is missing/);
  const scene = (recording) => JSON.stringify({ dt: 0.001, bodies: [{}], recording });
  assert.throws(() => parseScene(scene({ version: 2, steps: 1, inputs: [] })), /version 2/);
  assert.throws(() => parseScene(scene({ version: 1, steps: -1, inputs: [] })), /"steps" is -1/);
  const beside = (body, inputs = []) => JSON.stringify({
    dt: 0.001, bodies: [{ name: 'a', method: 'warp', warping: 'local' }, { name: 'b', ...body }], recording: { version: 1, steps: 1, inputs },
  });
  assert.throws(() => parseScene(beside({ method: 'warp', warping: 7 })), /body 1 has "warping": 7/);
  assert.throws(() => parseScene(beside({ method: 'warp' })), /body 1 moves as one before it does \(warped\)/);
  assert.throws(() => parseScene(beside({ method: 'linear' }, [{ step: 0, set: { warping: 'local' } }])), /input 0 sets "warping": "local"/);
  assert.throws(() => parseScene(beside({ method: 'stvk' }, [{ step: 0, body: 'a', set: { warping: 'bent' } }])), /input 0 has "warping": "bent"/);
  for (const body of [{ method: 'warp', warping: 'linear' }, { method: 'linear' }, { method: 'stvk' }])
    assert.equal(parseScene(beside(body, [{ step: 0, body: 'a', set: { warping: 'warped' } }])).bodies[0].warping, 'local');
  assert.throws(() => parseScene(scene({ version: 1, steps: 9, inputs: [{ step: 5 }, { step: 4 }] })), /input 1 has step 4/);
});
