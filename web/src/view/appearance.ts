// SPDX-License-Identifier: Apache-2.0
// The materials of a model file: base colour, roughness, textures, and which triangles have which. The morph targets
// in the same file are ignored; the simulation brings the basis itself.
import { Color, FrontSide, DoubleSide, MeshStandardMaterial, RepeatWrapping, SRGBColorSpace, Texture } from 'three';

interface TextureUse {
  index: number;
  texCoord?: number;
}

interface Gltf {
  accessors: { bufferView: number; byteOffset?: number; count: number }[];
  bufferViews: { byteOffset?: number; byteLength: number; byteStride?: number }[];
  images?: { bufferView?: number; mimeType?: string }[];
  materials?: {
    name?: string;
    doubleSided?: boolean;
    pbrMetallicRoughness?: {
      baseColorFactor?: number[]; metallicFactor?: number; roughnessFactor?: number; baseColorTexture?: TextureUse;
    };
  }[];
  meshes: { primitives: { attributes: Record<string, number>; indices: number; material?: number }[] }[];
  textures?: { source?: number }[];
}

export interface Appearance {
  /** In the order of the triangles: how many, and of what. */
  parts: { triangles: number; material: MeshStandardMaterial }[];
  /** Two numbers a vertex; null without texture coordinates. */
  textureCoordinates: Float32Array | null;
}

/** Shows a body that brings no material of its own. */
export function plainMaterial(colour: string): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.48, metalness: 0, side: DoubleSide });
}

/** Null: the file has no materials. Pictures arrive later; `changed` is called then. */
export function readAppearance(file: ArrayBuffer, changed: () => void): Appearance | null {
  const jsonBytes = new DataView(file).getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, jsonBytes))) as Gltf;
  if (!gltf.materials?.length) return null;
  const binary = 28 + jsonBytes;
  const primitives = gltf.meshes[0].primitives;
  const pictures = new Map<number, Texture>();

  const textureOf = (use: TextureUse | undefined): Texture | null => {
    const source = use && gltf.textures?.[use.index]?.source;
    const image = source === undefined ? undefined : gltf.images?.[source];
    if (source === undefined || image?.bufferView === undefined) return null;
    const known = pictures.get(source);
    if (known) return known;
    const texture = new Texture();
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.flipY = false;
    pictures.set(source, texture);
    const { byteOffset = 0, byteLength } = gltf.bufferViews[image.bufferView];
    const blob = new Blob([new Uint8Array(file, binary + byteOffset, byteLength)], { type: image.mimeType });
    // A picture that cannot be read leaves the plain colour.
    void createImageBitmap(blob).then((bitmap) => {
      texture.image = bitmap;
      texture.needsUpdate = true;
      changed();
    }, () => undefined);
    return texture;
  };

  const materials = gltf.materials.map((material) => {
    const { baseColorFactor = [1, 1, 1, 1], metallicFactor = 1, roughnessFactor = 1, baseColorTexture } =
      material.pbrMetallicRoughness ?? {};
    return new MeshStandardMaterial({
      name: material.name ?? '',
      color: new Color().setRGB(baseColorFactor[0], baseColorFactor[1], baseColorFactor[2]),
      metalness: Math.min(metallicFactor, 0.6),
      roughness: Math.max(roughnessFactor, 0.3),
      map: textureOf(baseColorTexture),
      side: material.doubleSided ? DoubleSide : FrontSide,
    });
  });
  const coordinates = primitives[0].attributes.TEXCOORD_0;
  let textureCoordinates: Float32Array | null = null;
  if (coordinates !== undefined) {
    const { bufferView, byteOffset = 0, count } = gltf.accessors[coordinates];
    const view = gltf.bufferViews[bufferView];
    const at = binary + (view.byteOffset ?? 0) + byteOffset;
    if (!view.byteStride || view.byteStride === 8) textureCoordinates = new Float32Array(file.slice(at, at + 8 * count));
  }
  const plain = plainMaterial('#b8bec4');
  return {
    parts: primitives.map(({ indices, material }) => ({
      triangles: gltf.accessors[indices].count / 3,
      material: material === undefined ? plain : materials[material],
    })),
    textureCoordinates,
  };
}
