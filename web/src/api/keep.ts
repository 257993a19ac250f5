// SPDX-License-Identifier: Apache-2.0
// What survives a reload: small things in localStorage, large ones in IndexedDB. Both may be missing or full (a
// private window): then nothing is kept, and nothing breaks.

const kPrefix = 'limber.';

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(kPrefix + key, JSON.stringify(value));
  } catch {
    // Full or forbidden.
  }
}

export function kept<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(kPrefix + key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(kPrefix + key);
  } catch {
    // Forbidden: there was nothing to forget.
  }
}

const kStore = 'large';

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('limber', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(kStore);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('IndexedDB cannot be opened'));
  });
}

async function inStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const asked = use(database.transaction(kStore, mode).objectStore(kStore));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error('IndexedDB refused'));
    });
  } finally {
    database.close();
  }
}

/** Keeps a large value; undefined removes it. False: it could not be kept. */
export async function keepLarge(key: string, value: unknown): Promise<boolean> {
  try {
    if (value === undefined) await inStore('readwrite', (store) => store.delete(key));
    else await inStore('readwrite', (store) => store.put(value, key));
    return true;
  } catch {
    return false;
  }
}

export async function keptLarge<T>(key: string): Promise<T | null> {
  try {
    return ((await inStore('readonly', (store) => store.get(key))) as T | undefined) ?? null;
  } catch {
    return null;
  }
}
