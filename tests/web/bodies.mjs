// SPDX-License-Identifier: Apache-2.0
// Several bodies in one world: of several models, two of one method, rigid ones; each where the world has it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beam, farthest, folder, freeEnd, inStudio, openLive, shownLive, until } from './in_studio.mjs';
import { builtBar, looseCube } from './views.mjs';

const names = async (hook) => (await hook.settings()).bodies.map(({ name }) => name);
const frameOf = async (hook, body) => (await hook.state()).frame.bodies[body];

async function addBy(page, method) {
  const add = page.getByRole('group', { name: 'Add a body' });
  await add.getByLabel('Method').selectOption(method);
  await add.getByRole('button', { name: 'Add' }).click();
}

inStudio('two bodies of one method and a rigid one stand apart; each is pulled, set and removed by itself', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await addBy(page, 'stvk');
  await until(page, async () => (await window.limber.state()).frame.bodies.length === 2);
  await addBy(page, 'rigid');
  await until(page, async () => (await window.limber.state()).frame.bodies.length === 3);
  assert.deepEqual(await names(hook), ['stvk', 'stvk2', 'rigid']);
  const places = (await hook.settings()).bodies.map(({ position }) => position);
  // The bar is 0.2 m thick: there is room between them.
  for (const [a, b] of [[0, 1], [1, 2]]) assert.ok(Math.hypot(...places[a].map((x, k) => x - places[b][k])) > 0.2);

  // The body under the pointer is pulled, and no other.
  const vertex = await freeEnd(hook);
  const at = await hook.pixelOf(vertex, 1);
  await page.mouse.move(at.x - 4, at.y + 4);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(at.x - 4, at.y - 60, { steps: 4 });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await hook.step(200);
  await page.screenshot({ path: join(folder, 'three-bodies.png') });
  await page.mouse.up();
  const moved = await hook.q(1);
  assert.ok(Math.max(...moved.map(Math.abs)) > 0.01, `q of the pulled body is ${moved}`);
  assert.deepEqual((await hook.q(0)).map(Math.abs), Array(10).fill(0));
  // The library keeps the centre of mass of a rigid body: its origin is where it began but for rounding.
  const stands = async () => assert.ok(farthest((await frameOf(hook, 2)).position, places[2]) < 1e-12);
  await stands();

  // The panels act on the body that was pulled.
  const field = page.getByLabel("Young's modulus E", { exact: true });
  await field.fill('4e6');
  await field.press('Enter');
  await until(page, async () => (await window.limber.settings()).bodies[1].settings.materials.default.young === 4e6);
  assert.equal((await hook.settings()).bodies[0].settings.materials.default.young, 1e6);

  // Gravity: the rigid one falls by g t²/2 and may leave the picture; a reset brings it back.
  await page.getByRole('button', { name: 'Earth' }).click();
  await until(page, async () => (await window.limber.settings()).gravity[2] === -9.81);
  await hook.step(500);
  const { position } = await frameOf(hook, 2);
  assert.ok(Math.abs(position[2] - places[2][2] + 0.5 * 9.81 * 0.25) < 0.01, `${position}`);
  await page.getByRole('button', { name: 'Reset' }).click();
  await until(page, async () => (await window.limber.state()).frame.step === 0);
  await stands();

  await page.getByRole('list', { name: 'Bodies' }).getByRole('button', { name: 'Remove' }).first().click();
  await until(page, async () => (await window.limber.state()).frame.bodies.length === 2);
  assert.deepEqual(await names(hook), ['stvk2', 'rigid']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(page, async () => (await window.limber.state()).frame.bodies.length === 3);
});

