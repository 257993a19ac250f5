// SPDX-License-Identifier: Apache-2.0
// SELECT texts (docs/command_line.md): the library says what they choose, so that the page can show it. Named groups of a
// file (@name) only the program knows.
import { LimberError } from 'limber';
import { libraryNow } from '../sim/library';
import type { MeshData } from './mesh_data';

export class SelectError extends Error {}

export function nearestVertex(positions: Float32Array, point: ArrayLike<number>): number {
  let best = 0;
  let distance = Infinity;
  for (let i = 0; 3 * i < positions.length; ++i) {
    const d =
      (positions[3 * i] - point[0]) ** 2 +
      (positions[3 * i + 1] - point[1]) ** 2 +
      (positions[3 * i + 2] - point[2]) ** 2;
    if (d < distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

/** Marks what a text chooses. False: only the program can tell (@name). Throws SelectError. */
export function markSelected(text: string, mesh: Pick<MeshData, 'positions'>, marks: Uint8Array): boolean {
  const select = text.trim();
  if (select.startsWith('@')) return false;
  if (!select) throw new SelectError('empty: write a condition such as x<0.1, or all');
  if (select.startsWith('file:'))
    throw new SelectError('a selection from a file is not possible here; paste the ids: #12,15');
  try {
    for (const vertex of libraryNow().selectPoints(select, mesh.positions)) marks[vertex] = 1;
  } catch (error) {
    if (!(error instanceof LimberError)) throw error;
    throw new SelectError(error.tryThis ? `${error.problem}; ${error.tryThis}` : error.problem);
  }
  return true;
}

/** "#12,15,20-30" of the marked vertices; "" of none. */
export function idsText(marks: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < marks.length; ++i) {
    if (!marks[i]) continue;
    let last = i;
    while (last + 1 < marks.length && marks[last + 1]) ++last;
    parts.push(last === i ? `${i}` : last === i + 1 ? `${i},${last}` : `${i}-${last}`);
    i = last;
  }
  return parts.length ? `#${parts.join(',')}` : '';
}

/** Sides of a box, m; null: open. */
export type Box = { min: (number | null)[]; max: (number | null)[] };

/** "x>0 && x<0.1 && …" of a box; "" where all its sides are open. */
export function boxText(box: Box): string {
  const sides: string[] = [];
  ['x', 'y', 'z'].forEach((axis, i) => {
    if (box.min[i] !== null) sides.push(`${axis}>${Number(box.min[i]!.toPrecision(5))}`);
    if (box.max[i] !== null) sides.push(`${axis}<${Number(box.max[i]!.toPrecision(5))}`);
  });
  return sides.join(' && ');
}

/** The box of such a text; null for any other text. */
export function boxOf(text: string): Box | null {
  const box: Box = { min: [null, null, null], max: [null, null, null] };
  for (const side of text.split('&&')) {
    const found = /^\s*([xyz])\s*([<>])\s*(-?\d*\.?\d+(?:[eE][+-]?\d+)?)\s*$/.exec(side);
    if (!found) return null;
    const axis = 'xyz'.indexOf(found[1]);
    const end = found[2] === '>' ? box.min : box.max;
    if (end[axis] !== null) return null;
    end[axis] = Number(found[3]);
  }
  return box;
}
