// SPDX-License-Identifier: Apache-2.0
// The build of a basis from the recorded forces.
import { ProblemHere } from '../panels/fields';
import { JobProgress } from '../panels/job_progress';
import { count } from '../page/format';
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
        <legend>Additional shapes per force</legend>
        <label class="check">
          <input
            type="checkbox" checked={extras.value.onTheWay}
            onChange={(event) => set({ onTheWay: event.currentTarget.checked })}
          />
          at 1/3 and 2/3 of the force
        </label>
        <label class="check">
          <input
            type="checkbox" checked={extras.value.otherWay}
            onChange={(event) => set({ otherWay: event.currentTarget.checked })}
          />
          in the opposite direction
        </label>
        <p class="hint">More shapes capture how the deformation changes with the size and the sign of the force.</p>
      </fieldset>
      <div>
        <button
          type="button" class="primary large" disabled={!forces.value.length || busy}
          onClick={() => void session.build()}
          title="Solves the full model under these forces and builds a basis from the shapes"
        >
          Build a basis from these forces
        </button>
        {forces.value.length > 0 && <p class="hint">{count(session.sketch().length, 'shape')} to solve.</p>}
      </div>
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
    </>
  );
}

/** How far the build is, over the picture: in sight wherever the panel is scrolled to. */
export function BuildProgress({ session }: { session: SketchSession }) {
  const { work } = session;
  const job = work.job.value;
  if (!job || job.state === 'failed') return null;
  const busy = job.state === 'running' || job.state === 'queued';
  return (
    <div class="build-progress">
      {busy && <JobProgress job={job} onCancel={() => void work.cancel()} />}
      {job.state === 'cancelled' && <p role="status">The build was cancelled.</p>}
      {job.state === 'done' && job.result && (
        <p class="good-news" role="status">
          Built: {count(job.result.info.rank, 'coordinate')}.{' '}
          <a href="#before-and-after" onClick={(event) => {
            event.preventDefault();
            document.getElementById('before-and-after')?.scrollIntoView();
          }}>Compare before and after</a>
        </p>
      )}
    </div>
  );
}
