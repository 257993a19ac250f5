// SPDX-License-Identifier: Apache-2.0
// SELECT texts (docs/command_line.md), read as the program reads them, so that the page can show what they choose.
// The program decides in the end; named groups of a file (@name) only it knows.
import type { MeshData } from './mesh_data';

export class SelectError extends Error {}

type Vertices = Pick<MeshData, 'positions' | 'min' | 'max'>;
type Value = (x: number, y: number, z: number) => number;
type Truth = (x: number, y: number, z: number) => boolean;
type Expression = { number: Value } | { truth: Truth };

const kDeepest = 200;

class Condition {
  #tokens: string[];
  #at = 0;
  #depth = 0;
  #names: Map<string, Value>;
  #within: number;

  constructor(text: string, { min, max }: Vertices) {
    const found =
      text.match(/\s+|\d*\.?\d+(?:[eE][+-]?\d+)?\.?|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[<>!+\-*/()]|./gs) ?? [];
    this.#tokens = found.filter((token) => token.trim() !== '');
    this.#within = 1e-9 * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    this.#names = new Map<string, Value>([
      ['x', (x) => x],
      ['y', (_x, y) => y],
      ['z', (_x, _y, z) => z],
    ]);
    ['x', 'y', 'z'].forEach((axis, i) => {
      this.#names.set(`${axis}min`, () => min[i]);
      this.#names.set(`${axis}max`, () => max[i]);
    });
  }

  read(): Truth {
    const whole = this.#or();
    if (this.#at < this.#tokens.length)
      throw new SelectError(`an operator is missing before “${this.#tokens[this.#at]}”`);
    if (!('truth' in whole)) throw new SelectError('a number where a condition is needed; compare it: x < 0.1');
    return whole.truth;
  }

  #take(...signs: string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !signs.includes(token)) return null;
    ++this.#at;
    return token;
  }

  #truth(expression: Expression, sign: string): Truth {
    if ('truth' in expression) return expression.truth;
    throw new SelectError(`“${sign}” joins conditions, but finds a number`);
  }

  #number(expression: Expression, sign: string): Value {
    if ('number' in expression) return expression.number;
    throw new SelectError(`“${sign}” takes numbers, but finds a condition`);
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#take('||')) {
      const a = this.#truth(left, '||');
      const b = this.#truth(this.#and(), '||');
      left = { truth: (x, y, z) => a(x, y, z) || b(x, y, z) };
    }
    return left;
  }

  #and(): Expression {
    let left = this.#comparison();
    while (this.#take('&&')) {
      const a = this.#truth(left, '&&');
      const b = this.#truth(this.#comparison(), '&&');
      left = { truth: (x, y, z) => a(x, y, z) && b(x, y, z) };
    }
    return left;
  }

  #comparison(): Expression {
    const left = this.#sum();
    const sign = this.#take('<=', '>=', '==', '!=', '<', '>');
    if (!sign) return left;
    const a = this.#number(left, sign);
    const b = this.#number(this.#sum(), sign);
    const within = this.#within;
    const compare: Record<string, (p: number, q: number) => boolean> = {
      '<': (p, q) => p < q,
      '<=': (p, q) => p <= q,
      '>': (p, q) => p > q,
      '>=': (p, q) => p >= q,
      '==': (p, q) => Math.abs(p - q) <= within,
      '!=': (p, q) => Math.abs(p - q) > within,
    };
    const holds = compare[sign];
    if (this.#take('<=', '>=', '==', '!=', '<', '>'))
      throw new SelectError('two comparisons in a row; join them: 0.1<x && x<0.2');
    return { truth: (x, y, z) => holds(a(x, y, z), b(x, y, z)) };
  }

  #sum(): Expression {
    let left = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const a = this.#number(left, sign);
      const b = this.#number(this.#product(), sign);
      left =
        sign === '+'
          ? { number: (x, y, z) => a(x, y, z) + b(x, y, z) }
          : { number: (x, y, z) => a(x, y, z) - b(x, y, z) };
    }
    return left;
  }

  #product(): Expression {
    let left = this.#unary();
    for (let sign = this.#take('*', '/'); sign; sign = this.#take('*', '/')) {
      const a = this.#number(left, sign);
      const b = this.#number(this.#unary(), sign);
      left =
        sign === '*'
          ? { number: (x, y, z) => a(x, y, z) * b(x, y, z) }
          : { number: (x, y, z) => a(x, y, z) / b(x, y, z) };
    }
    return left;
  }

  #unary(): Expression {
    const sign = this.#take('!', '-', '+');
    if (!sign) return this.#primary();
    this.#enter();
    const operand = this.#unary();
    --this.#depth;
    if (sign === '!') {
      const a = this.#truth(operand, sign);
      return { truth: (x, y, z) => !a(x, y, z) };
    }
    const a = this.#number(operand, sign);
    return sign === '-' ? { number: (x, y, z) => -a(x, y, z) } : { number: a };
  }

  #primary(): Expression {
    if (this.#take('(')) {
      this.#enter();
      const inside = this.#or();
      if (!this.#take(')')) throw new SelectError('a “(” is not closed');
      --this.#depth;
      return inside;
    }
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new SelectError('a number is missing at the end');
    const value = Number(token);
    if (/^[\d.]/.test(token) && Number.isFinite(value)) return { number: () => value };
    const named = this.#names.get(token);
    if (named) return { number: named };
    throw new SelectError(
      /^[A-Za-z_]/.test(token)
        ? `“${token}” is not known; the names are x y z xmin xmax ymin ymax zmin zmax`
        : `a number was expected, not “${token}”`,
    );
  }

  #enter(): void {
    if (++this.#depth > kDeepest) throw new SelectError('too many nested parentheses');
  }
}

function markIds(list: string, marks: Uint8Array): void {
  const items = list.split(/[,\s]+/).filter(Boolean);
  if (!items.length) throw new SelectError('no ids follow; write them like #12,15,20-30');
  for (const item of items) {
    const range = /^(\d+)(?:-(\d+))?$/.exec(item);
    if (!range) throw new SelectError(`“${item}” is no vertex id and no range such as 20-30`);
    const first = Number(range[1]);
    const last = Number(range[2] ?? range[1]);
    if (Math.max(first, last) >= marks.length)
      throw new SelectError(`vertex ${item} is not there; the mesh has ${marks.length}`);
    if (first > last) throw new SelectError(`the range ${item} runs backwards`);
    marks.fill(1, first, last + 1);
  }
}

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
export function markSelected(text: string, mesh: Vertices, marks: Uint8Array): boolean {
  const select = text.trim();
  if (!select) throw new SelectError('empty: write a condition such as x<0.1, or all');
  if (select === 'none') return true;
  if (select.startsWith('@')) return false;
  if (select.startsWith('file:'))
    throw new SelectError('a selection from a file is not possible here; paste the ids: #12,15');
  if (select === 'all') {
    marks.fill(1);
  } else if (select.startsWith('#')) {
    markIds(select.slice(1), marks);
  } else if (select.startsWith('near:')) {
    const point = select
      .slice(5)
      .split(/[,\s]+/)
      .filter(Boolean)
      .map(Number);
    if (point.length !== 3 || !point.every(Number.isFinite))
      throw new SelectError('near: takes three numbers, like near:0,0,1');
    marks[nearestVertex(mesh.positions, point)] = 1;
  } else {
    const holds = new Condition(select, mesh).read();
    const { positions } = mesh;
    for (let i = 0; i < marks.length; ++i)
      if (holds(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])) marks[i] = 1;
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
