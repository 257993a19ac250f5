// SPDX-License-Identifier: Apache-2.0
// The gallery: samples, models of the command line, and what the user made. Each opens in the live view.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isExport, problemFrom, type Problem } from '../api/client';
import { fetchGallery, type GalleryModel, type Limits } from '../api/gallery';
import { fetchJobs, type Job } from '../api/jobs';
import { bytesText } from '../page/format';
import type { ViewProps } from '../page/view_props';
import { ProblemHere } from '../panels/fields';
import { FilePicker } from '../make/incoming';
import { chooseScene } from '../panels/scene_panel';
import { showProblem } from '../page/announce';
import { JobProgress } from '../panels/job_progress';
import { Card } from './card';
import { setUp } from './set_up';
import './gallery.css';
import '../panels/parts.css';

const models = signal<GalleryModel[] | null>(null);
/** Builds of the user that wait or run, and are no cards yet. */
const builds = signal<Job[]>([]);
const limits = signal<Partial<Limits>>({});
const problem = signal<Problem | null>(null);

async function refresh(): Promise<void> {
  try {
    const [gallery, jobs] = await Promise.all([fetchGallery(), isExport ? [] : fetchJobs()]);
    const carded = new Set(gallery.models.map(({ job }) => job));
    models.value = gallery.models;
    limits.value = { cache: gallery.cache, queue: gallery.queue };
    builds.value = jobs.filter(
      ({ id, kind, state }) => kind === 'build' && (state === 'queued' || state === 'running') && !carded.has(id),
    );
    problem.value = null;
  } catch (error) {
    problem.value = problemFrom(error);
  }
}

// While the user's builds run, or the server still draws pictures, the list is looked at again so often, ms.
const kInterval = 1500;
// Pictures that are not there after so many looks do not come.
const kMostLooks = 80;

function Section({ title, text, entries }: { title: string; text: string; entries: GalleryModel[] }) {
  if (!entries.length) return null;
  return (
    <section class="gallery-part">
      <h2>{title}</h2>
      <p class="muted">{text}</p>
      <ul class="cards">
        {entries.map((model) => (
          <Card
            key={model.id}
            model={model}
            onChange={() => void refresh()}
            onRemake={model.upload && !isExport ? () => void setUp(model) : null}
          />
        ))}
      </ul>
    </section>
  );
}

function Builds() {
  if (!builds.value.length) return null;
  return (
    <section class="gallery-part">
      <h2>Builds in progress</h2>
      <ul class="cards">
        {builds.value.map((job) => (
          <li key={job.id} class="card">
            <JobProgress job={job} />
            <a class="button" href={`#/make/${job.id}`}>
              Show
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Used() {
  const { cache, queue } = limits.value;
  if (!cache || !queue) return null;
  return (
    <p class="muted">
      Models and uploads take {bytesText(cache.bytes)} of {bytesText(cache.limit)}.
      {cache.bytes > 0.9 * cache.limit && ' Remove models that are not needed.'}
      {queue.waiting > 0 && ` ${queue.waiting} of at most ${queue.limit} jobs wait.`}
    </p>
  );
}

export default function Gallery(_props: ViewProps) {
  useEffect(() => {
    // What went wrong on an earlier visit does not count now.
    problem.value = null;
    void refresh();
    let looks = 0;
    const timer = setInterval(() => {
      if (document.hidden) return;
      const undrawn = !isExport && looks < kMostLooks && models.value?.some(({ picture }) => !picture);
      if (undrawn) ++looks;
      if (undrawn || builds.value.length) void refresh();
    }, kInterval);
    return () => clearInterval(timer);
  }, []);
  const all = models.value;
  const of = (kind: GalleryModel['kind']) => all?.filter((model) => model.kind === kind) ?? [];
  return (
    <section class="page gallery">
      <h1>Soft bodies</h1>
      {!isExport && <FilePicker compact={false} />}
      <p>
        <button type="button" title="A .zip that the live view saved, or a scene file (.json) together with its models (.glb)"
                onClick={() => void chooseScene().catch(showProblem)}>Open a scene…</button>
      </p>
      {problem.value && (
        <ProblemHere problem={problem.value}>
          <button type="button" onClick={() => void refresh()}>
            Try again
          </button>
        </ProblemHere>
      )}
      {!all && !problem.value && <p class="loading">Loading…</p>}
      <Builds />
      {isExport ? (
        <Section title="Models" text="Open one and pull it." entries={all ?? []} />
      ) : (
        <>
          <Section title="Opened files" text="Files that the studio was started with." entries={of('given')} />
          <Section title="Your models" text="Newest first." entries={of('built')} />
          <Section title="Samples" text="Each is built when first opened, then stored." entries={of('sample')} />
          <Used />
        </>
      )}
    </section>
  );
}
