// SPDX-License-Identifier: Apache-2.0
// Meshes as they come: any axis up, any unit, several files, large, textured, broken.
import assert from 'node:assert/strict';
import { inStudio, seen, shownLive, studio, visit } from './in_studio.mjs';
import {
  cubeGlb, cubeObj, peanutPly, scaledBunnyObj, stretchedCubeObj, texturedCube, twoCubesObj, untidyCubeObj,
} from './meshes.mjs';
import { next, upload } from './views.mjs';

const build = (page) => page.getByRole('button', { name: 'Build', exact: true }).click();
const goTo = (page, step) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: step }).click();

/** Small, so that it is quick. */
async function setSmall(page) {
  await goTo(page, 'Fill');
  await page.getByLabel('Cubes along the longest side', { exact: true }).fill('4');
  await goTo(page, 'Motion');
  await page.getByLabel('Vibration modes').fill('4');
  await page.getByLabel('Shapes (rank)').fill('6');
}

/** The result of the build that the page shows. */
async function result(page) {
  await page.getByRole('link', { name: 'Open live view' }).waitFor();
  return (await studio.get(`api/jobs/${page.url().split('/').at(-1)}`)).result;
}

async function choose(page, files) {
  await page.locator('input[type=file]').setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer })));
}

/** Pixels of the picture in the colour of problems. */
const orange = (page) => seen(page, '.mesh-host canvas', ({ data }) => {
  let count = 0;
  for (let at = 0; at < data.length; at += 4) count += data[at] > 180 && data[at + 1] < 130 && data[at + 2] < 60;
  return count;
});

/** How much of the picture is not background, 0 to 1, and its columns' and rows' first and last, 0 to 1. */
const drawn = (page) => seen(page, '.mesh-host canvas', ({ data, width, height }) => {
  let count = 0, top = height, bottom = 0, left = width, right = 0;
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const at = 4 * (y * width + x);
      // The bar of buttons lies over the lower edge.
      if (y > 0.9 * height || [0, 1, 2].every((k) => Math.abs(data[at + k] - data[k]) < 8)) continue;
      ++count;
      [top, bottom, left, right] = [Math.min(top, y), Math.max(bottom, y), Math.min(left, x), Math.max(right, x)];
    }
  return { part: count / (width * height), tall: (bottom - top) / height, wide: (right - left) / width };
});

