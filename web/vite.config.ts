// SPDX-License-Identifier: Apache-2.0
// How the page is bundled: relative addresses, one module worker, nothing inlined that the content security policy
// forbids.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  resolve: { alias: { limber: fileURLToPath(new URL('../bindings/wasm/limber.js', import.meta.url)) } },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    emptyOutDir: true,
  },
});
