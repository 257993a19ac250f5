// SPDX-License-Identifier: Apache-2.0
// Run, step, reset, slow motion, undo; and the meter.
import type { Player } from '../sim/player';
import { shortTimeText } from '../page/format';

export const kSpeeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50] as const;

export function Transport({ player, poking, onReset, onDrop, onPoke, onFrame, onKeys }: {
  player: Player; poking: boolean; onReset: () => void; onDrop: () => void; onPoke: () => void; onFrame: () => void; onKeys: () => void;
}) {
  const running = player.running.value;
  return (
    <div class="transport" role="toolbar" aria-label="Simulation">
      <button type="button" class="primary" title={running ? 'Pause (Space)' : 'Run (Space)'} aria-keyshortcuts="Space"
              onClick={() => { player.running.value = !running; }}>{running ? 'Pause' : 'Run'}</button>
      <button type="button" title="One step (.)" aria-keyshortcuts="." disabled={running}
              onClick={() => void player.step(1)}>Step</button>
      <button type="button" title="Reset to rest (R)" aria-keyshortcuts="R" onClick={onReset}>Reset</button>
      <button type="button" title="All bodies fall on a floor (D)" aria-keyshortcuts="D" onClick={onDrop}>Drop it</button>
      <button type="button" title="Press a ball against the body with the pointer (B)" aria-keyshortcuts="B" aria-pressed={poking}
              onClick={onPoke}>Poke</button>
      <label title="Simulated seconds per second; below 1 is slow motion">
        <span class="visually-hidden">Speed</span>
        <select value={String(player.speed.value)}
                onChange={(event) => { player.speed.value = Number(event.currentTarget.value); }}>
          {kSpeeds.map((speed) => <option key={speed} value={String(speed)}>{speed}×</option>)}
        </select>
      </label>
      <span class="gap" />
      <button type="button" title="Undo the last change of the settings (Ctrl+Z)" aria-keyshortcuts="Control+Z"
              disabled={!player.canUndo.value} onClick={() => void player.undo()}>Undo</button>
      <button type="button" title="Redo (Ctrl+Shift+Z)" aria-keyshortcuts="Control+Shift+Z"
              disabled={!player.canRedo.value} onClick={() => void player.redo()}>Redo</button>
      <button type="button" title="Frame the whole body (F)" aria-keyshortcuts="F" onClick={onFrame}>Frame</button>
      <button type="button" title="List of keys (?)" aria-label="Keys" aria-keyshortcuts="?" onClick={onKeys}>?</button>
    </div>
  );
}

function rate(stepsPerSecond: number): string {
  return Math.round(stepsPerSecond).toLocaleString('en');
}

/** Small and quiet, unless the machine is too slow. */
export function Meter({ player }: { player: Player }) {
  const frame = player.frame.value;
  if (!frame) return null;
  const { pace, time, bodies } = frame;
  const asked = player.speed.value;
  const slow = player.running.value && pace.share < 0.95;
  const unsolved = frame.contact && frame.contact.not_converged > 0;
  const stopped = bodies.find((body) => body.report && !body.report.converged);
  return (
    <dl class="meter" aria-label="Performance">
      <div title="Simulated time"><dt>time</dt><dd>{time.toFixed(2)} s</dd></div>
      <div title="CPU time of one step of all bodies"><dt>step</dt>
        <dd>{pace.stepMicroseconds > 0 ? shortTimeText(1e-6 * pace.stepMicroseconds) : '–'}</dd></div>
      <div title="Steps per second"><dt>steps/s</dt><dd>{player.running.value ? rate(pace.stepsPerSecond) : '–'}</dd></div>
      <div title="Unused part of the CPU time available for steps"><dt>CPU headroom</dt><dd>{(100 * pace.idle).toFixed(0)}%</dd></div>
      {slow && <div class="slow"><dt>too slow</dt><dd>{(asked * pace.share).toFixed(asked * pace.share < 0.1 ? 3 : 1)}× real time</dd></div>}
      {bodies.length > 1 && <div title="Bodies in the world. Bodies at rest sleep: they are not stepped."><dt>bodies</dt>
        <dd>{bodies.length}{frame.contact && frame.contact.asleep > 0 ? `, ${frame.contact.asleep} asleep` : ''}</dd></div>}
      {unsolved && <div class="slow"><dt>contact</dt><dd>not solved: reduce the time step</dd></div>}
      {stopped?.report && <div class="slow"><dt>solver</dt><dd>{kProblems[stopped.report.problem]}</dd></div>}
    </dl>
  );
}

const kProblems = {
  none: 'did not converge',
  'time-step': 'the time step is too large: reduce it',
  'not-solved': 'a step did not converge: reduce the time step',
  'blow-up': 'unstable and stopped: reset, then reduce the time step or the pull',
};
