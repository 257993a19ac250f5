// SPDX-License-Identifier: Apache-2.0
// The exported animation: a valid glTF, which limber still reads.
import assert from 'node:assert/strict';
import test from 'node:test';
import validator from 'gltf-validator';
import { barFile, loadWasm, pageModule } from './bundle.mjs';

const { motionGlb } = await pageModule('inspect/motion_glb.ts');

test('Khronos’ validator finds no errors and no warnings, and limber reads the model again', async () => {
  const limber = await loadWasm();
  const file = barFile();
  const { info } = limber.loadModel(file);
  const samples = [0, 0.016, 0.016 + 1e-12, 0.033].map((time, k) => ({ time: 5 + time, q: new Float64Array(info.rank).fill(0.01 * k) }));
  const bytes = motionGlb(file, samples, info.target_scale, 'motion');
  const { issues, info: found } = await validator.validateBytes(bytes);
  assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
  assert.equal(issues.numWarnings, 0);
  assert.equal(found.animationCount, 1);
  assert.equal(limber.loadModel(bytes).rank, info.rank);

  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + new DataView(bytes.buffer).getUint32(12, true))));
  const { input, output } = json.animations[0].samplers[0];
  // Two of the times are the same float.
  assert.equal(json.accessors[input].count, 3);
  assert.equal(json.accessors[output].count, 3 * info.rank);
});
