// SPDX-License-Identifier: Apache-2.0
// Materials of glTF files as three.js draws them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { makeMaterial, Textures } = await pageModule('view/materials.ts');
const none = () => new Textures([]);

test('base colour, opacity and cut-off follow the file', () => {
  const glass = makeMaterial({ alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: [0.1, 0.2, 0.3, 0.4] } }, none());
  assert.deepEqual(glass.color.toArray().map((x) => Number(x.toFixed(6))), [0.1, 0.2, 0.3]);
  assert.equal(glass.opacity, 0.4);
  assert.equal(glass.transparent, true);
  const leaf = makeMaterial({ alphaMode: 'MASK', alphaCutoff: 0.7 }, none());
  assert.equal(leaf.alphaTest, 0.7);
  assert.equal(leaf.transparent, false);
  // Alpha of an opaque material does not count.
  assert.equal(makeMaterial({ pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 0.2] } }, none()).opacity, 1);
});

test('extensions become the properties of MeshPhysicalMaterial', () => {
  const material = makeMaterial({
    emissiveFactor: [1, 0.5, 0],
    extensions: {
      KHR_materials_clearcoat: { clearcoatFactor: 0.8, clearcoatRoughnessFactor: 0.1 },
      KHR_materials_sheen: { sheenColorFactor: [0.9, 0.1, 0.2], sheenRoughnessFactor: 0.4 },
      KHR_materials_transmission: { transmissionFactor: 0.6 },
      KHR_materials_volume: { thicknessFactor: 0.02, attenuationDistance: 0.3, attenuationColor: [0.5, 1, 0.5] },
      KHR_materials_ior: { ior: 1.33 },
      KHR_materials_specular: { specularFactor: 0.5, specularColorFactor: [1, 0.5, 0.25] },
      KHR_materials_iridescence: { iridescenceFactor: 0.7, iridescenceIor: 1.6, iridescenceThicknessMaximum: 300 },
      KHR_materials_anisotropy: { anisotropyStrength: 0.3, anisotropyRotation: 1 },
      KHR_materials_emissive_strength: { emissiveStrength: 5 },
      KHR_materials_of_the_future: { future: 1 },
    },
  }, none());
  assert.equal(material.clearcoat, 0.8);
  assert.equal(material.clearcoatRoughness, 0.1);
  assert.equal(material.sheen, 1);
  assert.equal(material.sheenRoughness, 0.4);
  assert.equal(material.transmission, 0.6);
  assert.equal(material.thickness, 0.02);
  assert.equal(material.attenuationDistance, 0.3);
  assert.equal(material.ior, 1.33);
  assert.equal(material.specularIntensity, 0.5);
  assert.equal(material.iridescence, 0.7);
  assert.equal(material.iridescenceIOR, 1.6);
  assert.deepEqual(material.iridescenceThicknessRange, [100, 300]);
  assert.equal(material.anisotropy, 0.3);
  assert.equal(material.anisotropyRotation, 1);
  assert.equal(material.emissiveIntensity, 5);
});

test('an unlit material shows its colour without light', () => {
  const flat = makeMaterial({ pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] }, extensions: { KHR_materials_unlit: {} } }, none());
  assert.deepEqual(flat.emissive.toArray(), [1, 0, 0]);
  assert.deepEqual(flat.color.toArray(), [0, 0, 0]);
  assert.equal(flat.specularIntensity, 0);
});

test('textures have their colour space, coordinates, wrap and transform, and are made once', () => {
  let loads = 0;
  const textures = new Textures([{ sampler: { wrapS: 33071, wrapT: 33648 }, load: () => ++loads }, { load: null }]);
  const use = { index: 0, texCoord: 1, extensions: { KHR_texture_transform: { offset: [0.5, 0.25], scale: [2, 3], rotation: 1 } } };
  const material = makeMaterial({
    pbrMetallicRoughness: { baseColorTexture: use, metallicRoughnessTexture: { index: 0 } },
    normalTexture: { index: 0, scale: 0.5 }, occlusionTexture: { index: 1 },
  }, textures);
  assert.equal(material.map.colorSpace, 'srgb');
  assert.equal(material.map.channel, 1);
  assert.deepEqual(material.map.offset.toArray(), [0.5, 0.25]);
  assert.deepEqual(material.map.repeat.toArray(), [2, 3]);
  assert.equal(material.map.wrapS, 1001);
  assert.equal(material.map.wrapT, 1002);
  assert.equal(material.normalMap.colorSpace, '');
  assert.equal(material.normalMap, material.roughnessMap, 'the same use is the same texture');
  assert.equal(material.normalScale.x, 0.5);
  assert.equal(material.aoMap, null, 'a texture without a picture is none');
  assert.equal(loads, 2);
});
