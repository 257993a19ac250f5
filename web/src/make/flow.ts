// SPDX-License-Identifier: Apache-2.0
// What the user has chosen so far in making a model. It survives a reload; results of jobs do not need to, the server
// has them still.
import { computed, effect, signal } from '@preact/signals';
import type { BuildRequest, CheckResult, Filling, Material, Unit } from '../api/jobs';
import { keep, kept } from '../api/keep';
import type { MeshData } from './mesh_data';
import { markSelected, SelectError } from './select_text';

export const kSteps = ['mesh', 'inside', 'hold', 'material', 'motion'] as const;
export type StepName = (typeof kSteps)[number];

export interface MaterialGroup extends Material {
  preset: string;
  /** SELECT texts; their union is the group. */
  selects: string[];
}

export interface Flow {
  step: StepName;
  upload: { id: string; name: string; bytes: number } | null;
  unit: Unit;
  /** The axis that points up; only for looking. */
  up: 'y' | 'z';
  filling: 'voxels' | 'tets';
  /** Null: not chosen yet; the check proposes one. */
  resolution: number | null;
  /** m³; null: no limit */
  maxVolume: number | null;
  fix: string[];
  material: Material & { preset: string };
  groups: MaterialGroup[];
  modes: number;
  rank: number;
  basis: 'modal-derivatives' | 'modes';
  name: string;
}

export function freshFlow(): Flow {
  return {
    step: 'mesh',
    upload: null,
    unit: 'm',
    up: 'z',
    filling: 'voxels',
    resolution: null,
    maxVolume: null,
    fix: [],
    material: { preset: '', young: 1e6, poisson: 0.45, density: 1000 },
    groups: [],
    modes: 20,
    rank: 30,
    basis: 'modal-derivatives',
    name: '',
  };
}

const kKey = 'make';

export const flow = signal<Flow>({ ...freshFlow(), ...kept<Partial<Flow>>(kKey) });
effect(() => keep(kKey, flow.value));

export function change(part: Partial<Flow>): void {
  flow.value = { ...flow.value, ...part };
}

/** Starts over with an uploaded mesh; selections of another mesh mean nothing here. */
export function startWith(upload: NonNullable<Flow['upload']>): void {
  flow.value = {
    ...freshFlow(),
    upload,
    name: upload.name.replace(/\.[^.]*$/, ''),
    // By the rules of glTF, and by custom in OBJ files.
    up: /\.(glb|gltf|obj)$/i.test(upload.name) ? 'y' : 'z',
  };
}

/** Conditions are in metres, so another unit makes them mean something else: they go, ids stay. */
export function changeUnit(unit: Unit): void {
  const ids = (texts: string[]) => texts.filter((text) => /^\s*[#@]/.test(text));
  const { fix, groups } = flow.value;
  change({
    unit,
    fix: ids(fix),
    groups: groups.map((group) => ({ ...group, selects: ids(group.selects) })),
    maxVolume: null,
  });
}

/** What the server says of the upload in the chosen unit, with its mesh. */
export const checked = signal<{ upload: string; unit: Unit; result: CheckResult; mesh: MeshData; area: number } | null>(
  null,
);
/** The simulation mesh of the filling that was asked for last. */
export const filled = signal<{ key: string; vertices: number; elements: number; mesh: MeshData } | null>(null);

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

/** What a list of SELECT texts chooses on the mesh, with what is to be said of each text. */
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
        return { text: 'A named group of the file: what it holds shows when the model is built.', wrong: false };
      let any = false;
      for (let i = 0; i < one.length; ++i) {
        if (!one[i]) continue;
        marks[i] = 1;
        any = true;
      }
      return any ? null : { text: 'This chooses no vertex of the mesh.', wrong: true };
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

export const fixedVertices = computed<Chosen | null>(() =>
  checked.value ? chosenBy(fix.value, checked.value.mesh) : null,
);
export const groupVertices = computed<Chosen[]>(() => {
  const mesh = checked.value?.mesh;
  return mesh ? groups.value.map((group) => chosenBy(group.selects, mesh)) : [];
});

/** A text each: the later ones of the same material make the group whole. */
function asRequests(group: MaterialGroup): BuildRequest['groups'] {
  const { young, poisson, density } = group;
  return group.selects.map((select) => ({ select, young, poisson, density }));
}

export function buildRequest(chosen: Flow): BuildRequest {
  if (!chosen.upload) throw new Error('there is no mesh yet: choose a file first');
  const { young, poisson, density } = chosen.material;
  return {
    kind: 'build',
    upload: chosen.upload.id,
    name: chosen.name.trim() || chosen.upload.name,
    unit: chosen.unit,
    filling: fillingOf(chosen),
    fix: chosen.fix,
    materials: { young, poisson, density },
    groups: chosen.groups.flatMap(asRequests),
    modes: chosen.modes,
    rank: chosen.rank,
    basis: chosen.basis,
    up: chosen.up,
  };
}

/** What keeps the model from being built, with the step in which to mend it. */
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
    found.push({ step: 'material', text: 'A material group chooses nothing yet.' });
  const unreadable = (one: Chosen | null) => one?.remarks.some((remark) => remark?.wrong) ?? false;
  if (unreadable(fixedVertices.value))
    found.push({ step: 'hold', text: 'A selection of what is held cannot be used.' });
  if (groupVertices.value.some(unreadable))
    found.push({ step: 'material', text: 'A selection of a material group cannot be used.' });
  return found;
}
