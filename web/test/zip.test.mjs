// SPDX-License-Identifier: Apache-2.0
// Archives of scenes: what is written is read again, also by others; what is damaged is refused.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { pageModule } from './bundle.mjs';

const { crc32, readZip, writeZip } = await pageModule('sim/zip.ts');
const bytesOf = (text) => new TextEncoder().encode(text);
const entries = [
  { path: 'scene.json', bytes: bytesOf('{"bodies": []}') },
  { path: 'models/Würfel.glb', bytes: Uint8Array.from({ length: 70000 }, (_, i) => (i * i) >> 3) },
  { path: 'empty', bytes: new Uint8Array(0) },
];

test('the checksum of "123456789" is that of the standard', () => {
  assert.equal(crc32(bytesOf('123456789')), 0xcbf43926);
});

test('what is written is read again, and by Python too', async () => {
  const archive = writeZip(entries);
  const read = await readZip(archive);
  assert.deepEqual(read.map(({ path, bytes }) => [path, [...bytes]]), entries.map(({ path, bytes }) => [path, [...bytes]]));
  const folder = mkdtempSync(join(tmpdir(), 'limber-zip-'));
  try {
    writeFileSync(join(folder, 'a.zip'), archive);
    execFileSync('python3', ['-c', 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])',
      join(folder, 'a.zip'), folder]);
    assert.deepEqual([...readFileSync(join(folder, 'models/Würfel.glb'))], [...entries[1].bytes]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// An archive with one entry that is compressed, as other programs write it.
function deflated(bytes, claimed = bytes.length) {
  const packed = deflateRawSync(bytes), plain = writeZip([{ path: 'a', bytes: packed }]);
  const view = new DataView(plain.buffer), central = 30 + 1 + packed.length;
  for (const [at, size] of [[8, 14], [central + 10, central + 16]]) {
    view.setUint16(at, 8, true);
    view.setUint32(size, crc32(bytes), true);
    view.setUint32(size + 8, claimed, true);
  }
  return plain;
}

test('compressed entries are read; one that is larger than it says is not', async () => {
  const bytes = new Uint8Array(100000).fill(65);
  const [{ bytes: read }] = await readZip(deflated(bytes));
  assert.deepEqual(read, bytes);
  await assert.rejects(readZip(deflated(bytes, 1000)), /larger than the archive says/);
  await assert.rejects(readZip(deflated(bytes, 200000)), /shorter than the archive says/);
});

test('what is damaged, cut off or no archive is refused, each with its reason', async () => {
  const archive = writeZip(entries);
  const changed = archive.slice();
  changed[40] ^= 1;
  await assert.rejects(readZip(changed), /scene\.json is damaged/);
  await assert.rejects(readZip(archive.slice(0, -5)), /not a ZIP archive/);
  await assert.rejects(readZip(bytesOf('{"bodies": []}')), /not a ZIP archive/);
  // Whatever byte is wrong: an error or the entries, and no endless work.
  for (let at = 0; at < archive.length; at += at < 200 || at > archive.length - 300 ? 1 : 997) {
    const wrong = archive.slice();
    wrong[at] ^= 0xff;
    await readZip(wrong).catch((error) => assert.ok(error.problem || error instanceof RangeError || error instanceof TypeError, `${error}`));
  }
});
