// SPDX-License-Identifier: Apache-2.0
// A sketch in work: its forces, what is shown of them, and the build. All but the view of it survives a reload.
import { signal } from '@preact/signals';
import { announce } from '../page/announce';
import { startJob, type BuildResult, type SketchForce } from '../api/jobs';
import { keep, kept } from '../api/keep';
import { forceText } from '../page/format';
import { createWork } from '../panels/work';
import { length } from '../sim/vector';
import { keepSketch, keptSketch, rounded, sketchOf, type Extras, type Recorded } from './recorded';
import type { LinearStatics, Pull } from './statics';

export type SketchSession = ReturnType<typeof openSession>;

export function openSession(id: string, title: string, statics: LinearStatics) {
  const forces = signal<Recorded[]>(keptSketch(id));
  /** The place of the force that bends the body; null: none. */
  const shown = signal<number | null>(null);
  /** A pull by numbers that is not recorded yet. */
  const preview = signal<Pull | null>(null);
  /** The next pull belongs to the last force. */
  const together = signal(false);
  const extras = signal<Extras>({ onTheWay: true, otherWay: true });
  const work = createWork<BuildResult>();
  const jobKey = `sketch.job.${id}`;

  const setForces = (next: Recorded[]) => {
    forces.value = next;
    keepSketch(id, next);
    preview.value = null;
    if (shown.value !== null && shown.value >= next.length) shown.value = null;
    if (!next.length) together.value = false;
  };

  const sketch = (): SketchForce[] => sketchOf(forces.value, statics.inputVertices, extras.value);

  return {
    id, title, statics, forces, shown, preview, together, extras, work, setForces, sketch,

    record(pull: Pull): void {
      const one = rounded(pull);
      const last = together.value ? forces.value.at(-1) : undefined;
      if (last) setForces([...forces.value.slice(0, -1), { pulls: [...last.pulls, one] }]);
      else setForces([...forces.value, { pulls: [one] }]);
      shown.value = null;
      announce(`Recorded force ${forces.value.length}: ${forceText(length(pull.force))}`);
    },

    async build(): Promise<void> {
      await work.run(async () => {
        const job = await startJob({
          kind: 'build', from_model: id, name: `${title}, sketched`, method: 'both', sketch: sketch(),
        });
        keep(jobKey, job);
        return job;
      });
    },

    /** Follows a build that was started before a reload. */
    findBuild(): void {
      const job = kept<string>(jobKey);
      if (job) void work.follow(job);
    },
  };
}
