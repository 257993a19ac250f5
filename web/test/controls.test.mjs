// SPDX-License-Identifier: Apache-2.0
// Sliders, time steps and texts of the panels.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { fromSlot, shortNumber, toSlot } = await pageModule('panels/controls.tsx');
const {
  bodyLabel, inputsBetween, newBody, roundDown125, softMethods, translateSettings, withSettings,
} = await pageModule('sim/settings.ts');
const { commandLineText, pythonText } = await pageModule('panels/as_text.ts');

test('a slider by factors finds its values again', () => {
  for (const value of [1, 3.16, 100, 9990]) assert.equal(fromSlot(toSlot(value, 1, 1e4, 'log'), 1, 1e4, 'log'), value);
  assert.equal(fromSlot(toSlot(0, 1e-6, 1, 'log-zero'), 1e-6, 1, 'log-zero'), 0);
  assert.equal(fromSlot(500, -2, 2, 'linear'), 0);
});

test('time steps are 1, 2 or 5 times a power of ten', () => {
  assert.deepEqual([0.001, 0.0099, 0.004, 7.3e-5].map(roundDown125), [0.001, 0.005, 0.002, 5e-5]);
});

test('numbers are short', () => {
  assert.deepEqual([0, 5e6, 0.45, 1100, 0.0003, 12345.678].map(shortNumber), ['0', '5e6', '0.45', '1100', '3e-4', '12350']);
});

const info = {
  rank: 15, methods: ['stvk', 'warp'], command: 'limber build spoon', frequencies_hz: [10],
  groups: [{ name: 'default', young: 5e6, poisson: 0.45, density: 1100, volume: 1 }],
};
const field = (name, value) => ({ name, kind: 'number', sentence: '', default: value });
const soft = [field('damping.alpha', 0), field('damping.beta', 0)];
const fields = {
  StvkSettings: [...soft, field('integrator', 'newmark'), field('newton', 1)],
  WarpSettings: [...soft, field('warping', 'warped'), field('young_scale', 1)],
  RigidSettings: [field('density', 1000)],
};
const body = (method, settings, more = {}) => ({ name: method, model: 'spoon.glb', method, position: [0, 0, 0], rotation: [0, 0, 0, 1], settings, ...more });
const stvk = body('stvk', {
  materials: { default: { young: 1e7, poisson: 0.45, density: 1100 } }, coordinates: [0, 1, 2], integrator: 'euler', newton: 1,
  damping: { alpha: 0, beta: 0.01 },
});
const copied = (bodies, pull = null) => ({
  settings: { dt: 0.001, gravity: [0, 0, -9.81], contact: null, obstacles: [], bodies }, models: new Map([['spoon.glb', { info }]]), fields, pull,
});
const sceneOf = (text) => JSON.parse(text.slice(text.indexOf('\n{') + 1, text.indexOf('\nEND')));

test('a model with modes for warping also runs as linear modes', () => {
  assert.deepEqual(softMethods(info), ['stvk', 'warp', 'linear']);
  assert.deepEqual(softMethods({ ...info, methods: ['warp'] }), ['warp', 'linear']);
});

test('each body has a name of its own', () => {
  const bodies = [];
  for (const [method, model] of [['stvk', 'a.glb'], ['stvk', 'a.glb'], ['rigid', 'a.glb'], ['stvk', 'b.glb'], ['stvk', 'b.glb']])
    bodies.push(newBody(info, model, method, bodies));
  assert.deepEqual(bodies.map(({ name }) => name), ['stvk', 'stvk2', 'rigid', 'b-stvk', 'b-stvk2']);
  assert.deepEqual(newBody(info, 'a.glb', 'rigid', []).settings, { density: 1100 });
});

test('what differs between two settings is what is applied', () => {
  const before = { dt: 0.001, gravity: [0, 0, 0], contact: null, obstacles: [], bodies: [stvk, body('warp', { warping: 'warped', step: 'semi-implicit' })] };
  assert.deepEqual(inputsBetween(before, before), []);
  const after = {
    ...before, gravity: [0, 0, -9.81],
    bodies: [body('warp', { warping: 'local', step: 'semi-implicit' }, { position: [1, 0, 0] }), body('rigid', { density: 900 })],
  };
  assert.deepEqual(inputsBetween(before, after), [
    { body: 'stvk', remove: true },
    { gravity: [0, 0, -9.81] },
    { body: 'warp', place: { position: [1, 0, 0], rotation: [0, 0, 0, 1] } },
    { body: 'warp', set: { warping: 'local' } },
    { add: { name: 'rigid', model: 'spoon.glb', method: 'rigid', density: 900 } },
  ]);
});

