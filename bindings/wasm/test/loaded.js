// SPDX-License-Identifier: Apache-2.0
// The module and the models that write_reference.cpp wrote: LIMBER_WASM_PACKAGE and LIMBER_WASM_MADE are set as in
// CMakeLists.txt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.env.LIMBER_WASM_PACKAGE;
export const { loadLimber, LimberError } = await import(pathToFileURL(`${folder}/limber.js`));
export const wasm = readFileSync(`${folder}/limber.wasm`);
export const made = (name) => readFileSync(`${process.env.LIMBER_WASM_MADE}/${name}`);
export const softBytes = made('soft.glb');
export const scenario = JSON.parse(readFileSync(new URL('./scenario.json', import.meta.url)));
export const limber = await loadLimber(wasm);
export const load = () => limber.loadModel(softBytes);

// A world that knows all models.
export function emptyWorld(options) {
  const world = limber.createWorld(options);
  world.addModel('soft', load());
  world.addModel('box', limber.loadModel(made('box.glb')));
  world.addModel('points', limber.loadModel(made('points.glb')));
  return world;
}
// With one body "it".
export function worldOf(definition, options) {
  const world = emptyWorld(options);
  world.apply({ add: { name: 'it', model: 'soft', ...definition } });
  return world;
}

export const refused = (where, act, status = 'refused') =>
  assert.throws(act, (error) => error instanceof LimberError && error.where.includes(where) && error.problem.length > 0
    && error.status === status, where);
