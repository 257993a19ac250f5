// SPDX-License-Identifier: Apache-2.0
// Deforms vertices on the graphics card: the columns of the basis stay there as textures, a frame sends the
// coordinates, and one pass writes all positions into a texture of floats; a second one the normals.
import {
  BufferGeometry, Camera, DataArrayTexture, DataTexture, FloatType, GLSL3, Mesh, NearestFilter, RawShaderMaterial,
  RedFormat, RGBAFormat, RGBAIntegerFormat, RGIntegerFormat, Scene, UnsignedIntType, WebGLRenderTarget,
  BufferAttribute, type Texture, type WebGLRenderer,
} from 'three';
import { gridFor, layersOfColumns, threeOfFour, type Grid } from './layout';
import { kFullScreenVertex, kLinearDisplacement, kNormalProgram, kWarpedDisplacement, positionProgram } from './shape.glsl';
import type { ShownMesh } from '../sim/shown_mesh';

/**
 * Rest positions and what moves them, column by column; with rotations the shape is warped. Companions have no
 * rotations; their coordinates come behind the others.
 */
export interface Shape {
  rest: Float32Array;
  /** rank columns */
  columns: Float32Array;
  rotations: Float32Array | null;
  companions: Float32Array | null;
  rank: number;
}

function dataTexture(data: Float32Array, grid: Grid): DataTexture {
  const texture = new DataTexture(data as Float32Array<ArrayBuffer>, grid.width, grid.height, RGBAFormat, FloatType);
  texture.needsUpdate = true;
  return texture;
}

function columnTexture(lists: Float32Array[], vertices: number, count: number, grid: Grid): DataArrayTexture {
  const data = layersOfColumns(lists, vertices, count, grid) as Float32Array<ArrayBuffer>;
  const texture = new DataArrayTexture(data, grid.width, grid.height, count);
  texture.format = RGBAFormat;
  texture.type = FloatType;
  texture.needsUpdate = true;
  return texture;
}

function floatTarget(grid: Grid): WebGLRenderTarget {
  return new WebGLRenderTarget(grid.width, grid.height, {
    type: FloatType, format: RGBAFormat, minFilter: NearestFilter, magFilter: NearestFilter, depthBuffer: false,
    generateMipmaps: false,
  });
}

/** Why a card cannot deform shapes of so many columns, companions included; null: it can. */
export function cardProblem(renderer: WebGLRenderer, layers: number): string | null {
  if (!renderer.extensions.has('EXT_color_buffer_float')) return 'this graphics card cannot draw to floats';
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const most = gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS) as number;
  return layers > most ? `this graphics card takes ${most} shapes, the model has ${layers}` : null;
}

/** A triangle over the whole target runs the fragment program once a texel. */
export class Pass {
  readonly target: WebGLRenderTarget;
  readonly material: RawShaderMaterial;
  #scene = new Scene();
  #camera = new Camera();
  constructor(grid: Grid, fragmentShader: string, uniforms: Record<string, { value: unknown }>) {
    this.target = floatTarget(grid);
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: kFullScreenVertex, fragmentShader, uniforms, depthTest: false, depthWrite: false,
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
    const triangle = new Mesh(geometry, this.material);
    triangle.frustumCulled = false;
    this.#scene.add(triangle);
  }
  run(renderer: WebGLRenderer): void {
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.target);
    renderer.render(this.#scene, this.#camera);
    renderer.setRenderTarget(before);
  }
  read(renderer: WebGLRenderer, count: number): Float32Array {
    const { width, height } = this.target;
    const texels = new Float32Array(4 * width * height);
    renderer.readRenderTargetPixels(this.target, 0, 0, width, height, texels);
    return threeOfFour(texels, count);
  }
  dispose(): void {
    this.target.dispose();
    this.material.dispose();
  }
}

/** The textures of a shape: shared by the bodies that show it. */
export class ShapeTextures {
  readonly vertices: number;
  readonly grid: Grid;
  readonly rest: DataTexture;
  /** Companions are its last layers. */
  readonly columns: DataArrayTexture;
  readonly rotations: DataArrayTexture | null;
  readonly rank: number;
  /** Columns and companions. */
  readonly layers: number;
  constructor(shape: Shape) {
    this.vertices = shape.rest.length / 3;
    this.rank = shape.rank;
    this.grid = gridFor(this.vertices);
    const companions = shape.companions ?? new Float32Array(0);
    this.layers = shape.rank + companions.length / shape.rest.length;
    this.rest = dataTexture(layersOfColumns([shape.rest], this.vertices, 1, this.grid), this.grid);
    this.columns = columnTexture([shape.columns, companions], this.vertices, this.layers, this.grid);
    this.rotations = shape.rotations && columnTexture([shape.rotations], this.vertices, shape.rank, this.grid);
  }
  dispose(): void {
    this.rest.dispose();
    this.columns.dispose();
    this.rotations?.dispose();
  }
}

