// SPDX-License-Identifier: Apache-2.0
// A soft body under gravity for a tenth of a second, in a page: shows its coordinates.
import { loadLimber } from 'limber';
import wasm from 'limber/limber.wasm?url';

async function drop() {
  const limber = await loadLimber(await fetch(wasm));
  const world = limber.createWorld({ gravity: [0, 0, -9.81] });
  world.addModel('model.glb', limber.loadModel(await (await fetch('model.glb')).arrayBuffer()));
  world.apply({ add: { name: 'body', model: 'model.glb' } });
  world.dt = 0.001;
  world.step(100);
  return world.body('body').q.join('\n');
}

document.querySelector('#q').textContent = await drop().catch((error) => String(error));