inStudio('up is by the format, turns the picture at once, and is the model’s', async (page) => {
  // Thin along x: upright if y is up.
  await upload(page, 'plate.obj', stretchedCubeObj([0.1, 1, 1]));
  await page.getByText(/^The body is/).waitFor();
  const up = page.getByRole('group', { name: 'Up' });
  assert.ok(await up.getByRole('radio', { name: 'y', exact: true }).isChecked());
  await page.getByRole('group', { name: 'Look from' }).getByRole('button', { name: 'Front' }).click();
  const before = await drawn(page);
  await up.getByRole('radio', { name: 'x', exact: true }).check({ force: true });
  await page.getByRole('group', { name: 'Look from' }).getByRole('button', { name: 'Front' }).click();
  const after = await drawn(page);
  // From the front the plate is 1 × 10 upright, and 10 × 1 lying.
  assert.ok(before.tall / before.wide > 2, JSON.stringify(before));
  assert.ok(after.tall / after.wide < 0.5, JSON.stringify(after));
  await goTo(page, 'Fixed parts');
  await page.getByRole('button', { name: 'Bottom' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Condition' }).inputValue(), 'x < xmin + 0.05*(xmax-xmin)');
  // The bottom stays the bottom.
  await goTo(page, 'Mesh');
  await up.getByRole('radio', { name: '−y', exact: true }).check({ force: true });
  await goTo(page, 'Fixed parts');
  assert.equal(await page.getByRole('textbox', { name: 'Condition' }).inputValue(), 'y > ymax - 0.05*(ymax-ymin)');
  await setSmall(page);
  await build(page);
  assert.equal((await result(page)).info.up, '-y');
}, { viewport: { width: 1000, height: 640 } });

inStudio('a GLB is built under its proposed name, and seams are no holes', async (page) => {
  await upload(page, 'cube.glb', cubeGlb);
  await page.getByText('24 vertices, 12 triangles, closed').waitFor();
  await page.getByText('No problems found.').waitFor();
  assert.equal(await page.getByText(/separate piece/).count(), 0);
  await next(page, 'Fill');
  await page.getByRole('radio', { name: /Tetrahedra follow the surface/ }).check();
  await page.getByRole('button', { name: 'Show the elements' }).click();
  await page.getByText(/^[\d,]+ tetrahedra? on/).waitFor();
  await next(page, 'Fixed parts');
  await page.getByRole('button', { name: 'Bottom' }).click();
  await page.getByText('12 vertices selected').waitFor();
  await next(page, 'Material');
  await next(page, 'Motion');
  await page.getByLabel('Vibration modes').fill('3');
  await page.getByLabel('Shapes (rank)').fill('4');
  assert.equal(await page.getByLabel('Model name').inputValue(), 'cube');
  await build(page);
  const { command } = await result(page);
  assert.match(command, /-o cube-soft\.glb/);
});

inStudio('a mesh of 335,000 triangles is drawn as a surface', async (page) => {
  await upload(page, 'peanut.ply', peanutPly(580));
  await page.getByText(/335,240 triangles, closed/).waitFor();
  await page.getByText(/^The body is/).waitFor();
  // The body fills a tenth of the picture or more; dots alone would be a thousandth.
  const { part } = await drawn(page);
  assert.ok(part > 0.1, `${part} of the picture is drawn`);
}, { viewport: { width: 900, height: 600 } });

inStudio('a glTF takes its buffer and texture along; every other file is accounted for', async (page) => {
  await visit(page, '#/make');
  await choose(page, [['cube.gltf', texturedCube.gltf]]);
  await page.getByText('the mesh is in cube.bin, which is not here').waitFor();
  await choose(page, [['checks.png', texturedCube.png], ['cube.gltf', texturedCube.gltf], ['cube.bin', texturedCube.binary],
    ['other.obj', cubeObj], ['photo.jpg', Buffer.from('no picture')]]);
  await page.getByText('With cube.bin, textures/checks.png.').waitFor();
  await page.getByText('Not used by this mesh: photo.jpg.').waitFor();
  await page.getByRole('button', { name: 'Open other.obj' }).waitFor();
  assert.equal(await page.getByText('which is not here').count(), 0, 'the first answer is gone');
  await page.getByText('24 vertices, 12 triangles').waitFor();
  await setSmall(page);
  await build(page);
  const { id } = await result(page);
  const file = Buffer.from(await (await fetch(`${studio.address}api/models/${id}.glb`, { headers: { 'X-Limber-Token': studio.token } })).arrayBuffer());
  const gltf = JSON.parse(file.subarray(20, 20 + file.readUInt32LE(12)));
  assert.equal(gltf.images.length, 1);
  assert.deepEqual(gltf.materials[0].extensions, { KHR_materials_clearcoat: { clearcoatFactor: 1 } });
});

inStudio('a thin plate is one cube thick, and needs no advice', async (page) => {
  // 20 cm × 10 cm × 1.5 mm: a build of 15 s has 123 cubes along the longest side, 0.9 of one across.
  await upload(page, 'plate.obj', stretchedCubeObj([2, 1, 0.015]));
  await page.getByText(/^The body is/).waitFor();
  await next(page, 'Fill');
  await page.getByText(/^7,\d{3} cubes on/).waitFor();
  assert.equal(await page.getByText(/too stiffly/).count(), 0);
});

inStudio('of a foil the page tells by how much it errs, and does better at a click', async (page) => {
  // 20 cm × 10 cm × 0.9 mm: half a cube with those of a build of 15 s, one whole with 20/0.09.
  await upload(page, 'foil.obj', stretchedCubeObj([2, 1, 0.009]));
  await page.getByText(/^The body is/).waitFor();
  await next(page, 'Fill');
  await page.getByText(/thick\. There it bends about [\d.]+ times too stiffly, so its lowest frequencies are about [\d.]+ times too high\./).waitFor();
  await page.getByRole('button', { name: 'Use 222 cubes along the longest side' }).click();
  await page.getByText(/^24,642 cubes on/).waitFor();
  assert.equal(await page.getByText(/too stiffly/).count(), 0);
});

inStudio('files that were missing are added by dropping them', async (page) => {
  const obj = Buffer.concat([Buffer.from('mtllib cube.mtl\nusemtl red\n'), cubeObj]);
  await upload(page, 'cube.obj', obj);
  await page.getByText(/^Not found: cube\.mtl\./).waitFor();
  await page.getByText(/^The body is/).waitFor();
  // A drop anywhere on the page.
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['newmtl red\nKd 1 0 0\n'], 'cube.mtl'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.getByText('With cube.mtl.').waitFor();
  assert.equal(await page.getByText(/^Not found/).count(), 0);
  await page.getByText(/^The body is/).waitFor();
});

inStudio('a mesh is repaired with one button, and the repair can be undone', async (page) => {
  await upload(page, 'cube.obj', untidyCubeObj);
  await page.getByRole('button', { name: 'Repair', exact: true }).click();
  const table = page.getByRole('region', { name: 'Repair' }).getByRole('table');
  await table.getByRole('row', { name: /^Duplicates 1 0$/ }).waitFor();
  await page.getByText('No problems found.').waitFor();
  await page.getByText('12 triangles, closed').waitFor();
  // The picture shows both: the dots of the problems are there before only.
  await page.getByRole('button', { name: 'All', exact: true }).click();
  const after = await orange(page);
  await page.getByRole('checkbox', { name: 'Show the mesh before' }).check();
  const before = await orange(page);
  assert.ok(after === 0 && before > 50, `${before} orange pixels before, ${after} after`);
  await page.getByRole('button', { name: 'Undo the repair' }).click();
  await page.getByText('13 triangles').waitFor();
  await page.getByRole('button', { name: 'Repair', exact: true }).waitFor();
});

inStudio('a tiny mesh is offered a size that a body can have', async (page) => {
  await upload(page, 'tiny.obj', scaledBunnyObj(1e-6));
  await page.getByText(/the body is \S+ µm long.*No common unit/).waitFor();
  await page.getByRole('button', { name: /^Make it \S+ cm long$/ }).click();
  await page.getByText(/^The body is \S+ cm long, about the size of/).waitFor();
  assert.ok(await page.getByRole('radio', { name: /^another/ }).isChecked());
});

inStudio('a side, a face and a piece are fixed with a click each', async (page) => {
  await upload(page, 'two.obj', twoCubesObj);
  await page.getByText(/2 separate pieces/).waitFor();
  await next(page, 'Fill');
  await next(page, 'Fixed parts');
  const bottom = page.getByRole('button', { name: 'Bottom' });
  await bottom.click();
  await page.getByText('8 vertices selected').waitFor();
  await bottom.click();
  await page.getByText('Nothing is fixed').waitFor();
  await page.getByRole('group', { name: 'Look from' }).getByRole('button', { name: 'Front' }).click();
  const picture = await page.locator('.mesh-host canvas').boundingBox();
  // Seen from the front: one cube on the left, one on the right.
  const click = (x) => page.mouse.click(picture.x + x * picture.width, picture.y + 0.5 * picture.height);
  await page.getByRole('button', { name: 'Face', exact: true }).click();
  await click(0.2);
  await page.getByText('4 vertices selected').waitFor();
  await page.getByRole('button', { name: 'Piece', exact: true }).click();
  await click(0.8);
  await page.getByText('12 vertices selected').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('4 vertices selected').waitFor();
}, { viewport: { width: 1000, height: 640 } });

inStudio('an error goes when its cause is gone', async (page) => {
  await upload(page, 'broken.obj', Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n'));
  await page.locator('.problem-here').waitFor();
  await choose(page, [['notes.txt', Buffer.from('hello')]]);
  await page.getByText('this file is not a mesh that limber reads').waitFor();
  await choose(page, [['cube.obj', cubeObj]]);
  await page.getByText(/^The body is/).waitFor();
  assert.equal(await page.locator('.problem-here').count(), 0);
});
