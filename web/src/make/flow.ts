// SPDX-License-Identifier: Apache-2.0
// What the user has chosen so far in making a model. It survives a reload; results of jobs do not need to, the server
// has them still.
import { computed, effect, signal } from '@preact/signals';
import type { BuildRequest, CheckResult, Companion, DomainsRequest, DomainTree, Filling, FillResult, HoleLeft, Material, MeshProblem, Unit, Up } from '../api/jobs';
import { keep, kept } from '../api/keep';
import { labelRuns, triangleLabels } from './domain_labels';
import type { MeshData } from './mesh_data';
import type { PreparedMesh } from './prepare_mesh';
import { markSelected, SelectError } from './select_text';
import { kSides, sideText } from './sides';

export const kSteps = ['mesh', 'fill', 'fixed', 'material', 'motion'] as const;
export type StepName = (typeof kSteps)[number];

export interface MaterialGroup extends Material {
  preset: string;
  /** SELECT texts; their union is the group. */
  selects: string[];
}

/** What the body becomes: one, or a tree of domains, by their number or by what is painted. */
export type Cut = 'none' | 'count' | 'painted';

/** A mesh that the server has. */
export interface UploadedMesh {
  id: string;
  name: string;
  /** 0: not known */
  bytes: number;
  /** The upload of the mesh file itself, and of the files that belong to it; their union is `id`. */
  file?: string;
  companions?: Companion[];
  /** What the mesh names and nobody has given yet. */
  missing?: string[];
  /** Given, but not named by the mesh. */
  unused?: string[];
  /** What a repair has made it from. */
  before?: BeforeRepair;
}

export interface BeforeRepair {
  id: string;
  name: string;
  problems: Pick<MeshProblem, 'kind' | 'count'>[];
  /** Holes that the repair has left open. */
  left?: HoleLeft[];
}

export interface Flow {
  step: StepName;
  upload: UploadedMesh | null;
  unit: Unit;
  /** The axis that points up: for the picture, and for gravity and floor in the model. Null: as the check proposes. */
  up: Up | null;
  filling: 'voxels' | 'tets';
  /** Null: by build time and thickness, as the server chooses. */
  resolution: number | null;
  /** m³; null: no limit */
  maxVolume: number | null;
  fix: string[];
  material: Material & { preset: string };
  groups: MaterialGroup[];
  modes: number;
  rank: number;
  basis: 'modal-derivatives' | 'modes';
  cut: Cut;
  domainCount: number;
  /** Coordinates of each domain. */
  domainRank: number;
  /** Painted ones: lists of SELECT texts. What is in none of them is a domain too. */
  domains: string[][];
  name: string;
}

export function freshFlow(): Flow {
  return {
    step: 'mesh',
    upload: null,
    unit: 'm',
    up: null,
    filling: 'voxels',
    resolution: null,
    maxVolume: null,
    fix: [],
    material: { preset: '', young: 1e6, poisson: 0.45, density: 1000 },
    groups: [],
    modes: 20,
    rank: 30,
    basis: 'modal-derivatives',
    cut: 'none',
    domainCount: 8,
    domainRank: 12,
    domains: [],
    name: '',
  };
}

const kKey = 'make';

// What another version of the page kept may name a step that is no more.
function restored(): Flow {
  const out = { ...freshFlow(), ...kept<Partial<Flow>>(kKey) };
  return kSteps.includes(out.step) ? out : { ...out, step: 'mesh' };
}

export const flow = signal<Flow>(restored());
effect(() => keep(kKey, flow.value));

export function change(part: Partial<Flow>): void {
  flow.value = { ...flow.value, ...part };
}

/** Starts over with an uploaded mesh; selections of another mesh mean nothing here. */
export function startWith(upload: UploadedMesh): void {
  flow.value = {
    ...freshFlow(),
    upload,
    name: upload.name.replace(/\.[^.]*$/, ''),
  };
}

