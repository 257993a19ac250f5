// SPDX-License-Identifier: Apache-2.0
// A plain file server on loopback, such as any web host is to a static export.    node web/dev/serve.mjs FOLDER [PORT]
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const kTypes = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png', '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};

/** Serves a folder; resolves to {address, close()}. Port 0: any free one. */
export function serve(folder, port = 0) {
  const root = resolve(folder);
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      if (!file.startsWith(root) || !(await stat(file)).isFile()) throw new Error('no file');
      response.writeHead(200, { 'Content-Type': kTypes[extname(file)] ?? 'application/octet-stream' });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found');
    }
  });
  return new Promise((done) => {
    server.listen(port, '127.0.0.1', () => done({
      address: `http://127.0.0.1:${server.address().port}/`,
      close: () => new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
    }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(process.argv[2] ?? '.', Number(process.argv[3] ?? 0));
  console.log(address);
}
