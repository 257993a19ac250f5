// SPDX-License-Identifier: Apache-2.0
// A test in a page of its own, on one server and one browser for all tests. What the page says in its console is a part
// of the test: any error fails it. On failure the picture and the console are kept in LIMBER_WEB_OUT.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { hookOf, limber, openBrowser, startStudio } from './studio.mjs';

export const program = process.env.LIMBER_PROGRAM;
/** A folder that is made new for every run. */
export const folder = process.env.LIMBER_WEB_OUT;

/** Set before the first test. */
export let studio, browser;
/** The id of a bar with both methods and 10 coordinates: 1 m long, held at x = 0, first frequency 1.02 Hz. */
export let beam;
/** The id of the same bar as a tree of four domains. */
export let tree;

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'beam.glb');
  await limber(program, 'build', 'bar', '--modes', '6', '--rank', '10', '--method', 'both', '-o', file, '--quiet');
  const cut = join(folder, 'tree.glb');
  await limber(program, 'build', 'bar', '--domains', 'auto:4', '--rank', '8', '-o', cut, '--quiet');
  studio = await startStudio(program, join(folder, 'cache'), [file, cut]);
  const { models } = await studio.get('api/gallery');
  [beam, tree] = ['beam', 'tree'].map((name) => models.find(({ kind, title }) => kind === 'given' && title.startsWith(name)).id);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await studio?.stop();
});

const kWindow = { viewport: { width: 640, height: 480 }, deviceScaleFactor: 1 };
// ms for one wait, and for one test: Chromium on two busy cores without a graphics card.
const kPatience = 30_000, kLongest = 150_000;

/** Opens a view of the studio; the token is handed over as the printed address does. */
export async function visit(page, fragment) {
  const address = `${studio.address}${process.env.LIMBER_WEB_QUERY ?? '?antialias=off'}`;
  await page.goto(`${address}#token=${studio.token}`);
  await page.getByRole('banner').waitFor();
  if (fragment !== '#/') await page.goto(`${address}${fragment}`);
}

/** Opens a model in the live view; resolves to the page's hook when it is shown. */
export async function openLive(page, id = beam) {
  await visit(page, `#/live/${id}`);
  return shownLive(page);
}

/** The hook of the live view, or of Inspect, when the model is there. */
export async function shownLive(page) {
  await page.getByRole('toolbar', { name: 'Simulation' }).waitFor();
  const hook = hookOf(page);
  await hook.ready();
  return hook;
}

function fileName(name) {
  return name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80);
}

// The page's own promises have no end of their own.
async function withinTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${kLongest / 1000} s`)), kLongest);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `options`: those of a Playwright context, and `expected`: console errors that the test is about (a RegExp). */
export function inStudio(name, body, { expected, ...options } = {}) {
  test(name, async () => {
    const context = await browser.newContext({ ...kWindow, ...options });
    context.setDefaultTimeout(kPatience);
    const page = await context.newPage();
    const lines = [], errors = [];
    page.on('console', (message) => {
      lines.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      if (message.type() === 'error' && !expected?.test(message.text())) errors.push(message.text());
    });
    page.on('pageerror', (error) => {
      lines.push(`thrown: ${error.stack}`);
      errors.push(error.message);
    });
    try {
      await withinTime(body(page));
      assert.deepEqual(errors, [], 'the console shows no errors');
    } catch (error) {
      const kept = join(folder, fileName(name));
      await page.screenshot({ path: `${kept}.png` }).catch(() => {});
      writeFileSync(`${kept}.log`, `${lines.join('\n')}\n\n${studio.log()}`);
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** Resolves when `holds(argument)`, which may be async and is evaluated in the page once a frame, is true. */
export function until(page, holds, argument = null) {
  return page.evaluate(`(async (holds, argument, end) => {
    while (!(await holds(argument))) {
      if (performance.now() > end) throw new Error('in vain: ' + holds);
      await new Promise(requestAnimationFrame);
    }
  })(${holds}, ${JSON.stringify(argument)}, performance.now() + ${kPatience})`);
}

/** What `look` makes of the pixels of an element (ImageData), as they are on the screen; it runs in the page. */
export async function seen(page, selector, look) {
  const png = await page.locator(selector).screenshot();
  return page.evaluate(`(async (look, text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return look(context.getImageData(0, 0, bitmap.width, bitmap.height));
  })(${look}, '${png.toString('base64')}')`);
}

/** The largest difference of two lists. */
export function farthest(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
}

/** A vertex at the free end of the bar, on its front side. */
export async function freeEnd(hook) {
  const rest = await hook.restPositions();
  let best = 0;
  for (let v = 1; v < rest.length / 3; ++v)
    if (rest[3 * v] + 0.1 * rest[3 * v + 2] > rest[3 * best] + 0.1 * rest[3 * best + 2]) best = v;
  return best;
}
