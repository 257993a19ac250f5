// SPDX-License-Identifier: Apache-2.0
// Meshes as files of several formats.
import bunny from 'bunny';

function obj(positions, triangles) {
  const lines = [
    ...positions.map((point) => `v ${point.join(' ')}`),
    ...triangles.map((corners) => `f ${corners.map((v) => v + 1).join(' ')}`),
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Stanford's bunny as npm has it: 1839 vertices, y is up, about 10 wide; `scale` times as large. */
export const scaledBunnyObj = (scale) => obj(bunny.positions.map((point) => point.map((x) => scale * x)), bunny.cells);
export const bunnyObj = scaledBunnyObj(1);

const kCubeCorners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0.1 * (i & 1), 0.05 * (i & 2), 0.025 * (i & 4)]);
const kCubeTriangles = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6],
  [0, 6, 2], [1, 3, 7], [1, 7, 5]];

/** A cube of 12 triangles, 0.1 m wide. */
export const cubeObj = obj(kCubeCorners, kCubeTriangles);

/** Stretched along its axes. */
export const stretchedCubeObj = (sizes) => obj(kCubeCorners.map((point) => point.map((x, k) => x * sizes[k])), kCubeTriangles);

/** Two cubes beside each other along x, 0.4 m in all. */
export const twoCubesObj = obj([...kCubeCorners, ...kCubeCorners.map(([x, y, z]) => [x + 0.3, y, z])],
  [...kCubeTriangles, ...kCubeTriangles.map((corners) => corners.map((v) => v + 8))]);

/** The cube with every third triangle turned round, and one twice. */
export const untidyCubeObj = obj(kCubeCorners,
  [...kCubeTriangles.map((corners, i) => (i % 3 ? corners : [...corners].reverse())), kCubeTriangles[1]]);

/** An upright peanut 0.3 m high, of rings of `around` vertices: around × (around / 2 − 1) + 2 of them. */
function peanut(around) {
  const rings = around / 2, positions = [[0, 0, -0.15]], triangles = [];
  for (let i = 1; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [polar, turn] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      const radius = 0.07 * Math.sin(polar) * (1 - 0.5 * Math.sin(polar) ** 4);
      positions.push([radius * Math.cos(turn), radius * Math.sin(turn), -0.15 * Math.cos(polar)]);
    }
  positions.push([0, 0, 0.15]);
  const at = (i, j) => (i === 0 ? 0 : i === rings ? positions.length - 1 : 1 + (i - 1) * around + (j % around));
  for (let i = 0; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      if (a !== b) triangles.push([a, b, c]);
      if (c !== d) triangles.push([a, c, d]);
    }
  return { positions, triangles };
}

export function peanutObj(around) {
  const { positions, triangles } = peanut(around);
  return obj(positions, triangles);
}

/** The same as binary PLY, which is small. */
export function peanutPly(around) {
  const { positions, triangles } = peanut(around);
  const head = Buffer.from(`ply\nformat binary_little_endian 1.0\nelement vertex ${positions.length}\nproperty float x\n`
    + `property float y\nproperty float z\nelement face ${triangles.length}\nproperty list uchar int vertex_indices\nend_header\n`);
  const faces = Buffer.alloc(13 * triangles.length);
  triangles.forEach((corners, i) => {
    faces[13 * i] = 3;
    corners.forEach((v, k) => faces.writeInt32LE(v, 13 * i + 1 + 4 * k));
  });
  return Buffer.concat([head, Buffer.from(Float32Array.from(positions.flat()).buffer), faces]);
}

const kCubeSides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/** The cube with a texture: each side has four vertices of its own. */
export const texturedCube = (() => {
  const positions = kCubeSides.flatMap((side) => side.map((v) => kCubeCorners[v]));
  const triangles = kCubeSides.flatMap((_, i) => [[4 * i, 4 * i + 1, 4 * i + 2], [4 * i, 4 * i + 2, 4 * i + 3]]);
  const coordinates = kCubeSides.flatMap(() => [[0, 0], [0, 1], [1, 1], [1, 0]]);
  const binary = Buffer.concat([Float32Array.from(positions.flat()), Float32Array.from(coordinates.flat()),
    Uint16Array.from(triangles.flat())].map((list) => Buffer.from(list.buffer)));
  const gltf = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ name: 'checks', pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_clearcoat: { clearcoatFactor: 1 } } }],
    extensionsUsed: ['KHR_materials_clearcoat'],
    textures: [{ source: 0 }], images: [{ uri: 'textures/checks.png' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 24, type: 'VEC3', min: [0, 0, 0], max: [0.1, 0.1, 0.1] },
      { bufferView: 1, componentType: 5126, count: 24, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: 36, type: 'SCALAR' }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 288 }, { buffer: 0, byteOffset: 288, byteLength: 192 },
      { buffer: 0, byteOffset: 480, byteLength: 72 }],
    buffers: [{ uri: 'cube.bin', byteLength: binary.length }],
  };
  // 2 × 2 pixels, red, green, blue, white.
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC',
    'base64');
  return { gltf: Buffer.from(JSON.stringify(gltf)), binary, png, json: gltf };
})();

/** Everything in one file: without the texture. */
export const cubeGlb = (() => {
  const { images, textures, materials, ...rest } = texturedCube.json;
  const json = { ...rest, materials: [{ name: 'plain' }], extensionsUsed: undefined, buffers: [{ byteLength: texturedCube.binary.length }] };
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (text.length % 4)) % 4);
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, bytes]);
  };
  const body = Buffer.concat([chunk('JSON', Buffer.from(text)), chunk('BIN\0', texturedCube.binary)]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
})();
