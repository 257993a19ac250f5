// SPDX-License-Identifier: Apache-2.0
// From files of the user's disk to a checked mesh: sent, checked by the server, fetched, prepared. Each stage tells how
// far it is, and a newer file ends the work on an older one.
import { batch, effect, signal } from '@preact/signals';
import { problemFrom, type Problem } from '../api/client';
import { joinUploads, startJob, uploadFiles, type CheckResult, type Companion, type RepairResult, type Unit } from '../api/jobs';
import { fileSet, isCompanion, kMeshEndings, laterFiles, type GivenFile } from './file_set';
import { checked, continueWith, filled, flow, startWith, type UploadedMesh } from './flow';
import { incoming } from './incoming';
import { loadMesh } from './load_mesh';
import { beforeRepair, showBefore, shownProblem } from './mesh_canvas';
import { forgetPast } from './tools';
import { createWork } from '../panels/work';

/** What is done now, and how much of it; null: it cannot be told. */
export interface Reading {
  what: string;
  fraction: number | null;
}

export const reading = signal<Reading | null>(null);
export const readingProblem = signal<Problem | null>(null);
/** Meshes that came in the same drop: one model is made of one mesh. */
export const otherMeshes = signal<GivenFile[]>([]);
export const checking = createWork<CheckResult>();
export const repairing = createWork<RepairResult>();

let current = new AbortController();

/** Ends what is under way. */
function startAnew(): AbortSignal {
  current.abort();
  current = new AbortController();
  batch(() => {
    readingProblem.value = null;
    reading.value = null;
    checking.leave();
    repairing.leave();
  });
  return current.signal;
}

async function send(files: GivenFile[], signal: AbortSignal): Promise<string[]> {
  reading.value = { what: `Reading ${files[0].file.name}`, fraction: 0 };
  const sent = await uploadFiles(
    files.map(({ file }) => file),
    (done, all) => {
      reading.value = { what: `Reading ${files[0].file.name}`, fraction: all > 0 ? done / all : null };
    },
    signal,
  );
  return sent.map(({ upload }) => upload);
}

function pairs(files: GivenFile[], uploads: string[]): Companion[] {
  return files.map(({ path }, i) => ({ path, upload: uploads[i] }));
}

/** Files without a mesh: those that the current one misses. */
async function addFiles(to: UploadedMesh, given: GivenFile[], signal: AbortSignal): Promise<void> {
  const found = await laterFiles(to.missing ?? [], given);
  if (!found.companions.length) {
    readingProblem.value = {
      where: given.map(({ path }) => path).join(', '),
      problem: `${to.name} does not name ${given.length === 1 ? 'this file' : 'these files'}`,
      try_this: 'choose the mesh together with the files that belong to it',
    };
    return;
  }
  const uploads = await send(found.companions, signal);
  const companions = [...(to.companions ?? []), ...pairs(found.companions, uploads)];
  const joined = await joinUploads(to.file ?? to.id, companions);
  signal.throwIfAborted();
  const bytes = found.companions.reduce((sum, { file }) => sum + file.size, to.bytes);
  continueWith({
    ...to,
    id: joined.upload,
    bytes,
    companions,
    missing: found.missing.map(({ path }) => path),
    unused: found.unused,
  });
}

