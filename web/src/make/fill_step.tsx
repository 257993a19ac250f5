// SPDX-License-Identifier: Apache-2.0
// What fills the body: cubes or tetrahedra, how many, and a look at them.
import { problemFrom } from '../api/client';
import { startJob, type FillResult } from '../api/jobs';
import { showProblem } from '../announce';
import { count, durationText, lengthText, plain } from '../format';
import { Choice, NumberField, ProblemHere } from './fields';
import { change, checked, filled, fillingOf, fillKey, flow } from './flow';
import { JobProgress } from './job_progress';
import { fetchMesh } from './load_mesh';
import { showInside } from './mesh_canvas';
import { buildSeconds, cubesIn, thicknessOf } from './mesh_measure';
import { createWork } from './work';

// Where the check has proposed none.
const kCubes = 32;

export const filling = createWork<FillResult>();
/** The filling that was asked for last: a problem of another one is not shown. */
let asked = '';

export async function fill(): Promise<void> {
  const { upload, unit } = flow.value;
  if (!upload) return;
  const key = fillKey.value;
  asked = key;
  const result = await filling.run(() =>
    startJob({ kind: 'fill', upload: upload.id, unit, filling: fillingOf(flow.value) }),
  );
  if (!result) return;
  try {
    filled.value = {
      key,
      vertices: result.vertices,
      elements: result.elements,
      mesh: await fetchMesh(result.positions),
    };
    showInside.value = true;
  } catch (error) {
    showProblem(problemFrom(error));
  }
}

function Fineness({ longest, thickness }: { longest: number; thickness: number | null }) {
  const { filling: kind, maxVolume } = flow.value;
  const resolution = flow.value.resolution ?? kCubes;
  const side = longest / resolution;
  if (kind === 'voxels')
    return (
      <>
        <NumberField
          label="Cubes along the longest side"
          value={resolution}
          whole
          min={2}
          max={512}
          hint={`Each ${lengthText(side)} wide${
            thickness ? `; the body is about ${plain(thickness / side, 2)} cubes thick` : ''
          }. More cubes follow the shape better and take longer to build. The speed of the model stays the same.`}
          onValue={(value) => change({ resolution: value ?? kCubes })}
        />
        <label class="slider">
          <span class="visually-hidden">Cubes along the longest side, as a slider</span>
          <input
            type="range"
            min={4}
            max={256}
            value={Math.min(resolution, 256)}
            onInput={(event) => change({ resolution: event.currentTarget.valueAsNumber })}
          />
        </label>
      </>
    );
  return (
    <NumberField
      label="Largest tetrahedron"
      unit="m³"
      value={maxVolume}
      min={1e-18}
      empty="automatic"
      hint="Empty: chosen by the shape."
      onValue={(value) => change({ maxVolume: value })}
    />
  );
}

/** What so many elements mean. */
function judged(elements: number): string {
  const time = `The build will take about ${durationText(buildSeconds(elements))}.`;
  if (elements > 60_000) return `${time} It may need several gigabytes of memory.`;
  if (elements < 500) return `${time} This is coarse: the body will be too stiff.`;
  return time;
}

export function FillStep() {
  const now = checked.value!;
  const { info, longest } = now.result;
  const job = filling.job.value;
  const ready = filled.value?.key === fillKey.value ? filled.value : null;
  const volume = Math.abs(info.volume ?? 0);
  const problem = asked === fillKey.value ? filling.problem.value : null;
  if (info.kind === 'volume')
    return (
      <>
        <p>This is a volume mesh. Its own elements are simulated.</p>
        <p class="muted">
          {count(info.tets + info.bricks, 'element')} on {count(info.vertices, 'vertex', 'vertices')}.{' '}
          {judged(info.tets + info.bricks)}
        </p>
      </>
    );
  const cubes = flow.value.filling === 'voxels';
  return (
    <>
      <p>Small elements fill the body and are simulated. The surface moves with them.</p>
      <Choice
        legend="Elements"
        value={flow.value.filling}
        onValue={(kind) => change({ filling: kind })}
        options={[
          { value: 'voxels', label: 'Cubes', text: ' for any surface, also with holes' },
          {
            value: 'tets',
            label: 'Tetrahedra',
            text: info.watertight ? ' follow the surface exactly' : ' need a closed surface; this one has holes',
          },
        ]}
      />
      <Fineness longest={longest} thickness={thicknessOf(volume, now.mesh.area)} />
      <div class="row">
        <button
          type="button"
          class={ready ? '' : 'primary'}
          onClick={() => void fill()}
          title="Fills the body with the elements that will be simulated"
        >
          {ready ? 'Fill again' : 'Show the elements'}
        </button>
        {ready && (
          <label class="check">
            <input
              type="checkbox"
              checked={showInside.value}
              onChange={(event) => {
                showInside.value = event.currentTarget.checked;
              }}
            />{' '}
            Visible
          </label>
        )}
      </div>
      {job && (job.state === 'running' || job.state === 'queued') && (
        <JobProgress job={job} onCancel={() => void filling.cancel()} />
      )}
      {problem && (
        <ProblemHere problem={problem}>
          {!cubes && (
            <button
              type="button"
              onClick={() => {
                change({ filling: 'voxels' });
                void fill();
              }}
            >
              Use cubes instead
            </button>
          )}
        </ProblemHere>
      )}
      {ready && (
        <p class={ready.elements < 500 || ready.elements > 60_000 ? 'advice' : 'good-news'} role="status">
          {count(ready.elements, cubes ? 'cube' : 'tetrahedron', cubes ? 'cubes' : 'tetrahedra')} on{' '}
          {count(ready.vertices, 'vertex', 'vertices')}. {judged(ready.elements)}
        </p>
      )}
      {!ready && (
        <p class="hint">
          {filled.value && 'The choice has changed since the elements were shown. '}
          {estimate(volume, now.mesh.area, longest)}
        </p>
      )}
    </>
  );
}

function estimate(volume: number, area: number, longest: number): string {
  const { filling: kind, resolution, maxVolume } = flow.value;
  if (kind === 'tets' && !maxVolume) return '';
  const elements =
    kind === 'tets' ? (1.5 * volume) / maxVolume! : cubesIn(volume, area, longest / (resolution ?? kCubes));
  return `About ${count(Number(elements.toPrecision(2)), 'element')}. ${judged(elements)}`;
}
