// SPDX-License-Identifier: Apache-2.0
// The live view: a body is found in the gallery, pulled by pointer and by keys, and comes to rest again.
import assert from 'node:assert/strict';
import { farthest, freeEnd, inStudio, shownLive, until, visit } from './in_studio.mjs';

const moved = async (hook) => farthest(await hook.positionsFromCpu(), await hook.restPositions());

inStudio('a sample is built on first use; dragging it moves the surface, and it comes to rest again', async (page) => {
  await visit(page, '#/');
  await page.getByRole('button', { name: /^bar$/i }).click();
  const hook = await shownLive(page);
  await page.getByRole('heading', { level: 1, name: /^bar$/i }).waitFor();
  const vertex = await freeEnd(hook);
  const from = await hook.pixelOf(vertex);
  // A little inside the outline, where the body is certainly under the pointer.
  const at = { x: from.x - 6, y: from.y + 4 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(at.x, at.y - 80, { steps: 4 });
  // The bar is 1 m long: its end follows the spring by more than a hand.
  await until(page, async () => {
    const [now, rest] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
    return now.some((x, i) => Math.abs(x - rest[i]) > 0.1);
  });
  const label = page.locator('.force-label');
  assert.match(await label.textContent(), /^[\d.]+ [nµmkM]?N$/);
  await page.mouse.up();
  await until(page, async () => !(await window.limber.state()).pulling);
  await hook.run(false);
  // 4% of critical damping at 1 Hz leaves e^(−2π · 0.04 · 40) < 5e-5 after 40 s, which are made at once.
  const { dt } = await hook.settings();
  await hook.step(Math.round(40 / dt));
  assert.ok(await moved(hook) < 1e-3, 'at rest within a millimetre');
});

inStudio('keys alone go from the gallery to a body, choose a vertex, pull it, and work a panel', async (page) => {
  await visit(page, '#/');
  await page.getByRole('link', { name: 'beam.glb' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  // Tab reaches the model from the top of the page.
  for (let presses = 0; !/^beam/i.test(await focused()); ++presses) {
    assert.ok(presses < 30, 'the model is within 30 stops of Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const hook = await shownLive(page);
  const onStage = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'application');
  for (let presses = 0; !await onStage(); ++presses) {
    assert.ok(presses < 30, 'the picture is within 30 stops of Tab');
    await page.keyboard.press('Tab');
  }
  const spoken = page.locator('#spoken');
  await page.keyboard.press('ArrowRight');
  await spoken.filter({ hasText: /Vertex \d+ at/ }).waitFor();
  for (let i = 0; i < 8; ++i) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await spoken.filter({ hasText: 'Pulling' }).waitFor();
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Shift+ArrowUp');
  await until(page, async () => {
    const [now, rest] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
    return now.some((x, i) => Math.abs(x - rest[i]) > 0.02);
  });
  await page.keyboard.press('Enter');
  await spoken.filter({ hasText: 'Released' }).waitFor();
  assert.equal((await hook.state()).pulling, false);
  await page.keyboard.press('Space');
  await until(page, async () => !(await window.limber.state()).running);
  // On to the panel: its field takes a number and Enter.
  const field = page.getByLabel("Young's modulus E", { exact: true });
  for (let presses = 0; !await field.evaluate((one) => one === document.activeElement); ++presses) {
    assert.ok(presses < 60, 'the stiffness is within 60 stops of Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3e6');
  await page.keyboard.press('Enter');
  await until(page, async () => (await window.limber.settings()).bodies[0].settings.materials.default.young === 3e6);
});