/** The present positions of one body's vertices. */
export class Deformer {
  readonly grid: Grid;
  #shape: ShapeTextures;
  #coordinates: DataTexture;
  #pass: Pass;
  constructor(shape: ShapeTextures) {
    this.#shape = shape;
    this.grid = shape.grid;
    const width = Math.max(1, shape.layers);
    this.#coordinates = new DataTexture(new Float32Array(width), width, 1, RedFormat, FloatType);
    this.#pass = new Pass(shape.grid, positionProgram(shape.rotations ? kWarpedDisplacement : kLinearDisplacement), {
      restPositions: { value: shape.rest }, shapes: { value: shape.columns }, rotations: { value: shape.rotations },
      coordinates: { value: this.#coordinates }, shapeCount: { value: shape.layers }, rotationCount: { value: shape.rank },
    });
  }
  get positions(): Texture {
    return this.#pass.target.texture;
  }
  run(renderer: WebGLRenderer, coordinates: ArrayLike<number>): void {
    const data = this.#coordinates.image.data as Float32Array;
    for (let i = 0; i < data.length; ++i) data[i] = coordinates[i] ?? 0;
    this.#coordinates.needsUpdate = true;
    this.#pass.run(renderer);
  }
  read(renderer: WebGLRenderer): Float32Array {
    return this.#pass.read(renderer, this.#shape.vertices);
  }
  dispose(): void {
    this.#coordinates.dispose();
    this.#pass.dispose();
  }
}

function idTexture(ids: Uint32Array, perItem: 2 | 3, grid: Grid): DataTexture {
  const channels = perItem === 2 ? 2 : 4;
  const data = new Uint32Array(channels * grid.width * grid.height);
  for (let i = 0; i < ids.length / perItem; ++i)
    for (let k = 0; k < perItem; ++k) data[channels * i + k] = ids[perItem * i + k];
  const texture = new DataTexture(data, grid.width, grid.height, perItem === 2 ? RGIntegerFormat : RGBAIntegerFormat,
    UnsignedIntType);
  texture.internalFormat = perItem === 2 ? 'RG32UI' : 'RGBA32UI';
  texture.needsUpdate = true;
  return texture;
}

/** Which triangles make which normal: shared by all bodies of a model. */
export class FanTextures {
  readonly shown: number;
  readonly grid: Grid;
  readonly fanGrid: Grid;
  readonly fanOf: DataTexture;
  readonly fans: DataTexture;
  constructor(mesh: ShownMesh) {
    this.shown = mesh.vertexOf.length;
    this.grid = gridFor(this.shown);
    this.fanGrid = gridFor(mesh.fans.length / 3);
    this.fanOf = idTexture(mesh.fanOf, 2, this.grid);
    this.fans = idTexture(mesh.fans, 3, this.fanGrid);
  }
  dispose(): void {
    this.fanOf.dispose();
    this.fans.dispose();
  }
}

/** The normals of the deformed surface at each shown vertex. */
export class NormalPass {
  readonly grid: Grid;
  #fans: FanTextures;
  #pass: Pass;
  constructor(fans: FanTextures, deformer: Pick<Deformer, 'positions' | 'grid'>) {
    this.#fans = fans;
    this.grid = fans.grid;
    this.#pass = new Pass(fans.grid, kNormalProgram, {
      positions: { value: deformer.positions }, fanOf: { value: fans.fanOf }, fans: { value: fans.fans },
      positionWidth: { value: deformer.grid.width }, fanWidth: { value: fans.fanGrid.width },
    });
  }
  get normals(): Texture {
    return this.#pass.target.texture;
  }
  run(renderer: WebGLRenderer): void {
    this.#pass.run(renderer);
  }
  read(renderer: WebGLRenderer): Float32Array {
    return this.#pass.read(renderer, this.#fans.shown);
  }
  dispose(): void {
    this.#pass.dispose();
  }
}
