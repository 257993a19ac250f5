// SPDX-License-Identifier: Apache-2.0
// Sizes of a mesh.
import { forEachNormal } from '../sim/shown_mesh';
import type { MeshData } from './mesh_data';

/** How many cubes of a size fill a body: those inside, and a layer that its surface cuts. m³, m², m. */
export function cubesIn(volume: number, area: number, side: number): number {
  return volume / side ** 3 + (0.85 * area) / side ** 2;
}

/** m² */
export function areaOf(mesh: MeshData): number {
  let sum = 0;
  forEachNormal(mesh.positions, mesh.triangles, (nx, ny, nz) => {
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
