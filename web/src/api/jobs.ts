// SPDX-License-Identifier: Apache-2.0
// Work that the server does: checking a mesh, filling it, building a model, comparing it with the full one. A job goes
// on without the page, and is found again by its id.
import { ApiError, getJson, postJson, request, sendFile, type OnBytes, type Problem } from './client';

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
export type JobKind = 'check' | 'repair' | 'fill' | 'build' | 'validate' | 'quality';
/** What the coordinates of a file are in; a number: so many metres. */
export type Unit = 'm' | 'cm' | 'mm' | 'in' | number;
/** The axis of the file that points up. */
export type Up = 'x' | 'y' | 'z' | '-x' | '-y' | '-z';

export interface Job<Result = unknown> {
  id: string;
  kind: JobKind;
  title: string;
  state: JobState;
  /** What is being done, and how much of it is done (0 to 1). */
  stage: string;
  fraction: number;
  /** What has been done. */
  stages: { name: string; seconds: number }[];
  /** Jobs before it, and itself: 1 is next. */
  place: number;
  seconds: number;
  notes: string[];
  result: Result | null;
  error: Problem | null;
  command: string;
}

export type Filling = { voxels: { resolution: number | null } } | { tets: { max_volume: number | null } };

export interface Material {
  /** Pa */
  young: number;
  poisson: number;
  /** kg/m³ */
  density: number;
}

export interface Load {
  /** Of the file that the model was built from. */
  vertex: number;
  /** N */
  force: [number, number, number];
}

/** docs/sketch_file.md */
export interface SketchForce {
  name?: string;
  loads: Load[];
}

export interface CheckRequest {
  kind: 'check';
  upload: string;
  unit: Unit;
}

/** Repairs what can be repaired without guessing; the result is an upload of its own. */
export interface RepairRequest {
  kind: 'repair';
  upload: string;
}

export interface HoleLeft {
  edges: number;
  /** In the unit of the file. */
  middle: [number, number, number];
  /** Why: part of a sentence. */
  reason: string;
}

export interface RepairResult {
  upload: string;
  name: string;
  bytes: number;
  report?: { holes_left?: HoleLeft[] };
}

/** A tree of about so many domains; or runs of triangles: a label, and how many in a row have it. */
export type DomainsRequest = { count: number } | { labels: [number, number][] };

export interface FillRequest {
  kind: 'fill';
  upload: string;
  unit: Unit;
  filling: Filling;
  /** Cuts it too; the root is what `fix` (SELECT) is in. */
  domains?: DomainsRequest;
  fix?: string[];
}

/** Parents come before their children. */
export interface DomainTree {
  domains: {
    name: string;
    /** −1: the root */
    parent: number;
    elements: number;
    /** With its parent, m² */
    interface_area: number;
  }[];
  /** Links from the root to the farthest domain. */
  depth: number;
  /** Of all interfaces, m² */
  cut_area: number;
}

export interface BuildRequest {
  kind: 'build';
  upload: string;
  name: string;
  unit: Unit;
  filling: Filling;
  fix: string[];
  materials: Material;
  groups: (Material & { select: string })[];
  /** Of one body. */
  modes?: number;
  basis?: 'modal-derivatives' | 'modes';
  /** Of the body, or of each domain. */
  rank: number | string;
  domains?: DomainsRequest;
  up: Up;
}

/** As the model was built, but with the shapes under these forces as its basis. */
export interface RebuildRequest {
  kind: 'build';
  from_model: string;
  name: string;
  sketch: SketchForce[];
  /** With its linear modes, so that it can be sketched on again. */
  method: 'both';
}

/** As the model was built, with the static responses of patches besides; its own stay. */
export interface ImproveRequest {
  kind: 'build';
  from_model: string;
  name: string;
  /** SELECT */
  improve: string[];
}

