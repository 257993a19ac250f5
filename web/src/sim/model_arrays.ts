// SPDX-License-Identifier: Apache-2.0
// The arrays of a model file (docs/model_file.md). The WebAssembly library hands out what every view needs, as floats
// for the graphics card; the simulation mesh of a warped body needs its modes inside too.

interface ArrayEntry {
  type: string;
  shape: number[];
  bytes: number;
  bufferView?: number;
}

export interface ModelArrays {
  /** Null where the file has no such array. */
  floats(name: string): Float32Array | null;
}

const kJson = 0x4e4f534a;

/** The file has been read by the library before, checksums and all; here only its layout is followed. */
export function modelArrays(file: ArrayBuffer): ModelArrays {
  const view = new DataView(file);
  const jsonBytes = view.getUint32(12, true);
  if (view.getUint32(16, true) !== kJson) throw new Error('the first part of a glTF binary is its JSON');
  const document = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, jsonBytes))) as {
    bufferViews: { byteOffset?: number }[];
    extensions: { LIMBER_model: { arrays: Record<string, ArrayEntry> } };
  };
  const arrays = document.extensions.LIMBER_model.arrays;
  const binary = 28 + jsonBytes;
  return {
    floats: (name) => {
      const entry = arrays[name];
      if (!entry || entry.type !== 'float32') return null;
      if (entry.bufferView === undefined) return new Float32Array(0);
      // The file's parts start at multiples of 4.
      return new Float32Array(file, binary + (document.bufferViews[entry.bufferView].byteOffset ?? 0), entry.bytes / 4);
    },
  };
}
