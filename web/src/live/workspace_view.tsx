// SPDX-License-Identifier: Apache-2.0
// The stage with its model, transport and keys; what stands beside it is up to the view.
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce, ProblemText, showProblem } from '../page/announce';
import { problemFrom, type Problem } from '../api/client';
import type { GalleryModel } from '../api/gallery';
import { buildGalleryModel } from '../api/jobs';
import { forceText } from '../page/format';
import { remember } from '../view/history';
import { dropIt, togglePoke } from '../panels/contact_panel';
import { cancelFreeing, freeing, leaveFreeing } from '../panels/free_models';
import { JobProgress } from '../panels/job_progress';
import { createWork } from '../panels/work';
import { Meter, Transport } from '../panels/transport';
import { toggleRecording } from '../panels/recording_panel';
import { setLive } from './test_hook';
import { length, type Vec3 } from '../sim/vector';
import type { Workspace } from '../view/workspace';
import { asksForKeys, KeysDialog, kWorkspaceKeys } from '../view/keys';
import { LiveScene, type Grasp } from '../view/live_scene';
import { Loading } from '../view/loading';
import { ConstraintGizmos } from '../view/constraints';
import { Poking } from '../view/poking';
import { Pulling } from '../view/pulling';
import { openSession, type Session } from '../view/session';
import '../panels/parts.css';
import './workspace.css';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

// Keys that work anywhere in the view, but where they mean something to a control.
function handleKey(event: KeyboardEvent, workspace: Workspace): void {
  const { player } = workspace.session;
  if (isTyping(event.target)) return;
  const onStage = event.target === workspace.live.stage.renderer.domElement;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (command && key === 'z') void (event.shiftKey ? player.redo() : player.undo());
  else if (command && key === 'y') void player.redo();
  else if (command || event.altKey) return;
  else if (onStage && workspace.poking.key(event)) workspace.poking.send();
  else if (onStage && workspace.pulling.key(event)) workspace.pulling.send();
  else if (key === ' ' && (onStage || event.target === document.body)) player.running.value = !player.running.value;
  else if (key === '.' && !player.running.value) void player.step(1);
  else if (key === 'r') void reset(workspace);
  else if (key === 'f') workspace.live.frame();
  else if (key === 'd') void dropIt(workspace).catch(showProblem);
  else if (key === 'b') togglePoke(workspace);
  else return;
  event.preventDefault();
}

export async function reset({ pulling, poking, session }: Workspace): Promise<void> {
  pulling.release();
  poking.release();
  await session.player.reset();
  announce('Reset to rest.');
}

function open(host: HTMLElement, session: Session): Workspace {
  const live = new LiveScene(host, session.player, session.display, session.entry.motion ?? null);
  const pulling = new Pulling(live);
  const gizmos = new ConstraintGizmos(live, session.constraints);
  const poking = new Poking(live, pulling);
  const workspace: Workspace = { session, live, pulling, poking, gizmos, notice: signal(''), probe: { vertex: null } };
  const tick = live.stage.onFrame;
  live.stage.onFrame = (now) => {
    pulling.send();
    poking.send();
    tick(now);
    gizmos.visible = live.pose === null;
    if (live.pose) pulling.placeMarker();
  };
  pulling.blocked = (event) => gizmos.owns(event);
  pulling.onClick = (tool, grasp: Grasp) => {
    if (tool === 'constrain' && live.views[grasp.body].method === 'warp') gizmos.add(grasp);
    else if (tool === 'constrain') announce('Only warped bodies take constraints.');
    if (tool === 'probe') {
      session.player.selected.value = live.views[grasp.body].name;
      workspace.probe.vertex = grasp.vertex;
      session.history.samples.length = 0;
      pulling.choose(grasp);
      pulling.tool.value = 'pull';
      announce(`The displacement of vertex ${grasp.vertex} is plotted.`);
    }
  };
  live.onArranged = () => {
    pulling.forget();
    gizmos.rearrange();
  };
  live.onMoved = () => {
    pulling.placeMarker();
    poking.follow();
    const frame = session.player.frame.value;
    if (!frame) return;
    const { vertex } = workspace.probe;
    const view = live.views[live.selected];
    const rest = view.parts.model.positions;
    const moved = vertex === null || 3 * vertex >= rest.length ? null : (coordinates: Float64Array): Vec3 => {
      const at = view.positionAt(vertex, coordinates);
      return [at.x - rest[3 * vertex], at.y - rest[3 * vertex + 1], at.z - rest[3 * vertex + 2]];
    };
    remember(session.history, frame, view.name, moved);
  };
  return workspace;
}

// Without a stage nothing ticks, so the simulation waits for the next one.
function close({ live, pulling, poking, gizmos }: Workspace): void {
  setLive(null);
  leaveFreeing();
  pulling.release();
  poking.dispose();
  pulling.tool.value = 'pull';
  gizmos.dispose();
  pulling.dispose();
  live.dispose();
}

