// SPDX-License-Identifier: Apache-2.0
// The body of a sketch in the page: what it shows follows the session, what the pointer pulls goes into it.
import { effect, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../page/announce';
import { problemFrom, type Problem } from '../api/client';
import { forceText } from '../page/format';
import { kLookingHelp, lookByKey, LookButtons, PictureTrouble } from '../make/looking';
import { length } from '../sim/vector';
import { asksForKeys, KeysDialog, kSketchKeys } from '../view/keys';
import '../live/workspace.css';
import type { SketchSession } from './session';
import { SketchScene } from './sketch_scene';
import type { Pull } from './statics';

/** A previewed pull, or the chosen force, bends the body; else it is at rest, with all forces on it. */
function follow(scene: SketchScene, session: SketchSession): () => void {
  const { forces, shown, preview, together } = session;
  return effect(() => {
    scene.staying = together.value ? (forces.value.at(-1)?.pulls ?? []) : [];
    const one = preview.value
      ? [preview.value].filter(({ force }) => length(force) > 0)
      : shown.value === null ? null : (forces.value[shown.value]?.pulls ?? null);
    scene.show(one ?? scene.staying, one ?? forces.value.flatMap(({ pulls }) => pulls));
    scene.mark(preview.value?.vertex ?? null);
  });
}

export function SketchCanvas({ session, children }: { session: SketchSession; children: ComponentChildren }) {
  const host = useRef<HTMLDivElement>(null);
  const scene = useRef<SketchScene | null>(null);
  const pulling = useSignal<Pull | null>(null);
  const problem = useSignal<Problem | null>(null);
  const lost = useSignal(false);
  const keys = useSignal(false);
  useEffect(() => {
    try {
      scene.current = new SketchScene(host.current!, session.statics);
    } catch (error) {
      problem.value = problemFrom(error);
      return;
    }
    const made = scene.current;
    made.stage.onContext = (gone) => { lost.value = gone; };
    made.onPull = (pull) => { pulling.value = pull; };
    made.onRecord = (pull) => session.record(pull);
    made.onHeld = () => announce('This vertex is fixed: it cannot be pulled.');
    const stop = follow(made, session);
    return () => {
      stop();
      made.dispose();
      scene.current = null;
    };
  }, [session]);
  return (
    <div class="mesh-view">
      <div
        ref={host} class="mesh-host" tabIndex={0} role="application"
        aria-label={`The body. Drag it to pull. ${kLookingHelp} To pull by keys, open “Pull by numbers”.`}
        onKeyDown={(event) => {
          if (asksForKeys(event)) keys.value = true;
          else if (scene.current) lookByKey(scene.current.stage, event);
        }}
      />
      {children}
      <PictureTrouble problem={problem.value} lost={lost.value} />
      {pulling.value && (
        <p class="pull-label number" aria-hidden="true">{forceText(length(pulling.value.force))}</p>
      )}
      <div class="view-bar">
        <LookButtons stage={() => scene.current?.stage ?? null} />
        <button type="button" class="keys-button" title="List of keys (?)" aria-label="Keys"
                onClick={() => { keys.value = true; }}>?</button>
      </div>
      {keys.value && <KeysDialog keys={kSketchKeys} onClose={() => { keys.value = false; }} />}
    </div>
  );
}
