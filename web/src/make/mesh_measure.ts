// SPDX-License-Identifier: Apache-2.0
// Sizes of a mesh.
import type { MeshData } from './mesh_data';

/** How many cubes of a size fill a body: those inside, and a layer that its surface cuts. m³, m², m. */
export function cubesIn(volume: number, area: number, side: number): number {
  return volume / side ** 3 + (0.85 * area) / side ** 2;
}

// The normal of each triangle, as long as twice its area.
function forEachNormal(
  { positions, triangles }: MeshData,
  visit: (nx: number, ny: number, nz: number) => void,
): void {
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
    visit(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx);
  }
}

/** m² */
export function areaOf(mesh: MeshData): number {
  let sum = 0;
  forEachNormal(mesh, (nx, ny, nz) => {
    sum += 0.5 * Math.hypot(nx, ny, nz);
  });
  return sum;
}

/** m */
export function diagonalOf(mesh: Pick<MeshData, 'min' | 'max'>): number {
  return Math.hypot(mesh.max[0] - mesh.min[0], mesh.max[1] - mesh.min[1], mesh.max[2] - mesh.min[2]);
}

/** How long a build takes on a 3 GHz core, s; as estimated_seconds() in src/build/recipe/filling.cpp. */
export function buildSeconds(nodes: number, points: number): number {
  return 0.55e-3 * nodes * (1 + nodes / 30000) + 3.3e-5 * points;
}
