// SPDX-License-Identifier: Apache-2.0
// Bodies that fall on a floor and touch: dropped, poked, thrown, stacked, poured in; scenes that are saved and opened.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beam, folder, freeEnd, inStudio, openLive, program, shownLive, until, visit } from './in_studio.mjs';
import { limber } from './studio.mjs';
import { builtBar } from './views.mjs';

// The bar is 1 m × 0.2 m × 0.2 m of 1000 kg/m³.
const kWeight = 1 * 0.2 * 0.2 * 1000 * 9.81;
const frameOf = async (hook) => (await hook.state()).frame;
const tool = (page, name) => page.getByRole('toolbar', { name: 'Simulation' }).getByRole('button', { name, exact: true });

async function drop(page, hook) {
  await tool(page, 'Drop it').click();
  await until(page, async () => (await window.limber.settings()).obstacles.length === 1
    && (await window.limber.state()).frame.contact !== null);
  await hook.run(false);
}

inStudio('a body that is dropped comes to rest on the floor; its contact force is its weight; undo puts it back', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await drop(page, hook);
  // Its end is fixed in the model, so it falls as a rigid body, and the page says so.
  await page.locator('.notice').filter({ hasText: /built with nothing fixed: its mesh is not available/ })
    .filter({ hasText: /falls as a rigid body: some of its vertices are fixed/ }).waitFor();
  const { bodies: [{ method }], gravity } = await hook.settings();
  assert.equal(method, 'rigid');
  assert.deepEqual(gravity, [0, 0, -9.81]);
  await page.getByLabel('Sleeping').uncheck();
  await page.locator('summary').filter({ hasText: /^Show$/ }).click();
  await page.getByLabel('Contact forces').check();
  await hook.step(6000);
  const { bodies: [body], contact } = await frameOf(hook);
  assert.ok(Math.abs(body.contact.force[2] / kWeight - 1) < 1e-3, `${body.contact.force[2]} N, and its weight is ${kWeight} N`);
  assert.ok(body.kinetic < 1e-4, `${body.kinetic} J`);
  const sum = contact.points.reduce((all, { force }) => all + force[2], 0);
  assert.ok(Math.abs(sum / kWeight - 1) < 1e-3, `the arrows add up to ${sum} N`);
  await page.getByRole('definition').filter({ hasText: /^392 N$/ }).waitFor();
  // The stiffness that was chosen is told with its unit.
  await page.getByText(/^Now [\d.e]+ Pa\/m\./).waitFor();
  await page.screenshot({ path: join(folder, 'dropped.png') });
  for (let i = 0; i < 2; ++i) await page.getByRole('button', { name: 'Undo' }).click();
  await until(page, async () => (await window.limber.settings()).obstacles.length === 0);
  assert.equal((await hook.settings()).bodies[0].method, 'stvk');
  // By key, too.
  await page.locator('canvas.stage').focus();
  await page.keyboard.press('d');
  await until(page, async () => (await window.limber.settings()).obstacles.length === 1);
});

inStudio('a sample with fixed vertices falls as a soft body: built once with nothing fixed, kept in the gallery', async (page) => {
  const hook = await openLive(page, await builtBar());
  await hook.run(false);
  await drop(page, hook);
  await page.locator('.notice').filter({ hasText: 'Bar falls as a soft body: the same model, built with nothing fixed.' }).waitFor();
  const soft = async () => (await hook.settings()).bodies.map(({ name, model, method, mount }) => [name, model.replace(/-[0-9a-f]{16}/, ''), method, mount]);
  assert.deepEqual(await soft(), [['stvk', 'bar-free.glb', 'stvk', 'free']]);
  // It bends as it lands, and its weight is the bar's.
  let most = 0;
  for (let i = 0; i < 60; ++i) {
    await hook.step(10);
    most = Math.max(most, (await frameOf(hook)).bodies[0].elastic);
  }
  assert.ok(most > 0.1, `${most} J of strain`);
  await page.getByLabel('Sleeping').uncheck();
  await hook.step(4000);
  const { bodies: [{ contact }] } = await frameOf(hook);
  assert.ok(Math.abs(contact.force[2] / kWeight - 1) < 0.02, `${contact.force[2]} N, and its weight is ${kWeight} N`);
  await page.screenshot({ path: join(folder, 'dropped-soft.png') });
  // After a reload it is the same body.
  await page.reload();
  await (await shownLive(page)).run(false);
  assert.deepEqual(await soft(), [['stvk', 'bar-free.glb', 'stvk', 'free']]);
  // A second drop waits for no build.
  await drop(page, hook);
  await visit(page, '#/');
  await page.getByRole('link', { name: 'Bar, free' }).waitFor();
});

