// SPDX-License-Identifier: Apache-2.0
// How richly the body shall move, its name, and the build.
import { signal } from '@preact/signals';
import { problemFrom, type Problem } from '../api/client';
import { startJob } from '../api/jobs';
import { Choice, NumberField, ProblemHere, TextField } from './fields';
import { buildRequest, change, checked, fixedVertices, flow, obstacles, type StepName } from './flow';
import { count, sizeInWords, youngText } from './words';

const problem = signal<Problem | null>(null);
const starting = signal(false);

async function build(): Promise<void> {
  starting.value = true;
  problem.value = null;
  try {
    location.hash = `#/make/${await startJob(buildRequest(flow.value))}`;
  } catch (error) {
    problem.value = problemFrom(error);
  } finally {
    starting.value = false;
  }
}

const kTitles: Record<StepName, string> = {
  mesh: 'Mesh',
  inside: 'Inside',
  hold: 'Hold',
  material: 'Material',
  motion: 'Motion',
};

export function MotionStep() {
  const { modes, rank, basis, name, material, groups } = flow.value;
  const inTheWay = obstacles(flow.value);
  const held = fixedVertices.value?.count ?? 0;
  return (
    <>
      <TextField
        label="Name of the model"
        hint="Shown in the gallery"
        value={name}
        onValue={(value) => change({ name: value })}
      />
      <div class="material-grid">
        <NumberField
          label="Vibration modes"
          whole
          min={1}
          max={200}
          value={modes}
          onValue={(value) => change({ modes: value ?? 20 })}
          hint="The small motions that the large ones are made of; 20 is plenty"
        />
        <NumberField
          label="Coordinates (rank)"
          whole
          min={1}
          max={120}
          value={rank}
          onValue={(value) => change({ rank: value ?? 30 })}
          hint={
            rank > 60
              ? 'A step costs with its fourth power: this is slow'
              : 'More follow finer bends; 15 to 40 run at thousands of steps a second'
          }
        />
      </div>
      <Choice
        legend="Shapes that it can take"
        value={basis}
        onValue={(value) => change({ basis: value })}
        options={[
          { value: 'modal-derivatives', label: 'For large bends', text: ' modes and their derivatives' },
          { value: 'modes', label: 'Modes alone', text: ' too stiff in large bends; to see the difference' },
        ]}
      />
      <section class="summary" aria-label="What will be built">
        <h3>What will be built</h3>
        <p>
          {checked.value ? `A body ${sizeInWords(checked.value.result.longest)}, ` : ''}of {youngText(material.young)}
          {groups.length > 0 && ` and ${count(groups.length, 'other material')}`},{' '}
          {held > 0 ? `held at ${count(held, 'vertex', 'vertices')}` : 'not held anywhere'}.
        </p>
      </section>
      {inTheWay.length > 0 && (
        <ul class="problems">
          {inTheWay.map(({ step, text }) => (
            <li key={text}>
              {text}{' '}
              <button type="button" class="quiet" onClick={() => change({ step })}>
                Go to {kTitles[step]}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <button
          type="button"
          class="primary large"
          disabled={starting.value || inTheWay.length > 0}
          onClick={() => void build()}
          title="Computes the model; it goes on when you close the page"
        >
          Build the model
        </button>
      </div>
      {problem.value && <ProblemHere problem={problem.value} />}
    </>
  );
}