inStudio('a body of another model stands beside; what is drawn is what the library has; recordings name both files', async (page) => {
  const other = await builtBar();
  const hook = await openLive(page);
  await hook.run(false);
  await page.getByRole('group', { name: 'Add a body' }).getByLabel('Model').selectOption(`${other}.glb`);
  await until(page, () => document.querySelector('fieldset select:not(:disabled)') !== null);
  await addBy(page, 'stvk');
  await until(page, async () => (await window.limber.state()).frame.bodies.length === 2);
  await hook.add('rigid', `${other}.glb`);
  assert.deepEqual(await names(hook), ['stvk', `${other}-stvk`, `${other}-rigid`]);
  await hook.record();
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  await hook.pull(vertex, [rest[3 * vertex] - 0.2, rest[3 * vertex + 1], rest[3 * vertex + 2] + 0.4], 500);
  await hook.step(200);
  const states = async () => (await hook.state()).frame.bodies.map(({ q, position, orientation }) => ({ q, position, orientation }));
  const seen = await states();
  for (const body of [0, 1, 2]) {
    const card = await hook.positionsFromGpu(body), cpu = await hook.positionsFromCpu(body);
    // Sums of products of numbers below 1 m in floats.
    assert.ok(farthest(card, cpu) < 3e-6, `body ${body}: ${farthest(card, cpu)} m apart`);
  }
  await page.screenshot({ path: join(folder, 'two-models.png') });
  const scene = await hook.stopRecording();
  assert.deepEqual(scene.bodies.map(({ model }) => model), [`${beam}.glb`, `${other}.glb`, `${other}.glb`]);
  await hook.replay(scene);
  await hook.step(200);
  assert.deepEqual(await states(), seen);

  // The bodies of both models are there again after a reload.
  await page.reload();
  const again = await shownLive(page);
  assert.deepEqual(await names(again), ['stvk', `${other}-stvk`, `${other}-rigid`]);

  // A recording of a model that nobody has says which file is missing.
  const lost = { ...scene, bodies: [{ ...scene.bodies[0], model: 'lost.glb' }] };
  await assert.rejects(again.replay(lost), /lost\.glb/);
});

inStudio('a body of which nothing is fixed falls, is drawn where it is, is dragged, and can be fixed', async (page) => {
  const hook = await openLive(page, await looseCube());
  await hook.run(false);
  assert.equal((await hook.settings()).bodies[0].mount, 'free');
  const vertex = await freeEnd(hook), start = await frameOf(hook, 0);
  await page.getByRole('button', { name: 'Earth' }).click();
  await until(page, async () => (await window.limber.settings()).gravity.some((x) => x !== 0));
  const { dt, gravity } = await hook.settings(), steps = 100;
  const before = await hook.pixelOf(vertex, 0);
  await hook.step(steps);
  const fallen = await frameOf(hook, 0);
  // Nothing turns it: its origin falls as its centre does.
  const fall = gravity.map((g) => 0.5 * g * (steps * dt) ** 2);
  assert.ok(farthest(fallen.position, start.position.map((x, k) => x + fall[k])) < 1e-6 + 1e-3 * Math.hypot(...fall));
  const after = await hook.pixelOf(vertex, 0);
  assert.ok(after.y > before.y, 'it is drawn lower');
  await page.screenshot({ path: join(folder, 'free-body.png') });

  // The pointer pulls it along.
  await page.getByRole('button', { name: 'None' }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  await until(page, async () => (await window.limber.state()).frame.step === 0);
  // Beside the corner, on the cube: a fifth of the distance to its centre.
  const corners = await Promise.all(Array.from({ length: 8 }, (_, corner) => hook.pixelOf(corner, 0)));
  const corner = await hook.pixelOf(vertex, 0);
  const inwards = (k) => corner[k] + 0.2 * (corners.reduce((sum, one) => sum + one[k], 0) / 8 - corner[k]);
  const at = { x: inwards('x'), y: inwards('y') };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(at.x, at.y - 80, { steps: 4 });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await hook.step(200);
  const pulled = await frameOf(hook, 0);
  await page.mouse.up();
  assert.ok(farthest(pulled.position, start.position) > 1e-3, `it went to ${pulled.position}`);
  assert.ok(Math.max(...pulled.q.map(Math.abs)) > 0);

  await page.getByLabel('Mount').selectOption('fixed');
  await until(page, async () => (await window.limber.settings()).bodies[0].mount === 'fixed');
  // Gravity would do nothing, and its button is off.
  assert.equal(await page.getByRole('button', { name: 'Earth' }).isDisabled(), true);
  await hook.set({ gravity });
  await hook.step(100);
  assert.deepEqual((await frameOf(hook, 0)).position, start.position);
  await page.getByText('its mount is fixed').waitFor();
});
