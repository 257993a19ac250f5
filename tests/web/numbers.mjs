// SPDX-License-Identifier: Apache-2.0
// What the page computes and draws is right: against theory, against the library on the CPU, and against the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beam, farthest, folder, freeEnd, inStudio, openLive, program, shownLive, studio, until, visit } from './in_studio.mjs';
import { limber } from './studio.mjs';
import { areaWeightedNormals, degreesBetween } from './normals.mjs';

// The frequency (1/s) at which a cosine and a sine fit the samples best; they are `dt` apart.
function frequencyOf(samples, dt, low, high) {
  const left = (hz) => {
    let cc = 0, cs = 0, ss = 0, cy = 0, sy = 0, yy = 0;
    samples.forEach((y, i) => {
      const [c, s] = [Math.cos(2 * Math.PI * hz * i * dt), Math.sin(2 * Math.PI * hz * i * dt)];
      cc += c * c, cs += c * s, ss += s * s, cy += c * y, sy += s * y, yy += y * y;
    });
    const det = cc * ss - cs * cs;
    return yy - (cy * (ss * cy - cs * sy) + sy * (cc * sy - cs * cy)) / det;
  };
  const count = 2000;
  let best = low;
  for (let i = 0; i <= count; ++i) {
    const hz = low + ((high - low) * i) / count;
    if (left(hz) < left(best)) best = hz;
  }
  return best;
}

// Of the free bar, let go a millimetre from rest, undamped, in simulated time: 8 samples of q a period, 8 periods.
async function swing(page, hook, vertex, hz) {
  await hook.reset();
  const rest = await hook.restPositions();
  const target = rest.slice(3 * vertex, 3 * vertex + 3);
  await hook.pull(vertex, [target[0], target[1], target[2] + 0.001], 100);
  await hook.step(Math.round(0.5 / hz / 0.001));
  await hook.release();
  const steps = Math.round(1 / (8 * hz) / 0.001);
  const q = await page.evaluate(async (count) => {
    const samples = [];
    for (let i = 0; i < 64; ++i) {
      await window.limber.step(count);
      samples.push(Array.from(await window.limber.q()));
    }
    return samples;
  }, steps);
  const size = (k) => q.reduce((sum, sample) => sum + sample[k] ** 2, 0);
  const strongest = q[0].map((_, k) => k).reduce((a, b) => (size(a) > size(b) ? a : b));
  return frequencyOf(q.map((sample) => sample[strongest]), 0.001 * steps, 0.7 * hz, 1.3 * hz);
}

inStudio('twice the stiffness vibrates √2 times as fast', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.set({ dt: 0.001 });
  await hook.setBody({ damping: { alpha: 0, beta: 0, strain_rate: 0 } });
  const vertex = await freeEnd(hook);
  const slow = await swing(page, hook, vertex, 1.02);
  const field = page.getByLabel("Young's modulus E", { exact: true });
  const { young } = (await hook.settings()).bodies[0].settings.materials.default;
  await field.fill(String(2 * young));
  await field.press('Enter');
  await until(page, async (pascals) => (await window.limber.settings()).bodies[0].settings.materials.default.young === pascals,
    2 * young);
  const fast = await swing(page, hook, vertex, 1.02 * Math.SQRT2);
  assert.ok(Math.abs(fast / slow / Math.SQRT2 - 1) < 0.01, `${slow} Hz, then ${fast} Hz`);
  // Euler's cantilever of 1 × 0.2 × 0.2 m: 1.875² / (2π L²) √(E h² / (12 ρ)) = 1.0215 Hz; shear takes 3% from it,
  // and so coarse bricks give as much back.
  assert.ok(Math.abs(slow / 1.0215 - 1) < 0.03, `${slow} Hz`);
});

// All methods side by side, far from rest: near the end of their first swing on the spring.
async function bendFar(hook) {
  await hook.run(false);
  await hook.show(['stvk', 'warp', 'linear']);
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  const [x, y, z] = rest.slice(3 * vertex, 3 * vertex + 3);
  await hook.pull(vertex, [x - 0.6, y + 0.3, z + 0.9], 2000);
  await hook.step(200);
}

