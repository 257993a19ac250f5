// SPDX-License-Identifier: Apache-2.0
// The page's TypeScript modules for Node's test runner: bundled on the fly by the same compiler that Vite uses.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = new URL('.', import.meta.url);
const packageFolder = process.env.LIMBER_WASM_PACKAGE ?? fileURLToPath(new URL('../../build/release/wasm', here));

/** Everything that a module of web/src exports. */
export async function pageModule(path) {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, here))], bundle: true, format: 'esm', write: false,
    alias: { limber: fileURLToPath(new URL('../../bindings/wasm/limber.js', here)) },
  });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

export async function loadWasm() {
  const { loadLimber } = await import(`${packageFolder}/limber.js`);
  return loadLimber(readFileSync(`${packageFolder}/limber.wasm`));
}

function fileOf(given, name) {
  const bytes = readFileSync(given ?? fileURLToPath(new URL(`../../build/release/web_test/${name}`, here)));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** A bar of 20 × 4 × 4 bricks, held at x = 0, that runs as both methods. */
export function barFile() {
  return fileOf(process.env.LIMBER_WEB_MODEL, 'bar.glb');
}

/** A bar on a bar, a and b, and the spare part "withered": tests/data/recordings/make_models. */
export function plantFile() {
  return fileOf(process.env.LIMBER_RECORDINGS && `${process.env.LIMBER_RECORDINGS}/plant.glb`, 'recordings/plant.glb');
}

/** The same bar as a tree of domains. */
export function treeFile() {
  return fileOf(process.env.LIMBER_WEB_TREE, 'tree.glb');
}
