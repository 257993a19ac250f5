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

/** The thickness of a plate of this volume and surface, m; null for open surfaces, which enclose nothing. */
export function thicknessOf(volume: number, area: number): number | null {
  return volume > 0 && area > 0 ? (2 * volume) / area : null;
}

/** How long a build of so many elements takes on an ordinary computer, s: the factorisation grows with n^1.5. */
export function buildSeconds(elements: number): number {
  return 1 + 0.5 * (elements / 1000) + 0.05 * (elements / 1000) ** 1.5;
}
