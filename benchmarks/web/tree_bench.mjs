// SPDX-License-Identifier: Apache-2.0
// A tree of domains in WebAssembly, without a page: what a frame of 1/60 s takes, its steps and its surface, in processor
// time, which other programs do not disturb much.
//     usage: tree_bench.mjs WASM_FOLDER TREE.glb [STEPS_A_FRAME] [FRAMES]
import { readFileSync } from 'node:fs';

const [folder, file, stepsText = '1', framesText = '300'] = process.argv.slice(2);
const steps = Number(stepsText), frames = Number(framesText);
const { loadLimber } = await import(`${folder}/limber.js`);
const limber = await loadLimber(readFileSync(`${folder}/limber.wasm`));
const model = limber.loadModel(readFileSync(file));
const { domains, coordinates, vertices, frequencies_hz: [hz] } = model.info;
const world = limber.createWorld({ gravity: [0, 0, 0] });
world.addModel('tree', model);
world.dt = 1 / 60 / steps;
// 4% of critical damping at the first frequency, as the page has it.
world.apply({ add: { name: 'tree', model: 'tree', method: 'domains', damping: { beta: 0.04 / (Math.PI * hz) } } });
const wind = limber.fields.WindSettings !== undefined;
if (wind) world.apply({ wind: { velocity: [8, 0, 0], gusts: 0.4, seed: 1 } });
else world.apply({ gravity: [2, 0, 0] });

const [body] = world.bodies;
const times = { step: [], surface: [], page: [] };
const timed = (list, act) => {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  list.push((user + system) / 1000);
};
for (let frame = 0; frame < frames; ++frame) {
  timed(times.step, () => world.step(steps));
  timed(times.surface, () => body.surfaceDisplacement());
  // What the page asks for instead: the card computes the surface.
  timed(times.page, () => [body.q, body.domainPoses, body.pose]);
}
const quantile = (list, share) => list.slice().sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];
const told = (list) => `median ${quantile(list, 0.5).toFixed(2)} ms, 99% ${quantile(list, 0.99).toFixed(2)} ms`;
const whole = times.step.map((ms, i) => ms + times.surface[i]);
console.log(`${domains} domains, ${coordinates} coordinates, ${vertices} vertices; ${steps} steps a frame${wind ? ', in wind' : ''}`);
console.log(`steps            ${told(times.step)}`);
console.log(`surface          ${told(times.surface)}`);
console.log(`steps + surface  ${told(whole)}`);
console.log(`q and poses      ${told(times.page)}`);
console.log(`iterations of the last step: ${body.report.iterations}; largest |q|: ${Math.max(...body.q.map(Math.abs)).toPrecision(3)}`);
