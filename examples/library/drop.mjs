// SPDX-License-Identifier: Apache-2.0
// The same in JavaScript, for Node: npm install limber-0.1.0.tgz && node drop.mjs spoon.glb
import { readFile } from 'node:fs/promises';
import { loadLimber } from 'limber';

const limber = await loadLimber(await readFile(new URL(import.meta.resolve('limber/limber.wasm'))));
const world = limber.createWorld({ gravity: [0, 0, -9.81] });
world.addModel('model.glb', limber.loadModel(await readFile(process.argv[2])));
world.apply({ add: { name: 'body', model: 'model.glb' } });
world.dt = 0.001;
world.step(100);
for (const q of world.body('body').q) console.log(q);
