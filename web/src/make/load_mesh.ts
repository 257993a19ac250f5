// SPDX-License-Identifier: Apache-2.0
// Meshes from the server.
import { getBytes, type OnBytes } from '../api/client';
import { library } from '../sim/library';
import { readMesh, type MeshData } from './mesh_data';
import type { MeshAnswer } from './mesh_worker';
import type { PreparedMesh } from './prepare_mesh';

/** The elements of a filling. */
export async function fetchMesh(path: string): Promise<MeshData> {
  return readMesh(await getBytes(path));
}

/** The bytes of a mesh as what is drawn and picked from, made in a worker, which takes them over. */
export async function prepared(bytes: ArrayBuffer, signal: AbortSignal): Promise<PreparedMesh> {
  const worker = new Worker(new URL('./mesh_worker.ts', import.meta.url), { type: 'module' });
  try {
    // Selections on the mesh are the library's.
    const ready = library();
    const mesh = await new Promise<PreparedMesh>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<MeshAnswer>) => {
        if ('mesh' in data) resolve(data.mesh);
        else reject(new Error(data.problem));
      };
      worker.onerror = (event) =>
        reject(new Error(event.message || 'the browser has too little memory for this mesh: use a coarser one'));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.postMessage(bytes, [bytes]);
    });
    await ready;
    return mesh;
  } finally {
    worker.terminate();
  }
}

/** A mesh of the server. `onBytes`: how much has come. Rejects where it cannot be read, or memory is short. */
export async function loadMesh(path: string, signal: AbortSignal, onBytes: OnBytes): Promise<PreparedMesh> {
  return prepared(await getBytes(path, { signal }, onBytes), signal);
}
