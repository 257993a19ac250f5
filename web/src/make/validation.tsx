// SPDX-License-Identifier: Apache-2.0
// How good a model is: the same push on it and on the full one, and what differs, in words, numbers and curves.
import { useEffect, useMemo } from 'preact/hooks';
import { startJob, type ValidateResult } from '../api/jobs';
import { forget, keep, kept } from '../api/keep';
import { durationText, percent, plain } from '../page/format';
import { ProblemHere } from '../panels/fields';
import { JobProgress } from '../panels/job_progress';
import { kFirstCurve, kSecondCurve, Plot } from './plot';
import { createWork, type Work } from '../panels/work';

const works = new Map<string, Work<ValidateResult>>();
const keyOf = (model: string) => `validate.${model}`;

function workOf(model: string): Work<ValidateResult> {
  let work = works.get(model);
  if (!work) works.set(model, (work = createWork<ValidateResult>()));
  return work;
}

async function validate(model: string): Promise<void> {
  await workOf(model).run(async () => {
    const job = await startJob({ kind: 'validate', model });
    keep(keyOf(model), job);
    return job;
  });
}

/** The result where there is one; for comparing. */
export function validationOf(model: string): ValidateResult | null {
  const job = workOf(model).job.value;
  return job?.state === 'done' ? job.result : null;
}

/** In one word, by the shapes at matched phase and by the frequency. It is about this push only. */
export function verdict({ shape_error: shape, frequency_error: frequency }: ValidateResult): string {
  if (shape == null) return 'The motion gives no value to compare.';
  const error = Math.max(shape, Math.abs(frequency ?? 0));
  if (error < 0.02) return 'Excellent: under this push there is no visible difference from the full model.';
  if (error < 0.1) return 'Good: under this push there are small differences from the full model.';
  if (error < 0.3)
    return 'Fair: shape or frequency differ visibly. Use more shapes, or sketch the deformation that matters.';
  return 'Poor: the motion differs. Use more modes and more shapes, or sketch the deformation that matters.';
}

function signed(error: number | null, more: string, less: string): string {
  if (error === null) return '–';
  return Math.abs(error) < 1e-4 ? percent(error) : `${percent(error)} ${error > 0 ? more : less}`;
}

export function ValidationTable({ results }: { results: { title: string; result: ValidateResult }[] }) {
  const rows: { name: string; of: (result: ValidateResult) => string }[] = [
    { name: 'Frequency', of: (r) => signed(r.frequency_error, 'higher', 'lower') },
    { name: 'Amplitude of the first swing', of: (r) => signed(r.amplitude_error, 'larger', 'smaller') },
    { name: 'Shape at matched phase', of: (r) => (r.shape_error == null ? '–' : `${percent(r.shape_error)} error`) },
    {
      name: 'Displacement over time, phase drift included',
      of: (r) => (r.displacement_error === null ? '–' : `${percent(r.displacement_error)} error`),
    },
    {
      name: 'Worst local compliance',
      of: (r) => (r.local_compliance?.worst ? `${plain(r.local_compliance.worst.ratio, 2)} of the full model` : '–'),
    },
    { name: 'Speed', of: (r) => `${plain(r.timings.speedup, 2)} times as fast` },
  ];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Against the full model</th>
          {results.map(({ title }) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, of }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {results.map(({ title, result }) => (
              <td key={title} class="number">
                {of(result)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Curves({ result }: { result: ValidateResult }) {
  const { curve } = result;
  const curves = useMemo(
    () => [
      { label: 'full model', values: curve.full, colour: kFirstCurve },
      { label: 'this model', values: curve.reduced, colour: kSecondCurve, dashed: true },
    ],
    [curve],
  );
  return (
    <Plot
      label={`Displacement of the pushed point over time, full and reduced. ${verdict(result)}`}
      x={curve.t}
      xLabel="time, s"
      yLabel="displacement, m"
      curves={curves}
    />
  );
}

/** The button, the job, the result. */
export function Validation({ model, possible }: { model: string; possible: boolean }) {
  const work = workOf(model);
  useEffect(() => {
    const running = kept<string>(keyOf(model));
    if (running && !work.job.value)
      void work.follow(running).then(() => {
        // The server forgot it: it can be asked again.
        if (work.problem.value) {
          forget(keyOf(model));
          work.leave();
        }
      });
  }, [model]);
  const job = work.job.value;
  const result = validationOf(model);
  if (!possible)
    return <p class="hint">A body without fixed parts cannot be compared with the full model.</p>;
  return (
    <div class="stack">
      {!result && (
        <p>The full model, with all its elements, gets the same push. This takes seconds to minutes.</p>
      )}
      {(!job || job.state === 'failed' || job.state === 'cancelled') && (
        <div>
          <button type="button" onClick={() => void validate(model)} title="Runs the full model and compares">
            Compare with the full model
          </button>
        </div>
      )}
      {job && (job.state === 'running' || job.state === 'queued') && (
        <JobProgress job={job} onCancel={() => void work.cancel()} />
      )}
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
      {result && (
        <>
          <p role="status">
            <strong>{verdict(result)}</strong>
          </p>
          <ValidationTable results={[{ title: 'this model', result }]} />
          <Curves result={result} />
          <p class="hint">
            The full model took {durationText(result.timings.full_seconds)}, this one{' '}
            {durationText(result.timings.reduced_seconds)}.
          </p>
        </>
      )}
    </div>
  );
}
