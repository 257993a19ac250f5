// SPDX-License-Identifier: Apache-2.0
// Prepares a mesh in a worker of its own: the page answers meanwhile.
import { buffersOf, prepareMesh, type PreparedMesh } from './prepare_mesh';

export type MeshAnswer = { mesh: PreparedMesh } | { problem: string };

const answer = (message: MeshAnswer, transfer: Transferable[]) =>
  (self as unknown as { postMessage(message: MeshAnswer, transfer: Transferable[]): void }).postMessage(message, transfer);

self.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
  try {
    const mesh = prepareMesh(data);
    answer({ mesh }, buffersOf(mesh));
  } catch (error) {
    answer({ problem: error instanceof Error ? error.message : String(error) }, []);
  }
};
