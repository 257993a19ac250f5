// SPDX-License-Identifier: Apache-2.0
// limber.wasm: compiled once for the page, and the library made of it for what the page itself asks.
import { loadLimber, type Limber } from 'limber';
import { getBytes } from '../api/client';

let compiled: Promise<WebAssembly.Module> | null = null;
let opening: Promise<Limber> | null = null;
let opened: Limber | null = null;

export function limberModule(): Promise<WebAssembly.Module> {
  compiled ??= getBytes('limber.wasm').then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

export function library(): Promise<Limber> {
  opening ??= limberModule().then(loadLimber).then((limber) => (opened = limber));
  return opening;
}

/** Where library() has been waited for. */
export function libraryNow(): Limber {
  if (!opened) throw new Error('limber.wasm is not loaded yet');
  return opened;
}