inStudio('the card draws what the library computes: positions to rounding, normals within 1°', async (page) => {
  const hook = await openLive(page);
  await bendFar(hook);
  const rest = await hook.restPositions(), triangles = await hook.triangles();
  for (const [body, method] of ['stvk', 'warp', 'linear'].entries()) {
    const card = await hook.positionsFromGpu(body), cpu = await hook.positionsFromCpu(body);
    assert.ok(farthest(cpu, rest) > 0.4, `${method} is bent far`);
    // Sums of ten products of numbers below 1 m in floats: some 20 roundings of 6e-8.
    assert.ok(farthest(card, cpu) < 1.5e-6, `${method}: ${farthest(card, cpu)} m apart`);
    const { normals, vertexOf } = await hook.normalsFromGpu(body);
    const expected = areaWeightedNormals(cpu, rest, triangles);
    const worst = vertexOf.reduce((most, vertex, i) => Math.max(most,
      Math.min(...expected[vertex].map((normal) => degreesBetween(normal, normals.slice(3 * i, 3 * i + 3))))), 0);
    assert.ok(worst < 1, `${method}: a normal is ${worst}° off`);
  }
});

// The bar's surface is that of its bricks, so each of its vertices is one of the mesh.
async function meshIsAtTheSurface(hook, body, method) {
  const key = (positions, v) => positions.slice(3 * v, 3 * v + 3).map((x) => x.toFixed(6)).join();
  const rest = await hook.restPositions(), restMesh = await hook.restMesh();
  const vertexOf = new Map(Array.from({ length: restMesh.length / 3 }, (_, v) => [key(restMesh, v), v]));
  const mesh = await hook.meshPositions(body), surface = await hook.positionsFromCpu(body);
  const found = Array.from({ length: rest.length / 3 }, (_, v) => vertexOf.get(key(rest, v))).flatMap((v) => mesh.slice(3 * v, 3 * v + 3));
  assert.ok(farthest(surface, rest) > 0.1, `${method} is bent by ${farthest(surface, rest)} m`);
  assert.ok(farthest(found, surface) < 2e-6, `${method}: ${farthest(found, surface)} m apart`); // as above
}

for (const query of ['', '&draw=cpu'])
  inStudio(`the simulation mesh moves with every body${query && ', also where the processor draws'}`, async (page) => {
    await visit(page, '#/');
    await page.goto(`${studio.address}?antialias=off${query}#/live/${beam}`);
    const hook = await shownLive(page);
    assert.equal((await hook.state()).onTheCard, query === '');
    await bendFar(hook);
    assert.equal(await hook.meshPositions(0), null);
    await page.getByText('Show', { exact: true }).click();
    await page.getByLabel('Simulation mesh').check();
    const methods = ['stvk', 'warp', 'linear'];
    for (const [body, method] of methods.entries()) await meshIsAtTheSurface(hook, body, method);
    // And on from there.
    await hook.release();
    await hook.step(30);
    for (const [body, method] of methods.entries()) await meshIsAtTheSurface(hook, body, method);
  });

// The rows of a .csv by the name of the column.
function readCsv(file) {
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
}

