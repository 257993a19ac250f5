// SPDX-License-Identifier: Apache-2.0
// What the steps say in words: sizes, units, materials, findings of the check. Numbers: ../format.ts.
import type { MeshProblem, Unit } from '../api/jobs';
import { count, lengthText, plain, pressureText } from '../page/format';

// Things of a well-known size, with their length in m.
const kLikes: [number, string][] = [
  [0.0005, 'a grain of sand'],
  [0.003, 'an ant'],
  [0.01, 'a pea'],
  [0.025, 'a coin'],
  [0.07, 'an egg'],
  [0.2, 'a spoon'],
  [0.5, 'a cat'],
  [1, 'a guitar'],
  [1.8, 'a person'],
  [4.5, 'a car'],
  [12, 'a bus'],
  [30, 'a whale'],
  [70, 'an airliner'],
  [300, 'the Eiffel Tower'],
  [1000, 'a long bridge'],
];

/** "20 cm long, about the size of a spoon" */
export function sizeInWords(metres: number): string {
  if (!(metres > 0)) return 'of no size';
  const [known, thing] = kLikes.reduce((best, like) =>
    Math.abs(Math.log(like[0] / metres)) < Math.abs(Math.log(best[0] / metres)) ? like : best,
  );
  const near = Math.abs(Math.log2(known / metres)) < 1;
  const like = near
    ? `, about the size of ${thing}`
    : metres < known
      ? `, smaller than ${thing}`
      : `, larger than ${thing}`;
  return `${lengthText(metres)} long${like}`;
}

export type NamedUnit = Exclude<Unit, number>;
const kMetresPer: Record<NamedUnit, number> = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254 };
export const kUnitNames: Record<NamedUnit, string> = {
  m: 'metres',
  cm: 'centimetres',
  mm: 'millimetres',
  in: 'inches',
};

export function metresPer(unit: Unit): number {
  return typeof unit === 'number' ? unit : kMetresPer[unit];
}

/** How stiff something is, for those who do not think in Pa. */
export function stiffnessInWords(young: number): string {
  const like = () => {
    if (young < 1e4) return 'like jelly';
    if (young < 2e5) return 'like soft tissue';
    if (young < 5e6) return 'like soft rubber';
    if (young < 2e8) return 'like hard rubber';
    if (young < 5e9) return 'like plastic';
    if (young < 3e10) return 'like wood';
    return 'like metal; its motion will be too small to see';
  };
  return `${pressureText(young)}: ${like()}`;
}

export function densityInWords(density: number): string {
  return density === 1000 ? 'As water' : `${plain(density / 1000)} times that of water`;
}

const edges = (all: number) => count(all, 'open edge');
const triangles = (all: number) => count(all, 'triangle');
const elements = (all: number) => count(all, 'element');

// By the kind that the check gives; what is not here is told in the check's own words.
const kFindings: Record<string, (all: number, volume: boolean) => string> = {
  open_edges: (all) =>
    `The surface has holes (${edges(all)}). Cubes will work; tetrahedra need a repair.`,
  non_manifold_edges: (all) =>
    `At ${count(all, 'edge')} three or more triangles meet. Cubes will work; tetrahedra may not.`,
  self_intersections: (all) =>
    `The surface intersects itself (${count(all, 'pair')} of triangles). Cubes will work; tetrahedra will not.`,
  not_orientable: () => 'A part of the surface has only one side, like a Möbius strip. Cubes will work.',
  orientation: (all) =>
    `Some triangles face the wrong way (${count(all, 'edge')} where neighbours disagree). A repair flips them.`,
  inside_out: () => 'All triangles face inwards. A repair flips them.',
  degenerate: (all, volume) =>
    volume
      ? `${elements(all)} without volume. A repair removes them.`
      : `${triangles(all)} without area. A repair removes them.`,
  duplicate: (all, volume) =>
    `${volume ? elements(all) : triangles(all)} ${all === 1 ? 'is a copy' : 'are copies'} of others. A repair removes them.`,
  unreferenced: (all) => `${count(all, 'vertex', 'vertices')} not used. A repair removes them.`,
  inverted: (all) => `${elements(all)} inverted. A repair renumbers them.`,
  sliver: (all) => `${count(all, 'tetrahedron', 'tetrahedra')} very thin: the motion is less accurate there.`,
  not_finite: (all) => `${count(all, 'vertex', 'vertices')} without a valid position. A repair removes them.`,
  hinge: (all) =>
    `At ${count(all, 'vertex', 'vertices')} parts touch in a point or an edge only, and can rotate against each other.`,
};

/** One sentence or two, without advice for the command line. */
export function findingInWords({ kind, message, count: all }: MeshProblem, volume: boolean): string {
  const said = kFindings[kind]?.(all, volume);
  return said ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** Short, for a table: "400 open edges". */
const kFindingNames: Record<string, [one: string, many: string]> = {
  open_edges: ['open edge', 'open edges'],
  non_manifold_edges: ['edge of three or more triangles', 'edges of three or more triangles'],
  non_manifold_faces: ['face of three or more elements', 'faces of three or more elements'],
  self_intersections: ['self-intersection', 'self-intersections'],
  not_orientable: ['triangle of a one-sided part', 'triangles of a one-sided part'],
  orientation: ['edge with opposite windings', 'edges with opposite windings'],
  inside_out: ['triangle facing inwards', 'triangles facing inwards'],
  degenerate: ['degenerate element', 'degenerate elements'],
  duplicate: ['duplicate', 'duplicates'],
  unreferenced: ['unused vertex', 'unused vertices'],
  inverted: ['inverted element', 'inverted elements'],
  sliver: ['thin tetrahedron', 'thin tetrahedra'],
  not_finite: ['invalid vertex', 'invalid vertices'],
  hinge: ['hinge', 'hinges'],
};

export function findingName(kind: string): string {
  const many = kFindingNames[kind]?.[1] ?? kind.replaceAll('_', ' ');
  return many.charAt(0).toUpperCase() + many.slice(1);
}

// What a repair deals with.
const kRepairable = new Set([
  'open_edges',
  'orientation',
  'inside_out',
  'degenerate',
  'duplicate',
  'unreferenced',
  'inverted',
  'not_finite',
  'non_manifold_faces',
]);

export function isRepairable(kind: string): boolean {
  return kRepairable.has(kind);
}
