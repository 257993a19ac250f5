// SPDX-License-Identifier: Apache-2.0
// One body in the scene: its surface, deformed on the graphics card, or on the CPU where the card cannot.
import {
  Box3, BufferAttribute, BufferGeometry, Group, Mesh, MeshDepthMaterial, RGBADepthPacking, Sphere, Vector3, type Material,
  type MeshStandardMaterial, type Texture, type WebGLRenderer,
} from 'three';
import { Deformer, FanTextures, NormalPass, ShapeTextures, type Shape } from '../gpu/deformer';
import { TreeDeformer, TreeTextures } from '../gpu/tree_deformer';
import { isTree, treeShape, type AnyShape } from '../gpu/tree_shape';
import { shapePositions, shapeVertex } from '../gpu/shape_cpu';
import { shownNormals, type ShownMesh } from '../sim/shown_mesh';
import { stillShape, volumeShape } from '../gpu/volume_shape';
import type { ShownModel, Surface } from '../sim/messages';
import { modelArrays, type ModelArrays } from '../sim/model_arrays';
import type { OpenModel } from '../sim/player';
import type { Method } from '../sim/settings';
import type { Quaternion, Vec3 } from '../sim/vector';
import { plainMaterial, readAppearance, type Appearance } from './appearance';
import { kMeshColours, kMethodColours, viridisTexture } from './colour_map';
import { DomainColours } from './domain_colours';
import { followPasses, type SharedUniforms } from './follow_passes';
import { VolumeLines } from './volume_lines';

/** What all bodies of a model share. */
export interface ModelParts {
  /** Of its file. */
  name: string;
  model: ShownModel;
  arrays: ModelArrays;
  shown: ShownMesh;
  fans: FanTextures;
  /** Of surfaces and simulation meshes. */
  textures: Map<string, ShapeTextures | TreeTextures>;
  /** Of simulation meshes, by method; null: none. */
  volumes: Map<Method, Shape | null>;
  colours: Texture;
  /** Of the body at rest, m, and its diagonal. */
  box: Box3;
  size: number;
  /** The file's own materials; null: it has none. */
  appearance: Appearance | null;
  /** Of a tree; null: it is none. */
  domainColours: DomainColours | null;
}

// Of models that are trees.
const treeShapes = new WeakMap<ShownModel, AnyShape>();

export function shapeOf(model: ShownModel, method: Method): AnyShape {
  if (method === 'domains') {
    let shape = treeShapes.get(model);
    if (!shape) treeShapes.set(model, shape = treeShape(model.positions, model.tree!));
    return shape;
  }
  if (method === 'rigid') return stillShape(model.positions);
  if (method === 'stvk') return { rest: model.positions, columns: model.basis, rotations: null, companions: null, rank: model.info.rank };
  return {
    rest: model.positions, columns: model.warpModes, rank: model.info.warp_modes,
    rotations: method === 'warp' ? model.warpRotations : null,
    companions: method === 'warp' ? model.warpCompanions : null,
  };
}

/** Pictures of the materials arrive later; `changed` is called then. */
export function makeParts({ name, shown: model, file, colours }: OpenModel, changed: () => void): ModelParts {
  const box = new Box3().setFromArray(model.positions);
  return {
    name, model, arrays: modelArrays(file), shown: model.shown, fans: new FanTextures(model.shown), textures: new Map(),
    volumes: new Map(), colours: viridisTexture(), box, size: box.getSize(new Vector3()).length(),
    appearance: readAppearance(file, model.tree, changed), domainColours: model.tree && new DomainColours(model.tree, colours),
  };
}

export function disposeParts(parts: ModelParts): void {
  parts.fans.dispose();
  parts.colours.dispose();
  parts.domainColours?.dispose();
  for (const textures of parts.textures.values()) textures.dispose();
}

// Made when they are first shown.
function texturesFor(parts: ModelParts, key: string, shape: Shape): ShapeTextures {
  let textures = parts.textures.get(key) as ShapeTextures | undefined;
  if (!textures) parts.textures.set(key, textures = new ShapeTextures(shape));
  return textures;
}

function deformerFor(parts: ModelParts, method: Method, shape: AnyShape): Deformer | TreeDeformer {
  if (!isTree(shape)) return new Deformer(texturesFor(parts, method, shape));
  let textures = parts.textures.get(method) as TreeTextures | undefined;
  if (!textures) parts.textures.set(method, textures = new TreeTextures(shape));
  return new TreeDeformer(textures);
}

// Made when it is first shown.
function volumeOf(parts: ModelParts, method: Method): Shape | null {
  let shape = parts.volumes.get(method);
  if (shape === undefined) parts.volumes.set(method, shape = volumeShape(parts.model, parts.arrays, method));
  return shape;
}