/** The same body in another file: unit, up and material stay. Vertices are others, so what names them goes. */
export function continueWith(upload: UploadedMesh): void {
  const conditions = (texts: string[]) => texts.filter((text) => !/^\s*#/.test(text));
  const { fix, groups, domains } = flow.value;
  change({
    upload,
    fix: conditions(fix),
    domains: domains.map(conditions),
    groups: groups.map((group) => ({ ...group, selects: conditions(group.selects) })),
  });
}

/** Conditions are in metres, so another unit makes them mean something else: they go, ids stay. */
export function changeUnit(unit: Unit): void {
  const ids = (texts: string[]) => texts.filter((text) => /^\s*[#@]/.test(text));
  const { fix, groups, domains } = flow.value;
  change({
    unit,
    fix: ids(fix),
    domains: domains.map(ids),
    groups: groups.map((group) => ({ ...group, selects: ids(group.selects) })),
    maxVolume: null,
  });
}

/** The bottom that was chosen is the bottom still. */
export function changeUp(to: Up): void {
  const from = up.value;
  const moved = (texts: string[]) =>
    texts.map((text) => {
      const side = kSides.find((one) => sideText(one, from) === text);
      return side ? sideText(side, to) : text;
    });
  const { fix, groups, domains } = flow.value;
  change({ up: to, fix: moved(fix), domains: domains.map(moved), groups: groups.map((group) => ({ ...group, selects: moved(group.selects) })) });
}

/** What the server says of the upload in the chosen unit, with its mesh. */
export const checked = signal<{ upload: string; unit: Unit; result: CheckResult; mesh: PreparedMesh } | null>(null);
export const up = computed<Up>(() => flow.value.up ?? checked.value?.result.info.up ?? 'z');
/** The simulation mesh of the filling that was asked for last. */
/** The tree of domains that was asked for last. */
export const cutTree = signal<{ key: string; tree: DomainTree; mesh: MeshData } | null>(null);
export const filled = signal<{ key: string; result: FillResult; mesh: MeshData } | null>(null);

export function fillingOf(chosen: Flow): Filling {
  return chosen.filling === 'tets'
    ? { tets: { max_volume: chosen.maxVolume } }
    : { voxels: { resolution: chosen.resolution } };
}

/** Names a filling, so that a result is not shown for another one. */
export const fillKey = computed(() => {
  const { upload, unit } = flow.value;
  return JSON.stringify([upload?.id ?? '', unit, fillingOf(flow.value)]);
});

/** What a list of SELECT texts chooses on the mesh, with remarks on each text. */
export interface Chosen {
  marks: Uint8Array;
  count: number;
  /** By the place in the list; null: nothing to say. `wrong`: the model cannot be built like this. */
  remarks: ({ text: string; wrong: boolean } | null)[];
}

export function chosenBy(texts: string[], mesh: MeshData): Chosen {
  const marks = new Uint8Array(mesh.positions.length / 3);
  const remarks = texts.map((text): Chosen['remarks'][number] => {
    try {
      const one = new Uint8Array(marks.length);
      if (!markSelected(text, mesh, one))
        return { text: 'A named group of the file. Its vertices are not shown here.', wrong: false };
      let any = false;
      for (let i = 0; i < one.length; ++i) {
        if (!one[i]) continue;
        marks[i] = 1;
        any = true;
      }
      return any ? null : { text: 'This selects no vertex.', wrong: true };
    } catch (error) {
      if (error instanceof SelectError) return { text: error.message, wrong: true };
      throw error;
    }
  });
  return { marks, count: marks.reduce((sum, mark) => sum + mark, 0), remarks };
}

// Selections are evaluated when they change, not with every letter of a name.
const fix = computed(() => flow.value.fix);
const groups = computed(() => flow.value.groups);
const domains = computed(() => flow.value.domains);

export const fixedVertices = computed<Chosen | null>(() =>
  checked.value ? chosenBy(fix.value, checked.value.mesh) : null,
);
export const groupVertices = computed<Chosen[]>(() => {
  const mesh = checked.value?.mesh;
  return mesh ? groups.value.map((group) => chosenBy(group.selects, mesh)) : [];
});

export const domainVertices = computed<Chosen[]>(() => {
  const mesh = checked.value?.mesh;
  return mesh ? domains.value.map((texts) => chosenBy(texts, mesh)) : [];
});

/** What is cut, and how; null: nothing. */
export function domainsRequest(chosen: Flow): DomainsRequest | null {
  const mesh = checked.value?.mesh;
  if (chosen.cut === 'none' || !mesh) return null;
  if (chosen.cut === 'count') return { count: chosen.domainCount };
  return { labels: labelRuns(triangleLabels(mesh, domainVertices.value.map(({ marks }) => marks))) };
}

/** Names a cut, so that a result is not shown for another one. */
export const cutKey = computed(() => {
  const { cut, domainCount, domains: painted, fix: texts } = flow.value;
  return JSON.stringify([fillKey.value, texts, cut, cut === 'count' ? domainCount : painted]);
});

/** A text each: the later ones of the same material make the group whole. */
function asRequests(group: MaterialGroup): BuildRequest['groups'] {
  const { young, poisson, density } = group;
  return group.selects.map((select) => ({ select, young, poisson, density }));
}

export function buildRequest(chosen: Flow): BuildRequest {
  if (!chosen.upload) throw new Error('there is no mesh yet: choose a file first');
  const { young, poisson, density } = chosen.material;
  const cut = domainsRequest(chosen);
  return {
    kind: 'build',
    upload: chosen.upload.id,
    name: chosen.name.trim() || chosen.upload.name,
    unit: chosen.unit,
    filling: fillingOf(chosen),
    fix: chosen.fix,
    materials: { young, poisson, density },
    groups: chosen.groups.flatMap(asRequests),
    ...(cut ? { domains: cut, rank: chosen.domainRank } : { modes: chosen.modes, rank: chosen.rank, basis: chosen.basis }),
    up: up.value,
  };
}

/** What prevents the build, with the step in which to change it. */
export function obstacles(chosen: Flow): { step: StepName; text: string }[] {
  const found: { step: StepName; text: string }[] = [];
  if (!chosen.upload) found.push({ step: 'mesh', text: 'Choose a mesh.' });
  const { young, poisson, density } = chosen.material;
  for (const material of [{ young, poisson, density }, ...chosen.groups]) {
    if (!(material.young > 0) || !(material.density > 0))
      found.push({ step: 'material', text: 'Stiffness and density must be above 0.' });
    if (!(material.poisson > -1 && material.poisson < 0.5))
      found.push({ step: 'material', text: 'Poisson’s ratio must be between −1 and 0.5.' });
  }
  if (chosen.groups.some((group) => !group.selects.length))
    found.push({ step: 'material', text: 'A material group has no selection yet.' });
  const unreadable = (one: Chosen | null) => one?.remarks.some((remark) => remark?.wrong) ?? false;
  if (unreadable(fixedVertices.value))
    found.push({ step: 'fixed', text: 'A selection of fixed parts is not valid.' });
  if (groupVertices.value.some(unreadable))
    found.push({ step: 'material', text: 'A selection of a material group is not valid.' });
  if (chosen.cut === 'painted' && !domainVertices.value.some(({ count }) => count > 0))
    found.push({ step: 'motion', text: 'Paint at least one domain.' });
  if (chosen.cut === 'painted' && domainVertices.value.some(unreadable))
    found.push({ step: 'motion', text: 'A selection of a domain is not valid.' });
  return found;
}