inStudio('the pointer presses a ball against the bar: its force is drawn, told and plotted; keys do the same', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await tool(page, 'Poke').click();
  const at = await hook.pixelOf(await freeEnd(hook));
  await page.mouse.move(at.x - 12, at.y + 8);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).frame.ball !== null || (await window.limber.step(1), false));
  // The hand is sent once a picture.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  // The first push; after it the bar swings away from the ball, and back.
  await hook.step(100);
  const { ball, bodies: [{ contact }] } = await frameOf(hook);
  assert.ok(ball.touching > 0 && Math.hypot(...ball.force) > 0.1, `${ball.force} N`);
  contact.force.forEach((x, k) => assert.ok(Math.abs(x + ball.force[k]) < 1e-9 * Math.hypot(...ball.force)));
  assert.match(await page.locator('.force-label').textContent(), /^[\d.]+ [nµmkM]?N$/);
  await page.getByText(/^Force on the ball: [\d.]+ [mkM]?N$/).first().waitFor();
  await page.locator('.live-plot canvas').waitFor();
  await page.screenshot({ path: join(folder, 'poked.png') });
  await page.mouse.up();
  await hook.step(1);
  assert.equal((await frameOf(hook)).ball, null);

  await page.locator('canvas.stage').focus();
  await page.keyboard.press('Enter');
  await until(page, async () => { await window.limber.step(20); return (await window.limber.state()).frame.ball !== null; });
  for (let i = 0; i < 14; ++i) {
    await page.keyboard.press('Shift+PageDown');
    await hook.step(100);
  }
  assert.ok((await frameOf(hook)).ball.touching > 0, 'the keys push it against the bar');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await until(page, () => document.querySelector('canvas.poking') === null);
});

inStudio('a free body that is dragged and released flies on', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.show(['rigid']);
  const at = await hook.pixelOf(await freeEnd(hook));
  await page.mouse.move(at.x - 8, at.y + 6);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  for (let i = 1; i <= 5; ++i) {
    await page.mouse.move(at.x - 8 - 14 * i, at.y + 6);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await hook.step(20);
  }
  await page.mouse.up();
  await until(page, async () => !(await window.limber.state()).pulling);
  const [{ position: before }] = (await frameOf(hook)).bodies;
  await hook.step(100);
  const [{ position: after, force }] = (await frameOf(hook)).bodies;
  assert.equal(force, null);
  assert.ok(Math.hypot(...after.map((x, k) => x - before[k])) > 0.005, `${before} to ${after}`);
});

inStudio('twenty are poured in and five stacked; the page says when it is too many', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await page.getByRole('button', { name: 'Pour in 20' }).click();
  await until(page, async () => (await window.limber.settings()).bodies.length === 21);
  await hook.run(false);
  await hook.step(400);
  const { bodies } = await frameOf(hook);
  assert.equal(bodies.length, 21);
  for (const { name, q, position, orientation } of bodies)
    assert.ok([...q, ...position, ...orientation].every(Number.isFinite), name);
  await page.locator('.meter').filter({ hasText: 'bodies21' }).waitFor();
  await page.screenshot({ path: join(folder, 'poured.png') });
  await page.getByRole('button', { name: 'Stack 5' }).click();
  await until(page, async () => (await window.limber.settings()).bodies.length === 25);
  await hook.run(false);
  for (let i = 0; i < 5; ++i) {
    const before = (await hook.settings()).bodies.length;
    await page.getByRole('button', { name: 'Pour in 20' }).click();
    if (before + 20 > 120) break;
    await until(page, async (least) => (await window.limber.settings()).bodies.length > least, before);
    await hook.run(false);
  }
  await page.getByText('At most 120 bodies: remove some first.').waitFor();
});

