// SPDX-License-Identifier: Apache-2.0
// Trees of domains: opened from the command line, drawn, pulled, coloured, changed domain by domain; made of a mesh.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { farthest, folder, freeEnd, inStudio, program, seen, shownLive, tree, until, visit } from './in_studio.mjs';
import { peanutObj } from './meshes.mjs';
import { next, upload } from './views.mjs';

inStudio('a tree of the command line opens from the gallery, is pulled, and is drawn where the library has it', async (page) => {
  await visit(page, '#/');
  await page.getByRole('link', { name: 'tree.glb' }).click();
  const hook = await shownLive(page);
  await hook.run(false);
  const { bodies: [{ method, settings: { coupling } }] } = await hook.settings();
  assert.deepEqual([method, coupling], ['domains', 'exact']);
  const rest = await hook.restPositions();
  const vertex = await freeEnd(hook);
  const from = await hook.pixelOf(vertex);
  const at = { x: from.x - 6, y: from.y + 4 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(at.x, at.y - 80, { steps: 4 });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await hook.step(300);
  const cpu = await hook.positionsFromCpu();
  assert.ok(farthest(cpu, rest) > 0.05, `it moved by ${farthest(cpu, rest)} m`);
  const card = await hook.positionsFromGpu();
  // Sums of products of numbers below 1 m in floats.
  if (card) assert.ok(farthest(card, cpu) < 3e-6, `${farthest(card, cpu)} m apart`);
  await page.screenshot({ path: join(folder, 'tree-pulled.png') });
  await page.mouse.up();

  // The domain that was pulled is the selected one: the last of the list.
  const list = page.getByRole('list', { name: 'Domains' });
  assert.equal(await list.getByRole('button').count(), 4);
  const selected = list.locator('[aria-pressed=true]');
  assert.equal(await selected.count(), 1);
  await page.getByLabel('Colours', { exact: true }).check();
  await page.screenshot({ path: join(folder, 'tree-colours.png') });
  const [{ name }] = (await selected.allTextContents()).map((text) => ({ name: text.match(/domain\d+/)[0] }));
  const field = page.getByLabel('Stiffness factor', { exact: true });
  await field.fill('0.5');
  await field.press('Enter');
  await until(page, async (domain) => (await window.limber.settings()).bodies[0].settings.domains?.[domain]?.young_scale === 0.5, name);
  await page.getByLabel('Frozen', { exact: true }).check();
  await until(page, async (domain) => (await window.limber.settings()).bodies[0].settings.domains?.[domain]?.frozen === true, name);
  for (let changes = 0; changes < 2; ++changes) await page.getByRole('button', { name: 'Undo' }).click();
  await until(page, async () => (await window.limber.settings()).bodies[0].settings.domains === undefined);
  await list.getByRole('button').first().click();
  await page.getByText('The root of the tree.').waitFor();

  // The library's settings of a tree.
  await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = /Solver/.test(one.textContent); });
  await page.getByLabel('Coupling').selectOption('L1');
  await until(page, async () => (await window.limber.settings()).bodies[0].settings.coupling === 'L1');
});

inStudio('the flower of the gallery has its colours, stands in the wind, and falls as a tree', async (page) => {
  await visit(page, '#/');
  // Pictures come while the page is open.
  await page.locator('.card[data-kind=sample] img').first().waitFor({ timeout: 60_000 });
  await page.locator('.card[data-kind=sample]').getByRole('button', { name: 'Flower' }).click();
  await page.getByRole('toolbar', { name: 'Simulation' }).waitFor({ timeout: 120_000 });
  const hook = await shownLive(page);
  await hook.run(false);
  await hook.step(500);
  const { wind, bodies: [{ method, mount }] } = await hook.settings();
  assert.deepEqual([wind.velocity, method, mount], [[3, 0, 0], 'domains', 'fixed']);
  const [now, rest] = [await hook.positionsFromCpu(), await hook.restPositions()];
  assert.ok(farthest(now, rest) > 1e-3, `the wind moved it by ${farthest(now, rest)} m`);
  await page.screenshot({ path: join(folder, 'flower.png') });
  // Petals are red, not in the plain colour of trees: somewhere in the picture red is twice green.
  const red = await seen(page, 'canvas.stage', ({ data }) => {
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += data[at] > 100 && data[at] > 1.6 * data[at + 1];
    return count;
  });
  assert.ok(red > 100, `${red} pixels of petals`);
  await page.getByRole('button', { name: 'Drop it' }).click();
  await until(page, async () => (await window.limber.settings()).obstacles.length === 1);
  assert.deepEqual((await hook.settings()).bodies.map(({ method: how, mount: held }) => [how, held]), [['domains', 'free']]);
});

// Lowest and highest of the domain b, which lies along x and y in the plane of its part: its width.
async function widthOfB(hook, ofWhom) {
  const x = await hook[ofWhom](), last = x.slice(-x.length / 3);
  const y = last.filter((_, i) => i % 3 === 1);
  return Math.max(...y) - Math.min(...y);
}

