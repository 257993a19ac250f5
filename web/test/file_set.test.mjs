// SPDX-License-Identifier: Apache-2.0
// Files that belong together.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const { fileSet, laterFiles } = await pageModule('make/file_set.ts');

const given = (path, text = '') => ({ path, file: new File([text], path.slice(path.lastIndexOf('/') + 1)) });
const kGltf = JSON.stringify({ buffers: [{ uri: 'my%20scene.bin' }, { uri: 'data:application/octet-stream;base64,AA==' }],
  images: [{ uri: 'textures/wood.png' }, { bufferView: 0 }] });
const paths = (files) => files.map(({ path }) => path);

test('a glTF takes its buffer and its textures, where it names them, in whatever order they come', async () => {
  const set = await fileSet([given('wood.png'), given('my scene.bin'), given('scene.gltf', kGltf), given('readme.png')]);
  assert.equal(set.mesh.name, 'scene.gltf');
  assert.deepEqual(paths(set.companions), ['my scene.bin', 'textures/wood.png']);
  assert.deepEqual(set.missing, []);
  assert.deepEqual(set.unused, ['readme.png']);
});

test('in a folder the file at the right place is taken', async () => {
  const set = await fileSet([given('a/scene.gltf', kGltf), given('a/my scene.bin'), given('a/old/wood.png', 'old'),
    given('a/textures/wood.png', 'new')]);
  assert.equal(await set.companions[1].file.text(), 'new');
  assert.deepEqual(set.unused, ['a/old/wood.png']);
});

test('what is missing is told, and whether the mesh needs it', async () => {
  const { missing } = await fileSet([given('scene.gltf', kGltf)]);
  assert.deepEqual(missing, [{ path: 'my scene.bin', needed: true }, { path: 'textures/wood.png', needed: false }]);
});

test('an OBJ takes its material library, and that its textures', async () => {
  const set = await fileSet([given('tree.obj', '# a tree\nmtllib ./tree.mtl\nv 0 0 0\n'),
    given('tree.mtl', 'newmtl bark\nmap_Kd textures\\bark.JPG\nmap_Bump -bm 0.5 rough.png\nKd 1 1 1\n'), given('bark.jpg')]);
  assert.deepEqual(paths(set.companions), ['tree.mtl', 'textures/bark.JPG']);
  assert.deepEqual(set.missing, [{ path: 'rough.png', needed: false }]);
  const later = await laterFiles(['rough.png'], [given('rough.png'), given('other.png')]);
  assert.deepEqual(paths(later.companions), ['rough.png']);
  assert.deepEqual(later.unused, ['other.png']);
});

test('no second mesh is lost; files without a mesh are no set', async () => {
  const set = await fileSet([given('a.stl'), given('b.obj'), given('notes.txt')]);
  assert.equal(set.mesh.name, 'a.stl');
  assert.deepEqual(paths(set.otherMeshes), ['b.obj']);
  assert.deepEqual(set.unused, ['notes.txt']);
  assert.equal(await fileSet([given('wood.png')]), null);
});

test('a glTF that is no JSON is left to the check', async () => {
  assert.deepEqual((await fileSet([given('scene.gltf', 'not JSON')])).missing, []);
});
