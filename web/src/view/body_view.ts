// SPDX-License-Identifier: Apache-2.0
// One body in the scene: its surface, deformed on the graphics card, or on the CPU where the card cannot.
import {
  BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshDepthMaterial, RGBADepthPacking,
  Sphere, Vector3, type Material, type MeshStandardMaterial, type Texture, type WebGLRenderer,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import { Deformer, FanTextures, NormalPass, ShapeTextures, type Shape } from '../gpu/deformer';
import { shapePositions, shapeVertex } from '../gpu/shape_cpu';
import { shownMesh, shownNormals, type ShownMesh } from '../gpu/shown_mesh';
import type { ShownModel, Surface } from '../sim/messages';
import type { Method } from '../sim/settings';
import { plainMaterial, type Appearance } from './appearance';
import { kMethodColours, viridisTexture } from './colour_map';

/** What all bodies of a model share. */
export interface ModelParts {
  model: ShownModel;
  shown: ShownMesh;
  fans: FanTextures;
  textures: Map<'stvk' | 'linear' | 'warped' | 'volume', ShapeTextures>;
  colours: Texture;
  /** m; what the colours' end stands for at a scale of 1. */
  size: number;
}

export function shapeOf(model: ShownModel, method: Method): Shape {
  if (method === 'stvk') return { rest: model.positions, columns: model.basis, rotations: null, companions: null, rank: model.info.rank };
  return {
    rest: model.positions, columns: model.warpModes, rank: model.info.warp_modes,
    rotations: method === 'warped' ? model.warpRotations : null,
    companions: method === 'warped' ? model.warpCompanions : null,
  };
}

export function makeParts(model: ShownModel, size: number): ModelParts {
  const shown = shownMesh(model.positions, model.triangles);
  return { model, shown, fans: new FanTextures(shown), textures: new Map(), colours: viridisTexture(), size };
}

export function disposeParts(parts: ModelParts): void {
  parts.fans.dispose();
  parts.colours.dispose();
  for (const textures of parts.textures.values()) textures.dispose();
}

function texturesFor(parts: ModelParts, key: 'stvk' | 'linear' | 'warped' | 'volume', shape: Shape): ShapeTextures {
  let textures = parts.textures.get(key);
  if (!textures) parts.textures.set(key, textures = new ShapeTextures(shape));
  return textures;
}

interface SharedUniforms {
  shownPositions: { value: Texture | null };
  shownNormals: { value: Texture | null };
  positionWidth: { value: number };
  normalWidth: { value: number };
  colourMap: { value: Texture };
  /** 1/m; 0: the material's own colour */
  colourPerMetre: { value: number };
}

const kVertexHead = /* glsl */ `
#ifdef ON_THE_CARD
uniform highp sampler2D shownPositions;
uniform highp sampler2D shownNormals;
uniform int positionWidth;
uniform int normalWidth;
attribute float surfaceVertex;
#endif
attribute vec3 restPosition;
varying float vMoved;
`;

const kNormal = /* glsl */ `
#ifdef ON_THE_CARD
vec3 objectNormal = texelFetch(shownNormals, ivec2(gl_VertexID % normalWidth, gl_VertexID / normalWidth), 0).xyz;
#else
vec3 objectNormal = vec3(normal);
#endif
`;

const kPosition = /* glsl */ `
#ifdef ON_THE_CARD
int vertexOfSurface = int(surfaceVertex + 0.5);
vec3 transformed = texelFetch(shownPositions,
  ivec2(vertexOfSurface % positionWidth, vertexOfSurface / positionWidth), 0).xyz;
#else
vec3 transformed = vec3(position);
#endif
vMoved = distance(transformed, restPosition);
`;

const kFragmentHead = /* glsl */ `
uniform sampler2D colourMap;
uniform float colourPerMetre;
varying float vMoved;
`;

// The middles of the first and the last texel are the ends of the map.
const kColour = /* glsl */ `
#include <color_fragment>
if (colourPerMetre > 0.0)
  diffuseColor.rgb = texture2D(colourMap, vec2((0.5 + 8.0 * min(1.0, vMoved * colourPerMetre)) / 9.0, 0.5)).rgb;
`;

// Takes positions and normals from the passes' textures in place of the vertices' own.
function followPasses(material: Material, uniforms: SharedUniforms, onTheCard: boolean): void {
  if (onTheCard) material.defines = { ...material.defines, ON_THE_CARD: '' };
  material.onBeforeCompile = (program: WebGLProgramParametersWithUniforms) => {
    Object.assign(program.uniforms, uniforms);
    program.vertexShader = program.vertexShader
      .replace('#include <common>', `#include <common>\n${kVertexHead}`)
      .replace('#include <beginnormal_vertex>', kNormal)
      .replace('#include <begin_vertex>', kPosition);
    program.fragmentShader = program.fragmentShader
      .replace('#include <common>', `#include <common>\n${kFragmentHead}`)
      .replace('#include <color_fragment>', kColour);
  };
  material.customProgramCacheKey = () => `limber ${onTheCard}`;
}

export class BodyView {
  readonly method: Method;
  readonly group = new Group();
  #parts: ModelParts;
  #shape: Shape;
  #mesh: Mesh<BufferGeometry, Material | Material[]>;
  #materials: MeshStandardMaterial[];
  #uniforms: SharedUniforms;
  #deformer: Deformer | null = null;
  #normals: NormalPass | null = null;
  #volume: { lines: LineSegments; deformer: Deformer | null } | null = null;
  #coordinates: Float64Array = new Float64Array(0);

  constructor(parts: ModelParts, method: Method, appearance: Appearance | null, onTheCard: boolean) {
    const { model, shown } = parts;
    this.#parts = parts;
    this.method = method;
    this.#shape = shapeOf(model, method);
    if (onTheCard) {
      this.#deformer = new Deformer(texturesFor(parts, method, this.#shape));
      this.#normals = new NormalPass(parts.fans, this.#deformer);
    }
    this.#uniforms = {
      shownPositions: { value: this.#deformer?.positions ?? null },
      shownNormals: { value: this.#normals?.normals ?? null },
      positionWidth: { value: this.#deformer?.grid.width ?? 1 },
      normalWidth: { value: this.#normals?.grid.width ?? 1 },
      colourMap: { value: parts.colours },
      colourPerMetre: { value: 0 },
    };

    const geometry = new BufferGeometry();
    const rest = gathered(model.positions, shown.vertexOf, 3);
    geometry.setAttribute('position', new BufferAttribute(rest.slice(), 3));
    geometry.setAttribute('restPosition', new BufferAttribute(rest, 3));
    geometry.setAttribute('normal', new BufferAttribute(shownNormals(shown, model.positions), 3));
    geometry.setAttribute('surfaceVertex', new BufferAttribute(Float32Array.from(shown.vertexOf), 1));
    if (appearance?.textureCoordinates)
      geometry.setAttribute('uv', new BufferAttribute(gathered(appearance.textureCoordinates, shown.vertexOf, 2), 2));
    geometry.setIndex(new BufferAttribute(shown.index, 1));
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
    this.#volume?.deformer?.run(renderer, coordinates);
  }

  #moveOnTheCpu(surface: Surface | null): void {
    const { model, shown } = this.#parts;
    const positions = surface ? sum(model.positions, surface.displacement) : shapePositions(this.#shape, this.#coordinates);
    const place = this.#mesh.geometry.getAttribute('position') as BufferAttribute;
    (place.array as Float32Array).set(gathered(positions, shown.vertexOf, 3));
    place.needsUpdate = true;
    const normal = this.#mesh.geometry.getAttribute('normal') as BufferAttribute;
    (normal.array as Float32Array).set(shownNormals(shown, positions));
    normal.needsUpdate = true;
  }

  /** Present positions by the page's own arithmetic, for picking. */
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

  set colourByDisplacement(metresAtTheEnd: number | null) {
    this.#uniforms.colourPerMetre.value = metresAtTheEnd ? 1 / metresAtTheEnd : 0;
  }

  /** The edges of the elements; they move with a nonlinear body, whose basis covers them. */
  showVolume(on: boolean, renderer: WebGLRenderer): void {
    for (const material of this.#materials) {
      material.transparent = on;
      material.opacity = on ? 0.28 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
    if (on && !this.#volume) this.#volume = this.#makeVolume(renderer);
    if (this.#volume) this.#volume.lines.visible = on;
  }

  #makeVolume(renderer: WebGLRenderer): { lines: LineSegments; deformer: Deformer | null } {
    const { mesh, info } = this.#parts.model;
    const geometry = new BufferGeometry();
    const vertices = mesh.positions.length / 3;
    geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
    geometry.setAttribute('restPosition', new BufferAttribute(mesh.positions, 3));
    geometry.setAttribute('surfaceVertex', new BufferAttribute(Float32Array.from({ length: vertices }, (_, v) => v), 1));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(mesh.edges), 1));
    const material = new LineBasicMaterial({ color: 0x2f6f7c, transparent: true, opacity: 0.55 });
    let deformer: Deformer | null = null;
    if (this.method === 'stvk' && this.#deformer && mesh.basis.length > 0) {
      deformer = new Deformer(texturesFor(this.#parts, 'volume',
        { rest: mesh.positions, columns: mesh.basis, rotations: null, companions: null, rank: info.rank }));
      deformer.run(renderer, this.#coordinates);
      followPasses(material, {
        ...this.#uniforms, shownPositions: { value: deformer.positions }, positionWidth: { value: deformer.grid.width },
      }, true);
    }
    const lines = new LineSegments(geometry, material);
    lines.frustumCulled = false;
    this.group.add(lines);
    return { lines, deformer };
  }

  dispose(): void {
    this.#mesh.geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.#mesh.customDepthMaterial?.dispose();
    this.#deformer?.dispose();
    this.#normals?.dispose();
    this.#volume?.deformer?.dispose();
    this.#volume?.lines.geometry.dispose();
  }
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
