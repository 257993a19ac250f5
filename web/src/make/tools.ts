// SPDX-License-Identifier: Apache-2.0
// Choosing vertices on the mesh: what the pointer does, whose selection it changes, and the changes themselves. A
// selection is a list of SELECT texts; painted vertices are one text of ids among them.
import { signal } from '@preact/signals';
import { change, checked, chosenBy, flow } from './flow';
import type { MeshData } from './mesh_data';
import { boxText, idsText, markSelected, type Box } from './select_text';

export type Tool = 'look' | 'box' | 'paint' | 'erase';

export const tool = signal<Tool>('look');
/** Of the ball that paints, as a part of the mesh's diagonal. */
export const brushSize = signal(0.04);

/** Whose selection is changed: what is held, or a material group by its place. */
export type Target = 'fix' | number;
export const target = signal<Target>('fix');

export function textsOf(of: Target): string[] {
  return of === 'fix' ? flow.value.fix : (flow.value.groups[of]?.selects ?? []);
}

const past: { of: Target; texts: string[] }[] = [];
export const canUndo = signal(false);

function put(of: Target, texts: string[]): void {
  if (of === 'fix') change({ fix: texts });
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
  if (last && (last.of === 'fix' || flow.value.groups[last.of])) put(last.of, last.texts);
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
  const texts = textsOf(of);
  const marks = new Uint8Array(mesh.positions.length / 3);
  if (how === 'erase') {
    const all = chosenBy(texts, mesh).marks;
    const hit: number[] = [];
    withinBall(mesh, centre, radius, (v) => {
      if (all[v]) hit.push(v);
    });
    if (all[vertex]) hit.push(vertex);
    if (!hit.length) return;
    // A condition has no holes: what is left of it becomes ids. Named groups are left alone.
    for (const v of hit) all[v] = 0;
    const left = idsText(all);
    put(of, [...texts.filter((text) => text.trim().startsWith('@')), ...(left ? [left] : [])]);
    return;
  }
  // Ids that cannot be read stay as they are, with what is said about them.
  const { remarks } = chosenBy(texts, mesh);
  const place = texts.findIndex((text, i) => text.trim().startsWith('#') && !remarks[i]);
  if (place >= 0) markSelected(texts[place], mesh, marks);
  marks[vertex] = 1;
  withinBall(mesh, centre, radius, (v) => {
    marks[v] = 1;
  });
  const painted = idsText(marks);
  put(of, place >= 0 ? texts.map((text, i) => (i === place ? painted : text)) : [...texts, painted]);
}
