// SPDX-License-Identifier: Apache-2.0
// The program's server and a browser without a window, as the tests, the screenshots and ./bench web use them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

/** Runs one command of the program; resolves to its standard output. */
export async function limber(program, ...words) {
  return (await run(program, words, { maxBuffer: 1 << 26 })).stdout;
}

/** `limber studio` on a free port; `files` are shown in its gallery. */
export async function startStudio(program, cache, files = []) {
  const server = spawn(program, ['studio', ...files, '--json', '--no-open', '--port', '0', '--cache', cache]);
  const said = [];
  server.stderr.on('data', (bytes) => said.push(bytes));
  const ended = once(server, 'exit');
  // What it prints is one JSON object, on one line or on several.
  let text = '';
  for await (const line of createInterface(server.stdout)) {
    text += line;
    if (line.endsWith('}')) break;
  }
  if (!text) throw new Error(`limber studio did not start: ${Buffer.concat(said)}`);
  const printed = JSON.parse(text);
  const address = printed.address.replace(/#.*$/, '');
  const headers = { 'X-Limber-Token': printed.token };
  return {
    address,
    /** As it is printed for people. */
    printed: printed.address,
    token: printed.token,
    /** The JSON of the answer. */
    get: async (path) => (await fetch(address + path, { headers })).json(),
    post: async (path, body) => (await fetch(address + path, { method: 'POST', headers, body })).json(),
    /** A job that is over. */
    async done(job) {
      for (;;) {
        const now = await this.get(`api/jobs/${job}`);
        if (now.state !== 'queued' && now.state !== 'running') return now;
      }
    },
    log: () => Buffer.concat(said).toString(),
    async stop() {
      server.kill();
      await ended;
    },
  };
}

/** Chromium that draws in software. */
export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.LIMBER_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader',
      '--use-angle=swiftshader'],
  });
}

/** window.limber of a page (web/src/live/test_hook.ts). Every call is awaited; typed arrays come back as plain ones. */
export function hookOf(page) {
  return new Proxy({}, {
    // A promise that resolves to the hook looks for `then`.
    get: (_, name) => name !== 'then' && (async (...words) => {
      const text = await page.evaluate(async ([called, given]) => {
        const member = window.limber[called];
        const value = await (typeof member === 'function' ? member(...given) : member);
        return JSON.stringify(value, (_key, one) => (ArrayBuffer.isView(one) ? Array.from(one) : one));
      }, [name, words]);
      return text === undefined ? undefined : JSON.parse(text);
    }),
  });
}
