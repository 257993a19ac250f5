// SPDX-License-Identifier: Apache-2.0
// Serves a folder, opens its page in Chromium and prints what it shows.    usage: node open_page.mjs FOLDER MODEL
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const kTypes = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const server = createServer(async (request, response) => {
  const name = request.url === '/' ? '/index.html' : request.url;
  try {
    const bytes = await readFile(join(process.argv[2], name));
    response.writeHead(200, { 'Content-Type': kTypes[extname(name)] ?? 'application/octet-stream' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const browser = await chromium.launch({
  executablePath: process.env.LIMBER_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
});
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => document.querySelector('#q').textContent !== '', null, { timeout: 60_000 });
  console.log(await page.textContent('#q'));
} finally {
  await browser.close();
  server.close();
}
