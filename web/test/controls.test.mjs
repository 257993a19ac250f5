// SPDX-License-Identifier: Apache-2.0
// Sliders, time steps and texts of the panels.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { fromSlot, shortNumber, toSlot } = await pageModule('panels/controls.tsx');
const { bodyName, roundDown125, methodsOf } = await pageModule('sim/settings.ts');
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
  rank: 15, methods: ['stvk', 'warp'], command: 'limber build spoon',
  groups: [{ name: 'default', young: 5e6, poisson: 0.45, density: 1100, volume: 1 }],
};
const settings = {
  methods: ['stvk'], dt: 0.001, gravity: [0, 0, -9.81], materials: { default: { young: 1e7, poisson: 0.45, density: 1100 } },
  rank: 10, integrator: 'newmark', newton: 1, damping: { alpha: 0, beta: 0.01, strain_rate: 0 }, warpStep: 'semi-implicit',
  warping: 'warped',
};

test('a model with modes for warping also runs as linear modes', () => {
  assert.deepEqual(methodsOf(info), ['stvk', 'warped', 'linear']);
  assert.deepEqual(methodsOf({ ...info, methods: ['warp'] }), ['warped', 'linear']);
});

test('settings as a command line are a scene with what was changed', () => {
  const text = commandLineText(settings, info, 'spoon.glb', null);
  const scene = JSON.parse(text.slice(text.indexOf('\n{') + 1, text.indexOf('\nEND')));
  assert.equal(scene.recording, undefined);
  assert.deepEqual(scene.bodies, [{
    name: 'stvk', model: 'spoon.glb', method: 'stvk', rank: 10, integrator: 'newmark', newton: 1, damping: { beta: 0.01 },
    materials: { default: { young: 1e7, poisson: 0.45, density: 1100 } },
  }]);
  assert.match(text, /\nlimber simulate scene\.json -o motion\.glb\n$/);
});

test('the shape of a warped body is carried along; a linear one stays linear', () => {
  for (const warping of ['warped', 'local']) {
    const chosen = { ...settings, methods: ['warped', 'linear'], warping };
    const text = commandLineText(chosen, info, 'spoon.glb', null);
    const { bodies } = JSON.parse(text.slice(text.indexOf('\n{') + 1, text.indexOf('\nEND')));
    assert.deepEqual(bodies.map((body) => [body.name, body.method, body.warping]),
      [['warped', 'warp', warping], ['linear', 'warp', 'linear']]);
    const python = pythonText(chosen, info, 'spoon.glb', null);
    assert.match(python, new RegExp(`warped = limber\\.WarpBody\\(model, warping="${warping}", `));
    assert.match(python, /linear = limber\.WarpBody\(model, warping="linear", /);
  }
  assert.equal(bodyName('warped', settings), 'Modal warping');
  assert.equal(bodyName('warped', { ...settings, warping: 'local' }), 'Modal warping, local');
  assert.equal(bodyName('linear', { ...settings, warping: 'local' }), 'Linear modes');
});

test('settings as Python are words of limber.Body', () => {
  assert.match(pythonText(settings, info, 'spoon.glb', null),
    /limber\.Body\(model, rank=10, integrator="newmark", newton=1, damping=\{"beta": 0\.01\}, .*gravity=\(0, 0, -9\.81\)\)/);
});

test('the last pull is a part of both texts', () => {
  const pull = { vertex: 12, target: [0.1, 0, 0.05], stiffness: 3.5 };
  const text = commandLineText(settings, info, 'spoon.glb', pull);
  const scene = JSON.parse(text.slice(text.indexOf('\n{') + 1, text.indexOf('\nEND')));
  assert.deepEqual(scene.recording, { version: 1, steps: 2000, inputs: [{ step: 0, pull }] });
  const python = pythonText(settings, info, 'spoon.glb', pull);
  assert.match(python, /vertex, stiffness, target = 12, 3\.5, np\.array\(\(0\.1, 0, 0\.05\)\)/);
  assert.match(python, /PYTHONPATH=LIMBER\/build\/release\/python/);
});
