// SPDX-License-Identifier: Apache-2.0
// Numbers as people say them.
import type { Unit } from '../api/jobs';

/** At most `digits` that mean something, no trailing zeros: 0.0033, 1.5, 12000. */
export function plain(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e7 || size < 1e-4
    ? value.toExponential(digits - 1).replace(/\.?0+e/, 'e')
    : String(Number(value.toPrecision(digits)));
}

/** A length in the unit that people use for it. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres);
  if (size >= 1000) return `${plain(metres / 1000)} km`;
  if (size >= 1) return `${plain(metres)} m`;
  if (size >= 0.01) return `${plain(100 * metres)} cm`;
  if (size >= 0.0001) return `${plain(1000 * metres)} mm`;
  return `${plain(1e6 * metres)} µm`;
}

// Things that everybody has held or seen, with their length in m.
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

/** "20 cm, about the length of a spoon" */
export function sizeInWords(metres: number): string {
  if (!(metres > 0)) return 'no size at all';
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

export const kMetresPer: Record<Unit, number> = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254 };
export const kUnitNames: Record<Unit, string> = { m: 'metres', cm: 'centimetres', mm: 'millimetres', in: 'inches' };

export function secondsText(seconds: number): string {
  if (seconds < 0.1) return 'under 0.1 s';
  if (seconds < 0.95) return `${plain(seconds, 1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds - 60 * minutes)} s`;
}

export function bytesText(bytes: number): string {
  return bytes < 1e6 ? `${plain(bytes / 1e3, 2)} kB` : `${plain(bytes / 1e6, 2)} MB`;
}

/** "1 vertex", "12,000 vertices" */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function percent(fraction: number): string {
  const size = 100 * Math.abs(fraction);
  return size < 0.01 ? 'less than 0.01%' : `${plain(size, 2)}%`;
}

/** How stiff something is, for those who do not think in Pa. */
export function youngText(young: number): string {
  if (young >= 1e9) return `${plain(young / 1e9)} GPa`;
  if (young >= 1e6) return `${plain(young / 1e6)} MPa`;
  if (young >= 1e3) return `${plain(young / 1e3)} kPa`;
  return `${plain(young)} Pa`;
}
