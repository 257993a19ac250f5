// SPDX-License-Identifier: Apache-2.0
// Playing with a body: up, samples in motion, paused pulls, keys, light, progress, phones, bodies without a support.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beam, farthest, folder, freeEnd, inStudio, openLive, program, shownLive, studio, until, visit } from './in_studio.mjs';
import { cubeObj } from './meshes.mjs';
import { limber, startStudio } from './studio.mjs';
import { builtBar } from './views.mjs';

const kPhone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// The id of a cube that the server builds.
async function builtCube(more) {
  const { upload } = await studio.post('api/uploads?name=cube.obj', cubeObj);
  const { job } = await studio.post('api/jobs', JSON.stringify({
    kind: 'build', upload, name: 'Cube', unit: 'm', filling: { voxels: { resolution: 4 } }, fix: [],
    materials: { young: 1e5, poisson: 0.4, density: 1000 }, groups: [], modes: 6, rank: 8, basis: 'modal-derivatives', ...more,
  }));
  const { result, error } = await studio.done(job);
  assert.ok(result, error?.problem);
  return result.id;
}

// The picture as it is now: its background, and the brightness (0 to 255) of what is in front of it.
function lookAt(page) {
  return page.evaluate(async () => {
    await window.limber.pixelOf(0);
    const from = document.querySelector('canvas.stage');
    const to = new OffscreenCanvas(from.width, from.height).getContext('2d');
    to.drawImage(from, 0, 0);
    const { data } = to.getImageData(0, 0, from.width, from.height);
    const different = (i) => Math.max(...[0, 1, 2].map((k) => Math.abs(data[i + k] - data[k]))) > 2;
    let sum = 0, count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (different(i)) [sum, count] = [sum + (data[i] + data[i + 1] + data[i + 2]) / 3, count + 1];
    return { brightness: sum / count, count };
  });
}

async function turn(page, down) {
  const { x, y, width } = await page.locator('canvas.stage').boundingBox();
  await page.mouse.move(x + width - 20, y + 60);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(x + width - 20, y + 60 + down, { steps: 3 });
  await page.mouse.up({ button: 'right' });
}

inStudio('the model’s own up is up in the picture, and gravity acts against it', async (page) => {
  const mesh = join(folder, 'leaning.obj');
  writeFileSync(mesh, cubeObj);
  const file = join(folder, 'leaning.glb');
  await limber(program, 'build', mesh, '--up=-x', '--fix', 'x>0.099', '--resolution', '3', '--modes', '4', '--rank', '4', '-o', file, '--quiet');
  const other = await startStudio(program, join(folder, 'leaning'), [file]);
  try {
    await page.goto(`${other.printed.replace('/#', '/?antialias=off#')}`);
    const hook = await shownLive(page);
    await hook.run(false);
    const rest = await hook.restPositions();
    const extreme = (sign) => Array.from({ length: rest.length / 3 }, (_, v) => v)
      .reduce((best, v) => (sign * rest[3 * v] > sign * rest[3 * best] ? v : best), 0);
    const [least, most] = [extreme(-1), extreme(1)];
    assert.ok((await hook.pixelOf(least)).y < (await hook.pixelOf(most)).y, 'small x is above large x');
    assert.equal(rest[3 * most], Math.max(...rest.filter((_, i) => i % 3 === 0)), 'positions are the file’s');
    await page.getByRole('button', { name: 'Earth' }).click();
    await until(page, async () => (await window.limber.settings()).gravity.join() === '9.81,0,0');
    await page.getByText('Show', { exact: true }).click();
    assert.equal(await page.getByLabel('Up', { exact: true }).count(), 0, 'the browser has no say');
  } finally {
    await other.stop();
  }
});

inStudio('samples come in order, and the jelly box jumps when it is opened', async (page) => {
  await visit(page, '#/');
  const samples = page.locator('.card[data-kind=sample] .card-title');
  await samples.first().waitFor();
  const titles = await samples.allTextContents();
  assert.deepEqual(titles.slice(0, 4), ['Jelly-box', 'Spoon', 'Heart', 'Bridge']);
  assert.deepEqual(titles.slice(-2), ['Bar', 'Bar of tetrahedra']);
  await page.goto(`${page.url().replace(/#.*/, '')}#/live/jelly-box`);
  await page.getByRole('toolbar', { name: 'Simulation' }).waitFor({ timeout: 120_000 });
  // 0.45 m high, where the skeleton's pelvis is highest.
  await until(page, async () => (await window.limber.state()).frame.bodies[0].position[2] > 0.4);
  await page.getByRole('button', { name: 'Play the jump' }).waitFor();
  await until(page, async () => {
    const [now, rest] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
    return now.some((x, i) => Math.abs(x - rest[i]) > 0.05);
  });
});

inStudio('a sample without a skeleton is shaken when it is opened; the user’s models wait', async (page) => {
  await openLive(page, await builtBar());
  await until(page, async () => Math.hypot(...(await window.limber.state()).frame.bodies[0].position) > 1e-3);
  const hook = await openLive(page);
  await until(page, async () => (await window.limber.state()).frame.step > 100);
  assert.deepEqual((await hook.q()).map(Math.abs), Array(10).fill(0));
});

inStudio('a pull while paused says that it is paused', async (page) => {
  const hook = await openLive(page);
  const paused = page.getByRole('status').filter({ hasText: 'Paused' });
  await hook.run(false);
  const at = await hook.pixelOf(await freeEnd(hook));
  await page.mouse.move(at.x - 6, at.y + 4);
  await page.mouse.down();
  await page.mouse.move(at.x - 6, at.y - 40, { steps: 3 });
  await paused.waitFor();
  await hook.run(true);
  await paused.waitFor({ state: 'detached' });
  await page.mouse.up();
});

