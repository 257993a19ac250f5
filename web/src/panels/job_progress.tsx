// SPDX-License-Identifier: Apache-2.0
// How far a job is: a bar for each stage, the place in the queue, and a button that cancels it. work.ts announces it.
import type { Job } from '../api/jobs';
import { durationText } from '../page/format';

// The parts of a build as people see them, and the program's stages in each: which part of the bar they fill. A stage
// that is not here belongs to the part before it.
const kBuild: { name: string; stages: Record<string, [number, number]> }[] = [
  {
    name: 'Elements',
    stages: {
      starting: [0, 0], reading: [0, 0.2], 'filling the surface': [0.2, 1], 'checking the volume': [0.2, 1], cutting: [0.8, 1],
    },
  },
  // Those of all domains of a tree are one stage.
  { name: 'Vibration modes', stages: { matrices: [0, 0.1], factorisation: [0.1, 0.4], eigenvectors: [0.4, 1], domains: [0, 1] } },
  {
    name: 'Shapes of large deformation',
    stages: {
      basis: [0, 0],
      'quadratic forces': [0, 0.2],
      'modal derivatives': [0.4, 0.6],
      'mass-PCA': [0.6, 1],
      'static shapes of the sketch': [0, 1],
    },
  },
  { name: 'Forces', stages: { reduction: [0, 1] } },
  { name: 'Model file', stages: { surface: [0, 0.2], writing: [0.2, 0.6], picture: [0.6, 1] } },
];

interface Row {
  name: string;
  /** Seconds where it is done. */
  seconds: number | null;
  fraction: number;
  state: 'done' | 'now' | 'later';
}

/** Stages as the program names them, for jobs of a few seconds. */
function plainRows(job: Job<unknown>): Row[] {
  const rows: Row[] = job.stages.map(({ name, seconds }) => ({ name, seconds, fraction: 1, state: 'done' }));
  if (job.state === 'running' && job.stage)
    rows.push({ name: job.stage, seconds: null, fraction: job.fraction, state: 'now' });
  return rows;
}

function buildRows(job: Job<unknown>): Row[] {
  const spent = kBuild.map(() => 0);
  let part = 0;
  let filled = 0;
  const enter = (name: string, fraction: number) => {
    // A stage of the same name may come again in a later part: parts do not run backwards.
    const found = kBuild.findIndex(({ stages }, i) => i >= part && name in stages);
    if (found > part) [part, filled] = [found, 0];
    const [from, to] = kBuild[part].stages[name] ?? [filled, filled];
    filled = Math.max(filled, from + fraction * (to - from));
  };
  for (const { name, seconds } of job.stages) {
    enter(name, 1);
    spent[part] += seconds;
  }
  if (job.state === 'running' && job.stage) enter(job.stage, job.fraction);
  const begun = job.state === 'running';
  return kBuild.map(({ name }, i) => ({
    name,
    seconds: i < part ? spent[i] : null,
    fraction: i < part ? 1 : i === part && begun ? filled : 0,
    state: i < part ? 'done' : i === part && begun ? 'now' : 'later',
  }));
}

const kStates = { done: 'done', now: 'running', later: 'waiting' };

export function JobProgress({ job, onCancel }: { job: Job<unknown>; onCancel?: () => void }) {
  const running = job.state === 'running' || job.state === 'queued';
  return (
    <div class="job" data-state={job.state}>
      <div class="row spread">
        <strong class="job-title">{job.title}</strong>
        <span class="muted number">
          {job.state === 'queued'
            ? `waiting, number ${job.place} in the queue`
            : job.state === 'running'
              ? durationText(job.seconds)
              : job.state}
        </span>
      </div>
      <ol class="stages">
        {(job.kind === 'build' ? buildRows(job) : plainRows(job)).map((row, i) => (
          <li key={i} data-state={row.state}>
            <span class="stage-name">{row.name}</span>
            <progress max={1} value={row.fraction} aria-label={`${row.name}: ${kStates[row.state]}`} />
            <span class="stage-time number">
              {row.seconds !== null
                ? durationText(row.seconds)
                : row.state === 'now'
                  ? `${Math.round(100 * row.fraction)}%`
                  : ''}
            </span>
          </li>
        ))}
      </ol>
      {job.state === 'queued' && (job.kind === 'build' || job.kind === 'validate') && (
        <p class="hint">One build runs at a time. This one starts by itself; you can close the page.</p>
      )}
      {running && onCancel && (
        <button type="button" onClick={onCancel} title="End this job">
          Cancel
        </button>
      )}
    </div>
  );
}
