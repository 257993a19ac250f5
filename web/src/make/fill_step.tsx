// SPDX-License-Identifier: Apache-2.0
// What fills the body: cubes or tetrahedra, how many, and a look at them.
import { problemFrom } from '../api/client';
import { startJob, type FillResult } from '../api/jobs';
import { showProblem } from '../announce';
import { Choice, NumberField, ProblemHere } from './fields';
import { change, checked, filled, fillingOf, fillKey, flow } from './flow';
import { JobProgress } from './job_progress';
import { showInside } from './mesh_canvas';
import { fetchMesh } from './mesh_data';
import { cubesIn } from './mesh_measure';
import { count, lengthText, plain } from './words';
import { createWork } from './work';

// Where the check has proposed none.
const kCubes = 32;

export const filling = createWork<FillResult>();

export async function fill(): Promise<void> {
  const { upload, unit } = flow.value;
  if (!upload) return;
  const key = fillKey.value;
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

const kFinenessHint =
  'More cubes follow the shape better and take longer to build; the finished model is as fast.';

function Fineness({ longest }: { longest: number }) {
  const { filling: kind, maxVolume } = flow.value;
  const resolution = flow.value.resolution ?? kCubes;
  if (kind === 'voxels')
    return (
      <>
        <NumberField
          label="Cubes along the longest side"
          value={resolution}
          whole
          min={2}
          max={512}
          hint={`Each ${lengthText(longest / resolution)} wide. ${kFinenessHint}`}
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
      empty="no limit"
      hint="Empty: as large as the surface allows."
      onValue={(value) => change({ maxVolume: value })}
    />
  );
}

export function InsideStep() {
  const now = checked.value!;
  const { info, longest } = now.result;
  const job = filling.job.value;
  const ready = filled.value?.key === fillKey.value ? filled.value : null;
  if (info.kind === 'volume')
    return (
      <>
        <p>This file is a volume mesh: it is simulated as it is.</p>
        <p class="muted">
          {count(info.tets + info.bricks, 'element')} on {count(info.vertices, 'vertex', 'vertices')}.
        </p>
      </>
    );
  return (
    <>
      <p>The body is simulated by small elements that fill it. The surface that you see moves along with them.</p>
      <Choice
        legend="Fill it with"
        value={flow.value.filling}
        onValue={(kind) => change({ filling: kind })}
        options={[
          { value: 'voxels', label: 'Cubes', text: ' fill any surface, also a broken one' },
          {
            value: 'tets',
            label: 'Tetrahedra',
            text: info.watertight ? ' follow the surface exactly' : ' need a closed surface; this one is not',
          },
        ]}
      />
      <Fineness longest={longest} />
      <div class="row">
        <button
          type="button"
          class={ready ? '' : 'primary'}
          onClick={() => void fill()}
          title="Fills the body as it will be simulated, and shows it"
        >
          {ready ? 'Fill it again' : 'Show the simulation mesh'}
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
            Shown
          </label>
        )}
      </div>
      {job && (job.state === 'running' || job.state === 'queued') && (
        <JobProgress job={job} onCancel={() => void filling.cancel()} />
      )}
      {filling.problem.value && (
        <ProblemHere problem={filling.problem.value}>
          {flow.value.filling === 'tets' && (
            <button
              type="button"
              onClick={() => {
                change({ filling: 'voxels' });
                void fill();
              }}
            >
              Fill it with cubes instead
            </button>
          )}
        </ProblemHere>
      )}
      {ready && (
        <p class="good-news" role="status">
          {count(
            ready.elements,
            flow.value.filling === 'voxels' ? 'cube' : 'tetrahedron',
            flow.value.filling === 'voxels' ? 'cubes' : 'tetrahedra',
          )}{' '}
          on {count(ready.vertices, 'vertex', 'vertices')}.{' '}
          {ready.elements > 60000
            ? 'That is many: the build may take several minutes and gigabytes.'
            : ready.elements < 500
              ? 'That is coarse: the motion will be stiffer than it should be.'
              : 'A good number.'}
        </p>
      )}
      {!ready && (
        <p class="hint">
          {filled.value && 'The choice has changed since the mesh was shown. '}
          {estimate(info.volume ?? 0, now.area, longest)}
        </p>
      )}
    </>
  );
}

function estimate(volume: number, area: number, longest: number): string {
  const { filling: kind, resolution, maxVolume } = flow.value;
  if (kind === 'tets') return maxVolume ? `About ${plain((1.5 * volume) / maxVolume, 2)} elements.` : '';
  const cubes = cubesIn(volume, area, longest / (resolution ?? kCubes));
  return `About ${plain(cubes, 2)} elements; some thousands are good.`;
}
