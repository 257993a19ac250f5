// SPDX-License-Identifier: Apache-2.0
// Sketch: forces become a basis. Inspect: the motion becomes a file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';
import { beam, inStudio, openLive, shownLive, visit } from './in_studio.mjs';
import { builtBar } from './views.mjs';

inStudio('a pull on the sketch is recorded, and a basis is built from it', async (page) => {
  await visit(page, `#/sketch/${await builtBar()}`);
  await page.locator('.mesh-host canvas').waitFor();
  const picture = await page.locator('.mesh-host canvas').boundingBox();
  // The middle of the picture is the middle of the bar.
  const middle = { x: picture.x + picture.width / 2, y: picture.y + picture.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x, middle.y - 60, { steps: 4 });
  await page.locator('.pull-label', { hasText: /N$/ }).waitFor();
  await page.mouse.up();
  await page.locator('.forces li').waitFor();
  assert.match(await page.locator('.forces li').textContent(), /vertex \d+: (along|mostly) /);
  await page.getByText('Pull by numbers').click();
  await page.getByRole('button', { name: 'Push along +y' }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.locator('.forces li').nth(1).waitFor();
  // Two forces, each at a third, two thirds and in full, both ways.
  await page.getByText('12 shapes to solve').waitFor();
  await page.getByRole('button', { name: 'Build a basis from these' }).click();
  await page.getByText(/^Built: \d+ coordinates/).waitFor();
  const after = page.getByRole('region', { name: 'Before and after' });
  await after.getByRole('link', { name: 'Open it live' }).last().click();
  const hook = await shownLive(page);
  const { length: rank } = await hook.q();
  assert.ok(rank >= 2 && rank <= 12, `${rank} coordinates of 12 shapes`);
});

// A valid animation, as it is downloaded: its times, and its JSON.
async function exported(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'), page.getByRole('button', { name: 'Animation (.glb)' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${beam}-motion.glb`);
  const bytes = new Uint8Array(readFileSync(await download.path()));
  const report = await validateBytes(bytes, { maxIssues: 100 });
  const complaints = report.issues.messages.filter(({ severity }) => severity <= 1);
  assert.deepEqual(complaints.map(({ code, pointer, message }) => `${code} at ${pointer}: ${message}`), []);
  assert.equal(report.info.animationCount, 1);
  const length = new DataView(bytes.buffer).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const [{ samplers, channels }] = json.animations;
  assert.equal(channels[0].target.path, 'weights');
  const times = json.accessors[samplers[0].input];
  // Ten frames of 50 steps, and what was before.
  assert.ok(times.count >= 10 && times.max[0] > 0.4, `${times.count} frames to ${times.max[0]} s`);
  assert.equal(json.accessors[samplers[0].output].count, times.count * json.meshes[0].weights.length);
  return json;
}

inStudio('the motion is exported as an animation that passes Khronos’ validator', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.setState([0.5, ...Array(9).fill(0)]);
  await page.getByRole('link', { name: 'Inspect' }).click();
  await shownLive(page);
  for (let i = 0; i < 10; ++i) await hook.step(50);
  const json = await exported(page);
  assert.equal(json.meshes[0].weights.length, 10, 'the basis itself');
  assert.ok(json.extensions.LIMBER_model, 'limber reads it again');
});

inStudio('the motion of a warped body is exported as its principal shapes', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.show(['warp']);
  await hook.setState([3, 2, 1, 0, 0, 0]);
  await page.getByRole('link', { name: 'Inspect' }).click();
  await shownLive(page);
  for (let i = 0; i < 10; ++i) await hook.step(50);
  const json = await exported(page);
  const shapes = json.meshes[0].weights.length;
  assert.ok(shapes > 3 && shapes <= 11, `${shapes} shapes of eleven frames`);
  assert.equal(json.extensions, undefined);
  await page.getByText(/Animation saved: \d+ shapes/).waitFor({ state: 'attached' });
});
