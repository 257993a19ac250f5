// SPDX-License-Identifier: Apache-2.0
// How accurately the body moves, its name, and the build.
import { signal } from '@preact/signals';
import { problemFrom, type Problem } from '../api/client';
import { startJob } from '../api/jobs';
import { count, pressureText } from '../page/format';
import { Choice, NumberField, ProblemHere, TextField } from '../panels/fields';
import { buildRequest, change, checked, fixedVertices, flow, obstacles, up, type StepName } from './flow';
import { DomainsChoice } from './domains_choice';
import { sizeInWords } from './words';

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
  fill: 'Fill',
  fixed: 'Fixed parts',
  material: 'Material',
  motion: 'Motion',
};

export function MotionStep() {
  const { modes, rank, basis, cut, name, material, groups } = flow.value;
  const inTheWay = obstacles(flow.value);
  const held = fixedVertices.value?.count ?? 0;
  return (
    <>
      <TextField
        label="Model name"
        hint="Shown in the gallery"
        value={name}
        onValue={(value) => change({ name: value })}
      />
      <DomainsChoice />
      {cut === 'none' && <div class="material-grid">
        <NumberField
          label="Vibration modes"
          whole
          min={1}
          max={200}
          value={modes}
          onValue={(value) => change({ modes: value ?? 20 })}
          hint="Natural vibrations from which the shapes of large motions are computed. 20 is enough for most bodies."
        />
        <NumberField
          label="Shapes (rank)"
          whole
          min={1}
          max={120}
          value={rank}
          onValue={(value) => change({ rank: value ?? 30 })}
          hint={
            rank > 60
              ? 'Slow: the time of a step grows with the fourth power'
              : 'More shapes capture finer deformation; 15 to 40 run at thousands of steps per second'
          }
        />
      </div>}
      {cut === 'none' && <Choice
        legend="Basis"
        value={basis}
        onValue={(value) => change({ basis: value })}
        options={[
          { value: 'modal-derivatives', label: 'Modal derivatives', text: ' for large deformation' },
          { value: 'modes', label: 'Linear modes only', text: ' too stiff in large deformation; for comparison' },
        ]}
      />}
      <section class="summary" aria-label="Summary">
        <h3>Summary</h3>
        <p>
          {checked.value ? `A body ${sizeInWords(checked.value.result.longest)}, ` : ''}stiffness {pressureText(material.young)}
          {groups.length > 0 && ` and ${count(groups.length, 'other material')}`},{' '}
          {held > 0 ? `fixed at ${count(held, 'vertex', 'vertices')}` : 'nothing fixed'}, {up.value.replace('-', '−')} up.
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
          title="The build continues when you close the page"
        >
          Build
        </button>
      </div>
      {problem.value && <ProblemHere problem={problem.value} />}
    </>
  );
}
