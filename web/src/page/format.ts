// SPDX-License-Identifier: Apache-2.0
// Quantities as text, in SI units, and the program's remarks as the page shows them.

const kDigits = 3;

/** At most `digits` significant digits, no trailing zeros, an exponent only for the very small and large: 0.0033, 12000. */
export function plain(value: number, digits = kDigits): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(digits));
  if (rounded === 0) return '0';
  const size = Math.abs(rounded);
  return size >= 1e7 || size < 1e-4
    ? rounded.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e')
    : String(rounded);
}

type Steps = readonly (readonly [factor: number, unit: string])[];

// In the largest unit of which there is at least one, else in the smallest; below `least` it is zero, in the `base` unit.
// Rounding comes first, so that 999.96 g is 1 kg and never 1000 g.
function inUnit(value: number, steps: Steps, base: string, { digits = kDigits, least = steps[steps.length - 1][0] } = {}): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded) * (1 + 1e-12);
  if (size < least) return `0 ${base}`;
  const [factor, unit] = steps.find(([one]) => size >= one) ?? steps[steps.length - 1];
  return `${plain(rounded / factor, digits)} ${unit}`;
}

function prefixed(unit: string, prefixes: Record<string, number>): Steps {
  return Object.entries(prefixes).map(([prefix, factor]) => [factor, `${prefix}${unit}`] as const).sort((a, b) => b[0] - a[0]);
}

const kPrefixes = { G: 1e9, M: 1e6, k: 1e3, '': 1, m: 1e-3, µ: 1e-6, n: 1e-9 };

const kForces = prefixed('N', kPrefixes);
const kFrequencies = prefixed('Hz', { G: 1e9, M: 1e6, k: 1e3, '': 1 });
const kPressures = prefixed('Pa', { G: 1e9, M: 1e6, k: 1e3, '': 1 });
const kShortTimes = prefixed('s', { '': 1, m: 1e-3, µ: 1e-6, n: 1e-9 });
const kLengths: Steps = [[1e3, 'km'], [1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm'], [1e-9, 'nm']];
const kMasses: Steps = [[1e6, 'kt'], [1e3, 't'], [1, 'kg'], [1e-3, 'g'], [1e-6, 'mg'], [1e-9, 'µg']];
const kBytes: Steps = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']];

/** N; what is below a nanonewton is rounding, and zero. */
export function forceText(newtons: number): string {
  return inUnit(newtons, kForces, 'N');
}

/** m */
export function lengthText(metres: number): string {
  return inUnit(metres, kLengths, 'm');
}

/** kg; a tonne (t) is 1000 kg */
export function massText(kilograms: number): string {
  return inUnit(kilograms, kMasses, 'kg');
}

export function frequencyText(hertz: number): string {
  return inUnit(hertz, kFrequencies, 'Hz', { least: 1e-6 });
}

/** Pa, of pressures, stresses and Young's moduli */
export function pressureText(pascals: number): string {
  return inUnit(pascals, kPressures, 'Pa', { least: 1e-6 });
}

/** Of decimal prefixes, as disks and downloads are told: 1 MB is 10⁶ bytes. */
export function bytesText(bytes: number): string {
  return bytes === 1 ? '1 byte' : inUnit(bytes, kBytes, 'bytes');
}

/** The time of a step or a solve, to two digits: 12 µs, 0.35 ms. */
export function shortTimeText(seconds: number): string {
  return inUnit(seconds, kShortTimes, 's', { digits: 2 });
}

/** A waiting time: "less than 0.1 s", "4.2 s", "35 s", "2 min", "1 min 30 s", "25 min", "1 h 5 min". */
export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 0.1) return 'less than 0.1 s';
  if (seconds < 9.95) return `${plain(seconds, seconds < 1 ? 1 : 2)} s`;
  // Rounded as a whole before it is cut into parts: no part reaches 60.
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 600) return parts(whole, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : parts(minutes, 60, 'h', 'min');
}

function parts(count: number, per: number, large: string, small: string): string {
  const left = count % per;
  return `${Math.floor(count / per)} ${large}${left ? ` ${left} ${small}` : ''}`;
}

/** "1 vertex", "12,000 vertices" */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Of a fraction of 1, whatever its sign: "0.34%", "less than 0.01%". */
export function percent(fraction: number): string {
  const size = 100 * Math.abs(fraction);
  if (size === 0) return '0%';
  return size < 0.01 ? 'less than 0.01%' : `${plain(size, 2)}%`;
}

/** How much was captured where `left` of 1 was not: as many nines as there are, "99.94%". */
export function capturedText(left: number): string {
  const percents = 100 * Math.max(0, Math.min(1, left));
  if (percents < 0.001) return 'more than 99.999%';
  // Two digits of what is left, within 1 and 3 after the point.
  const decimals = Math.min(3, Math.max(1, 1 - Math.floor(Math.log10(percents))));
  return `${Number((100 - percents).toFixed(decimals))}%`;
}

// Options and commands have no place on the page.
const kCommandLine = /(^|[\s("'])--?[a-z]|\blimber (mesh|build|info|solve|simulate|models|validate|draw)\b/;

/** A remark of the program without the sentences that are for the command line. */
export function withoutCommands(text: string): string {
  return text
    .split(/(?<=[.;:])\s+/)
    .filter((sentence) => !kCommandLine.test(sentence))
    .join(' ')
    .replace(/[;:]$/, '.')
    .replace(/\bm\^([23])\b/g, (_, power: string) => (power === '2' ? 'm²' : 'm³'));
}
