// SPDX-License-Identifier: Apache-2.0
// The surface of a tree of domains: parts with their own bases, and domains, which are instances of parts at poses of
// their own. Its shape coordinates are q, then 7 numbers a domain: position and quaternion in the body's frame.
import type { Tree } from 'limber';
import { rotated, type Quaternion, type Vec3 } from '../sim/vector';
import type { Shape } from './deformer';

export interface TreeShape {
  /** Of the whole surface, domain by domain. */
  rest: Float32Array;
  tree: Tree;
  /** Of each domain its first vertex of the surface and its first coordinate; behind them how many there are. */
  firstVertex: Uint32Array;
  firstCoordinate: Uint32Array;
  /** Of each vertex of the surface. */
  domainOf: Uint32Array;
}

export type AnyShape = Shape | TreeShape;

export function isTree(shape: AnyShape): shape is TreeShape {
  return 'tree' in shape;
}

/** Numbers of a domain's pose. */
export const kPoseNumbers = 7;

export function treeShape(rest: Float32Array, tree: Tree): TreeShape {
  const { parts, domains } = tree;
  const firstVertex = new Uint32Array(domains.length + 1), firstCoordinate = new Uint32Array(domains.length + 1);
  const domainOf = new Uint32Array(rest.length / 3);
  domains.forEach(({ part }, i) => {
    firstVertex[i + 1] = firstVertex[i] + parts[part].vertices;
    firstCoordinate[i + 1] = firstCoordinate[i] + parts[part].rank;
    domainOf.fill(i, firstVertex[i], firstVertex[i + 1]);
  });
  return { rest, tree, firstVertex, firstCoordinate, domainOf };
}

/** How many shape coordinates a body of it has. */
export function treeCoordinates({ firstCoordinate, tree: { domains } }: TreeShape): number {
  return firstCoordinate[domains.length] + kPoseNumbers * domains.length;
}

interface DomainPose {
  position: Vec3;
  rotation: Quaternion;
}

function poseOf({ firstCoordinate, tree: { domains } }: TreeShape, coordinates: ArrayLike<number>, domain: number): DomainPose {
  const at = firstCoordinate[domains.length] + kPoseNumbers * domain;
  return {
    position: [coordinates[at], coordinates[at + 1], coordinates[at + 2]],
    rotation: [coordinates[at + 3], coordinates[at + 4], coordinates[at + 5], coordinates[at + 6]],
  };
}

// One that came off the tree has no quaternion; its triangles shrink to a point.
function isThere({ firstCoordinate, tree: { domains } }: TreeShape, coordinates: ArrayLike<number>, domain: number): boolean {
  const at = firstCoordinate[domains.length] + kPoseNumbers * domain;
  return [3, 4, 5, 6].some((k) => coordinates[at + k] !== 0);
}

// x = position + rotation · scale · (X + Uq), where this domain has the vertex.
function placeOf(shape: TreeShape, coordinates: ArrayLike<number>, vertex: number): Vec3 {
  const domain = shape.domainOf[vertex], { part, scale } = shape.tree.domains[domain];
  const { positions, basis, rank } = shape.tree.parts[part];
  const local = 3 * (vertex - shape.firstVertex[domain]), q = shape.firstCoordinate[domain];
  const x: Vec3 = [positions[local], positions[local + 1], positions[local + 2]];
  for (let i = 0, at = local; i < rank; ++i, at += positions.length)
    for (let axis = 0; axis < 3; ++axis) x[axis] += coordinates[q + i] * basis[at + axis];
  const { position, rotation } = poseOf(shape, coordinates, domain);
  if (!isThere(shape, coordinates, domain)) return position;
  const turned = rotated(rotation, x);
  return [position[0] + scale * turned[0], position[1] + scale * turned[1], position[2] + scale * turned[2]];
}

/** Where one vertex is: in the middle of where the domains that share it have it. */
export function treeVertex(shape: TreeShape, coordinates: ArrayLike<number>, vertex: number): Vec3 {
  const sum = placeOf(shape, coordinates, vertex), { sharedVertices } = shape.tree;
  const there = (one: number) => isThere(shape, coordinates, shape.domainOf[one]);
  if (!there(vertex)) return sum;
  let count = 1;
  for (let other = sharedVertices[vertex]; other !== vertex; other = sharedVertices[other]) {
    if (!there(other)) continue;
    ++count;
    const place = placeOf(shape, coordinates, other);
    for (let axis = 0; axis < 3; ++axis) sum[axis] += place[axis];
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** The same for all of them. */
export function treePositions(shape: TreeShape, coordinates: ArrayLike<number>): Float32Array {
  const { tree: { parts, domains, sharedVertices }, firstVertex, firstCoordinate, rest } = shape;
  const own = new Float32Array(rest.length);
  const there = domains.map((_, domain) => isThere(shape, coordinates, domain));
  domains.forEach(({ part, scale: built }, domain) => {
    const scale = there[domain] ? built : 0;
    const { positions, basis, rank } = parts[part], size = positions.length;
    const x = own.subarray(3 * firstVertex[domain], 3 * firstVertex[domain] + size);
    x.set(positions);
    for (let i = 0, at = 0; i < rank; ++i, at += size) {
      const weight = coordinates[firstCoordinate[domain] + i];
      for (let k = 0; k < size; ++k) x[k] += weight * basis[at + k];
    }
    const { position: [px, py, pz], rotation: [a, b, c, w] } = poseOf(shape, coordinates, domain);
    for (let k = 0; k < size; k += 3) {
      const vx = scale * x[k], vy = scale * x[k + 1], vz = scale * x[k + 2];
      // R v = v + 2 u × (u × v + w v)
      const tx = 2 * (b * vz - c * vy), ty = 2 * (c * vx - a * vz), tz = 2 * (a * vy - b * vx);
      x[k] = px + vx + w * tx + b * tz - c * ty;
      x[k + 1] = py + vy + w * ty + c * tx - a * tz;
      x[k + 2] = pz + vz + w * tz + a * ty - b * tx;
    }
  });
  const out = own.slice();
  for (let vertex = 0; vertex < sharedVertices.length; ++vertex) {
    if (!there[shape.domainOf[vertex]]) continue;
    let count = 1;
    for (let other = sharedVertices[vertex]; other !== vertex; other = sharedVertices[other]) {
      if (!there[shape.domainOf[other]]) continue;
      ++count;
      for (let axis = 0; axis < 3; ++axis) out[3 * vertex + axis] += own[3 * other + axis];
    }
    if (count > 1) for (let axis = 0; axis < 3; ++axis) out[3 * vertex + axis] /= count;
  }
  return out;
}
