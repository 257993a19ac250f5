// SPDX-License-Identifier: Apache-2.0
// Sketch: pull on the linear static model, keep the forces, and build a basis from the shapes under them.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { problemFrom, type Problem } from '../api/client';
import { fetchGallery, fetchModel } from '../api/gallery';
import { Loading } from '../view/loading';
import { Ask } from '../gallery/ask';
import type { ViewProps } from '../page/view_props';
import { saveText } from '../make/download';
import { ProblemHere } from '../panels/fields';
import '../make/make.css';
import '../panels/parts.css';
import { BuildPart, BuildProgress } from './build_part';
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
      <label class="check" title="Several pulls act together, for twists and pinches">
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
          <button type="button" class="quiet" title="Save the forces as a sketch file" onClick={save}>
            Save
          </button>
          <button
            type="button" class="quiet" title="Remove all forces"
            onClick={() => { asking.value = true; }}
          >
            Clear
          </button>
        </div>
      )}
      {asking.value && (
        <Ask
          question="Remove all forces?" action="Remove them"
          consequence="This cannot be undone. Save the forces first to keep them."
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
              Drag the body as it will be loaded. The preview is linear. The full model is then solved under the recorded
              forces, and its shapes become the new basis.
            </p>
            <Forces session={session} />
            <BuildPart session={session} />
          </div>
        </div>
        <SketchCanvas session={session}><BuildProgress session={session} /></SketchCanvas>
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
  const read = useSignal<{ done: number; all: number } | null>(null);
  useEffect(() => {
    let gone = false;
    void (async () => {
      try {
        const [gallery, file] = await Promise.all([
          fetchGallery(), fetchModel(id, (done, all) => { if (!gone) read.value = { done, all }; }),
        ]);
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
  if (!now) return <div class="stage-area sketch-loading"><Loading read={read.value} /></div>;
  if (now.statics.info.free_body)
    return (
      <section class="page">
        <h1>Sketch: {now.title}</h1>
        <p>
          Nothing of this body is fixed. Under a constant force it would accelerate instead of bending, so there is no
          static shape. Make it again with a fixed part.
        </p>
        <p><a class="button" href="#/make">Make a model</a></p>
      </section>
    );
  return <Sketching id={id} title={now.title} statics={now.statics} />;
}
