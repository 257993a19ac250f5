// SPDX-License-Identifier: Apache-2.0
// Files that the browser saves.
import { showProblem } from '../page/announce';
import { request } from '../api/client';

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function saveText(name: string, text: string): void {
  save(name, new Blob([text], { type: 'application/json' }));
}

/** A file of the server; the request needs the token, so no plain link does it. */
export async function download(path: string, name: string): Promise<void> {
  try {
    save(name, await (await request(path)).blob());
  } catch (error) {
    showProblem(error);
  }
}
