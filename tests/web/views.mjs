// SPDX-License-Identifier: Apache-2.0
// Every view of the page, and how to get there; for tests and pictures of all of them.
import assert from 'node:assert/strict';
import { beam, freeEnd, shownLive, studio, visit } from './in_studio.mjs';
import { bunnyObj, cubeObj } from './meshes.mjs';

const openAll = (page) => page.evaluate(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
});

/** Begins to make a model of a mesh. */
export async function upload(page, name, buffer) {
  await visit(page, '#/make');
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'model/obj', buffer });
}

export async function next(page, title) {
  await page.getByRole('button', { name: `Next: ${title}` }).click();
}

async function bunnyAt(page, step) {
  await upload(page, 'bunny.obj', bunnyObj);
  await page.getByRole('radio', { name: /centimetres/ }).check();
  await page.getByText(/^The body is .* cm long/).waitFor();
  for (const title of ['Fill', 'Fixed parts', 'Material', 'Motion']) {
    if (step === 'Mesh') return;
    await next(page, title);
    if (title === step) return;
  }
}

/** The bar, built by the gallery; it can be built again, which a sketch does. */
export async function builtBar() {
  const { job } = await studio.post('api/gallery/bar/build', '{}');
  await studio.done(job);
  return 'bar';
}

/** The job that built a soft cube. */
export async function builtCube() {
  const { upload: id } = await studio.post('api/uploads?name=cube.obj', cubeObj);
  const { job } = await studio.post('api/jobs', JSON.stringify({
    kind: 'build', upload: id, name: 'Soft cube', unit: 'm', filling: { voxels: { resolution: 6 } }, fix: ['z<0.01'],
    materials: { young: 1e5, poisson: 0.45, density: 1000 }, groups: [], modes: 8, rank: 12, basis: 'modal-derivatives',
  }));
  await studio.done(job);
  return job;
}

/** The job that built a cube of which nothing is fixed. */
export async function looseCube() {
  const { upload: id } = await studio.post('api/uploads?name=cube.obj', cubeObj);
  const { job } = await studio.post('api/jobs', JSON.stringify({
    kind: 'build', upload: id, name: 'Loose cube', unit: 'm', filling: { voxels: { resolution: 4 } }, fix: [],
    materials: { young: 1e5, poisson: 0.4, density: 1000 }, groups: [], modes: 6, rank: 9, basis: 'modal-derivatives',
  }));
  const { result, error } = await studio.done(job);
  assert.ok(result, error?.problem);
  return result.id;
}

/** A hand's breadth up at the free end. */
async function pullUp(hook) {
  const vertex = await freeEnd(hook), rest = await hook.restPositions();
  await hook.pull(vertex, [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2] + 0.3], 100);
}

/** By name; each leaves the page at rest in that view. */
export const kViews = {
  gallery: async (page) => {
    await visit(page, '#/');
    await page.getByRole('link', { name: 'beam.glb' }).waitFor();
  },
  live: async (page) => {
    await visit(page, `#/live/${beam}`);
    await (await shownLive(page)).run(false);
  },
  'live-panels': async (page) => {
    await kViews.live(page);
    await openAll(page);
  },
  'live-keys': async (page) => {
    await kViews.live(page);
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'live-side-by-side': async (page) => {
    await kViews.live(page);
    const hook = await shownLive(page);
    await hook.show(['stvk', 'warp', 'linear']);
    await hook.set({ gravity: [0, 0, -9.81] });
    await hook.step(600);
  },
  // Two of one method, a rigid one that has fallen a little, and one of another model.
  'live-bodies': async (page) => {
    const other = await builtBar();
    await kViews.live(page);
    const hook = await shownLive(page);
    for (const method of ['stvk', 'rigid']) await hook.add(method);
    await hook.add('stvk', await hook.open(other));
    await hook.set({ gravity: [0, 0, -9.81] });
    await hook.step(150);
  },
  // Dropped on a floor, with the forces that hold it.
  'live-dropped': async (page) => {
    await kViews.live(page);
    const hook = await shownLive(page);
    await page.getByRole('button', { name: 'Drop it' }).click();
    await page.locator('.notice').filter({ hasText: 'falls as a rigid body' }).waitFor();
    await hook.run(false);
    await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = /Contact|Show/.test(one.textContent); });
    await page.getByLabel('Contact forces').check();
    await hook.step(2500);
  },
  'make-empty': (page) => visit(page, '#/make'),
  'make-mesh': (page) => bunnyAt(page, 'Mesh'),
  'make-fill': async (page) => {
    await bunnyAt(page, 'Fill');
    await page.getByLabel('Cubes along the longest side', { exact: true }).fill('14');
    await page.getByRole('button', { name: 'Show the elements' }).click();
    await page.getByText(/^[\d,]+ cubes on [\d,]+ vertices/).waitFor();
  },
  'make-fixed': async (page) => {
    await bunnyAt(page, 'Fixed parts');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await openAll(page);
  },
  'make-material': async (page) => {
    await bunnyAt(page, 'Material');
    await page.getByRole('button', { name: 'Add a material group' }).click();
  },
  'make-motion': (page) => bunnyAt(page, 'Motion'),
  'make-result': async (page) => {
    await visit(page, `#/make/${await builtCube()}`);
    await page.getByRole('link', { name: 'Open live view' }).waitFor();
    await page.locator('.compliance-view [data-ready=true]').waitFor();
  },
  sketch: async (page) => {
    await visit(page, `#/sketch/${await builtBar()}`);
    await page.getByText('Pull by numbers').click();
    await page.getByRole('button', { name: 'Push along −z' }).click();
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.locator('.forces li').waitFor();
  },
  inspect: async (page) => {
    await visit(page, `#/inspect/${beam}`);
    const hook = await shownLive(page);
    await hook.run(false);
    await pullUp(hook);
    for (let i = 0; i < 20; ++i) await hook.step(50);
    await openAll(page);
  },
};
