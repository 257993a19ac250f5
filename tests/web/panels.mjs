// SPDX-License-Identifier: Apache-2.0
// What the panels beside the body do to it: undo, constraints, gravity, shaking; and what a reload keeps.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beam, farthest, folder, freeEnd, inStudio, openLive, program, shownLive, studio, until, visit } from './in_studio.mjs';
import { startStudio } from './studio.mjs';

async function type(page, label, text) {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(text);
  await field.press('Enter');
}

const young = async (hook) => (await hook.settings()).bodies[0].settings.materials.default.young;
const stiffIs = (page, wanted) => until(page,
  async (pascals) => (await window.limber.settings()).bodies[0].settings.materials.default.young === pascals, wanted);

inStudio('a change of the material is undone and made again', async (page) => {
  const hook = await openLive(page);
  const before = await young(hook);
  await type(page, "Young's modulus E", '4e6');
  await stiffIs(page, 4e6);
  await page.getByRole('button', { name: 'Undo' }).click();
  await stiffIs(page, before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await stiffIs(page, 4e6);
});

inStudio('the slider of the stiffness moves by factors', async (page) => {
  const hook = await openLive(page);
  const before = await young(hook);
  const slider = page.getByLabel("Young's modulus E, slider");
  await slider.focus();
  await slider.press('End');
  // From a hundredth to a hundred times what was built.
  await stiffIs(page, 100 * before);
});

inStudio('settings and a recording survive a reload', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await type(page, "Young's modulus E", '3e6');
  await stiffIs(page, 3e6);
  await page.getByText('Recording', { exact: true }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('button', { name: 'Stop recording' }).waitFor();
  await hook.step(20);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByText('20 steps of').waitFor();
  await page.reload();
  const again = await shownLive(page);
  assert.equal(await young(again), 3e6);
  await page.getByText('Recording', { exact: true }).click();
  await page.getByText('20 steps of').waitFor();
});

inStudio('a constraint moves a vertex of the warped body to where it is put', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.show(['warp']);
  const vertex = await freeEnd(hook);
  await page.getByText('Constraints', { exact: true }).click();
  await page.getByRole('button', { name: 'Add by click' }).click();
  await page.locator('canvas.stage').scrollIntoViewIfNeeded();
  const at = await hook.pixelOf(vertex);
  await page.mouse.click(at.x - 4, at.y + 3);
  await page.getByRole('list', { name: 'Constraints' }).waitFor();
  const held = Number((await page.getByRole('button', { name: /^Vertex \d+$/ }).textContent()).replace(/\D/g, ''));
  await type(page, 'Displacement z', '0.2');
  // The target is led there within some tenths of a second.
  await hook.step(1500);
  const [now, rest] = [await hook.positionsFromCpu(), await hook.restPositions()];
  const moved = [0, 1, 2].map((k) => now[3 * held + k] - rest[3 * held + k]);
  assert.ok(farthest(moved, [0, 0, 0.2]) < 2e-6, `moved by ${moved}`);
});

inStudio('the warped shape is chosen in the panel, is drawn at once, and survives a reload', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  const choice = page.getByLabel('Warped shape');
  assert.equal(await choice.count(), 0, 'nothing to choose without a warped body');
  await hook.show(['stvk', 'warp']);
  await page.getByRole('button', { name: 'Modal warping' }).click();
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  await hook.pull(vertex, [rest[3 * vertex] - 0.5, rest[3 * vertex + 1], rest[3 * vertex + 2] + 0.8], 1000);
  await hook.step(300);
  const kept = await hook.positionsFromGpu(1);
  await choice.selectOption('local');
  await page.locator('.body-label', { hasText: 'Modal warping, local' }).waitFor();
  await until(page, async () => (await window.limber.state()).frame.bodies[1].shapeCoordinates.slice(6).every((z) => z === 0));
  const local = await hook.positionsFromGpu(1);
  assert.ok(farthest(kept, local) > 0.005, `${farthest(kept, local)} m between the shapes`);
  assert.ok(farthest(local, await hook.positionsFromCpu(1)) < 1.5e-6);
  await page.reload();
  const again = await shownLive(page);
  assert.equal((await again.settings()).bodies[1].settings.warping, 'local');
});

inStudio('gravity bends the bar as much as theory says', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  // Stiff, so that the bend is small, and heavily damped, so that it comes to rest.
  await hook.setBody({
    materials: { default: { young: 1e8, poisson: 0.3, density: 1000 } },
    damping: { alpha: 0, beta: 0.05, strain_rate: 0 },
  });
  await page.getByRole('button', { name: 'Earth' }).click();
  await until(page, async () => (await window.limber.settings()).gravity[2] === -9.81);
  await hook.step(3000);
  const vertex = await freeEnd(hook);
  const sag = (await hook.restPositions())[3 * vertex + 2] - (await hook.positionsFromCpu())[3 * vertex + 2];
  // Euler: ρ g A L⁴ / (8 E I) with I / A = h² / 12; shear adds 3%, the coarse bricks and few shapes take some off.
  const expected = (1000 * 9.81 * 12) / (8 * 1e8 * 0.2 ** 2);
  assert.ok(Math.abs(sag / expected - 1) < 0.05, `${sag} m, not ${expected} m`);
});

inStudio('shaking the support moves the body', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await page.getByLabel('Direction', { exact: true }).selectOption('z');
  await page.getByRole('button', { name: 'Shake' }).click();
  // Three swings of 2 cm in the body's own rhythm: it swings up to more than that.
  await hook.step(2800);
  const moved = farthest(await hook.positionsFromCpu(), await hook.restPositions());
  assert.ok(moved > 0.02, `moved by ${moved} m`);
});

inStudio('the processor draws where the card cannot, and says so', async (page) => {
  await visit(page, '#/');
  await page.goto(`${studio.address}?antialias=off&draw=cpu#/live/${beam}`);
  const hook = await shownLive(page);
  await page.getByText('Drawn by the CPU').waitFor();
  assert.equal((await hook.state()).onTheCard, false);
  assert.equal(await hook.positionsFromGpu(), null);
  await until(page, async () => (await window.limber.state()).frame.step > 10);
});

inStudio('the printed address opens the file that the studio was started with', async (page) => {
  const one = await startStudio(program, join(folder, 'one-file'), [join(folder, 'beam.glb')]);
  try {
    await page.goto(one.printed);
    await shownLive(page);
    await page.getByRole('heading', { level: 1, name: 'beam.glb' }).waitFor();
    assert.doesNotMatch(page.url(), /token/, 'the token has left the address bar');
  } finally {
    await one.stop();
  }
});

inStudio('a model that is not built yet is built in the live view', async (page) => {
  await visit(page, '#/live/bar-tets');
  const hook = await shownLive(page);
  assert.ok((await hook.restPositions()).length > 0);
});
