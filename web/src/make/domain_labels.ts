// SPDX-License-Identifier: Apache-2.0
// From painted vertices to a label of each triangle, as `limber build --domains file:labels.npy` takes them.
import type { MeshData } from './mesh_data';

/**
 * Domain i has label i + 1, what is in none has 0; of overlapping ones the last counts. A triangle has the label of most of
 * its corners, of three different ones the largest.
 */
export function triangleLabels({ positions, triangles }: Pick<MeshData, 'positions' | 'triangles'>, domains: readonly Uint8Array[]): Uint32Array {
  const ofVertex = new Uint32Array(positions.length / 3);
  domains.forEach((marks, i) => {
    for (let v = 0; v < ofVertex.length; ++v) if (marks[v]) ofVertex[v] = i + 1;
  });
  const out = new Uint32Array(triangles.length / 3);
  for (let t = 0; t < out.length; ++t) {
    const [a, b, c] = [0, 1, 2].map((k) => ofVertex[triangles[3 * t + k]]);
    out[t] = a === b || a === c ? a : b === c ? b : Math.max(a, b, c);
  }
  return out;
}

/** Labels and how many triangles in a row have them. */
export function labelRuns(labels: Uint32Array): [number, number][] {
  const out: [number, number][] = [];
  for (const label of labels) {
    const last = out.at(-1);
    if (last && last[0] === label) ++last[1];
    else out.push([label, 1]);
  }
  return out;
}
