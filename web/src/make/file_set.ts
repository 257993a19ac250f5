// SPDX-License-Identifier: Apache-2.0
// Files that come together: a mesh, and those that it names (buffers, material libraries, pictures). Every file that
// was given is accounted for: used, not used, or another mesh.

export const kMeshEndings = ['.obj', '.stl', '.ply', '.off', '.gltf', '.glb', '.msh', '.mesh', '.veg', '.vtk', '.vtu'];
export const kCompanionEndings = ['.mtl', '.bin', '.png', '.jpg', '.jpeg'];

/** A file, and where it lay in a folder that was dropped: "scene/textures/wood.png". A single file has its name only. */
export interface GivenFile {
  path: string;
  file: File;
}

export interface FileSet {
  mesh: File;
  /** `path`: as seen from the mesh. */
  companions: GivenFile[];
  /** What the mesh names and nobody gave. `needed`: without it the mesh cannot be read. */
  missing: { path: string; needed: boolean }[];
  /** Names of files that this mesh does not use. */
  unused: string[];
  otherMeshes: GivenFile[];
}

interface Reference {
  path: string;
  needed: boolean;
}

const hasEnding = (name: string, endings: string[]) => endings.some((ending) => name.toLowerCase().endsWith(ending));
export const isMesh = (name: string) => hasEnding(name, kMeshEndings);
export const isCompanion = (name: string) => hasEnding(name, kCompanionEndings);

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Some programs write the separators of Windows, and "./" in front. */
function asPath(reference: string): string {
  return reference.trim().replace(/\\/g, '/').replace(/^(\.\/)+/, '');
}

interface GltfUris {
  buffers?: { uri?: unknown }[];
  images?: { uri?: unknown }[];
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

export function referencesOfGltf(text: string): Reference[] {
  let json: GltfUris;
  try {
    json = JSON.parse(text) as GltfUris;
  } catch {
    // The check says what is wrong with it.
    return [];
  }
  const of = (list: { uri?: unknown }[] | undefined, needed: boolean) =>
    (Array.isArray(list) ? list : [])
      .map((one) => one?.uri)
      .filter((uri): uri is string => typeof uri === 'string' && !uri.startsWith('data:'))
      .map((uri) => ({ path: asPath(decoded(uri)), needed }));
  return [...of(json.buffers, true), ...of(json.images, false)];
}

export function referencesOfObj(text: string): Reference[] {
  return [...text.matchAll(/^\s*mtllib\s+(.+)$/gm)].map(([, path]) => ({ path: asPath(path), needed: false }));
}

export function referencesOfMtl(text: string): Reference[] {
  return [...text.matchAll(/^\s*(?:map_\w+|bump|norm|disp|decal|refl)\s+(.+)$/gim)].map(([, rest]) => {
    // Options stand before the name: "-bm 0.5 wood.png".
    const path = rest.trim().startsWith('-') ? (rest.trim().split(/\s+/).at(-1) ?? '') : rest;
    return { path: asPath(path), needed: false };
  });
}

// Libraries are named at the beginning of an OBJ file; the rest of it may be long.
const kHeadOfObj = 1 << 20;

async function referencesOf(file: File): Promise<Reference[]> {
  const name = file.name.toLowerCase();
  if (name.endsWith('.gltf')) return referencesOfGltf(await file.text());
  if (name.endsWith('.obj')) return referencesOfObj(await file.slice(0, kHeadOfObj).text());
  if (name.endsWith('.mtl')) return referencesOfMtl(await file.text());
  return [];
}

/** The file that a reference means: the one at that place, or else one of that name. */
function find(reference: string, folder: string, files: GivenFile[]): GivenFile | undefined {
  const wanted = (folder + reference).toLowerCase();
  return (
    files.find(({ path }) => path.toLowerCase() === wanted) ??
    files.find(({ path }) => nameOf(path).toLowerCase() === nameOf(reference).toLowerCase())
  );
}

/** Follows the references of some files through the given ones. */
async function collect(
  first: Reference[],
  folder: string,
  files: GivenFile[],
): Promise<Pick<FileSet, 'companions' | 'missing'>> {
  const companions: GivenFile[] = [];
  const missing: Reference[] = [];
  const known = new Set<string>();
  // References are taken from the end of the list, so it grows while it is walked.
  const open = [...first].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (!next.path || known.has(next.path)) continue;
    known.add(next.path);
    const found = find(next.path, folder, files);
    if (!found) {
      missing.push(next);
      continue;
    }
    companions.push({ path: next.path, file: found.file });
    // What a library names lies beside it, or is named as seen from the mesh.
    open.push(...(await referencesOf(found.file)).reverse());
  }
  return { companions, missing };
}

/** Null: there is no mesh among them. */
export async function fileSet(given: GivenFile[]): Promise<FileSet | null> {
  const meshes = given.filter(({ file }) => isMesh(file.name));
  if (!meshes.length) return null;
  const [mesh, ...otherMeshes] = meshes;
  const rest = given.filter(({ file }) => !isMesh(file.name));
  const { companions, missing } = await collect(await referencesOf(mesh.file), folderOf(mesh.path), rest);
  const used = new Set(companions.map(({ file }) => file));
  return {
    mesh: mesh.file,
    companions,
    missing,
    unused: rest.filter(({ file }) => !used.has(file)).map(({ path }) => path),
    otherMeshes,
  };
}

/** Files that came later, for what was missing. */
export async function laterFiles(
  wanted: string[],
  given: GivenFile[],
): Promise<Pick<FileSet, 'companions' | 'missing' | 'unused'>> {
  const { companions, missing } = await collect(wanted.map((path) => ({ path, needed: false })), '', given);
  const used = new Set(companions.map(({ file }) => file));
  return { companions, missing, unused: given.filter(({ file }) => !used.has(file)).map(({ path }) => path) };
}

interface Entry {
  isFile: boolean;
  isDirectory: boolean;
  fullPath: string;
}

function fileOf(entry: Entry): Promise<GivenFile> {
  return new Promise((resolve, reject) => {
    (entry as unknown as FileSystemFileEntry).file((file) => resolve({ path: entry.fullPath.slice(1), file }), reject);
  });
}

async function filesIn(entry: Entry): Promise<GivenFile[]> {
  if (entry.isFile) return [await fileOf(entry)];
  const reader = (entry as unknown as FileSystemDirectoryEntry).createReader();
  const out: GivenFile[] = [];
  // A reader gives some entries at a time, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!entries.length) return out;
    for (const one of entries) out.push(...(await filesIn(one)));
  }
}

/** All files of a drop, those in folders too. It must be called before the event ends. */
export function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.length) return Promise.resolve([...transfer.files].map((file) => ({ path: file.name, file })));
  return Promise.all(entries.map(filesIn)).then((lists) => lists.flat());
}