test('obstacles come, move and go; contact is said after they came', () => {
  const stood = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
  const floor = { name: 'floor', shape: { plane: {} }, ...stood }, ball = { name: 'b', shape: { sphere: { radius: 1 } }, ...stood };
  const none = { dt: 0.001, gravity: [0, 0, 0], contact: null, obstacles: [], bodies: [stvk] };
  const two = { ...none, contact: { friction: 0.3 }, obstacles: [floor, ball] };
  assert.deepEqual(inputsBetween(none, two), [{ add_obstacle: floor }, { add_obstacle: ball }, { contact: { friction: 0.3 } }]);
  assert.deepEqual(inputsBetween(two, two), []);
  const raised = { ...floor, position: [0, 0, 1] }, larger = { ...ball, shape: { sphere: { radius: 2 } } };
  assert.deepEqual(inputsBetween(two, { ...two, obstacles: [raised, larger] }), [
    { obstacle: 'b', remove: true }, { obstacle: 'floor', place: { position: [0, 0, 1], rotation: [0, 0, 0, 1] } }, { add_obstacle: larger },
  ]);
  assert.deepEqual(inputsBetween(two, none), [{ obstacle: 'floor', remove: true }, { obstacle: 'b', remove: true }, { contact: null }]);
});

test('a body of which nothing is fixed flies, unless its file is too old or the user fixes it', () => {
  const loose = { ...info, free_body: true, can_be_free: true };
  assert.equal(newBody(loose, 'a.glb', 'stvk', []).mount, 'free');
  assert.equal(newBody(loose, 'a.glb', 'warp', []).mount, 'fixed');
  assert.equal(newBody({ ...loose, can_be_free: false }, 'a.glb', 'stvk', []).mount, 'fixed');
  assert.equal(newBody(info, 'a.glb', 'stvk', []).mount, 'fixed');
  const free = body('stvk', { integrator: 'energy', newton: 0 }, { mount: 'free' });
  const text = (one) => sceneOf(commandLineText({ ...copied([one]), models: new Map([['spoon.glb', { info: loose }]]) })).bodies[0];
  assert.deepEqual(text(free), { name: 'stvk', model: 'spoon.glb', method: 'stvk' });
  assert.equal(text({ ...free, mount: 'fixed' }).mount, 'fixed');
  // Mounted in another way it is another body.
  const settings = { dt: 0.001, gravity: [0, 0, 0], contact: null, obstacles: [], bodies: [body('stvk', {}, { mount: 'free' })] };
  assert.deepEqual(inputsBetween(settings, { ...settings, bodies: [body('stvk', {}, { mount: 'fixed' })] }), [
    { body: 'stvk', remove: true },
    { add: { name: 'stvk', model: 'spoon.glb', method: 'stvk', mount: 'fixed' } },
  ]);
});

test('the number of coordinates takes the place of their list', () => {
  assert.deepEqual(withSettings({ coordinates: [0, 1], newton: 1 }, { rank: 5 }), { newton: 1, rank: 5 });
  assert.deepEqual(withSettings({ damping: { alpha: 1, beta: 2 } }, { damping: { beta: 3 } }), { damping: { alpha: 1, beta: 3 } });
});

