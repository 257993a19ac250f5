// SPDX-License-Identifier: Apache-2.0
// Make a model of one's own mesh; what happens when the mesh is broken, the build is cancelled, the page reloaded.
import assert from 'node:assert/strict';
import bunny from 'bunny';
import { farthest, inStudio, shownLive, studio, until, visit } from './in_studio.mjs';
import { bunnyObj, cubeObj } from './meshes.mjs';
import { areaWeightedNormals, degreesBetween } from './normals.mjs';
import { builtCube, next, upload } from './views.mjs';

// Whether a point fulfils `x>-0.03 && y<0.01 …`.
function isIn(box, point) {
  return box.split(' && ').every((side) => {
    const [where, limit] = [point['xyz'.indexOf(side[0])], Number(side.slice(2))];
    return side[1] === '<' ? where < limit : where > limit;
  });
}

inStudio('the printed address of a mesh opens the steps that make a model of it', async (page) => {
  const { upload: id } = await studio.post('api/uploads?name=given.obj', cubeObj);
  const gallery = await studio.get('api/gallery');
  gallery.models.unshift({ ...gallery.models[0], id: 'given-mesh', title: 'given.obj', kind: 'given', state: 'unbuilt', upload: id });
  await page.route('**/api/gallery', (route) => route.fulfill({ json: gallery }));
  await page.goto(`${studio.address}#token=${studio.token}&open=given-mesh`);
  await page.getByRole('heading', { name: /mesh/i }).first().waitFor();
  await page.getByText('given.obj').first().waitFor();
  assert.match(page.url(), /#\/make$/);
});

inStudio('npm’s bunny is uploaded, held at its feet by a box, built, and pulled', async (page) => {
  await upload(page, 'bunny.obj', bunnyObj);
  await page.getByText('1,839 vertices').waitFor();
  await page.getByRole('radio', { name: /centimetres/ }).check();
  // The check is made again in the new unit.
  await page.getByText(/^The body is .* cm long/).waitFor();
  await next(page, 'Fill');
  await page.getByLabel('Cubes along the longest side', { exact: true }).fill('14');
  await page.getByRole('button', { name: 'Show the elements' }).click();
  await page.getByText(/^[\d,]+ cubes on [\d,]+ vertices/).waitFor();
  await next(page, 'Fixed parts');
  await page.getByRole('group', { name: 'Look from' }).getByRole('button', { name: 'Front' }).click();
  await page.getByRole('button', { name: 'Box', exact: true }).click();
  // From beside the bunny's feet to below its other side: from the front the feet are the lowest of the picture.
  const picture = await page.locator('.mesh-host canvas').boundingBox();
  await page.mouse.move(picture.x + 3, picture.y + 0.66 * picture.height);
  await page.mouse.down();
  await page.mouse.move(picture.x + picture.width - 3, picture.y + picture.height - 3, { steps: 3 });
  await page.mouse.up();
  const chosen = Number((await page.getByText(/vertices selected$/).textContent()).replace(/\D/g, ''));
  assert.ok(chosen > 20 && chosen < bunny.positions.length / 2, `${chosen} vertices`);
  const box = await page.getByRole('textbox', { name: 'Condition' }).inputValue();
  await next(page, 'Material');
  await page.getByLabel('Material', { exact: true }).selectOption({ label: await labelOf(page, /jelly/i) });
  await next(page, 'Motion');
  await page.getByLabel('Vibration modes').fill('6');
  await page.getByLabel('Shapes (rank)').fill('10');
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('link', { name: 'Open live view' }).click();
  const hook = await shownLive(page);

  // The tip of an ear is the highest point. The bunny is 10 cm high; the ear follows by more than a millimetre.
  await hook.run(false);
  const rest = await hook.restPositions();
  let ear = 0;
  for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v + 1] > rest[3 * ear + 1]) ear = v;
  await hook.run(true);
  const at = await hook.pixelOf(ear);
  await page.mouse.move(at.x, at.y + 5);
  await page.mouse.down();
  await until(page, async () => (await window.limber.state()).pulling);
  await page.mouse.move(at.x + 60, at.y - 40, { steps: 3 });
  await until(page, async (vertex) => {
    const [now, before] = [await window.limber.positionsFromCpu(), await window.limber.restPositions()];
    return Math.hypot(...[0, 1, 2].map((k) => now[3 * vertex + k] - before[3 * vertex + k])) > 0.001;
  }, ear);
  await hook.run(false);
  const card = await hook.positionsFromGpu(), cpu = await hook.positionsFromCpu();
  assert.ok(farthest(card, cpu) < 1e-6);
  // What the box holds is where it was.
  let held = 0;
  for (let v = 0; v < rest.length / 3; ++v) {
    if (!isIn(box, rest.slice(3 * v, 3 * v + 3))) continue;
    ++held;
    for (let k = 3 * v; k < 3 * v + 3; ++k) assert.ok(Math.abs(cpu[k] - rest[k]) < 1e-6);
  }
  assert.equal(held, chosen);
  // A smooth surface: one normal a point almost everywhere.
  const { normals, vertexOf } = await hook.normalsFromGpu();
  const expected = areaWeightedNormals(cpu, rest, await hook.triangles());
  vertexOf.forEach((vertex, i) => {
    const off = Math.min(...expected[vertex].map((normal) => degreesBetween(normal, normals.slice(3 * i, 3 * i + 3))));
    assert.ok(off < 1, `the normal of vertex ${vertex} is ${off}° off`);
  });
});

