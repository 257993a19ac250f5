// SPDX-License-Identifier: Apache-2.0
// Models that can fall as soft bodies. One with fixed vertices is built again with nothing fixed: once, by the server, which
// keeps it in the gallery.
import { computed } from '@preact/signals';
import { isExport } from '../api/client';
import { fetchGallery } from '../api/gallery';
import { startJob, type BuildResult } from '../api/jobs';
import type { Player } from '../sim/player';
import { kSceneId, openModel } from '../view/session';
import type { Workspace } from '../view/workspace';
import { createWork } from './work';

const work = createWork<BuildResult>();

// A step in contact costs 0.3 ms with 20 coordinates and 0.9 ms with 30 (jelly box, WebAssembly).
const kMostRank = 20;

/** The build that a drop waits for; null: none. */
export const freeing = computed(() => {
  const job = work.job.value;
  return job && (job.state === 'queued' || job.state === 'running') ? job : null;
});

export function cancelFreeing(): void {
  void work.cancel();
}

/** Nobody waits for it any more; the server finishes it. */
export function leaveFreeing(): void {
  work.leave();
}

export interface FreeModels {
  /** What falls in place of a model: that model itself where it can fly, or where there is no other. */
  of: (model: string) => string;
  /** What falls, and why not otherwise. */
  remarks: string[];
}

/** Null: the user cancelled the build. */
export async function freeModels({ session: { id, player } }: Workspace, models: readonly string[]): Promise<FreeModels | null> {
  const found = new Map<string, string>(), remarks: string[] = [];
  for (const model of new Set(models)) {
    const { title, shown: { flight, info: { rank } } } = player.modelOf({ model });
    // A scene from a file has its own models: those of the gallery may be others.
    if (flight.soft || isExport || id.startsWith(kSceneId)) continue;
    const made = await buildFree(player, model, title, rank);
    if (made === 'cancelled') return null;
    if (typeof made === 'string') {
      found.set(model, made);
      remarks.push(`${title} falls as a soft body: the same model, built with nothing fixed.`);
    } else if (made) {
      remarks.push(`${title} cannot be built with nothing fixed: ${made.problem}.`);
    }
  }
  return { of: (model) => found.get(model) ?? model, remarks };
}

// The file of the model with nothing fixed; or why there is none.
async function buildFree(player: Player, model: string, title: string, rank: number): Promise<string | { problem: string } | null> {
  const from = model.replace(/\.glb$/, ''), name = `${title}, free`;
  const entry = (await fetchGallery()).models.find(({ id }) => id === from);
  if (!entry || (entry.kind !== 'sample' && !entry.upload && !entry.request?.sample)) return { problem: 'its mesh is not available' };
  const built = await work.run(() => startJob({
    kind: 'build', from_model: from, name, fix: ['none'], method: 'stvk', sketch: null, improve: null,
    ...(rank > kMostRank ? { rank: kMostRank } : {}),
  }));
  const problem = work.problem.value, cancelled = work.job.value?.state === 'cancelled';
  work.leave();
  if (!built) return cancelled ? 'cancelled' : problem && { problem: problem.problem };
  const { name: file } = await openModel(player, { id: built.id, title: name });
  return file;
}
