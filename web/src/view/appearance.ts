// SPDX-License-Identifier: Apache-2.0
// How the surface of a model file looks: its materials and which triangles have which, texture coordinates, vertex
// colours. The morph targets in the same file are ignored; the simulation brings the basis itself.
import type { Tree } from 'limber';
import { DoubleSide, MeshStandardMaterial } from 'three';
import { makeMaterial, Textures, type GltfMaterial } from './materials';

interface Gltf {
  accessors: { bufferView: number; byteOffset?: number; count: number; type?: string; componentType?: number }[];
  bufferViews: { byteOffset?: number; byteLength: number; byteStride?: number }[];
  images?: { bufferView?: number; mimeType?: string }[];
  materials?: GltfMaterial[];
  meshes: { primitives: { attributes: Record<string, number>; indices: number; material?: number }[] }[];
  samplers?: { wrapS?: number; wrapT?: number }[];
  textures?: { source?: number; sampler?: number }[];
}

export interface Appearance {
  /** How many triangles, and of what, one part after the other. */
  parts: { triangles: number; material: MeshStandardMaterial }[];
  /** The triangles of the surface in that order; null: they are in it. */
  order: Uint32Array | null;
  /** Sets of two numbers a vertex. */
  textureCoordinates: Float32Array[];
  /** Linear red, green, blue, alpha of each vertex, times the colour of the material; null: none. */
  colours: Float32Array | null;
}

/** Shows a body that brings no material of its own. */
export function plainMaterial(colour: string): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.48, metalness: 0, side: DoubleSide });
}

const kFloat = 5126;

/**
 * Null: the file has neither materials nor colours. Pictures arrive later; `changed` is called then. The file of a tree has
 * a mesh for each part; its surface shows it once for each domain.
 */
export function readAppearance(file: ArrayBuffer, tree: Tree | null, changed: () => void): Appearance | null {
  const jsonBytes = new DataView(file).getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, jsonBytes))) as Gltf;
  // In the order of the surface.
  const meshes = tree ? tree.domains.map(({ part }) => gltf.meshes[part]) : [gltf.meshes[0]];
  if (!gltf.materials?.length && !gltf.meshes.some(({ primitives }) => primitives[0].attributes.COLOR_0 !== undefined)) return null;
  const binary = 28 + jsonBytes;

  // As limber writes them: floats, one after the other.
  const floats = (accessor: number | undefined, perVertex: number, type: string): Float32Array | null => {
    if (accessor === undefined) return null;
    const { bufferView, byteOffset = 0, count, type: given, componentType } = gltf.accessors[accessor];
    const view = gltf.bufferViews[bufferView];
    const packed = !view.byteStride || view.byteStride === 4 * perVertex;
    if (!packed || given !== type || componentType !== kFloat) return null;
    const at = binary + (view.byteOffset ?? 0) + byteOffset;
    return new Float32Array(file.slice(at, at + 4 * perVertex * count));
  };

  const textures = new Textures((gltf.textures ?? []).map(({ source, sampler }) => {
    const image = source === undefined ? undefined : gltf.images?.[source];
    if (image?.bufferView === undefined) return { load: null };
    const { byteOffset = 0, byteLength } = gltf.bufferViews[image.bufferView];
    const blob = new Blob([new Uint8Array(file, binary + byteOffset, byteLength)], { type: image.mimeType });
    // One bitmap for all textures of the picture. One that cannot be read leaves the plain colour.
    let bitmap: Promise<ImageBitmap> | null = null;
    return {
      sampler: sampler === undefined ? undefined : gltf.samplers?.[sampler],
      load: (texture) => {
        bitmap ??= createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
        void bitmap.then((picture) => {
          texture.image = picture;
          texture.needsUpdate = true;
          changed();
        }, () => undefined);
      },
    };
  }));

  // Of all meshes together; those that have none get `without`. Null: none has.
  const joined = (attribute: string, perVertex: number, type: string, without: number): Float32Array | null => {
    const read = new Map(gltf.meshes.map((mesh) => [mesh, floats(mesh.primitives[0].attributes[attribute], perVertex, type)]));
    if (!meshes.some((mesh) => read.get(mesh))) return null;
    const all = meshes.map((mesh) => {
      const vertices = gltf.accessors[mesh.primitives[0].attributes.POSITION].count;
      return read.get(mesh) ?? new Float32Array(perVertex * vertices).fill(without);
    });
    if (all.length === 1) return all[0];
    const out = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const one of all) {
      out.set(one, at);
      at += one.length;
    }
    return out;
  };
  const colours = joined('COLOR_0', 4, 'VEC4', 1);
  const materials = (gltf.materials ?? []).map((material) => makeMaterial(material, textures));
  const plain = plainMaterial(colours ? '#ffffff' : '#b8bec4');
  if (colours) for (const material of [...materials, plain]) material.vertexColors = true;
  const primitives = meshes.flatMap((mesh) => mesh.primitives).map(({ indices, material }) => ({
    triangles: gltf.accessors[indices].count / 3,
    material: material === undefined ? plain : materials[material],
  }));
  return {
    ...(tree ? byMaterial(primitives) : { parts: primitives, order: null }),
    textureCoordinates: ['TEXCOORD_0', 'TEXCOORD_1'].map((set) => joined(set, 2, 'VEC2', 0)).filter((set) => set !== null),
    colours,
  };
}

// One part, and so one draw call, for each material, however many domains have it.
function byMaterial(primitives: Appearance['parts']): Pick<Appearance, 'parts' | 'order'> {
  const materials = [...new Set(primitives.map(({ material }) => material))];
  const starts: number[] = [];
  let count = 0;
  for (const { triangles } of primitives) {
    starts.push(count);
    count += triangles;
  }
  const order = new Uint32Array(count);
  let at = 0;
  const parts = materials.map((material) => {
    const first = at;
    primitives.forEach((one, place) => {
      if (one.material === material) for (let t = 0; t < one.triangles; ++t) order[at++] = starts[place] + t;
    });
    return { triangles: at - first, material };
  });
  return { parts, order };
}
