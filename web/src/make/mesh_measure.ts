// SPDX-License-Identifier: Apache-2.0
// What a mesh tells of itself: sizes, and which side is out.
import type { MeshData } from './mesh_data';

/** How many cubes of a size fill a body: those inside, and a layer that its surface cuts. m³, m², m. */
export function cubesIn(volume: number, area: number, side: number): number {
  return volume / side ** 3 + (0.85 * area) / side ** 2;
}

// Of each triangle: where its first corner is in positions, and its normal, as long as twice its area.
function forEachNormal(
  { positions, triangles }: MeshData,
  visit: (at: number, nx: number, ny: number, nz: number) => void,
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
    visit(a, ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx);
  }
}

/** m² */
export function areaOf(mesh: MeshData): number {
  let sum = 0;
  forEachNormal(mesh, (_, nx, ny, nz) => {
    sum += 0.5 * Math.hypot(nx, ny, nz);
  });
  return sum;
}

/** The triangles, turned round where the surface is inside out: light and shadows take its normals for outward ones. */
export function outwardTriangles(mesh: MeshData): Int32Array {
  const { positions, triangles, min, max } = mesh;
  const [x, y, z] = min.map((low, axis) => 0.5 * (low + max[axis]));
  let sixVolumes = 0;
  forEachNormal(mesh, (at, nx, ny, nz) => {
    sixVolumes += (positions[at] - x) * nx + (positions[at + 1] - y) * ny + (positions[at + 2] - z) * nz;
  });
  return sixVolumes < 0 ? triangles.slice().reverse() : triangles;
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
