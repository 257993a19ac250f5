// SPDX-License-Identifier: Apache-2.0
// Materials of a glTF document as three.js draws them: base colour, metal and roughness, normal, occlusion and
// emissive textures, and of the extensions KHR_materials_… those that MeshPhysicalMaterial has.
import {
  ClampToEdgeWrapping, Color, DoubleSide, FrontSide, MeshPhysicalMaterial, MirroredRepeatWrapping, NoColorSpace,
  RepeatWrapping, SRGBColorSpace, Texture, Vector2, type Wrapping,
} from 'three';

export interface TextureUse {
  index: number;
  texCoord?: number;
  scale?: number;
  strength?: number;
  extensions?: { KHR_texture_transform?: { offset?: number[]; scale?: number[]; rotation?: number; texCoord?: number } };
}

export interface GltfMaterial {
  name?: string;
  doubleSided?: boolean;
  alphaMode?: 'OPAQUE' | 'MASK' | 'BLEND';
  alphaCutoff?: number;
  emissiveFactor?: number[];
  emissiveTexture?: TextureUse;
  normalTexture?: TextureUse;
  occlusionTexture?: TextureUse;
  pbrMetallicRoughness?: {
    baseColorFactor?: number[]; metallicFactor?: number; roughnessFactor?: number; baseColorTexture?: TextureUse;
    metallicRoughnessTexture?: TextureUse;
  };
  extensions?: Record<string, Record<string, unknown>>;
}

export interface TextureSource {
  sampler?: { wrapS?: number; wrapT?: number };
  /** Its picture; called once for each texture made of it. Null: there is none. */
  load: ((texture: Texture) => void) | null;
}

type Kind = 'number' | 'colour' | 'colour map' | 'map';

// glTF's key, the property of MeshPhysicalMaterial, what it is.
const kExtensions: Record<string, [key: string, property: string, kind: Kind][]> = {
  KHR_materials_clearcoat: [
    ['clearcoatFactor', 'clearcoat', 'number'], ['clearcoatRoughnessFactor', 'clearcoatRoughness', 'number'],
    ['clearcoatTexture', 'clearcoatMap', 'map'], ['clearcoatRoughnessTexture', 'clearcoatRoughnessMap', 'map'],
    ['clearcoatNormalTexture', 'clearcoatNormalMap', 'map'],
  ],
  KHR_materials_sheen: [
    ['sheenColorFactor', 'sheenColor', 'colour'], ['sheenRoughnessFactor', 'sheenRoughness', 'number'],
    ['sheenColorTexture', 'sheenColorMap', 'colour map'], ['sheenRoughnessTexture', 'sheenRoughnessMap', 'map'],
  ],
  KHR_materials_transmission: [
    ['transmissionFactor', 'transmission', 'number'], ['transmissionTexture', 'transmissionMap', 'map'],
  ],
  KHR_materials_volume: [
    ['thicknessFactor', 'thickness', 'number'], ['thicknessTexture', 'thicknessMap', 'map'],
    ['attenuationDistance', 'attenuationDistance', 'number'], ['attenuationColor', 'attenuationColor', 'colour'],
  ],
  KHR_materials_ior: [['ior', 'ior', 'number']],
  KHR_materials_specular: [
    ['specularFactor', 'specularIntensity', 'number'], ['specularTexture', 'specularIntensityMap', 'map'],
    ['specularColorFactor', 'specularColor', 'colour'], ['specularColorTexture', 'specularColorMap', 'colour map'],
  ],
  KHR_materials_iridescence: [
    ['iridescenceFactor', 'iridescence', 'number'], ['iridescenceTexture', 'iridescenceMap', 'map'],
    ['iridescenceIor', 'iridescenceIOR', 'number'], ['iridescenceThicknessTexture', 'iridescenceThicknessMap', 'map'],
  ],
  KHR_materials_anisotropy: [
    ['anisotropyStrength', 'anisotropy', 'number'], ['anisotropyRotation', 'anisotropyRotation', 'number'],
    ['anisotropyTexture', 'anisotropyMap', 'map'],
  ],
  KHR_materials_dispersion: [['dispersion', 'dispersion', 'number']],
  KHR_materials_emissive_strength: [['emissiveStrength', 'emissiveIntensity', 'number']],
};

function wrapping(word: number | undefined): Wrapping {
  return word === 33071 ? ClampToEdgeWrapping : word === 33648 ? MirroredRepeatWrapping : RepeatWrapping;
}

/** Textures of a document, each made once. */
export class Textures {
  #sources: TextureSource[];
  #made = new Map<string, Texture>();

  constructor(sources: TextureSource[]) {
    this.#sources = sources;
  }

