// SPDX-License-Identifier: Apache-2.0
// One model of the gallery: its picture, what it is, and one click that opens it; it is built first where it must be.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { isExport, pictureAddress } from '../api/client';
import type { GalleryModel } from '../api/gallery';
import { buildGalleryModel, deleteModel, type BuildResult } from '../api/jobs';
import { count } from '../page/format';
import { ProblemHere } from '../panels/fields';
import { JobProgress } from '../panels/job_progress';
import { createWork } from '../panels/work';
import { Ask } from './ask';

function Picture({ path }: { path: string | null }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let gone = false;
    if (path)
      pictureAddress(path).then(
        (found) => {
          if (gone) {
            if (!isExport) URL.revokeObjectURL(found);
            return;
          }
          made = found;
          setAddress(found);
          // Without a picture the card is as useful.
        },
        () => undefined,
      );
    return () => {
      gone = true;
      if (made && !isExport) URL.revokeObjectURL(made);
    };
  }, [path]);
  return (
    <span class="picture" aria-hidden="true">
      {address ? (
        <img src={address} alt="" decoding="async" />
      ) : (
        <svg viewBox="0 0 64 40">
          <path d="M6 30 C 18 6, 30 6, 34 20 S 50 34, 58 12" />
        </svg>
      )}
    </span>
  );
}

function facts(model: GalleryModel): string {
  const parts = [model.size];
  if (model.vertices > 0) parts.push(count(model.vertices, 'vertex', 'vertices'));
  if (model.rank > 0) parts.push(count(model.rank, 'coordinate'));
  return parts.filter(Boolean).join(' · ');
}

interface CardProps {
  model: GalleryModel;
  /** The list is another one now. */
  onChange: () => void;
  /** Makes a model of its mesh, with other choices; null: its mesh is not at hand. */
  onRemake: (() => void) | null;
}

export function Card({ model, onChange, onRemake }: CardProps) {
  const work = useMemo(() => createWork<BuildResult>(), [model.id]);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    // Found again after a reload: shown, but not opened by itself.
    if (model.state === 'building' && model.job && !work.job.value) void work.follow(model.job).then(onChange);
  }, [model.state, model.job]);
  useEffect(() => () => work.leave(), [work]);

  const open = async () => {
    if (await work.run(() => buildGalleryModel(model.id))) location.hash = `#/live/${model.id}`;
    else onChange();
  };
  const remove = async () => {
    setAsking(false);
    try {
      await deleteModel(model.id);
      announce(`${model.title} deleted.`);
      // Its button is gone: keys go on from the top of the list.
      document.getElementById('main')?.focus();
    } catch (error) {
      showProblem(error);
    }
    onChange();
  };

  const job = work.job.value;
  const building = job !== null && (job.state === 'queued' || job.state === 'running');
  const ready = model.state === 'ready' || job?.state === 'done';
  const face = (
    <>
      <Picture path={model.picture} />
      <span class="card-title">{model.title}</span>
    </>
  );
  return (
    <li class="model card" data-state={model.state} data-kind={model.kind}>
      <h3>
        {ready ? (
          <a class="open" href={`#/live/${model.id}`}>
            {face}
          </a>
        ) : (
          <button
            type="button"
            class="open"
            disabled={building}
            onClick={() => void open()}
            title="Build, then open"
          >
            {face}
          </button>
        )}
      </h3>
      {model.text && model.text !== model.title && <p>{model.text}</p>}
      {facts(model) && <p class="hint">{facts(model)}</p>}
      {building && <JobProgress job={job} onCancel={() => void work.cancel()} />}
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
      <div class="row spread card-end">
        <span class="state">
          {building
            ? 'Building'
            : ready
              ? 'Ready'
              : model.state === 'failed'
                ? 'Build failed'
                : 'Built when opened'}
        </span>
        <span class="row">
          {onRemake && (
            <button
              type="button"
              class="quiet"
              onClick={onRemake}
              title="Choose unit, fixed parts and material for this mesh"
            >
              {model.kind === 'given' ? 'Set up' : 'Remake'}
            </button>
          )}
          {model.kind === 'built' && !isExport && (
            <button
              type="button"
              class="quiet"
              aria-label={`Delete ${model.title}`}
              title="Delete this model"
              onClick={() => setAsking(true)}
            >
              Delete
            </button>
          )}
        </span>
      </div>
      {asking && (
        <Ask
          question={`Delete “${model.title}”?`}
          consequence="The model file is deleted; your mesh file stays. This cannot be undone."
          action="Delete"
          onYes={() => void remove()}
          onNo={() => setAsking(false)}
        />
      )}
    </li>
  );
}
