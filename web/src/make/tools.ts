// SPDX-License-Identifier: Apache-2.0
// Choosing vertices on the mesh: what the pointer does, whose selection it changes, and the changes themselves. A
// selection is a list of SELECT texts; painted vertices are one text of ids among them.
import { signal } from '@preact/signals';
import { change, checked, chosenBy, flow } from './flow';
import type { MeshData } from './mesh_data';
import { markSpread, type Spread } from './mesh_topology';
import { boxText, idsText, markSelected, type Box } from './select_text';

export type Tool = 'look' | 'box' | Spread | 'paint' | 'erase';
export const isSpread = (one: Tool): one is Spread => one === 'face' || one === 'patch' || one === 'piece';

export const tool = signal<Tool>('look');
/** Of the ball that paints, as a part of the mesh's diagonal. */
export const brushSize = signal(0.04);

/** How far normals may differ in a click, degrees. */
export const spreadAngle = signal<Record<'face' | 'patch', number>>({ face: 15, patch: 30 });

/** Whose selection is changed: the fixed parts, a material group or a domain by its place. */
export type Target = 'fix' | number | `domain ${number}`;
export const target = signal<Target>('fix');

/** The place of a domain; null: the target is none. */
export function domainOf(of: Target): number | null {
  return typeof of === 'string' && of.startsWith('domain ') ? Number(of.slice('domain '.length)) : null;
}

export function textsOf(of: Target): string[] {
  const domain = domainOf(of);
  if (domain !== null) return flow.value.domains[domain] ?? [];
  return typeof of === 'number' ? (flow.value.groups[of]?.selects ?? []) : flow.value.fix;
}

const past: { of: Target; texts: string[] }[] = [];
export const canUndo = signal(false);

function put(of: Target, texts: string[]): void {
  const domain = domainOf(of);
  if (of === 'fix') change({ fix: texts });
  else if (domain !== null) change({ domains: flow.value.domains.map((one, i) => (i === domain ? texts : one)) });
  else change({ groups: flow.value.groups.map((group, i) => (i === of ? { ...group, selects: texts } : group)) });
}

/** Remembers a selection as it is now, for undo(). */
export function remember(of: Target): void {
  past.push({ of, texts: textsOf(of) });
  if (past.length > 50) past.shift();
  canUndo.value = true;
}

export function undo(): void {
  const last = past.pop();
  canUndo.value = past.length > 0;
  if (last) put(last.of, last.texts);
}

/** Another mesh: its past means nothing now. */
export function forgetPast(): void {
  past.length = 0;
  canUndo.value = false;
  tool.value = 'look';
  target.value = 'fix';
}

export function setTexts(of: Target, texts: string[]): void {
  remember(of);
  put(of, texts);
}

export function addBox(of: Target, box: Box): void {
  const text = boxText(box);
  if (text && !textsOf(of).includes(text)) setTexts(of, [...textsOf(of), text]);
}

function withinBall(mesh: MeshData, centre: ArrayLike<number>, radius: number, each: (vertex: number) => void): void {
  const { positions } = mesh;
  for (let v = 0; 3 * v < positions.length; ++v) {
    const x = positions[3 * v] - centre[0];
    const y = positions[3 * v + 1] - centre[1];
    const z = positions[3 * v + 2] - centre[2];
    if (x * x + y * y + z * z <= radius * radius) each(v);
  }
}

// The text of painted vertices, to which more are added. Ids that cannot be read stay as they are, with their remark.
function paintedPlace(texts: string[], mesh: MeshData): number {
  const { remarks } = chosenBy(texts, mesh);
  return texts.findIndex((text, i) => text.trim().startsWith('#') && !remarks[i]);
}

/** Adds vertices to the painted ones. */
function addMarks(of: Target, mesh: MeshData, mark: (marks: Uint8Array) => void): void {
  const texts = textsOf(of);
  const marks = new Uint8Array(mesh.positions.length / 3);
  const place = paintedPlace(texts, mesh);
  if (place >= 0) markSelected(texts[place], mesh, marks);
  mark(marks);
  const painted = idsText(marks);
  put(of, place >= 0 ? texts.map((text, i) => (i === place ? painted : text)) : [...texts, painted]);
}

/** Adds the face, the patch or the piece around a triangle. */
export function addSpread(of: Target, how: Spread, triangle: number): void {
  const mesh = checked.value?.mesh;
  if (!mesh) return;
  remember(of);
  const degrees = how === 'piece' ? 180 : spreadAngle.value[how];
  addMarks(of, mesh, (marks) => markSpread(mesh, triangle, how, degrees, marks));
}

/** Adds the vertices in a ball, or takes them away; `vertex` is among them however small the ball. */
export function paint(
  of: Target,
  how: 'paint' | 'erase',
  vertex: number,
  centre: ArrayLike<number>,
  radius: number,
): void {
  const mesh = checked.value?.mesh;
  if (!mesh) return;
  if (how === 'erase') {
    const texts = textsOf(of);
    const all = chosenBy(texts, mesh).marks;
    const hit: number[] = [];
    withinBall(mesh, centre, radius, (v) => {
      if (all[v]) hit.push(v);
    });
    if (all[vertex]) hit.push(vertex);
    if (!hit.length) return;
    // A condition has no holes: what is left of it becomes ids. Named groups are not changed.
    for (const v of hit) all[v] = 0;
    const left = idsText(all);
    put(of, [...texts.filter((text) => text.trim().startsWith('@')), ...(left ? [left] : [])]);
    return;
  }
  addMarks(of, mesh, (marks) => {
    marks[vertex] = 1;
    withinBall(mesh, centre, radius, (v) => {
      marks[v] = 1;
    });
  });
}
