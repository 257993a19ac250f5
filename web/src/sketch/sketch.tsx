// SPDX-License-Identifier: Apache-2.0
// Sketch: pull on the linear static model, keep the forces, and build a basis from the shapes under them.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { problemFrom, type Problem } from '../api/client';
import { fetchGallery, fetchModel } from '../api/gallery';
import { Ask } from '../gallery/ask';
import type { ViewProps } from '../main';
import { saveText } from '../make/download';
import { ProblemHere } from '../make/fields';
import '../make/make.css';
import '../make/parts.css';
import { BuildPart } from './build_part';
import { ByNumbers } from './by_numbers';
import { Compare } from './compare';
import { ForceList } from './force_list';
import { openSession, type SketchSession } from './session';
import './sketch.css';
import { SketchCanvas } from './sketch_canvas';
import { openStatics, type LinearStatics } from './statics';

function Forces({ session }: { session: SketchSession }) {
  const { forces, shown, together, statics, preview } = session;
  const asking = useSignal(false);
  const save = () => saveText(`${session.id}-sketch.json`, JSON.stringify({ forces: session.sketch() }, null, 1));
  return (
    <>
      <h2>Forces</h2>
      <label class="check" title="For twists and pinches: several pulls at once are one force">
        <input
          type="checkbox" checked={together.value} disabled={!forces.value.length}
          onChange={(event) => { together.value = event.currentTarget.checked; }}
        />
        Add the next pull to the last force
      </label>
      <ForceList
        forces={forces.value} inputVertices={statics.inputVertices} shown={shown.value} onChange={session.setForces}
        onShow={(place) => {
          preview.value = null;
          shown.value = place;
        }}
      />
      <details>
        <summary>Pull by numbers</summary>
        <ByNumbers statics={statics} onRecord={session.record} onPreview={(pull) => { preview.value = pull; }} />
      </details>
      {forces.value.length > 0 && (
        <div class="row">
          <button type="button" class="quiet" title="A file for limber build --basis sketch:FILE" onClick={save}>
            Save as a file
          </button>
          <button
            type="button" class="quiet" title="Remove all forces; asks first"
            onClick={() => { asking.value = true; }}
          >
            Clear
          </button>
        </div>
      )}
      {asking.value && (
        <Ask
          question="Remove all forces?" action="Remove them"
          consequence="The sketch starts over. Save it as a file first if you may want it again."
          onNo={() => { asking.value = false; }}
          onYes={() => {
            asking.value = false;
            session.setForces([]);
          }}
        />
      )}
    </>
  );
}

function Sketching({ id, title, statics }: { id: string; title: string; statics: LinearStatics }) {
  const session = useMemo(() => openSession(id, title, statics), [id, statics]);
  useEffect(() => {
    session.findBuild();
    return () => session.work.leave();
  }, [session]);
  const job = session.work.job.value;
  return (
    <>
      <section class="make sketch">
        <div class="make-panel">
          <div class="make-step stack">
            <h1>Sketch: {title}</h1>
            <p>
              Drag the body the ways that matter to you. It answers as a linear body would, at once. The shapes that the
              real body takes under these forces become its new coordinates.
            </p>
            <Forces session={session} />
            <BuildPart session={session} />
          </div>
        </div>
        <SketchCanvas session={session} />
      </section>
      {job?.state === 'done' && job.result && (
        <div class="page"><Compare id={id} before={statics.info} after={job.result} /></div>
      )}
    </>
  );
}

export default function Sketch({ id }: ViewProps) {
  const opened = useSignal<{ title: string; statics: LinearStatics } | null>(null);
  const problem = useSignal<Problem | null>(null);
  useEffect(() => {
    let gone = false;
    void (async () => {
      try {
        const [gallery, file] = await Promise.all([fetchGallery(), fetchModel(id)]);
        const statics = await openStatics(file);
        if (!gone) opened.value = { title: gallery.models.find((model) => model.id === id)?.title ?? id, statics };
      } catch (error) {
        if (!gone) problem.value = problemFrom(error);
      }
    })();
    return () => { gone = true; };
  }, [id]);
  const now = opened.value;
  if (problem.value)
    return (
      <section class="page">
        <h1>Sketch</h1>
        <ProblemHere problem={problem.value} />
        <p><a href="#/">Gallery</a></p>
      </section>
    );
  if (!now) return <p class="loading" role="status">Loading the model …</p>;
  if (now.statics.info.free_body)
    return (
      <section class="page">
        <h1>Sketch: {now.title}</h1>
        <p>
          This body is not held anywhere: under a steady force it would fly off instead of bending. Make it again with
          something held, then sketch.
        </p>
        <p><a class="button" href="#/make">Make a model</a></p>
      </section>
    );
  return <Sketching id={id} title={now.title} statics={now.statics} />;
}