inStudio('a scene is saved with its models, opened again, and simulated by the program: the same motion', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await drop(page, hook);
  await hook.add('stvk');
  await hook.step(350);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.locator('summary').filter({ hasText: /^Scene$/ }).click();
      await page.getByRole('button', { name: 'Save scene' }).click();
    })(),
  ]);
  assert.match(download.suggestedFilename(), /-scene\.zip$/);
  const archive = join(folder, 'saved-scene.zip');
  await download.saveAs(archive);
  await hook.step(100);
  const states = async () => (await frameOf(hook)).bodies.map(({ name, q, position, orientation }) => ({ name, q, position, orientation }));
  const expected = await states();

  // Opened from the gallery, by choosing the file.
  await visit(page, '#/');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a scene…' }).click();
  await (await choosing).setFiles(archive);
  await page.getByRole('heading', { level: 1, name: 'saved-scene' }).waitFor();
  const opened = await shownLive(page);
  await opened.run(false);
  await opened.reset();
  await opened.step(100);
  assert.deepEqual(await states(), expected);
  // It is there after a reload.
  await page.reload();
  await (await shownLive(page)).run(false);
  assert.equal((await hook.settings()).bodies.length, 2);

  // limber simulate takes the same file.
  const unpacked = join(folder, 'saved-scene');
  mkdirSync(unpacked, { recursive: true });
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, unpacked]);
  await limber(program, 'simulate', join(unpacked, 'scene.json'), '-o', join(unpacked, 'motion.csv'), '--quiet');
  const [head, ...rows] = readFileSync(join(unpacked, 'motion.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const { dt } = await hook.settings(), every = Math.max(1, Math.round(1 / 60 / dt));
  await opened.reset();
  await opened.step(4 * every);
  const soft = (await states()).find(({ q }) => q.length > 0);
  soft.q.forEach((x, i) => {
    const told = Number(rows[4][head.indexOf(`${soft.name}.q${i}`)]);
    // The page sums in another order.
    assert.ok(Math.abs(told - x) < 1e-9 * Math.max(1, Math.abs(x)), `q${i}: ${told} and ${x}`);
  });
});

inStudio('a scene that cannot be opened is refused with its reason', async (page) => {
  await visit(page, '#/');
  const open = async (...files) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a scene…' }).click();
    await (await choosing).setFiles(files.map(([name, text]) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })));
  };
  await open(['scene.json', '{']);
  await page.getByRole('alert').filter({ hasText: 'it is not JSON' }).waitFor();
  await open(['scene.zip', 'no archive']);
  await page.getByRole('alert').filter({ hasText: 'not a ZIP archive' }).waitFor();
  await open(['scene.json', JSON.stringify({ bodies: [{ model: 'lost.glb' }] })]);
  await page.getByRole('alert').filter({ hasText: /lost\.glb, which is neither beside it nor in the gallery/ }).waitFor();
  await visit(page, '#/');
  // A model of the gallery needs no file.
  await open(['by-hand.json', JSON.stringify({ gravity: [0, 0, -9.81], bodies: [{ name: 'b', model: `${beam}.glb`, method: 'rigid', position: [0, 0, 1] }],
    obstacles: [{ shape: { plane: { normal: [0, 0, 1], offset: -1 } } }] })]);
  await page.getByRole('heading', { level: 1, name: 'by-hand' }).waitFor();
  const hook = await shownLive(page);
  assert.deepEqual((await hook.settings()).obstacles.map(({ name }) => name), ['obstacle1']);
}, { expected: /404|Failed to load/ });
