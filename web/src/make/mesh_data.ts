// SPDX-License-Identifier: Apache-2.0
// A mesh as the server sends it to be looked at, little-endian:
//   uint32 vertices, edges, triangles;  float32 positions[3 vertices];  uint32 edges[2 …], triangles[3 …]
// and where it is cut into domains, uint32 domain of each triangle.
export interface MeshData {
  /** m */
  positions: Float32Array;
  edges: Uint32Array;
  triangles: Int32Array;
  /** Of each triangle; empty: the mesh is not cut. */
  domains: Uint32Array;
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
  const atDomains = atEdges + 8 * edges + 12 * triangles;
  return {
    positions,
    domains: bytes.byteLength >= atDomains + 4 * triangles ? new Uint32Array(bytes, atDomains, triangles) : new Uint32Array(0),
    min,
    max,
    edges: new Uint32Array(bytes, atEdges, 2 * edges),
    triangles: new Int32Array(bytes, atEdges + 8 * edges, 3 * triangles),
  };
}
