// SPDX-License-Identifier: Apache-2.0
// The studio's page in Chromium, drawing in software: how fast it steps, and how soon it shows something.
//     usage: node web_bench.mjs PROGRAM RESULTS.csv     rows are added, as limber_bench writes them
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peanutObj } from '../../tests/web/meshes.mjs';
import { hookOf, limber, openBrowser, startStudio } from '../../tests/web/studio.mjs';

const [, , program, results] = process.argv;
if (!existsSync(results)) writeFileSync(results, 'case,metric,value,unit,paper,vega,vega_fastest,yardstick_us\n');

function report(name, metric, value, unit) {
  console.log(`${name.padEnd(28)} ${metric.padEnd(34)} ${value.toPrecision(4).padStart(11)} ${unit}`);
  // No published number, and no yardstick: the browser is another machine.
  appendFileSync(results, `${name},${metric},${value.toPrecision(6)},${unit},,,,\n`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function inPage(browser, address, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 });
  try {
    const page = await context.newPage();
    await page.goto(address);
    return await work(page);
  } finally {
    await context.close();
  }
}

// The gallery, from the request of the page to its first text or picture, ms. Nothing is cached.
function firstPaint(browser, address) {
  return inPage(browser, address, (page) => page.evaluate(() => new Promise((done) => {
    new PerformanceObserver((list) => {
      const entry = list.getEntriesByName('first-contentful-paint')[0];
      if (entry) done(entry.startTime);
    }).observe({ type: 'paint', buffered: true });
  })));
}

function live(browser, studio, id, work) {
  return inPage(browser, `${studio.address}?antialias=off#token=${studio.token}`, async (page) => {
    await page.getByRole('banner').waitFor();
    await page.goto(`${studio.address}?antialias=off#/live/${id}`);
    await page.getByRole('toolbar', { name: 'Simulation' }).waitFor();
    return work(hookOf(page));
  });
}

// Steps a second of a body that swings, with drawing paused; the best of several batches, as other programs run too.
async function stepsPerSecond(hook) {
  await hook.run(false);
  const rest = await hook.restPositions();
  const middle = 3 * Math.floor(rest.length / 6);
  await hook.pull(middle / 3, [rest[middle], rest[middle + 1] + 20, rest[middle + 2] - 20], 1e5);
  await hook.step(500);
  await hook.release();
  let best = 0;
  for (let batch = 0; batch < 7; ++batch) best = Math.max(best, await hook.bench(20_000));
  return best;
}

const folder = mkdtempSync(join(tmpdir(), 'limber-web-bench-'));
const at = (name) => join(folder, name);
writeFileSync(at('peanut.obj'), peanutObj(284));
await limber(program, 'build', 'bridge', '--rank', '15', '-o', at('bridge.glb'), '--quiet');
await limber(program, 'build', at('peanut.obj'), '--resolution', '24', '--fix', 'z<-0.13', '--modes', '30',
  '--rank', '30', '-o', at('peanut.glb'), '--quiet');
const studio = await startStudio(program, at('cache'), [at('bridge.glb'), at('peanut.glb')]);
const browser = await openBrowser();
try {
  const { models } = await studio.get('api/gallery');
  const idOf = (file) => models.find(({ title }) => title.startsWith(file)).id;
  report('web_bridge', 'newmark_steps_r15', await live(browser, studio, idOf('bridge'), stepsPerSecond), '1/s');
  const paints = [], loads = [];
  for (let time = 0; time < 5; ++time) {
    paints.push(await firstPaint(browser, `${studio.address}#token=${studio.token}`));
    loads.push(await live(browser, studio, idOf('peanut'), (hook) => hook.loadTime()));
  }
  report('web_gallery', 'first_paint', median(paints), 'ms');
  report('web_peanut_40k', 'load_30_modes', median(loads), 'ms');
} finally {
  await browser.close();
  await studio.stop();
  rmSync(folder, { recursive: true });
}
