// SPDX-License-Identifier: Apache-2.0
// A model of 40,000 vertices; and the gallery and live view as plain files on a plain server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { serve } from '../../web/dev/serve.mjs';
import { farthest, folder, freeEnd, inStudio, openLive, program, shownLive, studio, until } from './in_studio.mjs';
import { peanutObj } from './meshes.mjs';
import { limber } from './studio.mjs';

inStudio('a model of 40,000 vertices is built, shown and moved', async (page) => {
  const { upload } = await studio.post('api/uploads?name=peanut.obj', peanutObj(284));
  const { job } = await studio.post('api/jobs', JSON.stringify({
    kind: 'build', upload, name: 'Peanut', unit: 'm', filling: { voxels: { resolution: 16 } }, fix: ['z<-0.13'],
    materials: { young: 1e5, poisson: 0.45, density: 1000 }, groups: [], modes: 6, rank: 10, basis: 'modal-derivatives',
  }));
  const { result, error } = await studio.done(job);
  assert.ok(result, error?.problem);
  const hook = await openLive(page, result.id);
  await hook.run(false);
  const rest = await hook.restPositions();
  assert.ok(rest.length / 3 > 40_000, `${rest.length / 3} vertices`);
  let top = 0;
  for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v + 2] > rest[3 * top + 2]) top = v;
  await hook.pull(top, [0.08, 0.02, 0.15], 50);
  await hook.step(300);
  const card = await hook.positionsFromGpu(), cpu = await hook.positionsFromCpu();
  assert.ok(farthest(cpu, rest) > 0.02);
  assert.ok(farthest(card, cpu) < 1e-6);
});

inStudio('the exported gallery works on a plain file server', async (page) => {
  const files = join(folder, 'exported');
  await limber(program, 'studio', join(folder, 'beam.glb'), '--export', files, '--cache', join(folder, 'cache'),
    '--quiet');
  const server = await serve(files);
  try {
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${server.address}?antialias=off`);
    await page.getByRole('link', { name: 'beam.glb' }).click();
    const hook = await shownLive(page);
    assert.equal(await page.getByRole('link', { name: 'Make a model' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Sketch' }).count(), 0);
    const at = await hook.pixelOf(await freeEnd(hook));
    await page.mouse.move(at.x - 6, at.y + 4);
    await page.mouse.down();
    await page.mouse.move(at.x - 6, at.y - 76, { steps: 4 });
    await until(page, async () => {
      const [now, rest] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
      return now.some((x, i) => Math.abs(x - rest[i]) > 0.1);
    });
    await page.mouse.up();
    // It falls on a floor here as well.
    await page.getByRole('button', { name: 'Drop it' }).click();
    await until(page, async () => (await window.limber.state()).frame.contact?.touching > 0);
    assert.deepEqual(asked.filter((url) => url.includes('/api/') || !/^(blob:)?http:\/\/127\.0\.0\.1:/.test(url)), []);
  } finally {
    await server.close();
  }
});
