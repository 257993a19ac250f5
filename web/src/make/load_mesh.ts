// SPDX-License-Identifier: Apache-2.0
// Meshes from the server.
import { getBytes, type OnBytes } from '../api/client';
import { readMesh, type MeshData } from './mesh_data';
import type { MeshAnswer } from './mesh_worker';
import type { PreparedMesh } from './prepare_mesh';

/** The elements of a filling. */
export async function fetchMesh(path: string): Promise<MeshData> {
  return readMesh(await getBytes(path));
}

/** A mesh to be drawn and picked from. `onBytes`: how much has come. Rejects where it cannot be read, or memory is short. */
export async function loadMesh(path: string, signal: AbortSignal, onBytes: OnBytes): Promise<PreparedMesh> {
  const bytes = await getBytes(path, { signal }, onBytes);
  const worker = new Worker(new URL('./mesh_worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<PreparedMesh>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<MeshAnswer>) => {
        if ('mesh' in data) resolve(data.mesh);
        else reject(new Error(data.problem));
      };
      worker.onerror = (event) =>
        reject(new Error(event.message || 'the browser has too little memory for this mesh: use a coarser one'));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.postMessage(bytes, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}