async function sendAll(given: GivenFile[], signal: AbortSignal): Promise<void> {
  const set = await fileSet(given);
  const now = flow.value.upload;
  if (!set) {
    if (now && given.every(({ file }) => isCompanion(file.name))) return addFiles(now, given, signal);
    readingProblem.value = {
      where: given.map(({ path }) => path).join(', '),
      problem: given.length === 1 ? 'this file is not a mesh that limber reads' : 'no file here is a mesh that limber reads',
      try_this: `a file that ends with ${kMeshEndings.join(' ')}`,
    };
    return;
  }
  const needed = set.missing.filter((one) => one.needed).map(({ path }) => path);
  if (needed.length) {
    readingProblem.value = {
      where: set.mesh.name,
      problem: `the mesh is in ${needed.join(', ')}, which is not here`,
      try_this: 'choose the files together, or drop their folder',
    };
    return;
  }
  const files = [{ path: set.mesh.name, file: set.mesh }, ...set.companions];
  const [mesh, ...uploads] = await send(files, signal);
  const companions = pairs(set.companions, uploads);
  const id = companions.length ? (await joinUploads(mesh, companions)).upload : mesh;
  signal.throwIfAborted();
  batch(() => {
    otherMeshes.value = set.otherMeshes;
    takeUpload({
      id,
      name: set.mesh.name,
      bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      file: mesh,
      companions,
      missing: set.missing.map(({ path }) => path),
      unused: set.unused,
    });
  });
}

export async function takeFiles(given: GivenFile[]): Promise<void> {
  const signal = startAnew();
  try {
    await sendAll(given, signal);
  } catch (error) {
    if (!signal.aborted) readingProblem.value = problemFrom(error);
  } finally {
    if (!signal.aborted) reading.value = null;
  }
}

export function takeUpload(upload: UploadedMesh): void {
  batch(() => {
    forgetPast();
    startWith(upload);
    checked.value = null;
    filled.value = null;
    shownProblem.value = null;
    beforeRepair.value = null;
  });
}

/** Checks the mesh whenever it or its unit changes; takes files that were dropped anywhere. */
export function attendMesh(): () => void {
  let asked = '';
  const stops = [
    effect(() => {
      const files = incoming.value;
      if (!files) return;
      incoming.value = null;
      void takeFiles(files);
    }),
    effect(() => {
      const { upload, unit } = flow.value;
      const key = upload ? `${upload.id} ${unit}` : '';
      if (key === asked) return;
      asked = key;
      const known = checked.peek();
      if (!upload || (known?.upload === upload.id && known.unit === unit)) return;
      void check(upload.id, unit);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    startAnew();
  };
}

export async function check(upload: string, unit: Unit): Promise<void> {
  const signal = startAnew();
  const result = await checking.run(() => startJob({ kind: 'check', upload, unit }));
  if (!result || signal.aborted) return;
  try {
    reading.value = { what: 'Loading the surface', fraction: 0 };
    const mesh = await loadMesh(result.mesh, signal, (done, all) => {
      reading.value =
        all > 0 && done < all
          ? { what: 'Loading the surface', fraction: done / all }
          : { what: 'Preparing the picture', fraction: null };
    });
    signal.throwIfAborted();
    checked.value = { upload, unit, result, mesh };
  } catch (error) {
    if (!signal.aborted) readingProblem.value = problemFrom(error);
  } finally {
    if (!signal.aborted) reading.value = null;
  }
}

/** Repairs the mesh; what was there before can be shown again and taken back. */
export async function repair(): Promise<void> {
  const { upload } = flow.value;
  const now = checked.value;
  if (!upload || now?.upload !== upload.id) return;
  const { problems } = now.result;
  readingProblem.value = null;
  const result = await repairing.run(() => startJob({ kind: 'repair', upload: upload.id }));
  if (!result || flow.value.upload?.id !== upload.id) return;
  batch(() => {
    shownProblem.value = null;
    showBefore.value = false;
    beforeRepair.value = { id: upload.id, mesh: now.mesh, problems };
    continueWith({
      id: result.upload,
      name: result.name,
      bytes: result.bytes,
      before: {
        id: upload.id,
        name: upload.name,
        problems: problems.map(({ kind, count }) => ({ kind, count })),
        left: result.report?.holes_left,
      },
    });
  });
}

/** Back to the mesh as it was before its repair. */
export function undoRepair(): void {
  const before = flow.value.upload?.before;
  if (!before) return;
  batch(() => {
    shownProblem.value = null;
    beforeRepair.value = null;
    continueWith({ id: before.id, name: before.name, bytes: 0 });
  });
}