async function labelOf(page, pattern) {
  const labels = await page.getByLabel('Material', { exact: true }).locator('option').allTextContents();
  return labels.find((label) => pattern.test(label));
}

inStudio('the result maps the local compliance by itself; the worst place is improved where one points', async (page) => {
  await visit(page, `#/make/${await builtCube()}`);
  await page.getByText(/^\d+ shapes capture (more than )?[\d.]+% of the computed motion; local dents are not included\./).waitFor();
  const map = page.locator('.compliance-view [data-ready=true]');
  await map.waitFor();
  const worst = page.getByText(/^Worst of \d+ places: [\d.]+ of the full model’s compliance/);
  const before = Number(/: ([\d.]+) of/.exec(await worst.textContent())[1]);
  assert.ok(before > 0 && before < 0.9, `${before}`);
  // The worst place is proposed; a click on the body takes another one.
  const places = page.locator('.places li');
  assert.equal(await places.count(), 1);
  const canvas = map.locator('canvas');
  const { width, height } = await canvas.boundingBox();
  // One of these is nearer to another vertex of the cube.
  for (const [x, y] of [[0.5, 0.5], [0.42, 0.5], [0.58, 0.5], [0.5, 0.62]])
    if ((await places.count()) === 1) await canvas.click({ position: { x: x * width, y: y * height } });
  await places.nth(1).waitFor();
  await places.nth(1).getByRole('button', { name: /^Remove/ }).click();
  await page.getByText('15 coordinates instead of 12').waitFor();
  await page.getByRole('button', { name: 'Improve this place and rebuild' }).click();
  await page.getByRole('heading', { level: 1, name: 'Soft cube improved' }).waitFor();
  await page.getByText('3 static responses add local dents at the improved places.').waitFor();
  await map.waitFor();
  // The improved place is as soft as in the full model.
  await page.getByText(/^All \d+ places$/).click();
  const ratios = await page.locator('.scrolls tbody tr td:nth-child(4)').allTextContents();
  assert.ok(ratios.includes('1'), ratios.join(' '));
});

inStudio('a broken file is answered with the place and what to try', async (page) => {
  await upload(page, 'broken.obj', Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n'));
  const alert = page.locator('.problem-here');
  await alert.waitFor();
  const text = await alert.textContent();
  assert.match(text, /broken\.obj/);
  assert.match(text, /4/, 'the line');
  assert.match(text, /9/, 'the vertex that is not there');
  assert.doesNotMatch(text, /cache|uploads|\/tmp/, 'no path of the server');
});

inStudio('a file that is no mesh is answered in words', async (page) => {
  await upload(page, 'letter.stl', Buffer.from('Dear reader, this is not a mesh.\n'));
  const alert = page.locator('.problem-here');
  await alert.waitFor();
  assert.match(await alert.textContent(), /letter\.stl/);
});

inStudio('a build is cancelled, and can be started again', async (page) => {
  await visit(page, '#/');
  const card = page.locator('li.model', { has: page.getByRole('button', { name: /^spoon$/i }) });
  await card.getByRole('button', { name: /^spoon$/i }).click();
  await card.getByText('Building', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Cancel' }).click();
  await card.getByText('Built when opened').waitFor();
  const { jobs } = await studio.get('api/jobs');
  assert.deepEqual(jobs.filter(({ title, state }) => /spoon/i.test(title) && state !== 'cancelled'), []);
  assert.ok(await card.getByRole('button', { name: /^spoon$/i }).isEnabled());
});

inStudio('a build that runs is found again after a reload, in its own view and in the gallery', async (page) => {
  await upload(page, 'bunny.obj', bunnyObj);
  await page.getByRole('radio', { name: /centimetres/ }).check();
  await page.getByText(/^The body is .* cm long/).waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fill' }).click();
  await page.getByLabel('Cubes along the longest side', { exact: true }).fill('60');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fixed parts' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Motion' }).click();
  await page.getByLabel('Model name').fill('Found again');
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Found again' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Found again' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.getByRole('heading', { name: 'Builds in progress' }).waitFor();
  await page.locator('.job-title', { hasText: 'Found again' }).waitFor();
  await page.getByRole('link', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('This build was cancelled').waitFor();
  // What was chosen is there still.
  await page.getByRole('link', { name: 'Change settings' }).click();
  await page.getByRole('button', { name: 'Build', exact: true }).waitFor();
  assert.equal(await page.getByLabel('Model name').inputValue(), 'Found again');
});

inStudio('names that look like HTML are shown as text', async (page) => {
  const name = '<img src=x onerror=window.hit=1>';
  await upload(page, `${name}.obj`, cubeObj);
  await page.getByText(`${name}.obj`).first().waitFor();
  await page.getByText(/^The body is/).waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fill' }).click();
  await page.getByLabel('Cubes along the longest side', { exact: true }).fill('4');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fixed parts' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Motion' }).click();
  await page.getByLabel('Model name').fill(name);
  await page.getByLabel('Vibration modes').fill('4');
  await page.getByLabel('Shapes (rank)').fill('6');
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('link', { name: 'Open live view' }).waitFor();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('link', { name: 'Open live view' }).click();
  await shownLive(page);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.getByRole('link', { name }).waitFor();
  assert.equal(await page.locator('img[src=x]').count(), 0);
  assert.equal(await page.evaluate(() => window.hit), undefined);
});
