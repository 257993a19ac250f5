// SPDX-License-Identifier: Apache-2.0
// The pictures of the page in README.md, made new.
//     usage: LIMBER_WEB_QUERY=? tests/web/run PROGRAM FOLDER pictures.mjs     FOLDER/pictures has those of docs/pictures
import { join } from 'node:path';
import { startStudio, limber } from './studio.mjs';
import { folder, inStudio, openLive, program, shownLive, studio, until } from './in_studio.mjs';

const kSize = { viewport: { width: 1180, height: 720 } };
// ms: many bodies drawn in software.
const kLong = 140_000;

inStudio('studio.png: the spoon is pulled', async (page) => {
  const { job } = await studio.post('api/gallery/spoon/build', '{}');
  await studio.done(job);
  const hook = await openLive(page, 'spoon');
  await hook.run(false);
  await hook.reset();
  const rest = await hook.restPositions();
  // On the upper side of the bowl.
  const score = (v) => rest[3 * v + 2] - Math.abs(rest[3 * v] - 0.165) - Math.abs(rest[3 * v + 1]);
  const bowl = rest.reduce((best, _, v) => (3 * v < rest.length && score(v) > score(best) ? v : best), 0);
  const { x, y } = await hook.pixelOf(bowl);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(x - 30, y + 110, { steps: 5 });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await hook.step(6000);
  await hook.run(true);
  await page.screenshot({ path: join(folder, 'pictures', 'studio.png'), timeout: kLong });
}, kSize);

// Of free jelly boxes, six times as stiff as the sample: a body of jelly 1.4 m high does not survive a fall from 8 m.
inStudio('contact.png: twenty soft bodies are poured in', async (page) => {
  const file = join(folder, 'jelly-box.glb');
  await limber(program, 'build', 'jelly-box', '--young', '3e5', '--fix', 'none', '--rank', '12', '--method', 'stvk', '-o', file, '--quiet');
  const other = await startStudio(program, join(folder, 'contact-cache'), [file]);
  try {
    await page.goto(other.printed);
    const hook = await shownLive(page);
    await hook.run(false);
    for (const name of ['Drop it', 'Pour in 20']) {
      const before = (await hook.settings()).bodies.length;
      await page.getByRole('button', { name }).click();
      await until(page, async (least) => {
        const { obstacles, bodies } = await window.limber.settings();
        return obstacles.length === 1 && bodies.length >= least;
      }, name === 'Drop it' ? before : before + 20);
      // What is arranged runs.
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await hook.run(false);
    }
    await hook.step(600);
    await page.getByRole('button', { name: 'Frame' }).click();
    const { x, y, width, height } = await page.locator('canvas.stage').boundingBox();
    // Without the numbers above and the buttons below.
    const clip = { x, y: y + 50, width, height: height - 130 };
    await page.evaluate(() => document.querySelector('.overlay').remove());
    await page.screenshot({ path: join(folder, 'pictures', 'contact.png'), clip, timeout: kLong });
  } finally {
    await other.stop();
  }
}, kSize);
