// SPDX-License-Identifier: Apache-2.0
// Quantities as text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pageModule } from './bundle.mjs';

const {
  bytesText, capturedText, count, durationText, forceText, frequencyText, lengthText, massText, percent, plain, pressureText,
  shortTimeText,
} = await pageModule('page/format.ts');

function check(text, pairs) {
  for (const [value, expected] of pairs) assert.equal(text(value), expected, `of ${value}`);
}

test('forces have an SI prefix; rounding errors are zero', () => check(forceText, [
  [5.29e-10, '0 N'], [0, '0 N'], [-3e-12, '0 N'], [1.234e-9, '1.23 nN'], [4.5e-6, '4.5 µN'], [0.0123, '12.3 mN'], [1, '1 N'],
  [999.4, '999 N'], [999.6, '1 kN'], [12345, '12.3 kN'], [2.5e6, '2.5 MN'], [3e9, '3 GN'], [-2000, '-2 kN'], [NaN, '–'],
]));

test('a rounded value is never 1000 of a unit', () => {
  for (const text of [forceText, massText, bytesText, pressureText, frequencyText, shortTimeText])
    for (let power = -9; power <= 9; ++power)
      for (const near of [0.9994, 0.9996, 0.99999, 1, 1.0001]) assert.doesNotMatch(text(near * 10 ** power), /^1000 (?!GN|kt|GB|GPa|GHz|s)/);
});

test('lengths', () => check(lengthText, [
  [9.9e-6, '9.9 µm'], [0.0005, '500 µm'], [0.0042, '4.2 mm'], [0.2, '20 cm'], [0.9999, '1 m'], [1.5, '1.5 m'], [256, '256 m'],
  [1200, '1.2 km'], [0, '0 m'],
]));

test('masses', () => check(massText, [
  [0.0155, '15.5 g'], [0.9996, '1 kg'], [3.2, '3.2 kg'], [24500, '24.5 t'], [2e-6, '2 mg'], [0, '0 kg'],
]));

test('waiting times: no part reaches 60', () => {
  check(durationText, [
    [0.03, 'less than 0.1 s'], [0.42, '0.4 s'], [4.23, '4.2 s'], [9.97, '10 s'], [35.4, '35 s'], [59.7, '1 min'], [90, '1 min 30 s'],
    [119.6, '2 min'], [120, '2 min'], [605, '10 min'], [1500, '25 min'], [3599, '1 h'], [3900, '1 h 5 min'],
  ]);
  for (let seconds = 0; seconds < 8000; seconds += 0.1) assert.doesNotMatch(durationText(seconds), /\b60 (s|min)\b/);
});

test('times of steps', () => check(shortTimeText, [[1.23e-5, '12 µs'], [3.49e-4, '350 µs'], [0.0021, '2.1 ms'], [1.5, '1.5 s']]));

test('bytes, frequencies, pressures', () => {
  check(bytesText, [[0, '0 bytes'], [1, '1 byte'], [900, '900 bytes'], [34_100_000, '34.1 MB'], [537_000_000, '537 MB'], [1.25e9, '1.25 GB']]);
  check(frequencyText, [[0.8917, '0.892 Hz'], [440, '440 Hz'], [1500, '1.5 kHz'], [0, '0 Hz']]);
  check(pressureText, [[500, '500 Pa'], [2e6, '2 MPa'], [6.9e10, '69 GPa']]);
});

test('counts, percents, plain numbers', () => {
  assert.equal(count(1, 'vertex', 'vertices'), '1 vertex');
  assert.equal(count(12000, 'vertex', 'vertices'), '12,000 vertices');
  check(percent, [[0.0034, '0.34%'], [-0.5, '50%'], [1e-6, 'less than 0.01%'], [0, '0%']]);
  check(capturedText, [[0.0006, '99.94%'], [0.051, '94.9%'], [0, 'more than 99.999%'], [1e-9, 'more than 99.999%'], [0.00012, '99.988%']]);
  check(plain, [[0.0033, '0.0033'], [1.5, '1.5'], [12000, '12000'], [5e8, '5e8'], [2.5e-7, '2.5e-7'], [0, '0'], [Infinity, '–']]);
});
