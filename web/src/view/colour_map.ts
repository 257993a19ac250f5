// SPDX-License-Identifier: Apache-2.0
// Viridis, whose lightness grows evenly, so that colour-blind eyes and grey prints read it too; and colours of Okabe
// and Ito that they tell apart.
import { DataTexture, LinearFilter, SRGBColorSpace } from 'three';
import type { Method } from '../sim/settings';

export const kViridis = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];

export function viridisTexture(): DataTexture {
  const data = new Uint8Array(kViridis.flatMap((colour) => {
    const rgb = parseInt(colour.slice(1), 16);
    return [rgb >> 16, (rgb >> 8) & 255, rgb & 255, 255];
  }));
  const texture = new DataTexture(data, kViridis.length, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export const kMethodColours: Record<Method, string> = {
  stvk: '#3f9db5', warp: '#e69f00', linear: '#cc79a7', rigid: '#8c9a5b', domains: '#5b8c5a',
};
/** Darker, for lines over the surface. */
export const kMeshColours: Record<Method, string> = {
  stvk: '#2f6f7c', warp: '#8a5f00', linear: '#87436a', rigid: '#59642f', domains: '#35593b',
};
