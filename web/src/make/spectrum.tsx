// SPDX-License-Identifier: Apache-2.0
// What the basis can do: how much each vector contributes, and the natural frequencies of the body.
import { useMemo } from 'preact/hooks';
import { capturedText, count, frequencyText, shortTimeText } from '../page/format';
import { kFirstCurve, kSecondCurve, Plot } from './plot';

/** A basis as the plots want it. */
export interface Spectrum {
  title: string;
  /** Singular values, descending. */
  values: number[];
  rank: number;
}

/** Part of the sum of squares that the first `rank` leave out. */
export function leftOut({ values, rank }: Pick<Spectrum, 'values' | 'rank'>): number {
  const sum = (part: number[]) => part.reduce((total, value) => total + value * value, 0);
  const all = sum(values);
  return all > 0 ? sum(values.slice(rank)) / all : 0;
}

/** What the rank captures, and what no rank does. */
export function BasisWords({ values, rank, staticResponses }: { values: number[]; rank: number; staticResponses: number }) {
  const left = leftOut({ values, rank });
  return (
    <p>
      {count(rank, 'shape')} capture {capturedText(left)} of the computed motion;{' '}
      {staticResponses > 0
        ? `${count(staticResponses, 'static response')} add local dents at the improved places.`
        : 'local dents are not included.'}
      {left > 0.02 && ' More shapes would help.'}
    </p>
  );
}

const kMostShown = 120;

/** One or two spectra over each other, each relative to its largest. */
export function SpectrumPlot({ spectra }: { spectra: Spectrum[] }) {
  const key = JSON.stringify(spectra.map(({ title, rank, values }) => [title, rank, values.length, values[0]]));
  const { x, curves } = useMemo(() => {
    const length = Math.min(kMostShown, Math.max(...spectra.map(({ values }) => values.length)));
    return {
      x: Array.from({ length }, (_, i) => i + 1),
      curves: spectra.map(({ title, values }, i) => ({
        label: title,
        colour: i === 0 ? kFirstCurve : kSecondCurve,
        dashed: i === 1,
        dots: true,
        // Zero has no place on a logarithmic axis.
        values: Array.from({ length }, (_, k) => (values[k] > 0 ? values[k] / values[0] : null)),
      })),
    };
  }, [key]);
  const words = spectra
    .map((one) => `${one.title}: the first ${one.rank} of ${one.values.length} capture ${capturedText(leftOut(one))}`)
    .join('; ');
  return (
    <Plot
      label={`Spectrum of the basis. ${words}`}
      x={x}
      xLabel="basis vector"
      yLabel="singular value / largest"
      curves={curves}
      logarithmic
    />
  );
}

export function Frequencies({ hz }: { hz: number[] }) {
  if (!hz.length)
    return <p class="muted">This basis was not made from vibration modes: no frequencies are known.</p>;
  const shown = hz.slice(0, 8);
  return (
    <>
      <p>
        Lowest natural frequency: {frequencyText(hz[0])}. One oscillation takes {shortTimeText(1 / hz[0])}.
      </p>
      <ol class="frequencies number">
        {shown.map((f, i) => (
          <li key={i}>{frequencyText(f)}</li>
        ))}
      </ol>
      {hz.length > shown.length && (
        <p class="hint">
          {hz.length} modes in all, up to {frequencyText(hz[hz.length - 1])}.
        </p>
      )}
    </>
  );
}