/** Loads the model and shows it; `children` get the workspace when it stands. */
export function WorkspaceView({ id, label, children }: {
  id: string; label: string; children: (workspace: Workspace) => ComponentChildren;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [workspace, setWorkspace] = useState<Workspace | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [lost, setLost] = useState(false);
  const [read, setRead] = useState<{ done: number; all: number } | null>(null);
  const [keys, setKeys] = useState(false);
  const work = useMemo(() => createWork<unknown>(), [id]);
  const job = work.job.value;
  // What was built is read next.
  const busy = job && job.state !== 'done' ? job : null;

  useEffect(() => {
    let gone = false;
    let opened: Workspace | null = null;
    let began = performance.now();
    const build = async (entry: GalleryModel) => {
      const done = await work.run(async () => (entry.state === 'building' && entry.job ? entry.job : buildGalleryModel(id)));
      began = performance.now();
      return done !== null;
    };
    setRead(null);
    openSession(id, build, (done, all) => { if (!gone) setRead({ done, all }); }).then((session) => {
      work.leave();
      if (gone || !host.current || !session) return;
      opened = open(host.current, session);
      describe(opened, label);
      opened.live.stage.onContext = (isLost) => {
        setLost(isLost);
        if (!isLost) opened?.live.redraw();
      };
      opened.live.redraw();
      setWorkspace(opened);
      setLive(opened, performance.now() - began);
    }).catch((error: unknown) => {
      if (!gone) setProblem(problemFrom(error));
    });
    return () => {
      gone = true;
      work.leave();
      if (opened) close(opened);
    };
  }, [id]);

  useEffect(() => {
    if (!workspace) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (asksForKeys(event) && !isTyping(event.target)) setKeys(true);
      else handleKey(event, workspace);
    };
    addEventListener('keydown', listen);
    // A hidden tab draws nothing, so it steps nothing; when it comes back the time between does not count.
    const stopTitle = effect(() => {
      document.title = `${workspace.session.title} · limber studio`;
    });
    return () => {
      removeEventListener('keydown', listen);
      stopTitle();
    };
  }, [workspace]);

  return (
    <div class="workspace">
      <div class="stage-area">
        <div class="stage-host" ref={host} />
        {!workspace && !problem && !busy && !work.problem.value && <Loading read={read} />}
        {!workspace && !work.problem.value && busy && (
          <div class="stage-note building">
            <JobProgress job={busy} onCancel={() => void work.cancel()} />
            {busy.state === 'cancelled' && <a class="button" href="#/">Back to the gallery</a>}
          </div>
        )}
        {work.problem.value && <div class="stage-note problem" role="alert"><p><ProblemText problem={work.problem.value} /></p>
          <a class="button" href="#/">Back to the gallery</a></div>}
        {problem && <div class="stage-note problem" role="alert"><p><ProblemText problem={problem} /></p>
          <a class="button" href="#/">Back to the gallery</a></div>}
        {lost && <p class="stage-note" role="alert">The graphics context was lost. It is restored automatically; the
          simulation continues.</p>}
        {workspace && freeing.value && (
          <div class="stage-note building">
            <p>It has fixed parts. To fall as a soft body it needs a free variant, which is built once.</p>
            <JobProgress job={freeing.value} onCancel={cancelFreeing} />
          </div>
        )}
        {workspace && <StageCorner workspace={workspace} />}
        {workspace && <Transport player={workspace.session.player} poking={workspace.pulling.tool.value === 'poke'}
                                 onDrop={() => void dropIt(workspace).catch(showProblem)} onPoke={() => togglePoke(workspace)}
                                 onReset={() => void reset(workspace).catch(showProblem)}
                                 onFrame={() => workspace.live.frame()} onKeys={() => setKeys(true)} />}
        {keys && <KeysDialog keys={kWorkspaceKeys} onClose={() => setKeys(false)} />}
      </div>
      <div class="side">{workspace && children(workspace)}</div>
    </div>
  );
}

function describe({ live }: Workspace, label: string): void {
  const canvas = live.stage.renderer.domElement;
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', label);
  canvas.setAttribute('aria-roledescription', '3D view');
  canvas.setAttribute('aria-describedby', 'stage-keys');
}

function StageCorner({ workspace }: { workspace: Workspace }) {
  const { session, live, pulling, poking } = workspace;
  const { player } = session;
  const frame = player.frame.value;
  const force = frame?.bodies.find(({ name }) => name === player.body.value.name)?.force;
  return (
    <>
      <div class="corner">
        <Meter player={player} />
        {live.cpuReason && <p class="chip">Drawn by the CPU: {live.cpuReason}.</p>}
        {frame?.recording && <button type="button" class="chip recording" title="Stop recording"
          onClick={() => void toggleRecording(session)}>● Recording: stop</button>}
        {pulling.tool.value === 'constrain' && <p class="chip">Click the body to constrain a vertex.</p>}
        {pulling.tool.value === 'poke' && <p class="chip">{poking.pressing.value
          ? `Force on the ball: ${forceText(poking.force.value)}` : 'Press the ball against a body. Drag to move it.'}</p>}
        {pulling.tool.value === 'probe' && <p class="chip">Click the body to pick a vertex.</p>}
      </div>
      {workspace.notice.value && (
        <p class="chip notice" role="status">{workspace.notice.value}{' '}
          <button type="button" class="quiet" title="Hide this message" onClick={() => { workspace.notice.value = ''; }}>Dismiss</button></p>
      )}
      {(pulling.pulling.value || poking.pressing.value) && !player.running.value && (
        <p class="chip paused" role="status">Paused: press Run (Space) to move it.</p>
      )}
      <p class="visually-hidden" id="stage-keys">
        Arrow keys choose a vertex, Enter pulls it, arrow keys then move the end of the spring, Enter or Escape releases it.
        Space runs and pauses, full stop makes one step, R resets, F frames the body, D drops it on a floor, B gives the
        pointer a ball to poke it with, question mark lists all keys.
        {force ? ` Pulling with ${forceText(length(force))}.` : ''}
      </p>
    </>
  );
}
