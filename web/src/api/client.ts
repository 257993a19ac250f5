// SPDX-License-Identifier: Apache-2.0
// The server's interface, or the files of a static export in its place. Addresses are relative to the page.

/** What limber says about input that it cannot take, or a request that failed. */
export interface Problem {
  where: string;
  problem: string;
  try_this: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly detail: Problem;
  constructor(status: number, detail: Problem) {
    super(`${detail.where}: ${detail.problem}`);
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
  }
}

/** A page that any web host serves: gallery and live view only. */
export const isExport = document.documentElement.hasAttribute('data-export');

const kTokenKey = 'limber.token';

// The token arrives in the fragment, `#token=…` or `#token=…&open=MODEL`. It leaves the address bar at once and lives as
// long as the tab.
export function takeToken(): void {
  const found = /^#token=([0-9a-f]+)(?:&open=([a-z0-9-]+))?$/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(kTokenKey, found[1]);
  history.replaceState(null, '', `${location.pathname}${location.search}#/${found[2] ? `open/${found[2]}` : ''}`);
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as { error?: Problem };
    if (body.error) return body.error;
  } catch {
    // Not JSON: told by its status below.
  }
  return {
    where: new URL(response.url).pathname,
    problem: `the server answered ${response.status} ${response.statusText}`.trim(),
    try_this: response.status === 401 ? 'open the address that limber studio printed' : 'reload the page',
  };
}

/** A request with the token. Throws ApiError, also where the server cannot be reached (status 0). */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(kTokenKey);
  if (token && path.startsWith('api/')) headers.set('X-Limber-Token', token);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, cache: isExport ? 'default' : 'no-cache' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw unreachable(path);
  }
  if (!response.ok) throw new ApiError(response.status, await problemOf(response));
  return response;
}

export async function getJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
}

export async function postJson<T>(path: string, body: unknown): Promise<T> {
  return getJson<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Bytes so far, and in all; 0: not known. */
export type OnBytes = (done: number, all: number) => void;

/** `onBytes` is told as they come. */
export async function getBytes(path: string, init?: RequestInit, onBytes?: OnBytes): Promise<ArrayBuffer> {
  const response = await request(path, init);
  if (!onBytes || !response.body) return response.arrayBuffer();
  // A compressed answer is longer than it says.
  const all = response.headers.has('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length') ?? 0);
  const parts: Uint8Array[] = [];
  let done = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    done += next.value.length;
    onBytes(done, all);
  }
  const out = new Uint8Array(done);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out.buffer;
}

function unreachable(where: string): ApiError {
  return new ApiError(0, {
    where,
    problem: 'the server does not answer',
    try_this: isExport ? 'reload the page' : 'see whether limber studio is still running, then reload the page',
  });
}

/** Sends a file; fetch() does not tell how much has left. Resolves to the answer's JSON. */
export function sendFile<T>(path: string, file: Blob, onBytes: OnBytes, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', path);
    const token = sessionStorage.getItem(kTokenKey);
    if (token) sending.setRequestHeader('X-Limber-Token', token);
    sending.setRequestHeader('Content-Type', 'application/octet-stream');
    sending.responseType = 'json';
    sending.upload.onprogress = ({ loaded, total }) => onBytes(loaded, total);
    sending.onerror = () => reject(unreachable(path));
    sending.onabort = () => reject(signal?.reason as Error);
    sending.onload = () => {
      const body = sending.response as (T & { error?: Problem }) | null;
      if (sending.status >= 200 && sending.status < 300 && body) resolve(body);
      else
        reject(new ApiError(sending.status, body?.error ?? {
          where: path,
          problem: `the server answered ${sending.status}`,
          try_this: 'reload the page',
        }));
    };
    signal?.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(file);
  });
}

/** An address for <img>, which sends no token: the bytes as a blob. Revoke it when it is no longer shown. */
export async function pictureAddress(path: string): Promise<string> {
  if (isExport) return path;
  return URL.createObjectURL(await (await request(path)).blob());
}

/** Any thrown value as something to show. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.detail;
  if (error instanceof Error) {
    const own = error as Error & { where?: string; problem?: string; tryThis?: string };
    return {
      where: own.where ?? '',
      problem: own.problem ?? error.message,
      try_this: own.tryThis ?? '',
    };
  }
  return { where: '', problem: String(error), try_this: '' };
}