/** As the model was built, but with nothing fixed and as a nonlinear body, so that it can fly. */
export interface FreeRequest {
  kind: 'build';
  from_model: string;
  name: string;
  fix: ['none'];
  method: 'stvk';
  /** Left out: as before. */
  rank?: number;
  /** Their shapes need a support. */
  sketch: null;
  improve: null;
}

export interface QualityRequest {
  kind: 'quality';
  model: string;
}

export interface ValidateRequest {
  kind: 'validate';
  model: string;
}

export interface MeshProblem {
  kind: string;
  message: string;
  try_this: string;
  count: number;
  /** Where, m; not all of them. */
  points: [number, number, number][];
}

export interface CheckResult {
  info: {
    kind: 'surface' | 'volume';
    vertices: number;
    triangles: number;
    tets: number;
    bricks: number;
    bounds: [[number, number, number], [number, number, number]];
    volume: number | null;
    components: number;
    watertight: boolean;
    /** As the file says, or by its format. */
    up: Up;
    /** Of a closed surface: that of a plate of its volume and area, m. */
    thickness?: number | null;
    /** Of a surface: whether tetrahedra can fill it. */
    tetrahedra?: { possible: boolean; problem: string | null };
  };
  /** m */
  longest: number;
  size_text: string;
  /** A unit that gives it a usual size, where the chosen one does not. */
  unit_guess: Unit | null;
  /** make/mesh_data.ts; vertex i is the file's */
  mesh: string;
  problems: MeshProblem[];
}

export interface FillResult {
  vertices: number;
  elements: number;
  positions: string;
  /** What was chosen where the request did not say; null: a volume mesh. */
  filling: {
    /** Cubes along the longest side; null: tetrahedra. */
    resolution: number | null;
    /** m */
    element_side: number;
    thickness: number | null;
    elements_across: number | null;
    /** How many cubes most of a closed body is thick, and how many times too stiffly it bends. */
    cubes_thick: number | null;
    bending_excess: number | null;
    /** Cubes along the longest side that do better, where that is much too stiff. */
    better_resolution: number | null;
    estimated_seconds: number;
  } | null;
  /** Null: it was not cut. */
  tree: DomainTree | null;
}

/** Of `limber build --json`; only what the page shows. */
export interface BuildInfo {
  rank: number;
  modes: number;
  vertices: number;
  elements: number;
  surface_vertices: number;
  total_mass: number;
  frequencies_hz: number[];
  spectrum: number[];
  /** Missing in models of earlier versions. */
  up?: Up;
  /** Of the rank: added where the model was improved. */
  static_responses: number;
  rank_buys: { rank: number; left_out: number }[];
  seconds: Record<string, number>;
  bytes: number;
  free_body: boolean;
  notes: string[];
  /** Of a tree. */
  domains?: number;
  coordinates?: number;
}

export interface BuildResult {
  id: string;
  model: string;
  info: BuildInfo;
  command: string;
}

/** A small patch of the surface under a unit force along its normal. */
export interface CompliancePoint {
  vertex: number;
  /** m */
  position: [number, number, number];
  normal: [number, number, number];
  place: string;
  patch_vertices: number;
  /** m/N */
  full: number;
  reduced: number;
  ratio: number;
}

export interface LocalCompliance {
  /** m */
  radius: number;
  rank: number;
  points: CompliancePoint[];
  worst: CompliancePoint | null;
}

export interface QualityResult {
  local_compliance: LocalCompliance;
  /** make/compliance_map.tsx */
  map: string;
  seconds: number;
}

export interface ValidateResult {
  /** Relative to the full model; null: the motion does not give it. */
  frequency_error: number | null;
  amplitude_error: number | null;
  displacement_error: number | null;
  /** As displacement_error, at matched phase. */
  shape_error: number | null;
  local_compliance: LocalCompliance;
  full: { amplitude: number | null; frequency_hz: number | null };
  reduced: { amplitude: number | null; frequency_hz: number | null };
  timings: { full_seconds: number; reduced_seconds: number; speedup: number };
  /** Displacement of the pushed place along the push, m. */
  curve: { t: number[]; full: number[]; reduced: number[] };
  notes: string[];
}

