// SPDX-License-Identifier: Apache-2.0
// What the page says: to screen readers (aria-live), and errors to everybody with what to do about them.
import { signal } from '@preact/signals';
import { problemFrom, type Problem } from '../api/client';

const spoken = signal('');
const shown = signal<Problem | null>(null);

/** Tells screen readers a short sentence. */
export function announce(text: string): void {
  spoken.value = text;
}

/** Shows an error until it is dismissed, or until the next view. */
export function showProblem(error: unknown): void {
  shown.value = problemFrom(error);
}

export function clearProblem(): void {
  shown.value = null;
}

export function ProblemText({ problem }: { problem: Problem }) {
  return (
    <>
      <strong>{problem.where ? `${problem.where}: ${problem.problem}` : problem.problem}</strong>
      {problem.try_this && <span class="try"> Try: {problem.try_this}</span>}
    </>
  );
}

/** The regions that speak; once on the page. */
export function Announcements() {
  return (
    <>
      <div class="visually-hidden" aria-live="polite" id="spoken">{spoken}</div>
      <div class="alerts" role="alert">
        {shown.value && (
          <div class="alert">
            <p><ProblemText problem={shown.value} /></p>
            <button type="button" class="quiet" onClick={clearProblem} title="Hide this message">Dismiss</button>
          </div>
        )}
      </div>
    </>
  );
}
