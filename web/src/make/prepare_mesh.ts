// SPDX-License-Identifier: Apache-2.0
// From the bytes of a mesh to what the page draws and picks from. It takes a second for a million triangles, so
// mesh_worker.ts runs it.
import { forEachNormal, pointsOf, shownMesh, shownNormals } from '../sim/shown_mesh';
import { readMesh, type MeshData } from './mesh_data';
import { areaOf } from './mesh_measure';
import { edgeMates, flipped, trianglesToFlip } from './mesh_topology';

/** What the graphics card gets. Indices are unsigned: WebGL draws nothing from signed ones. */
export interface DrawnSurface {
  positions: Float32Array;
  normals: Float32Array;
  index: Uint32Array;
  /** The mesh's vertex of each vertex that is drawn. */
  vertexOf: Uint32Array;
}

export interface PreparedMesh extends MeshData {
  drawn: DrawnSurface;
  /** mesh_topology.ts */
  mates: Int32Array;
  flip: Uint8Array;
  /** m² */
  area: number;
}

// Splitting vertices at hard edges takes 250 bytes a triangle; above this many they are drawn smooth.
const kMostSplit = 1_500_000;

function smoothSurface(mesh: MeshData, triangles: Int32Array): DrawnSurface {
  const { positions } = mesh;
  const normals = new Float32Array(positions.length);
  forEachNormal(positions, triangles, (nx, ny, nz, first) => {
    for (let corner = first; corner < first + 3; ++corner) {
      const at = 3 * triangles[corner];
      normals[at] += nx;
      normals[at + 1] += ny;
      normals[at + 2] += nz;
    }
  });
  for (let i = 0; i < normals.length; i += 3) {
    const size = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    for (let k = 0; k < 3; ++k) normals[i + k] /= size;
  }
  const vertexOf = new Uint32Array(positions.length / 3);
  for (let v = 0; v < vertexOf.length; ++v) vertexOf[v] = v;
  return { positions: positions.slice(), normals, index: new Uint32Array(triangles), vertexOf };
}

function splitSurface(mesh: MeshData, triangles: Int32Array): DrawnSurface {
  const shown = shownMesh(mesh.positions, triangles);
  const positions = new Float32Array(3 * shown.vertexOf.length);
  shown.vertexOf.forEach((vertex, i) => {
    for (let k = 0; k < 3; ++k) positions[3 * i + k] = mesh.positions[3 * vertex + k];
  });
  return {
    positions,
    normals: shownNormals(shown, mesh.positions),
    index: shown.index,
    vertexOf: shown.vertexOf,
  };
}

export function prepareMesh(bytes: ArrayBuffer): PreparedMesh {
  const mesh = readMesh(bytes);
  const points = pointsOf(mesh.positions);
  const mates = edgeMates(points, mesh.triangles);
  const flip = trianglesToFlip(mesh.positions, points, mesh.triangles, mates);
  const outward = flipped(mesh.triangles, flip);
  const drawn = flip.length > kMostSplit ? smoothSurface(mesh, outward) : splitSurface(mesh, outward);
  return { ...mesh, drawn, mates, flip, area: areaOf(mesh) };
}

/** The buffers that another thread can take over. */
export function buffersOf({ positions, drawn, mates, flip }: PreparedMesh): ArrayBuffer[] {
  return [
    positions,
    mates,
    flip,
    drawn.positions,
    drawn.normals,
    drawn.index,
    drawn.vertexOf,
  ].map(({ buffer }) => buffer as ArrayBuffer);
}
