// SPDX-License-Identifier: Apache-2.0
// ZIP archives: written without compression (models do not compress), read with and without (APPNOTE 6.3.10, sections
// 4.3 and 4.4). No encryption, no parts, no archives beyond 4 GB.

export interface ZipEntry {
  /** With / between folders. */
  path: string;
  bytes: Uint8Array;
}

const kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
const kStored = 0, kDeflated = 8;
// Bit 11: names are UTF-8. Bit 0: encrypted.
const kUtf8 = 1 << 11, kEncrypted = 1;
const kMostBytes = 0xffffffff, kMostEntries = 0xffff;
// 1 January 1980, so that the same scene is the same file.
const kDate = 0x21;
// The end record is 22 bytes and a comment of at most 65535.
const kEndBytes = 22, kMostComment = 0xffff;

const kTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = kTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function refuse(problem: string, tryThis = 'save the scene again, or pack scene.json and its models anew'): never {
  throw Object.assign(new Error(problem), { where: 'zip', problem, tryThis });
}

export function writeZip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const named = entries.map(({ path, bytes }) => ({ name: new TextEncoder().encode(path), bytes, crc: crc32(bytes), at: 0 }));
  const size = named.reduce((sum, { name, bytes }) => sum + 30 + 46 + 2 * name.length + bytes.length, kEndBytes);
  if (size > kMostBytes || named.length > kMostEntries) refuse(`the scene has ${(size / 1e9).toFixed(1)} GB; an archive holds 4`, 'save fewer models');
  const out = new Uint8Array(size), view = new DataView(out.buffer);
  let at = 0;
  const u16 = (...values: number[]) => values.forEach((value) => { view.setUint16(at, value, true); at += 2; });
  const u32 = (...values: number[]) => values.forEach((value) => { view.setUint32(at, value, true); at += 4; });
  const put = (bytes: Uint8Array) => { out.set(bytes, at); at += bytes.length; };
  for (const entry of named) {
    const { name, bytes, crc } = entry;
    entry.at = at;
    u32(kLocal);
    u16(20, kUtf8, kStored, 0, kDate);
    u32(crc, bytes.length, bytes.length);
    u16(name.length, 0);
    put(name);
    put(bytes);
  }
  const central = at;
  for (const { name, bytes, crc, at: local } of named) {
    u32(kCentral);
    u16(20, 20, kUtf8, kStored, 0, kDate);
    u32(crc, bytes.length, bytes.length);
    u16(name.length, 0, 0, 0, 0);
    u32(0, local);
    put(name);
  }
  const directory = at - central;
  u32(kEnd);
  u16(0, 0, named.length, named.length);
  u32(directory, central);
  u16(0);
  return out;
}

async function inflated(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const out = new Uint8Array(size);
  let at = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // A bomb that is larger than it says is not unpacked.
    if (at + next.value.length > size) refuse('an entry is larger than the archive says');
    out.set(next.value, at);
    at += next.value.length;
  }
  if (at !== size) refuse('an entry is shorter than the archive says');
  return out;
}

/** Its files; folders are left out. Throws what is wrong with it. */
export async function readZip(bytes: Uint8Array): Promise<ZipEntry[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - kEndBytes;
  const least = Math.max(0, end - kMostComment);
  while (end >= least && view.getUint32(end, true) !== kEnd) --end;
  if (end < least) refuse('it is not a ZIP archive, or its end is missing');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const out: ZipEntry[] = [];
  for (let i = 0; i < count; ++i) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== kCentral) refuse(`entry ${i + 1} of ${count} is not in its directory`);
    const flags = view.getUint16(at + 8, true), method = view.getUint16(at + 10, true), crc = view.getUint32(at + 16, true);
    const packed = view.getUint32(at + 20, true), size = view.getUint32(at + 24, true);
    const nameSize = view.getUint16(at + 28, true), local = view.getUint32(at + 42, true);
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize));
    at += 46 + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (path.endsWith('/')) continue;
    if (flags & kEncrypted) refuse(`${path} is encrypted`, 'pack it without a password');
    if (method !== kStored && method !== kDeflated) refuse(`${path} is compressed by method ${method}; stored and deflated are read`);
    if (packed === kMostBytes || size === kMostBytes) refuse(`${path} is beyond 4 GB`);
    if (local + 30 > bytes.length || view.getUint32(local, true) !== kLocal) refuse(`${path} is not where the directory says`);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (from + packed > bytes.length) refuse(`${path} is cut off`);
    const raw = bytes.subarray(from, from + packed);
    if (method === kStored && packed !== size) refuse(`${path} has ${packed} bytes and says ${size}`);
    const content = method === kStored ? raw : await inflated(raw, size);
    if (crc32(content) !== crc) refuse(`${path} is damaged: its checksum is wrong`);
    out.push({ path, bytes: content });
  }
  return out;
}
