// SPDX-License-Identifier: Apache-2.0
// Meshes as Wavefront files.
import bunny from 'bunny';

function obj(positions, triangles) {
  const lines = [
    ...positions.map((point) => `v ${point.join(' ')}`),
    ...triangles.map((corners) => `f ${corners.map((v) => v + 1).join(' ')}`),
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Stanford's bunny as npm has it: 1839 vertices, y is up, about 10 wide. */
export const bunnyObj = obj(bunny.positions, bunny.cells);

/** A cube of 12 triangles, 0.1 m wide. */
export const cubeObj = obj([0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0.1 * (i & 1), 0.05 * (i & 2), 0.025 * (i & 4)]),
  [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
    [1, 3, 7], [1, 7, 5]]);

/** An upright peanut 0.3 m high, of rings of `around` vertices: around × (around / 2 − 1) + 2 of them. */
export function peanutObj(around) {
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
  return obj(positions, triangles);
}
