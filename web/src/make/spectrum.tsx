// SPDX-License-Identifier: Apache-2.0
// What the basis can do: how much each vector brings, and at which frequencies the body swings.
import { useMemo } from 'preact/hooks';
import { kFirstCurve, kSecondCurve, Plot } from './plot';
import { count, percent, plain } from './words';

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
  // Rounded towards less.
  const captured = left < 1e-4 ? 'more than 99.99' : String(Math.floor(1e4 * (1 - left)) / 100);
  return (
    <p>
      {count(rank, 'shape')} capture {captured}% of the computed motion;{' '}
      {staticResponses > 0
        ? `${count(staticResponses, 'static response')} add local dents at the improved places.`
        : 'local dents are not included.'}
      {left > 0.02 && ' A higher rank would capture more.'}
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
    .map((one) => `${one.title}: the first ${one.rank} of ${one.values.length} leave out ${percent(leftOut(one))}`)
    .join('; ');
  return (
    <Plot
      label={`Spectrum of the basis. ${words}`}
      x={x}
      xLabel="basis vector"
      yLabel="size, of the largest"
      curves={curves}
      logarithmic
    />
  );
}

export function Frequencies({ hz }: { hz: number[] }) {
  if (!hz.length)
    return <p class="muted">This basis was not made of vibration modes, so it has no list of frequencies.</p>;
  const shown = hz.slice(0, 8);
  return (
    <>
      <p>
        Its slowest swing takes {plain(1 / hz[0], 2)} s ({plain(hz[0])} Hz{hz[0] >= 20 ? ', which one could hear' : ''}
        ).
      </p>
      <ol class="frequencies number">
        {shown.map((f, i) => (
          <li key={i}>{plain(f)} Hz</li>
        ))}
      </ol>
      {hz.length > shown.length && (
        <p class="hint">
          {hz.length} modes in all, up to {plain(hz[hz.length - 1])} Hz.
        </p>
      )}
    </>
  );
}