  of(use: TextureUse | undefined, space: 'colour' | 'data'): Texture | null {
    if (!use) return null;
    const source = this.#sources[use.index];
    if (!source?.load) return null;
    const transform = use.extensions?.KHR_texture_transform;
    const key = JSON.stringify([use.index, use.texCoord, transform, space]);
    let texture = this.#made.get(key);
    if (texture) return texture;
    texture = new Texture();
    texture.colorSpace = space === 'colour' ? SRGBColorSpace : NoColorSpace;
    texture.wrapS = wrapping(source.sampler?.wrapS);
    texture.wrapT = wrapping(source.sampler?.wrapT);
    texture.flipY = false;
    texture.channel = transform?.texCoord ?? use.texCoord ?? 0;
    if (transform) {
      texture.offset.fromArray(transform.offset ?? [0, 0]);
      texture.repeat.fromArray(transform.scale ?? [1, 1]);
      texture.rotation = transform.rotation ?? 0;
    }
    this.#made.set(key, texture);
    source.load(texture);
    return texture;
  }
}

function addExtension(out: MeshPhysicalMaterial, name: string, values: Record<string, unknown>, textures: Textures): void {
  const target = out as unknown as Record<string, unknown>;
  for (const [key, property, kind] of kExtensions[name] ?? []) {
    const value = values[key];
    if (value === undefined) continue;
    if (kind === 'number' && typeof value === 'number') target[property] = value;
    if (kind === 'colour' && Array.isArray(value)) (target[property] as Color).setRGB(value[0], value[1], value[2]);
    if (kind === 'map' || kind === 'colour map')
      target[property] = textures.of(value as TextureUse, kind === 'map' ? 'data' : 'colour');
  }
  if (name === 'KHR_materials_sheen') out.sheen = 1;
  if (name === 'KHR_materials_iridescence')
    out.iridescenceThicknessRange = [Number(values.iridescenceThicknessMinimum ?? 100), Number(values.iridescenceThicknessMaximum ?? 400)];
  if (name === 'KHR_materials_clearcoat' && out.clearcoatNormalMap) {
    const scale = (values.clearcoatNormalTexture as TextureUse).scale ?? 1;
    out.clearcoatNormalScale = new Vector2(scale, scale);
  }
}

// Without light: what it would emit is its colour.
function makeUnlit(out: MeshPhysicalMaterial): void {
  out.emissive.copy(out.color);
  out.emissiveMap = out.map;
  out.emissiveIntensity = 1;
  out.color.setRGB(0, 0, 0);
  out.roughness = 1;
  out.metalness = 0;
  out.specularIntensity = 0;
}

/** The stage has lamps and no surroundings to mirror: pure metal would be black, a mirror would show nothing. */
const kMostMetal = 0.6, kLeastRough = 0.3;

export function makeMaterial(material: GltfMaterial, textures: Textures): MeshPhysicalMaterial {
  const {
    baseColorFactor = [1, 1, 1, 1], metallicFactor = 1, roughnessFactor = 1, baseColorTexture, metallicRoughnessTexture,
  } = material.pbrMetallicRoughness ?? {};
  const out = new MeshPhysicalMaterial({ name: material.name ?? '' });
  out.color.setRGB(baseColorFactor[0], baseColorFactor[1], baseColorFactor[2]);
  out.map = textures.of(baseColorTexture, 'colour');
  out.metalness = Math.min(metallicFactor, kMostMetal);
  out.roughness = Math.max(roughnessFactor, kLeastRough);
  out.metalnessMap = out.roughnessMap = textures.of(metallicRoughnessTexture, 'data');
  out.side = material.doubleSided ? DoubleSide : FrontSide;
  out.normalMap = textures.of(material.normalTexture, 'data');
  const scale = material.normalTexture?.scale ?? 1;
  out.normalScale = new Vector2(scale, scale);
  out.aoMap = textures.of(material.occlusionTexture, 'data');
  out.aoMapIntensity = material.occlusionTexture?.strength ?? 1;
  const emissive = material.emissiveFactor ?? [0, 0, 0];
  out.emissive.setRGB(emissive[0], emissive[1], emissive[2]);
  out.emissiveMap = textures.of(material.emissiveTexture, 'colour');
  if (material.alphaMode === 'BLEND') {
    out.transparent = true;
    out.opacity = baseColorFactor[3] ?? 1;
    out.depthWrite = false;
  }
  if (material.alphaMode === 'MASK') out.alphaTest = material.alphaCutoff ?? 0.5;
  for (const [name, values] of Object.entries(material.extensions ?? {})) addExtension(out, name, values, textures);
  if (material.extensions?.KHR_materials_unlit) makeUnlit(out);
  return out;
}
