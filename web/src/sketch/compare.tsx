// SPDX-License-Identifier: Apache-2.0
// The model before the sketch and the one built from it, beside each other.
import type { ModelInfo } from 'limber';
import type { BuildResult } from '../api/jobs';
import { SpectrumPlot } from '../make/spectrum';
import { Validation, validationOf, ValidationTable } from '../make/validation';
import { count } from '../page/format';

interface CompareProps {
  id: string;
  before: ModelInfo;
  after: BuildResult;
}

const kOrigins: Record<string, string> = {
  'modal-derivatives': 'from modes and modal derivatives', modes: 'from modes', sketch: 'from a sketch',
};

function basisWords(rank: number, basis: string): string {
  return `${count(rank, 'coordinate')}, ${kOrigins[basis] ?? `basis: ${basis}`}`;
}

export function Compare({ id, before, after }: CompareProps) {
  const spectra = [
    { title: 'before', values: before.spectrum, rank: before.rank },
    { title: 'after', values: after.info.spectrum, rank: after.info.rank },
  ].filter(({ values }) => values.length > 0);
  const results = [
    { title: 'before', result: validationOf(id) },
    { title: 'after', result: validationOf(after.id) },
  ].flatMap(({ title, result }) => (result ? [{ title, result }] : []));
  return (
    <section class="compare stack" id="before-and-after" aria-label="Before and after">
      <h2>Before and after</h2>
      <div class="result-grid">
        <section class="card stack">
          <h3>Before</h3>
          <p class="muted">{basisWords(before.rank, before.basis)}</p>
          <div>
            <a class="button" href={`#/live/${id}`}>
              Open it live
            </a>
          </div>
          <Validation model={id} possible />
        </section>
        <section class="card stack">
          <h3>After</h3>
          <p class="muted">{basisWords(after.info.rank, 'sketch')}</p>
          <div class="row">
            <a class="button primary" href={`#/live/${after.id}`}>
              Open it live
            </a>
            <a class="button" href={`#/sketch/${after.id}`} title="Sketch on this model">
              Sketch again
            </a>
          </div>
          <Validation model={after.id} possible />
        </section>
        {spectra.length > 0 && (
          <section class="card wide">
            <h3>Spectra</h3>
            <p class="muted">
              Singular values, relative to the largest. A steep curve needs few basis vectors.
            </p>
            <SpectrumPlot spectra={spectra} />
          </section>
        )}
        {results.length === 2 && (
          <section class="card wide">
            <h3>Errors</h3>
            <ValidationTable results={results} />
          </section>
        )}
      </div>
    </section>
  );
}