export class BodyView {
  /** The body's. */
  readonly name: string;
  readonly method: Method;
  /** Its place in the world is the body's. */
  readonly group = new Group();
  readonly parts: ModelParts;
  #shape: AnyShape;
  #mesh: Mesh<BufferGeometry, Material | Material[]>;
  #materials: MeshStandardMaterial[];
  /** What the materials have while the body is not seen through. */
  #own: Pick<MeshStandardMaterial, 'transparent' | 'opacity' | 'depthWrite'>[];
  /** No materials of the file. */
  #plain: boolean;
  #uniforms: SharedUniforms;
  #deformer: Deformer | TreeDeformer | null = null;
  #normals: NormalPass | null = null;
  #volume: VolumeLines | null = null;
  #coordinates: Float64Array = new Float64Array(0);

  constructor(parts: ModelParts, name: string, method: Method, withMaterials: boolean, onTheCard: boolean) {
    const { model, shown } = parts;
    const appearance = withMaterials ? parts.appearance : null;
    this.parts = parts;
    this.#plain = appearance === null;
    this.name = name;
    this.method = method;
    this.#shape = shapeOf(model, method);
    if (onTheCard) {
      this.#deformer = deformerFor(parts, method, this.#shape);
      this.#normals = new NormalPass(parts.fans, this.#deformer);
    }
    this.#uniforms = {
      shownPositions: { value: this.#deformer?.positions ?? null },
      shownNormals: { value: this.#normals?.normals ?? null },
      positionWidth: { value: this.#deformer?.grid.width ?? 1 },
      normalWidth: { value: this.#normals?.grid.width ?? 1 },
      colourMap: { value: parts.colours },
      colourPerMetre: { value: 0 },
      domainColours: { value: parts.domainColours?.texture ?? null },
      colourByDomain: { value: false },
    };

    const geometry = new BufferGeometry();
    const rest = gathered(model.positions, shown.vertexOf, 3);
    geometry.setAttribute('position', new BufferAttribute(rest.slice(), 3));
    geometry.setAttribute('restPosition', new BufferAttribute(rest, 3));
    geometry.setAttribute('normal', new BufferAttribute(shownNormals(shown, model.positions), 3));
    geometry.setAttribute('surfaceVertex', new BufferAttribute(Float32Array.from(shown.vertexOf), 1));
    appearance?.textureCoordinates.forEach((set, place) => {
      geometry.setAttribute(place === 0 ? 'uv' : `uv${place}`, new BufferAttribute(gathered(set, shown.vertexOf, 2), 2));
    });
    if (appearance?.colours)
      geometry.setAttribute('color', new BufferAttribute(gathered(appearance.colours, shown.vertexOf, 4), 4));
    if (isTree(this.#shape)) {
      const { domainOf } = this.#shape;
      geometry.setAttribute('domain', new BufferAttribute(Float32Array.from(shown.vertexOf, (v) => domainOf[v]), 1));
    }
    geometry.setIndex(new BufferAttribute(appearance?.order ? inOrder(shown.index, appearance.order) : shown.index, 1));
    // Bodies move beyond their rest shape: never left out for being out of sight.
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);

    if (appearance) {
      this.#materials = appearance.parts.map(({ material }) => material.clone());
      let start = 0;
      appearance.parts.forEach(({ triangles }, place) => {
        geometry.addGroup(start, 3 * triangles, place);
        start += 3 * triangles;
      });
    } else {
      this.#materials = [plainMaterial(kMethodColours[method])];
    }
    this.#own = this.#materials.map(({ transparent, opacity, depthWrite }) => ({ transparent, opacity, depthWrite }));
    for (const material of this.#materials) followPasses(material, this.#uniforms, onTheCard);
    this.#mesh = new Mesh(geometry, appearance ? this.#materials : this.#materials[0]);
    this.#mesh.frustumCulled = false;
    this.#mesh.castShadow = true;
    this.#mesh.receiveShadow = true;
    const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    followPasses(depth, this.#uniforms, onTheCard);
    this.#mesh.customDepthMaterial = depth;
    this.group.add(this.#mesh);
  }

  /** Moves the body to these shape coordinates; `surface` is the library's own answer where the CPU draws. */
  move(renderer: WebGLRenderer, coordinates: Float64Array, surface: Surface | null): void {
    this.#coordinates = coordinates;
    if (this.#deformer && this.#normals) {
      this.#deformer.run(renderer, coordinates);
      this.#normals.run(renderer);
    } else {
      this.#moveOnTheCpu(surface);
    }
    if (this.#volume?.lines.visible) this.#volume.move(renderer, coordinates);
  }

  #moveOnTheCpu(surface: Surface | null): void {
    const { model, shown } = this.parts;
    const positions = surface ? sum(model.positions, surface.displacement) : shapePositions(this.#shape, this.#coordinates);
    const place = this.#mesh.geometry.getAttribute('position') as BufferAttribute;
    (place.array as Float32Array).set(gathered(positions, shown.vertexOf, 3));
    place.needsUpdate = true;
    const normal = this.#mesh.geometry.getAttribute('normal') as BufferAttribute;
    (normal.array as Float32Array).set(shownNormals(shown, positions));
    normal.needsUpdate = true;
  }

  /** World from body. */
  place(position: Vec3, orientation: Quaternion): void {
    this.group.position.set(...position);
    this.group.quaternion.set(...orientation);
    this.group.updateMatrixWorld(true);
  }

  /** Present positions by the page's own arithmetic, in the body's frame, for picking. */
  positions(): Float32Array {
    return shapePositions(this.#shape, this.#coordinates);
  }

  positionOf(vertex: number): Vector3 {
    return this.positionAt(vertex, this.#coordinates);
  }
  positionAt(vertex: number, coordinates: ArrayLike<number>): Vector3 {
    return new Vector3(...shapeVertex(this.#shape, coordinates, vertex));
  }

  /** What the card has: positions of the surface's vertices, and normals of the shown ones. Null: the CPU draws. */
  readBack(renderer: WebGLRenderer): { positions: Float32Array; normals: Float32Array } | null {
    if (!this.#deformer || !this.#normals) return null;
    return { positions: this.#deformer.read(renderer), normals: this.#normals.read(renderer) };
  }

  set wireframe(on: boolean) {
    for (const material of this.#materials) material.wireframe = on;
  }

  /** Of the plain colour: −1 darker, 1 lighter. The materials of a file stay. */
  set shade(shade: number) {
    if (!this.#plain) return;
    for (const { color } of this.#materials) color.offsetHSL(0.04 * shade, 0, 0.13 * shade);
  }

  set colourByDomain(on: boolean) {
    const { domainColours } = this.parts;
    if (domainColours) domainColours.byDomain = on;
    this.#uniforms.colourByDomain.value = on || (domainColours?.hasOwn ?? false);
  }

  set colourByDisplacement(metresAtTheEnd: number | null) {
    this.#uniforms.colourPerMetre.value = metresAtTheEnd ? 1 / metresAtTheEnd : 0;
  }

  /** The edges of the elements, in a body that one sees through. */
  showVolume(on: boolean, renderer: WebGLRenderer): void {
    const shape = on ? volumeOf(this.parts, this.method) : null;
    this.#materials.forEach((material, place) => {
      const own = this.#own[place];
      material.transparent = shape !== null || own.transparent;
      material.opacity = shape ? 0.28 : own.opacity;
      material.depthWrite = !shape && own.depthWrite;
      material.needsUpdate = true;
    });
    if (shape && !this.#volume) {
      const textures = this.#deformer && texturesFor(this.parts, `volume ${this.method}`, shape);
      this.#volume = new VolumeLines(shape, this.parts.model.mesh.edges, kMeshColours[this.method], textures, this.#uniforms);
      this.group.add(this.#volume.lines);
    }
    if (!this.#volume) return;
    this.#volume.lines.visible = shape !== null;
    this.#volume.move(renderer, this.#coordinates);
  }

  /** Where the vertices of the simulation mesh are drawn; null: it is not. */
  volumePositions(renderer: WebGLRenderer): Float32Array | null {
    return this.#volume?.lines.visible ? this.#volume.positions(renderer) : null;
  }

  dispose(): void {
    this.#mesh.geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.#mesh.customDepthMaterial?.dispose();
    this.#deformer?.dispose();
    this.#normals?.dispose();
    this.#volume?.dispose();
  }
}

// Triangles in another order.
function inOrder(index: Uint32Array, order: Uint32Array): Uint32Array {
  const out = new Uint32Array(index.length);
  order.forEach((triangle, place) => out.set(index.subarray(3 * triangle, 3 * triangle + 3), 3 * place));
  return out;
}

function gathered(values: Float32Array, ids: Uint32Array, perItem: number): Float32Array {
  const out = new Float32Array(perItem * ids.length);
  for (let i = 0; i < ids.length; ++i)
    for (let k = 0; k < perItem; ++k) out[perItem * i + k] = values[perItem * ids[i] + k];
  return out;
}

function sum(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((x, i) => x + b[i]);
}