test('settings that were kept when all bodies shared them are translated', () => {
  const old = {
    methods: ['warped', 'linear'], dt: 0.001, gravity: [0, 0, -1], materials: {}, rank: 15, integrator: 'newmark', newton: 1,
    damping: { alpha: 0, beta: 0.01, strain_rate: 0 }, warpStep: 'closed-form', warping: 'local',
  };
  assert.deepEqual(translateSettings(old, 'spoon.glb'), {
    dt: 0.001, gravity: [0, 0, -1], contact: null, obstacles: [],
    bodies: [body('warp', { step: 'closed-form', damping: { alpha: 0, beta: 0.01 }, warping: 'local' })],
  });
  const { bodies } = translateSettings({ ...old, methods: ['stvk'] }, 'spoon.glb');
  assert.deepEqual(bodies[0].settings, { materials: {}, rank: 15, integrator: 'newmark', newton: 1, damping: old.damping });
  // Those of before there was contact.
  const now = { dt: 0.001, gravity: [0, 0, 0], bodies };
  assert.deepEqual(translateSettings(now, 'spoon.glb'), { ...now, contact: null, obstacles: [] });
  for (const none of [null, 7, {}, { dt: 0.001 }]) assert.equal(translateSettings(none, 'spoon.glb'), null);
});

test('settings as a command line are a scene with what was changed', () => {
  const text = commandLineText(copied([stvk, body('rigid', { density: 1000 }, { position: [0.5, 0, 0] })]));
  const scene = sceneOf(text);
  assert.equal(scene.recording, undefined);
  assert.deepEqual(scene.bodies, [
    { name: 'stvk', model: 'spoon.glb', method: 'stvk', materials: { default: { young: 1e7, poisson: 0.45, density: 1100 } },
      coordinates: [0, 1, 2], integrator: 'euler', damping: { beta: 0.01 } },
    { name: 'rigid', model: 'spoon.glb', method: 'rigid', position: [0.5, 0, 0] },
  ]);
  assert.match(text, /\nlimber simulate scene\.json -o motion\.glb\n$/);
});

test('the shape of a warped body is carried along; a linear one stays linear', () => {
  const bodies = [body('warp', { warping: 'local' }), body('linear', {})];
  assert.deepEqual(sceneOf(commandLineText(copied(bodies))).bodies.map(({ method, warping }) => [method, warping]),
    [['warp', 'local'], ['linear', undefined]]);
  const python = pythonText(copied(bodies));
  assert.match(python, /world\.add\(models\["spoon\.glb"\], name="warp", method="warp", warping="local"\)/);
  assert.match(python, /world\.add\(models\["spoon\.glb"\], name="linear", method="linear"\)/);
  assert.equal(bodyLabel(body('warp', { warping: 'warped' }), null), 'Modal warping');
  assert.equal(bodyLabel(bodies[0], null), 'Modal warping, local');
  assert.equal(bodyLabel(bodies[1], 'Spoon'), 'Spoon: Linear modes');
});

test('settings as Python are words of world.add', () => {
  assert.match(pythonText(copied([stvk])), /name="stvk", method="stvk", .*integrator="euler", damping=\{"beta": 0\.01\}\)/);
  assert.match(pythonText(copied([stvk])), /limber\.World\(gravity=\[0, 0, -9\.81\]\)/);
});

test('a mesh that an obstacle is of is added to the world of the Python program', () => {
  const obstacle = { name: 'wall', shape: { mesh: 'wall.glb' } };
  const text = (obstacles) => { const one = copied([stvk]); return pythonText({ ...one, settings: { ...one.settings, obstacles } }); };
  assert.match(text([obstacle]), /in \["spoon\.glb", "wall\.glb"\]\}\n(.*\n)+for name, model in models\.items\(\):\n    world\.add_model\(name, model\)\nworld\.apply\(\{"add_obstacle"/);
  assert.doesNotMatch(text([]), /add_model/);
  assert.match(text([{ ...obstacle, layer: null }]), /"layer": None/);
});

test('the last pull is a part of both texts', () => {
  const pull = { body: 'stvk', pull: { vertex: 12, target: [0.1, 0, 0.05], stiffness: 3.5 } };
  const { recording } = sceneOf(commandLineText(copied([stvk], pull)));
  assert.deepEqual(recording, { version: 3, steps: 2000, inputs: [{ step: 0, ...pull }] });
  const python = pythonText(copied([stvk], pull));
  assert.match(python, /world\.apply\(\{"body": "stvk", "pull": \{"vertex": 12, "target": \[0\.1, 0, 0\.05\], "stiffness": 3\.5\}\}\)/);
  assert.match(python, /PYTHONPATH=LIMBER\/build\/release\/python/);
});
