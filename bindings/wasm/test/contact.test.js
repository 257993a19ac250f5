// SPDX-License-Identifier: Apache-2.0
// Contact in WebAssembly against the native library. It is chaotic, so not over long runs: one step from each of many
// saved states.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { limber, made } from './loaded.js';
import { Motion } from './motion.js';

test('a step with contact from each of 1,000 saved states equals that of the native library within 1e-9', (t) => {
  const scenario = JSON.parse(readFileSync(new URL('./contact.json', import.meta.url)));
  const states = JSON.parse(made('contact_states.json'));
  assert.equal(states.length, scenario.states);
  const world = limber.createWorld();
  for (const name of ['ball', 'held', 'warped', 'block']) world.addModel(name, limber.loadModel(made(`contact_${name}.glb`)));
  for (const input of scenario.inputs) world.apply(input);
  const motion = new Motion(made('contact_steps.f64'));
  for (const state of states) {
    for (const input of state) world.apply(input);
    assert.equal(world.step().notConverged, 0);
    motion.compare(world, { energiesOf: 'world' });
  }
  assert.ok(motion.isOver);
  t.diagnostic(`largest relative difference: ${motion.worst.toExponential(2)}`);
});