inStudio('a domain that a recording replaces is drawn as the other part from that step on', async (page) => {
  const place = join(folder, 'recordings');
  await promisify(execFile)(fileURLToPath(new URL('../data/recordings/make_models', import.meta.url)), [program, place]);
  const scene = join(folder, 'withering.json');
  writeFileSync(scene, JSON.stringify({
    dt: 0.005, gravity: [0, 0, -0.2], bodies: [{ name: 'plant', model: 'plant.glb', method: 'domains', damping: { beta: 0.05 } }],
    recording: { version: 3, steps: 40, inputs: [{ step: 10, body: 'plant', set: { domains: { b: { replace: 'withered' } } } }] },
  }));
  await visit(page, '#/');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a scene…' }).click();
  await (await choosing).setFiles([scene, join(place, 'plant.glb')]);
  const hook = await shownLive(page);
  await hook.run(false);
  await hook.replay(JSON.parse(readFileSync(scene, 'utf8')));
  await hook.step(10);
  // 0.2 m wide and 0.1 m wide; b is the last third of the vertices. It bends in z.
  assert.ok(Math.abs(await widthOfB(hook, 'positionsFromCpu') - 0.2) < 1e-3);
  await hook.step(5);
  const { frame: { bodies: [{ model }] } } = await hook.state();
  assert.equal(model, 'plant.glb > b = withered');
  assert.ok(Math.abs(await widthOfB(hook, 'positionsFromCpu') - 0.1) < 1e-3);
  const [card, cpu] = [await hook.positionsFromGpu(), await hook.positionsFromCpu()];
  if (card) assert.ok(farthest(card, cpu) < 3e-6, `${farthest(card, cpu)} m apart`);
  await page.getByLabel('Colours', { exact: true }).check();
  await page.screenshot({ path: join(folder, 'tree-replaced.png') });
  // Back to where the recording began.
  await hook.reset();
  assert.equal((await hook.state()).frame.bodies[0].model, 'plant.glb');
});

inStudio('the CPU draws a tree too', async (page) => {
  await visit(page, '#/');
  await page.goto(`${page.url().replace(/[?#].*$/, '')}?antialias=off&draw=cpu#/live/${tree}`);
  await page.getByText('Drawn by the CPU').waitFor();
  await page.evaluate(() => window.limber.ready);
  await page.evaluate(async () => {
    window.limber.run(false);
    await window.limber.set({ gravity: [0, 0, -9.81] });
    await window.limber.step(100);
  });
  await page.screenshot({ path: join(folder, 'tree-cpu.png') });
});

inStudio('a mesh is cut by number and by painting, the tree is seen before the build, and it moves', async (page) => {
  await upload(page, 'peanut.obj', peanutObj(24));
  await next(page, 'Fill');
  await page.getByText(/^[\d,]+ cubes on [\d,]+ vertices/).waitFor();
  await next(page, 'Fixed parts');
  await page.getByRole('group', { name: 'Fix a side' }).getByRole('button', { name: 'Front' }).click();
  for (const title of ['Material', 'Motion']) await next(page, title);
  await page.getByRole('radio', { name: /Tree of domains/ }).check();
  await page.getByLabel('Number of domains').fill('3');
  await page.getByLabel('Shapes of each domain').fill('6');
  await page.getByLabel('Shapes of each domain').press('Tab');
  await page.getByRole('button', { name: 'Show the domains' }).click();
  const list = page.getByRole('list', { name: 'Domains' });
  await list.getByText(', the root').waitFor();
  assert.ok(await list.getByRole('listitem').count() >= 2);
  await page.screenshot({ path: join(folder, 'make-tree.png') });

  // The upper half of the peanut is a domain; so is what was not selected.
  await page.getByRole('radio', { name: /Painted domains/ }).check();
  await page.getByText('Paint at least one domain.').waitFor();
  await page.getByRole('button', { name: 'Add a domain' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('textbox', { name: 'Condition' }).fill('z>0');
  await page.getByRole('textbox', { name: 'Condition' }).press('Enter');
  await page.getByRole('button', { name: 'Show the domains' }).click();
  await list.getByText(', the root').waitFor();
  assert.equal(await list.getByRole('listitem').count(), 2);
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('link', { name: 'Open live view' }).click();
  await page.getByRole('toolbar', { name: 'Simulation' }).waitFor();
  await page.evaluate(() => window.limber.ready);
  const { bodies: [{ method }] } = await page.evaluate(() => window.limber.settings());
  assert.equal(method, 'domains');
});

inStudio('a cut that makes no tree is told where it was asked for', async (page) => {
  await upload(page, 'peanut.obj', peanutObj(24));
  for (const title of ['Fill', 'Fixed parts', 'Material', 'Motion']) await next(page, title);
  await page.getByRole('radio', { name: /Painted domains/ }).check();
  await page.getByRole('button', { name: 'Add a domain' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  // Both ends: one domain in two pieces.
  await page.getByRole('textbox', { name: 'Condition' }).fill('z>0.08 || z<-0.08');
  await page.getByRole('textbox', { name: 'Condition' }).press('Enter');
  await page.getByRole('button', { name: 'Show the domains' }).click();
  await page.locator('.problem-here').waitFor();
  assert.match(await page.locator('.problem-here').textContent(), /piece/);
});
