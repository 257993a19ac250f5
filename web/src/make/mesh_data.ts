// SPDX-License-Identifier: Apache-2.0
// A mesh as the server sends it to be looked at, little-endian:
//   uint32 vertices, edges, triangles;  float32 positions[3 vertices];  uint32 edges[2 …], triangles[3 …]
import { getBytes } from '../api/client';

export interface MeshData {
  /** m */
  positions: Float32Array;
  edges: Uint32Array;
  triangles: Int32Array;
  min: [number, number, number];
  max: [number, number, number];
}

export function readMesh(bytes: ArrayBuffer): MeshData {
  const short = () => new Error('the mesh that the server sent is cut short: reload the page');
  if (bytes.byteLength < 12) throw short();
  const [vertices, edges, triangles] = new Uint32Array(bytes, 0, 3);
  if (bytes.byteLength < 12 + 12 * vertices + 8 * edges + 12 * triangles) throw short();
  const positions = new Float32Array(bytes, 12, 3 * vertices);
  const atEdges = 12 + 12 * vertices;
  const min: MeshData['min'] = [Infinity, Infinity, Infinity];
  const max: MeshData['max'] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const axis = i % 3;
    const value = positions[i];
    if (value < min[axis]) min[axis] = value;
    if (value > max[axis]) max[axis] = value;
  }
  return {
    positions,
    min,
    max,
    edges: new Uint32Array(bytes, atEdges, 2 * edges),
    triangles: new Int32Array(bytes, atEdges + 8 * edges, 3 * triangles),
  };
}

export async function fetchMesh(path: string): Promise<MeshData> {
  return readMesh(await getBytes(path));
}

/** How many cubes of a size fill a body: those inside, and a layer that its surface cuts. m³, m², m. */
export function cubesIn(volume: number, area: number, side: number): number {
  return volume / side ** 3 + (0.85 * area) / side ** 2;
}

/** m² */
export function areaOf({ positions, triangles }: MeshData): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ex = positions[b] - positions[a];
    const ey = positions[b + 1] - positions[a + 1];
    const ez = positions[b + 2] - positions[a + 2];
    const fx = positions[c] - positions[a];
    const fy = positions[c + 1] - positions[a + 1];
    const fz = positions[c + 2] - positions[a + 2];
    sum += 0.5 * Math.hypot(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx);
  }
  return sum;
}

/** Cubes along the longest side so that there are a few thousand of them. */
export function fittingResolution(volume: number, area: number, longest: number, wanted = 4000): number {
  let few = 2;
  let many = 256;
  while (many - few > 1) {
    const middle = Math.floor(0.5 * (few + many));
    if (cubesIn(volume, area, longest / middle) > wanted) many = middle;
    else few = middle;
  }
  return few;
}

/** m */
export function diagonalOf(mesh: Pick<MeshData, 'min' | 'max'>): number {
  return Math.hypot(mesh.max[0] - mesh.min[0], mesh.max[1] - mesh.min[1], mesh.max[2] - mesh.min[2]);
}
