// SPDX-License-Identifier: Apache-2.0
// The arrays of a model file (docs/model_file.md). The WebAssembly library hands out what every view needs, as floats
// for the graphics card. A spring that pulls a vertex needs doubles, so that the program's replay gives the same motion;
// the simulation mesh of a warped body needs its modes inside.

interface ArrayEntry {
  type: string;
  shape: number[];
  bytes: number;
  bufferView?: number;
}

export interface ModelArrays {
  /** Null where the file has no such array. */
  doubles(name: string): Float64Array | null;
  floats(name: string): Float32Array | null;
}

interface NumbersType<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (bytes: ArrayBuffer, at: number, length: number): Numbers;
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
  function numbers<Numbers>(name: string, type: string, Type: NumbersType<Numbers>): Numbers | null {
    const entry = arrays[name];
    if (!entry || entry.type !== type) return null;
    if (entry.bufferView === undefined) return new Type(new ArrayBuffer(0), 0, 0);
    const at = binary + (document.bufferViews[entry.bufferView].byteOffset ?? 0);
    const size = Type.BYTES_PER_ELEMENT;
    // The file's parts start at multiples of 4, doubles want 8: a copy where they do not.
    return at % size === 0 ? new Type(file, at, entry.bytes / size)
      : new Type(file.slice(at, at + entry.bytes), 0, entry.bytes / size);
  }
  return {
    doubles: (name) => numbers(name, 'float64', Float64Array),
    floats: (name) => numbers(name, 'float32', Float32Array),
  };
}

/** U_i on the surface is values / scale, three numbers a vertex. */
export interface BasisColumn {
  values: ArrayLike<number>;
  scale: number;
}

/** As the library reads it: from doubles where the file has them, else from the floats of the morph targets. */
export function surfaceBasis(arrays: ModelArrays, rank: number): BasisColumn[] {
  const doubles = arrays.doubles('surface.basis');
  const scale = arrays.doubles('target_scale')!;
  return Array.from({ length: rank }, (_, i) => {
    if (!doubles) return { values: arrays.floats(`surface.target.${i}`)!, scale: scale[i] };
    const size = doubles.length / rank;
    return { values: doubles.subarray(i * size, (i + 1) * size), scale: 1 };
  });
}
