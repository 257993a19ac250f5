// SPDX-License-Identifier: Apache-2.0
// A model's glTF binary taken apart, so that shapes and motions can be added, and put together again.

interface Primitive {
  attributes: Record<string, number>;
  indices?: number;
  targets?: Record<string, number>[];
}

interface ViewUser {
  bufferView?: number;
}

interface Gltf {
  accessors: (ViewUser & { sparse?: { indices: ViewUser; values: ViewUser } })[];
  animations?: object[];
  bufferViews: { buffer: number; byteOffset?: number; byteLength: number }[];
  buffers: { byteLength: number }[];
  extensions?: object;
  extensionsUsed?: string[];
  images?: ViewUser[];
  meshes: { primitives: Primitive[]; weights?: number[]; extras?: object }[];
  nodes: { mesh?: number; extensions?: object }[];
}

const kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942, kFloat = 5126, kVertices = 34962;

const roundUp = (bytes: number, to: number) => Math.ceil(bytes / to) * to;

export class Glb {
  readonly gltf: Gltf;
  /** The binary part, piece by piece; each begins at a multiple of 8. */
  #pieces: Uint8Array[];
  #bytes: number;

  constructor(file: ArrayBuffer) {
    const view = new DataView(file);
    const jsonBytes = view.getUint32(12, true);
    this.gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, jsonBytes))) as Gltf;
    this.#bytes = this.gltf.buffers[0].byteLength;
    this.#pieces = [new Uint8Array(file, 28 + jsonBytes, this.#bytes)];
  }

  // Its number among the views.
  #addPiece(piece: Uint8Array, entry: object): number {
    const byteOffset = roundUp(this.#bytes, 8);
    this.#pieces.push(piece);
    this.#bytes = byteOffset + piece.length;
    return this.gltf.bufferViews.push({ ...entry, buffer: 0, byteOffset, byteLength: piece.length }) - 1;
  }

  /** The number of their accessor. Times and positions say their bounds, as glTF wants it. */
  addFloats(values: Float32Array, use: 'times' | 'positions' | 'weights'): number {
    const width = use === 'positions' ? 3 : 1;
    const bufferView = this.#addPiece(new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      use === 'positions' ? { target: kVertices } : {});
    const low = new Array<number>(width).fill(Infinity), high = new Array<number>(width).fill(-Infinity);
    values.forEach((x, i) => {
      low[i % width] = Math.min(low[i % width], x);
      high[i % width] = Math.max(high[i % width], x);
    });
    return this.gltf.accessors.push({
      bufferView, componentType: kFloat, count: values.length / width, type: width === 3 ? 'VEC3' : 'SCALAR',
      ...(use === 'weights' ? {} : { min: low, max: high }),
    } as ViewUser) - 1;
  }

  /** An animation of the weights of the morph targets: as many for each time as there are targets. */
  addMotion(times: Float32Array, weights: Float32Array, name: string): void {
    const input = this.addFloats(times, 'times'), output = this.addFloats(weights, 'weights');
    (this.gltf.animations ??= []).push({
      name,
      samplers: [{ input, output, interpolation: 'LINEAR' }],
      channels: [{ sampler: 0, target: { node: this.gltf.nodes.findIndex((node) => node.mesh !== undefined), path: 'weights' } }],
    });
  }

  /** Other morph targets in place of those before. */
  setTargets(targets: Float32Array[]): void {
    const accessors = targets.map((target) => ({ POSITION: this.addFloats(target, 'positions') }));
    const [mesh] = this.gltf.meshes;
    for (const primitive of mesh.primitives) primitive.targets = accessors;
    mesh.weights = targets.map(() => 0);
    mesh.extras = { targetNames: targets.map((_, i) => `q${i}`) };
  }

  /** Leaves out what others than limber do not show: the model's own arrays, its morph targets and motions. */
  keepShown(): void {
    const { gltf } = this;
    delete gltf.extensions;
    delete gltf.extensionsUsed;
    delete gltf.animations;
    for (const node of gltf.nodes) delete node.extensions;

    const old = { accessors: gltf.accessors, views: gltf.bufferViews, bytes: this.#joined() };
    gltf.accessors = [];
    const moved = new Map<number, number>();
    const keep = (accessor: number) => {
      if (!moved.has(accessor)) moved.set(accessor, gltf.accessors.push(old.accessors[accessor]) - 1);
      return moved.get(accessor)!;
    };
    for (const primitive of gltf.meshes.flatMap((mesh) => mesh.primitives)) {
      delete primitive.targets;
      if (primitive.indices !== undefined) primitive.indices = keep(primitive.indices);
      for (const [name, accessor] of Object.entries(primitive.attributes)) primitive.attributes[name] = keep(accessor);
    }

    gltf.bufferViews = [];
    this.#pieces = [];
    this.#bytes = 0;
    const taken = new Map<number, number>();
    const users = [...gltf.accessors.flatMap((one) => [one, ...(one.sparse ? [one.sparse.indices, one.sparse.values] : [])]),
      ...(gltf.images ?? [])];
    for (const user of users) {
      if (user.bufferView === undefined) continue;
      const { byteOffset = 0, ...entry } = old.views[user.bufferView];
      if (!taken.has(user.bufferView))
        taken.set(user.bufferView, this.#addPiece(old.bytes.subarray(byteOffset, byteOffset + entry.byteLength), entry));
      user.bufferView = taken.get(user.bufferView)!;
    }
  }

  #joined(): Uint8Array {
    const out = new Uint8Array(roundUp(this.#bytes, 4));
    let at = 0;
    for (const piece of this.#pieces) {
      at = roundUp(at, 8);
      out.set(piece, at);
      at += piece.length;
    }
    return out;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    this.gltf.buffers[0].byteLength = this.#bytes;
    const text = new TextEncoder().encode(JSON.stringify(this.gltf));
    const binary = this.#joined();
    // The arrays in the binary part want to start at multiples of 8 in the file, so the JSON's end does too.
    const jsonLength = roundUp(20 + text.length, 8) + 4 - 20;
    const out = new Uint8Array(28 + jsonLength + binary.length);
    const head = new DataView(out.buffer);
    [kMagic, 2, out.length, jsonLength, kJson].forEach((word, i) => head.setUint32(4 * i, word, true));
    out.fill(0x20, 20, 20 + jsonLength);
    out.set(text, 20);
    head.setUint32(20 + jsonLength, binary.length, true);
    head.setUint32(24 + jsonLength, kBinary, true);
    out.set(binary, 28 + jsonLength);
    return out;
  }
}
