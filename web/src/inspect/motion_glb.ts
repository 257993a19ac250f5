// SPDX-License-Identifier: Apache-2.0
// The motion as a glTF animation: the model's own file with the weights of its morph targets over time added, as
// `limber simulate` writes it. limber, Blender, three.js and engines read it.
import type { Sample } from './history';

interface Gltf {
  accessors: object[];
  animations?: object[];
  bufferViews: object[];
  buffers: { byteLength: number }[];
  nodes: { mesh?: number }[];
}

const kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;

const roundUp = (bytes: number, to: number) => Math.ceil(bytes / to) * to;

/** `scale`: weight i is q[i] / scale[i]. Times that no float tells apart are left out. */
export function motionGlb(file: ArrayBuffer, samples: Sample[], scale: readonly number[], name: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(file);
  const jsonBytes = view.getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, jsonBytes))) as Gltf;
  const binary = new Uint8Array(file, 28 + jsonBytes, view.getUint32(20 + jsonBytes, true));

  const began = samples[0].time;
  const kept = samples.filter((sample, i) => i === 0 || Math.fround(sample.time - began) > Math.fround(samples[i - 1].time - began));
  const times = Float32Array.from(kept, ({ time }) => time - began);
  const weights = new Float32Array(kept.length * scale.length);
  kept.forEach(({ q }, frame) => scale.forEach((s, i) => {
    weights[frame * scale.length + i] = (q[i] ?? 0) / s;
  }));

  const timesAt = roundUp(gltf.buffers[0].byteLength, 8);
  const weightsAt = timesAt + times.byteLength;
  const total = weightsAt + weights.byteLength;
  gltf.buffers[0].byteLength = total;
  const firstView = gltf.bufferViews.push(
    { buffer: 0, byteOffset: timesAt, byteLength: times.byteLength },
    { buffer: 0, byteOffset: weightsAt, byteLength: weights.byteLength }) - 2;
  const firstAccessor = gltf.accessors.push(
    { bufferView: firstView, componentType: 5126, count: times.length, type: 'SCALAR', min: [times[0]], max: [times[times.length - 1]] },
    { bufferView: firstView + 1, componentType: 5126, count: weights.length, type: 'SCALAR' }) - 2;
  gltf.animations = [...(gltf.animations ?? []), {
    name,
    samplers: [{ input: firstAccessor, output: firstAccessor + 1, interpolation: 'LINEAR' }],
    channels: [{ sampler: 0, target: { node: gltf.nodes.findIndex((node) => node.mesh !== undefined), path: 'weights' } }],
  }];

  const text = new TextEncoder().encode(JSON.stringify(gltf));
  // The arrays in the binary part want to start at multiples of 8 in the file, so the JSON's end does too.
  const jsonLength = roundUp(20 + text.length, 8) + 4 - 20;
  const binaryLength = roundUp(total, 4);
  const out = new Uint8Array(28 + jsonLength + binaryLength);
  const head = new DataView(out.buffer);
  [kMagic, 2, out.length, jsonLength, kJson].forEach((word, i) => head.setUint32(4 * i, word, true));
  out.fill(0x20, 20, 20 + jsonLength);
  out.set(text, 20);
  head.setUint32(20 + jsonLength, binaryLength, true);
  head.setUint32(24 + jsonLength, kBinary, true);
  const body = 28 + jsonLength;
  out.set(binary.subarray(0, timesAt), body);
  out.set(new Uint8Array(times.buffer), body + timesAt);
  out.set(new Uint8Array(weights.buffer), body + weightsAt);
  return out;
}
