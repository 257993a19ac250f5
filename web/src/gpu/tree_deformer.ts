// SPDX-License-Identifier: Apache-2.0
// The surface of a tree of domains on the graphics card. What instances of a part share is there once: rest positions and
// basis. A frame sends coordinates and poses; one pass writes all positions of the whole tree, so that it is one draw call
// however many instances it has.
import { DataTexture, FloatType, RedFormat, RGBAFormat, RGBAIntegerFormat, UnsignedIntType, type Texture, type WebGLRenderer } from 'three';
import { Pass } from './deformer';
import { gridFor, layersOfColumns, type Grid } from './layout';
import { kTreeProgram } from './tree.glsl';
import { kPoseNumbers, type TreeShape } from './tree_shape';

function numbers(items: number, channels: 1 | 4): DataTexture {
  const { width, height } = gridFor(items);
  const data = new Float32Array(channels * width * height);
  const texture = new DataTexture(data, width, height, channels === 1 ? RedFormat : RGBAFormat, FloatType);
  texture.needsUpdate = true;
  return texture;
}

// Three numbers an item.
function vectors(all: Float32Array): DataTexture {
  const items = all.length / 3, grid = gridFor(items);
  const data = layersOfColumns([all], items, 1, grid) as Float32Array<ArrayBuffer>;
  const texture = new DataTexture(data, grid.width, grid.height, RGBAFormat, FloatType);
  texture.needsUpdate = true;
  return texture;
}

// Four whole numbers an item; items beyond the last one are `filler`.
function table(items: number, item: (i: number) => [number, number, number, number], filler: (i: number) => number): DataTexture {
  const { width, height } = gridFor(items);
  const data = new Uint32Array(4 * width * height);
  for (let i = 0; i < width * height; ++i) data.set(i < items ? item(i) : [0, 0, 0, filler(i)], 4 * i);
  const texture = new DataTexture(data, width, height, RGBAIntegerFormat, UnsignedIntType);
  texture.internalFormat = 'RGBA32UI';
  texture.needsUpdate = true;
  return texture;
}

function joined(arrays: Float32Array[]): Float32Array {
  const out = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    out.set(array, at);
    at += array.length;
  }
  return out;
}

/** Shared by the bodies of a model. */
export class TreeTextures {
  readonly shape: TreeShape;
  readonly grid: Grid;
  /** Of each vertex of the surface: its domain, its place among the parts' vertices and in the bases, the next in its ring. */
  readonly vertices: DataTexture;
  /** Of each domain: its first coordinate, how many, and how far apart the columns of its basis are. */
  readonly domains: DataTexture;
  readonly positions: DataTexture;
  readonly bases: DataTexture;
  constructor(shape: TreeShape) {
    const { tree: { parts, domains, sharedVertices }, domainOf, firstVertex, firstCoordinate } = shape;
    this.shape = shape;
    this.grid = gridFor(domainOf.length);
    const starts = parts.map(() => ({ vertex: 0, basis: 0 }));
    for (let p = 1; p < parts.length; ++p) {
      const { vertices, rank } = parts[p - 1];
      starts[p] = { vertex: starts[p - 1].vertex + vertices, basis: starts[p - 1].basis + vertices * rank };
    }
    this.vertices = table(domainOf.length, (v) => {
      const domain = domainOf[v], local = v - firstVertex[domain], { vertex, basis } = starts[domains[domain].part];
      return [domain, vertex + local, basis + local, sharedVertices[v]];
    }, (v) => v);
    this.domains = table(domains.length, (i) => [firstCoordinate[i], parts[domains[i].part].rank, parts[domains[i].part].vertices, 0], () => 0);
    this.positions = vectors(joined(parts.map(({ positions }) => positions)));
    this.bases = vectors(joined(parts.map(({ basis }) => basis)));
  }
  dispose(): void {
    for (const texture of [this.vertices, this.domains, this.positions, this.bases]) texture.dispose();
  }
}

/** The present positions of one body's vertices. */
export class TreeDeformer {
  readonly grid: Grid;
  #textures: TreeTextures;
  #coordinates: DataTexture;
  /** Two texels a domain: position and scale, quaternion. */
  #poses: DataTexture;
  #pass: Pass;
  constructor(textures: TreeTextures) {
    const { domains } = textures.shape.tree, { firstCoordinate } = textures.shape;
    this.#textures = textures;
    this.grid = textures.grid;
    this.#coordinates = numbers(Math.max(1, firstCoordinate[domains.length]), 1);
    this.#poses = numbers(2 * domains.length, 4);
    this.#pass = new Pass(this.grid, kTreeProgram, {
      vertices: { value: textures.vertices }, domains: { value: textures.domains }, partPositions: { value: textures.positions },
      bases: { value: textures.bases }, coordinates: { value: this.#coordinates }, poses: { value: this.#poses },
    });
  }
  get positions(): Texture {
    return this.#pass.target.texture;
  }
  run(renderer: WebGLRenderer, coordinates: ArrayLike<number>): void {
    const { firstCoordinate, tree: { domains } } = this.#textures.shape;
    const rank = firstCoordinate[domains.length];
    const q = this.#coordinates.image.data as Float32Array, poses = this.#poses.image.data as Float32Array;
    for (let i = 0; i < rank; ++i) q[i] = coordinates[i];
    domains.forEach(({ scale }, i) => {
      const from = rank + kPoseNumbers * i, to = 8 * i;
      for (let k = 0; k < 3; ++k) poses[to + k] = coordinates[from + k];
      poses[to + 3] = scale;
      for (let k = 0; k < 4; ++k) poses[to + 4 + k] = coordinates[from + 3 + k];
    });
    this.#coordinates.needsUpdate = this.#poses.needsUpdate = true;
    this.#pass.run(renderer);
  }
  read(renderer: WebGLRenderer): Float32Array {
    return this.#pass.read(renderer, this.#textures.shape.domainOf.length);
  }
  dispose(): void {
    this.#coordinates.dispose();
    this.#poses.dispose();
    this.#pass.dispose();
  }
}
