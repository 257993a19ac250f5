// SPDX-License-Identifier: Apache-2.0
// A domain that came off a tree, with all that hangs on it: what is shown of it is a part of what is shown of the tree.
import type { Tree } from 'limber';
import type { ShownModel } from './messages';
import { shownMesh } from './shown_mesh';
import { rotated, type Quaternion, type Vec3 } from './vector';

/** What the page calls the model of a domain that came off; the whole's where `domain` is empty. */
export function pieceName(whole: string, domain: string): string {
  return domain ? `${whole} > ${domain}` : whole;
}

/** The other way round; null: a model of a file. */
export function pieceOf(name: string): { whole: string; domain: string } | null {
  const [whole, domain] = name.split(' > ');
  return domain === undefined ? null : { whole, domain };
}

/** The domain and those below it, ascending; the first is the domain itself. */
export function domainsBelow({ domains }: Pick<Tree, 'domains'>, name: string): number[] {
  const top = domains.findIndex((one) => one.name === name);
  const inside = domains.map((_, i) => i === top);
  domains.forEach(({ parent }, i) => { if (parent >= 0 && inside[parent]) inside[i] = true; });
  return Array.from(inside.keys()).filter((i) => inside[i]);
}

/** As the library makes the model of such a body: its frame is that of the domain at rest. */
export function subtreeShown(whole: ShownModel, name: string): ShownModel {
  const tree = whole.tree!, below = domainsBelow(tree, name), [top] = below;
  const { position: origin, rotation } = tree.domains[top];
  const back: Quaternion = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const firsts = [0];
  for (const { part } of tree.domains) firsts.push(firsts[firsts.length - 1] + tree.parts[part].vertices);
  // Vertices of the whole's surface, and the place of each in this one.
  const vertices = below.flatMap((i) => Array.from({ length: firsts[i + 1] - firsts[i] }, (_, k) => firsts[i] + k));
  const place = new Int32Array(firsts[firsts.length - 1]).fill(-1);
  vertices.forEach((vertex, k) => { place[vertex] = k; });

  const from = (x: ArrayLike<number>): Vec3 => rotated(back, [x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]]);
  const positions = new Float32Array(3 * vertices.length);
  vertices.forEach((vertex, k) => positions.set(from(whole.positions.subarray(3 * vertex, 3 * vertex + 3)), 3 * k));
  const triangles: number[] = [];
  for (let t = 0; t < whole.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => place[whole.triangles[t + k]]);
    if (corners[0] >= 0) triangles.push(...corners);
  }
  // Rings without those that stayed.
  const sharedVertices = Int32Array.from(vertices, (vertex) => {
    let next = tree.sharedVertices[vertex];
    while (place[next] < 0) next = tree.sharedVertices[next];
    return place[next];
  });
  const reindexed = new Map(below.map((i, k) => [i, k]));
  const domains = below.map((i) => {
    const { parent, position, rotation: turn, ...others } = tree.domains[i];
    const product = (a: Quaternion, b: Quaternion): Quaternion => [
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
    return { ...others, parent: i === top ? -1 : reindexed.get(parent)!, position: from(position), rotation: product(back, turn) };
  });
  const coordinates = domains.reduce((sum, { part }) => sum + tree.parts[part].rank, 0);
  return {
    ...whole, positions, triangles: Int32Array.from(triangles), shown: shownMesh(positions, Int32Array.from(triangles)),
    inputVertices: Int32Array.from(vertices, (vertex) => whole.inputVertices[vertex]),
    info: { ...whole.info, name, vertices: vertices.length, triangles: triangles.length / 3, domains: domains.length, coordinates, free_body: true },
    mesh: { positions: new Float32Array(0), edges: new Int32Array(0), fixedVertices: new Int32Array(0), basis: new Float32Array(0) },
    tree: { parts: tree.parts, domains, sharedVertices },
  };
}
