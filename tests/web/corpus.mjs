// SPDX-License-Identifier: Apache-2.0
// Six meshes that nobody here prepared, from the file to the pull. tests/corpus/run fetches them into LIMBER_CORPUS.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { folder, inStudio, shownLive, until, visit } from './in_studio.mjs';
import { next } from './views.mjs';

const corpus = process.env.LIMBER_CORPUS;
const models = join(corpus, 'deb-assimp-testmodels/usr/share/assimp/models');
const kMeshes = [
  { name: 'stanford-dragon', files: [join(corpus, 'meshes/stanford-dragon.ply')], unit: /^metres/ },
  { name: 'armadillo', files: [join(corpus, 'meshes/armadillo.off')], unit: /millimetres/ },
  { name: 'hand', files: [join(corpus, 'meshes/hand.glb')], unit: /^metres/ },
  { name: 'sphere-with-hole', files: [join(corpus, 'meshes/sphere-with-hole.stl')], unit: /centimetres/ },
  { name: 'box-textured', files: filesOf(join(models, 'glTF2/BoxTextured-glTF')), unit: /^metres/ },
  { name: 'spider', files: filesOf(join(models, 'OBJ')).filter((file) => /spider|wal6|drkwood|engineflare/i.test(basename(file))), unit: /millimetres/ },
];

function filesOf(place) {
  return readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => join(place, name));
}

for (const { name, files, unit } of kMeshes)
  inStudio(`${name} is checked, filled, held, built and pulled`, async (page) => {
    const pictures = join(folder, 'pictures');
    mkdirSync(pictures, { recursive: true });
    const picture = (what) => page.screenshot({ path: join(pictures, `${name}-${what}.png`) });
    await visit(page, '#/make');
    await page.locator('input[type=file]').setInputFiles(files.map((file) => (
      { name: basename(file), mimeType: 'application/octet-stream', buffer: readFileSync(file) })));
    await page.getByText(/the body is/i).first().waitFor({ timeout: 120_000 });
    await page.getByRole('radio', { name: unit }).check();
    await page.getByText(/^The body is/).waitFor({ timeout: 120_000 });
    await picture('mesh');
    await next(page, 'Fill');
    await next(page, 'Fixed parts');
    await page.getByRole('button', { name: 'Bottom' }).click();
    await page.getByText(/vertices selected$/).waitFor();
    await picture('fixed');
    await next(page, 'Material');
    await next(page, 'Motion');
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.getByRole('link', { name: 'Open live view' }).waitFor({ timeout: 240_000 });
    await picture('result');
    await page.getByRole('link', { name: 'Open live view' }).click();
    const hook = await shownLive(page);
    // The highest vertex: STL is z up, the others y.
    await hook.run(false);
    const rest = await hook.restPositions();
    const axis = files[0].endsWith('.stl') ? 2 : 1;
    let top = 0;
    for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v + axis] > rest[3 * top + axis]) top = v;
    await hook.run(true);
    const at = await hook.pixelOf(top);
    // A little towards the middle of the picture: a corner itself is easily missed.
    const { width, height } = page.viewportSize();
    const from = { x: at.x + 0.08 * (0.35 * width - at.x), y: at.y + 0.08 * (0.5 * height - at.y) };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await until(page, async () => (await window.limber.state()).pulling);
    await page.mouse.move(from.x + 60, from.y + 20, { steps: 3 });
    await until(page, async (vertex) => {
      const [now, before] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
      return now.every(Number.isFinite) && [0, 1, 2].some((k) => Math.abs(now[3 * vertex + k] - before[3 * vertex + k]) > 1e-6);
    }, top);
    await picture('pulled');
    await page.mouse.up();
  }, { viewport: { width: 1200, height: 800 } });
