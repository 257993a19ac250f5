// SPDX-License-Identifier: Apache-2.0
// Khronos' validator finds no error and no warning in the models that limber writes.
//     usage: node --test validate.test.mjs     with LIMBER_GLTF_SAMPLES, a folder of .glb files
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { validateBytes } from 'gltf-validator';

const folder = process.env.LIMBER_GLTF_SAMPLES;
const samples = readdirSync(folder).filter((name) => name.endsWith('.glb'));

// Errors and warnings; infos are expected, since the validator does not know LIMBER_model.
async function complaints(bytes) {
  const report = await validateBytes(new Uint8Array(bytes), { maxIssues: 100 });
  return report.issues.messages.filter((m) => m.severity <= 1).map((m) => `${m.code} at ${m.pointer}: ${m.message}`);
}

test('there are samples of every kind', () => {
  assert.deepEqual(samples.sort(), [
    'all_textures.glb', 'bricks.glb', 'lean.glb', 'mesh.glb', 'rigid.glb', 'scene.glb', 'skeleton.glb', 'tets.glb',
    'textured.glb', 'tree.glb',
  ]);
});

for (const name of samples) {
  test(`${name} is valid glTF`, async () => {
    assert.deepEqual(await complaints(readFileSync(join(folder, name))), []);
  });
}

test('the validator does complain about a bound that is wrong', async () => {
  const bytes = readFileSync(join(folder, 'lean.glb'));
  const at = bytes.indexOf('"max":[');
  bytes.write('"max":[9', at);  // one digit of the largest x of an accessor
  assert.notDeepEqual(await complaints(bytes), []);
});