export interface MaterialPreset extends Material {
  id: string;
  title: string;
  source: string;
}

type AnyRequest =
  | CheckRequest
  | RepairRequest
  | FillRequest
  | BuildRequest
  | RebuildRequest
  | ImproveRequest
  | FreeRequest
  | QualityRequest
  | ValidateRequest;

export async function startJob(asked: AnyRequest): Promise<string> {
  return (await postJson<{ job: string }>('api/jobs', asked)).job;
}

export function fetchJob<Result>(id: string, signal?: AbortSignal): Promise<Job<Result>> {
  return getJson<Job<Result>>(`api/jobs/${encodeURIComponent(id)}`, { signal });
}

export async function fetchJobs(): Promise<Job[]> {
  return (await getJson<{ jobs: Job[] }>('api/jobs')).jobs;
}

/** Ends a job that runs or waits; forgets one that is over. */
export async function cancelJob(id: string): Promise<void> {
  await request(`api/jobs/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export function isOver(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

const kFirstPause = 150,
  kLongestPause = 1000; // ms

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/** Asks for a job until it is over, seldomer as it takes longer; `seen` gets every answer. */
export async function followJob<Result>(
  id: string,
  seen: (job: Job<Result>) => void,
  signal: AbortSignal,
): Promise<Job<Result>> {
  for (let wait = kFirstPause; ; wait = Math.min(1.3 * wait, kLongestPause)) {
    const job = await fetchJob<Result>(id, signal);
    signal.throwIfAborted();
    seen(job);
    if (isOver(job.state)) return job;
    await pause(wait, signal);
  }
}

export interface Uploaded {
  upload: string;
  name: string;
  bytes: number;
}

/** A file of a set: where it lies as seen from the mesh, "textures/wood.png". */
export interface Companion {
  path: string;
  upload: string;
}

async function uploadLimit(signal?: AbortSignal): Promise<number> {
  return (await getJson<{ upload_limit?: number }>('api/gallery', { signal })).upload_limit ?? Infinity;
}

/** Sends files one after the other; `onBytes` counts all of them. */
export async function uploadFiles(files: File[], onBytes: OnBytes, signal?: AbortSignal): Promise<Uploaded[]> {
  const limit = await uploadLimit(signal);
  const large = files.find((file) => file.size > limit);
  if (large)
    throw new ApiError(413, {
      where: large.name,
      problem: `the file has ${Math.ceil(large.size / 1e6)} MB; the limit is ${Math.floor(limit / 1e6)} MB`,
      try_this: 'a coarser mesh; the surface needs no more detail than one can see',
    });
  const all = files.reduce((sum, file) => sum + file.size, 0);
  const out: Uploaded[] = [];
  let before = 0;
  for (const file of files) {
    const path = `api/uploads?name=${encodeURIComponent(file.name)}`;
    const count: OnBytes = (done) => onBytes(before + done, all);
    out.push(await sendFile<Uploaded>(path, file, count, signal));
    before += file.size;
  }
  return out;
}

/** A mesh and the files that it names, as one upload. */
export function joinUploads(mesh: string, companions: Companion[]): Promise<Uploaded> {
  return postJson<Uploaded>('api/upload-sets', { mesh, companions });
}

export function fetchMaterials(): Promise<MaterialPreset[]> {
  return getJson<MaterialPreset[]>('api/materials');
}

/** A model of the gallery that is not built yet: its job. */
export async function buildGalleryModel(id: string): Promise<string> {
  return (await postJson<{ job: string }>(`api/gallery/${encodeURIComponent(id)}/build`, {})).job;
}

export async function deleteModel(id: string): Promise<void> {
  await request(`api/models/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