inStudio('a recorded input moves the program’s bodies as it moved the page’s', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.show(['stvk', 'warp', 'linear']);
  const methods = (await hook.settings()).bodies.map(({ name }) => name);
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  const at = (x, y, z) => [x, y, z].map((u, k) => rest[3 * vertex + k] + u);
  await hook.record();
  const seen = [];
  const go = async (steps) => {
    await hook.step(steps);
    seen.push({ step: (seen.at(-1)?.step ?? 0) + steps, q: await Promise.all(methods.map((_, body) => hook.q(body))) });
  };
  await hook.pull(vertex, at(0, 0.1, 0.2), 300);
  await go(137);
  await hook.pull(vertex, at(-0.2, 0, 0.5), 300);
  await go(200);
  await hook.set({ gravity: [0, 0, -9.81] });
  await go(100);
  await hook.setBody({ warping: 'local' }, 1);
  await go(63);
  await hook.release();
  await hook.setBody({ materials: { default: { young: 2e6, poisson: 0.3, density: 900 } } });
  for (const body of [1, 2]) await hook.setBody({ young_scale: 2, density_scale: 0.9 }, body);
  await go(400);
  const scene = await hook.stopRecording();
  assert.equal(scene.recording.steps, 900);

  const file = join(folder, 'recording.json'), csv = join(folder, 'recording.csv');
  copyFileSync(join(folder, 'beam.glb'), join(folder, scene.bodies[0].model));
  writeFileSync(file, JSON.stringify(scene));
  await limber(program, 'simulate', file, '-o', csv, '--quiet');
  const columns = readCsv(csv);
  methods.forEach((method, body) => {
    const names = seen[0].q[body].map((_, k) => `${method}.q${k}`);
    const size = Math.max(...names.flatMap((name) => columns[name].map(Math.abs)));
    assert.ok(size > 0.1, `${method} moves`);
    for (const { step, q } of seen)
      assert.ok(farthest(q[body], names.map((name) => columns[name][step])) < 1e-9 * size, `${method} at step ${step}`);
  });
  // And the page's own replay ends at the same state, bit for bit.
  await hook.replay(scene);
  await hook.step(900);
  assert.deepEqual(await Promise.all(methods.map((_, body) => hook.q(body))), seen.at(-1).q);
});

inStudio('the settings as a command line run in the program; as Python they run in the module', async (page) => {
  const hook = await openLive(page);
  await hook.show(['stvk', 'warp', 'rigid']);
  await hook.set({ gravity: [0, 0, -9.81] });
  await hook.setBody({ materials: { default: { young: 2e6, poisson: 0.3, density: 900 } } });
  await hook.setBody({ warping: 'local' }, 1);
  // Sideways, where gravity does not act.
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  await hook.pull(vertex, [rest[3 * vertex], rest[3 * vertex + 1] + 0.3, rest[3 * vertex + 2]], 200);
  await page.getByText('Copy as command or Python').click();
  await page.getByRole('button', { name: 'Command line' }).click();
  const text = await page.getByLabel('Copied text').textContent();
  const [, scene] = /<<'END'\n(.*)\nEND\nlimber simulate scene\.json -o motion\.glb\n$/s.exec(text);
  const file = join(folder, 'copied.json');
  copyFileSync(join(folder, 'beam.glb'), join(folder, `${beam}.glb`));
  writeFileSync(file, scene);
  await limber(program, 'simulate', file, '-o', join(folder, 'copied.csv'), '--quiet');
  // Gravity bends the bar down; without the pull it goes elsewhere.
  const columns = readCsv(join(folder, 'copied.csv'));
  assert.ok(columns['stvk.q0'].some((x) => Math.abs(x) > 0.01));
  const { recording, ...unpulled } = JSON.parse(scene);
  assert.equal(recording.inputs[0].pull.vertex, vertex);
  writeFileSync(file, JSON.stringify(unpulled));
  await limber(program, 'simulate', file, '-o', join(folder, 'unpulled.csv'), '--quiet');
  const free = readCsv(join(folder, 'unpulled.csv'));
  assert.ok(Object.keys(free).some((name) => /^stvk.q/.test(name) && farthest(free[name], columns[name]) > 0.1));

  await page.getByRole('button', { name: 'Python' }).click();
  await page.getByLabel('Copied text').filter({ hasText: 'import limber' }).waitFor();
  const python = await page.getByLabel('Copied text').textContent();
  assert.match(python, /"young": 2000000/);
  assert.match(python, /warping="local"/);
  // Debian's Python, for which the module of this build was made.
  const told = execFileSync('/usr/bin/python3', ['-c', python], {
    cwd: folder, encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(dirname(program), '..', 'python') },
  });
  const numbers = told.match(/-?\d+\.\d*(e[-+]\d+)?/g).map(Number);
  assert.ok(numbers.every(Number.isFinite) && numbers.some((q) => Math.abs(q) > 0.01), told);
  assert.match(python, /world\.apply\(\{"pull": /);
});
