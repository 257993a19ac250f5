// SPDX-License-Identifier: Apache-2.0
// The build of a basis from the recorded forces.
import { ProblemHere } from '../make/fields';
import { JobProgress } from '../make/job_progress';
import { count } from '../make/words';
import type { Extras } from './recorded';
import type { SketchSession } from './session';

export function BuildPart({ session }: { session: SketchSession }) {
  const { forces, extras, work } = session;
  const job = work.job.value;
  const busy = job !== null && (job.state === 'running' || job.state === 'queued');
  const set = (part: Partial<Extras>) => { extras.value = { ...extras.value, ...part }; };
  return (
    <>
      <fieldset class="options">
        <legend>Also from each force</legend>
        <label class="check">
          <input
            type="checkbox" checked={extras.value.onTheWay}
            onChange={(event) => set({ onTheWay: event.currentTarget.checked })}
          />
          at a third and two thirds of it
        </label>
        <label class="check">
          <input
            type="checkbox" checked={extras.value.otherWay}
            onChange={(event) => set({ otherWay: event.currentTarget.checked })}
          />
          the other way round
        </label>
        <p class="hint">A bent body also shortens, and not the same on both sides; more shapes tell it so.</p>
      </fieldset>
      <div>
        <button
          type="button" class="primary large" disabled={!forces.value.length || busy}
          onClick={() => void session.build()}
          title="Solves the full body under these forces and builds a model from the shapes"
        >
          Build a basis from these
        </button>
        {forces.value.length > 0 && <p class="hint">{count(session.sketch().length, 'shape')} to solve.</p>}
      </div>
      {busy && <JobProgress job={job} onCancel={() => void work.cancel()} />}
      {job?.state === 'cancelled' && <p role="status">The build was cancelled.</p>}
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
      {job?.state === 'done' && job.result && (
        <p class="good-news" role="status">
          Built: {count(job.result.info.rank, 'coordinate')}. See “Before and after” below.
        </p>
      )}
    </>
  );
}
