// SPDX-License-Identifier: Apache-2.0
// A job that a part of the page waits for: how far it is, what became of it, and what went wrong.
import { signal, type ReadonlySignal } from '@preact/signals';
import { announce } from '../page/announce';
import { ApiError, problemFrom, type Problem } from '../api/client';
import { cancelJob, followJob, isOver, type Job } from '../api/jobs';

export interface Work<Result> {
  readonly job: ReadonlySignal<Job<Result> | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** Starts a job and follows it; what was followed before is let go, not cancelled. Null: it has no result. */
  run(start: () => Promise<string>): Promise<Result | null>;
  /** Follows a job that runs already, or is over. */
  follow(id: string): Promise<Result | null>;
  cancel(): Promise<void>;
  /** Follows nothing any more. */
  leave(): void;
}

function say(job: Job<unknown>, before: Job<unknown> | null): void {
  const title = job.title || job.kind;
  if (job.state === 'done') announce(`${title}: done`);
  else if (job.state === 'failed') announce(`${title}: failed. ${job.error?.problem ?? ''}`);
  else if (job.state === 'cancelled') announce(`${title}: cancelled`);
  else if (job.state === 'queued' && before?.place !== job.place)
    announce(`${title}: number ${job.place} in the queue`);
  else if (job.state === 'running' && before?.stage !== job.stage) announce(`${title}: ${job.stage || 'started'}`);
}

export function createWork<Result>(): Work<Result> {
  const job = signal<Job<Result> | null>(null);
  const problem = signal<Problem | null>(null);
  let following = new AbortController();

  const letGo = () => {
    following.abort();
    following = new AbortController();
    job.value = null;
    problem.value = null;
  };

  const attend = async (start: () => Promise<string>): Promise<Result | null> => {
    letGo();
    const { signal: stop } = following;
    try {
      const id = await start();
      stop.throwIfAborted();
      const end = await followJob<Result>(
        id,
        (seen) => {
          say(seen, job.value);
          job.value = seen;
        },
        stop,
      );
      if (end.state === 'failed')
        problem.value = end.error ?? {
          where: end.title,
          problem: 'it failed without a reason',
          try_this: 'start it again',
        };
      return end.state === 'done' ? end.result : null;
    } catch (error) {
      if (!stop.aborted) problem.value = problemFrom(error);
      return null;
    }
  };

  return {
    job,
    problem,
    run: attend,
    follow: (id) => attend(() => Promise.resolve(id)),
    leave: letGo,
    async cancel() {
      const running = job.value;
      if (!running || isOver(running.state)) return;
      try {
        await cancelJob(running.id);
      } catch (error) {
        // It may have ended meanwhile; then there is nothing to cancel.
        if (!(error instanceof ApiError && error.status === 404)) problem.value = problemFrom(error);
      }
    },
  };
}
