// SPDX-License-Identifier: Apache-2.0
// The recordings of tests/data/recordings in WebAssembly, by the module itself and by the page's world: within 1e-9 of what
// `limber simulate` wrote. LIMBER_RECORDINGS is the folder of models, recordings and results, as CMakeLists.txt makes it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { loadWasm, pageModule } from './bundle.mjs';

const { LiveWorld } = await pageModule('sim/live_world.ts');
const { parseScene } = await pageModule('sim/recording.ts');
const limber = await loadWasm();
const folder = process.env.LIMBER_RECORDINGS ?? fileURLToPath(new URL('../../build/release/web_test/recordings', import.meta.url));
const text = (name) => readFileSync(`${folder}/${name}`, 'utf8');
const bytes = (name) => {
  const file = readFileSync(`${folder}/${name}`);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
};
// WebAssembly reads no meshes: the box as a model has the same surface.
const kFiles = { 'bar.glb': 'bar.glb', 'free.glb': 'free.glb', 'box.obj': 'box.glb' };

function readCsv(name) {
  const [head, ...rows] = text(name).trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((column, i) => [column, rows.map((row) => Number(row[i]))]));
}

// How far a body is from what the program has after so many steps: each coordinate against the largest of the body, and the
// place of a rigid one, whose origin is its centre, against a metre.
function differenceOf(columns, frame, { name, q, position }) {
  const names = Object.keys(columns).filter((column) => column.startsWith(`${name}.q`) && /\.q\d+$/.test(column));
  assert.equal(q.length, names.length, name);
  const size = Math.max(...names.flatMap((column) => columns[column].map(Math.abs)));
  const differences = names.map((column, i) => Math.abs(q[i] - columns[column][frame]) / size);
  if (q.length === 0) ['cx', 'cy', 'cz'].forEach((axis, i) => differences.push(Math.abs(position[i] - columns[`${name}.${axis}`][frame])));
  const worst = Math.max(...differences);
  assert.ok(worst <= 1e-9, `${name} after ${frame} steps: ${worst}`);
  return worst;
}

for (const name of ['every_input', 'touching', 'version_1']) {
  const scene = JSON.parse(text(`${name}.json`));
  const columns = readCsv(`${name}.csv`);
  const names = scene.bodies.map((body) => body.name);

  test(`the module moves as limber simulate: ${name}`, (t) => {
    const world = limber.createWorld();
    for (const [called, file] of Object.entries(kFiles)) world.addModel(called, limber.loadModel(bytes(file)));
    world.startReplay(scene);
    let worst = 0;
    for (let frame = 1; frame <= scene.recording.steps; ++frame) {
      assert.deepEqual([world.step().steps, world.replayProblem], [1, null], `step ${frame}`);
      for (const each of names) {
        const { q, pose } = world.body(each);
        worst = Math.max(worst, differenceOf(columns, frame, { name: each, q, position: pose.position }));
      }
    }
    t.diagnostic(`largest difference: ${worst.toExponential(2)}`);
  });

  test(`the page's world moves as limber simulate: ${name}`, () => {
    const world = new LiveWorld(limber, 'bar.glb', bytes('bar.glb'));
    for (const [called, file] of Object.entries(kFiles)) world.open(called, bytes(file));
    world.startReplay(parseScene(text(`${name}.json`)));
    for (let frame = 1; frame <= scene.recording.steps; ++frame) {
      world.step(1);
      const shown = world.frames().map(({ q, position }, place) => ({ name: world.bodies[place].name, q, position }));
      const compared = shown.filter((each) => names.includes(each.name));
      assert.equal(compared.length, names.length);
      for (const each of compared) differenceOf(columns, frame, each);
    }
  });
}