inStudio('the keys are listed by ? and by a button', async (page) => {
  await openLive(page);
  await page.locator('canvas.stage').focus();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keys and pointer' });
  await list.waitFor();
  assert.match(await list.textContent(), /Space.*Run or pause/);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Keys' }).click();
  await list.getByRole('button', { name: 'Close' }).click();
  await list.waitFor({ state: 'detached' });
});

inStudio('the body is lit from below too; a bar that hangs in the air casts no shadow on a floor', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  const above = await lookAt(page);
  // What is seen is the bar alone: its outline from its vertices, with a margin for rounding and fixed vertices.
  const { left, right, top, bottom } = await page.evaluate(async () => {
    const count = (await window.limber.restPositions()).length / 3;
    const at = [];
    for (let v = 0; v < count; ++v) at.push(await window.limber.pixelOf(v));
    const [xs, ys] = [at.map(({ x }) => x), at.map(({ y }) => y)];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  });
  assert.ok(above.count < (right - left + 8) * (bottom - top + 8), `${above.count} pixels`);
  await turn(page, -330);
  const below = await lookAt(page);
  assert.ok(below.brightness > 0.75 * above.brightness, `${below.brightness} from below, ${above.brightness} from above`);
});

inStudio('video and animation are exported from the live view', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await hook.setState([0.5, ...Array(9).fill(0)]);
  for (let i = 0; i < 5; ++i) await hook.step(50);
  await page.getByText('Export', { exact: true }).click();
  await page.getByRole('button', { name: 'Video' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'), page.getByRole('button', { name: 'Animation (.glb)' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${beam}-motion.glb`);
});

inStudio('while a model is read, the page says how much of it', async (page) => {
  // The file comes in two parts; the second one when the test says so.
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (path, init) => {
      const answer = await fetch(path, init);
      if (!String(path).endsWith('.glb')) return answer;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const body = new ReadableStream({
        async start(out) {
          out.enqueue(bytes.subarray(0, bytes.length / 2));
          await new Promise((go) => { window.sendTheRest = go; });
          out.enqueue(bytes.subarray(bytes.length / 2));
          out.close();
        },
      });
      return new Response(body, { headers: { 'Content-Length': String(bytes.length) } });
    };
  });
  await visit(page, `#/live/${beam}`);
  const note = page.getByRole('status').filter({ hasText: /^Reading the model: [\d.]+ [kM]B of [\d.]+ [kM]B/ });
  await note.waitFor();
  const bar = page.getByRole('progressbar', { name: 'Model file read' });
  assert.ok(Math.abs(await bar.evaluate((one) => one.position) - 0.5) < 0.01);
  await page.evaluate(() => window.sendTheRest());
  await shownLive(page);
});

inStudio('on a phone the body stays in sight above every slider', async (page) => {
  const hook = await openLive(page);
  await hook.run(false);
  await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = true; });
  for (const slider of ["Young's modulus E, slider", 'Damping α, slider']) {
    const box = await page.getByLabel(slider).evaluate((one) => {
      one.scrollIntoView({ block: 'end' });
      const [canvas, here] = [document.querySelector('canvas.stage'), one].map((each) => each.getBoundingClientRect());
      return { canvas: { top: canvas.top, bottom: canvas.bottom }, slider: { top: here.top, bottom: here.bottom } };
    });
    assert.ok(box.canvas.top >= -1 && box.canvas.bottom > 250, JSON.stringify(box));
    assert.ok(box.slider.top >= box.canvas.bottom && box.slider.bottom <= 844.5, JSON.stringify(box));
  }
}, kPhone);

inStudio('the build of a sketch is in sight wherever the page is scrolled to', async (page) => {
  await visit(page, `#/sketch/${await builtBar()}`);
  await page.getByText('Pull by numbers').click();
  await page.getByRole('button', { name: 'Push along −z' }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('button', { name: 'Build a basis' }).click();
  const progress = page.locator('.build-progress > *');
  await progress.waitFor();
  const { top, bottom } = await progress.evaluate((one) => one.getBoundingClientRect().toJSON());
  assert.ok(top >= 0 && bottom <= 844, `${top} to ${bottom}`);
  await page.getByText(/^Built: \d+ coordinates?/).waitFor();
}, kPhone);

inStudio('a refused setting is told, and forgotten when the next one is taken', async (page) => {
  await openLive(page);
  await page.getByText('Solver', { exact: true }).click();
  const step = page.getByLabel('Time step', { exact: true });
  await step.fill('-1');
  await step.press('Enter');
  const message = page.locator('.alert');
  await message.waitFor();
  await step.fill('0.0005');
  await step.press('Enter');
  await message.waitFor({ state: 'detached' });
});

inStudio('a body without fixed parts that stays where it is says so', async (page) => {
  const hook = await openLive(page, await builtCube({}));
  await hook.run(false);
  await page.getByLabel('Mount').selectOption('fixed');
  await until(page, async () => (await window.limber.settings()).bodies[0].mount === 'fixed');
  await page.getByText('Nothing is fixed. The body deforms where it is').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Shake' }).isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Earth' }).isDisabled(), true);
  assert.equal(await page.getByRole('link', { name: 'Sketch' }).count(), 0);
  const rest = await hook.restPositions();
  // Gravity would do nothing: the basis has no rigid motion. Rounding of the rest shape is 1e-7 m.
  await hook.set({ gravity: [0, 0, -9.81] });
  await hook.step(500);
  assert.ok(farthest(await hook.positionsFromCpu(), rest) < 1e-6);
  // A pull deforms it.
  await hook.pull(0, [rest[0] - 0.05, rest[1], rest[2]], 1000);
  await hook.step(200);
  assert.ok(farthest(await hook.positionsFromCpu(), rest) > 1e-3);
});
