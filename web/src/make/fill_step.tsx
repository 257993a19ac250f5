// SPDX-License-Identifier: Apache-2.0
// What fills the body: cubes or tetrahedra, how many, and a look at them.
import { useEffect } from 'preact/hooks';
import { problemFrom } from '../api/client';
import { startJob, type CheckResult, type FillResult } from '../api/jobs';
import { showProblem } from '../page/announce';
import { count, durationText, lengthText, plain, withoutCommands } from '../page/format';
import { Check, Choice, NumberField, ProblemHere } from '../panels/fields';
import { change, checked, filled, fillingOf, fillKey, flow } from './flow';
import { JobProgress } from '../panels/job_progress';
import { fetchMesh } from './load_mesh';
import { showInside } from './mesh_canvas';
import { buildSeconds, cubesIn } from './mesh_measure';
import { createWork } from '../panels/work';

export const filling = createWork<FillResult>();
/** The filling that was asked for last: a problem of another one is not shown. */
let asked = '';

export async function fill(): Promise<void> {
  const { upload, unit, resolution } = flow.value;
  if (!upload) return;
  const key = fillKey.value;
  asked = key;
  const result = await filling.run(() =>
    startJob({ kind: 'fill', upload: upload.id, unit, filling: fillingOf(flow.value) }),
  );
  if (!result) return;
  try {
    const mesh = await fetchMesh(result.positions);
    if (key !== fillKey.value) return;
    // What was chosen for the user is what the build takes.
    if (resolution === null && result.filling?.resolution) change({ resolution: result.filling.resolution });
    asked = fillKey.value;
    filled.value = { key: asked, result, mesh };
    showInside.value = true;
  } catch (error) {
    showProblem(problemFrom(error));
  }
}

const kMostCubes = 512;
/** From here on a frequency that is too high is told, as the notes of a build do. */
const kMuchTooHigh = 1.3;

function Fineness({ longest, thickness }: { longest: number; thickness: number | null }) {
  const { filling: kind, maxVolume, resolution } = flow.value;
  const side = resolution === null ? null : longest / resolution;
  if (kind === 'voxels')
    return (
      <>
        <NumberField
          label="Cubes along the longest side"
          value={resolution}
          whole
          min={2}
          max={kMostCubes}
          empty="automatic"
          hint={`${
            side === null
              ? 'Chosen by the thickness of the body and the time of the build.'
              : `Each ${lengthText(side)} wide${
                  thickness ? `; the body is about ${plain(thickness / side, 2)} cubes thick` : ''
                }.`
          } More cubes follow the shape better and take longer to build; the model runs as fast.`}
          onValue={(value) => change({ resolution: value })}
        />
        {resolution !== null && (
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
        )}
      </>
    );
  return (
    <NumberField
      label="Largest tetrahedron"
      unit="m³"
      value={maxVolume}
      min={1e-18}
      empty="automatic"
      hint="Empty: some thousand tetrahedra."
      onValue={(value) => change({ maxVolume: value })}
    />
  );
}

const kManyElements = 60_000;
const kFewElements = 500;

/** What so many elements mean. */
function judged(elements: number, seconds: number): string {
  const time = `The build takes about ${durationText(Math.max(1, Math.round(seconds)))}.`;
  if (elements > kManyElements) return `${time} It may need several gigabytes of memory.`;
  if (elements < kFewElements) return `${time} This is coarse: the body will be too stiff.`;
  return time;
}

/** Of cubes by their number: eight quadrature points each, and a third more nodes than cubes. */
function estimate(volume: number, area: number, longest: number): string {
  const { filling: kind, resolution } = flow.value;
  if (kind === 'tets' || resolution === null) return '';
  const cubes = cubesIn(volume, area, longest / resolution);
  return `About ${count(Number(cubes.toPrecision(2)), 'cube')}. ${judged(cubes, buildSeconds(1.33 * cubes, 8 * cubes))}`;
}

function tetrahedraText({ info }: CheckResult): string {
  if (info.tetrahedra ? info.tetrahedra.possible : info.watertight) return ' follow the surface exactly';
  return info.watertight
    ? ` are not possible: ${withoutCommands(info.tetrahedra?.problem ?? '') || 'the surface has problems'}`
    : ' need a closed surface; this one has holes. Step 1 can repair it';
}

/** Of a body that is few cubes thick: by how much it errs, and a number of cubes that is better. */
function TooStiff({ found }: { found: NonNullable<FillResult['filling']> }) {
  const { bending_excess: excess, cubes_thick: thick, better_resolution: better } = found;
  if (excess === null || thick === null || Math.sqrt(excess) < kMuchTooHigh) return null;
  return (
    <>
      <p class="advice">
        Half of the body is no more than {plain(thick, 2)} {plain(thick, 2) === '1' ? 'cube' : 'cubes'} thick. There it bends about {plain(excess, 2)} times too stiffly,
        so its lowest frequencies are about {plain(Math.sqrt(excess), 2)} times too high.
      </p>
      {better === null && <p class="muted">No practical number of cubes resolves it. Thicken its parts.</p>}
      {better !== null && better <= kMostCubes && (
        <button
          type="button"
          onClick={() => {
            change({ resolution: better });
            void fill();
          }}
        >
          Use {better} cubes along the longest side
        </button>
      )}
    </>
  );
}

function Result({ result }: { result: FillResult }) {
  const cubes = flow.value.filling === 'voxels';
  const { elements, vertices, filling: found } = result;
  const coarse = elements < kFewElements || elements > kManyElements;
  return (
    <>
      <p class={coarse ? 'advice' : 'good-news'} role="status">
        {count(elements, cubes ? 'cube' : 'tetrahedron', cubes ? 'cubes' : 'tetrahedra')} on{' '}
        {count(vertices, 'vertex', 'vertices')}. {found && judged(elements, found.estimated_seconds)}
      </p>
      {found && <TooStiff found={found} />}
    </>
  );
}

export function FillStep() {
  const now = checked.value!;
  const { info, longest } = now.result;
  const surface = info.kind === 'surface';
  // The proposal is the first thing that one sees.
  useEffect(() => {
    if (surface && flow.value.filling === 'voxels' && flow.value.resolution === null) void fill();
  }, [now]);
  const job = filling.job.value;
  const ready = filled.value?.key === fillKey.value ? filled.value.result : null;
  const problem = asked === fillKey.value ? filling.problem.value : null;
  if (!surface)
    return (
      <>
        <p>This is a volume mesh. Its own elements are simulated.</p>
        <p class="muted">
          {count(info.tets + info.bricks, 'element')} on {count(info.vertices, 'vertex', 'vertices')}.{' '}
          {judged(info.tets + info.bricks, buildSeconds(info.vertices, info.tets + 8 * info.bricks))}
        </p>
      </>
    );
  return (
    <>
      <p>Small elements fill the body and are simulated. The surface moves with them.</p>
      <Choice
        legend="Elements"
        value={flow.value.filling}
        onValue={(kind) => change({ filling: kind })}
        options={[
          { value: 'voxels', label: 'Cubes', text: ' for any surface, also with holes' },
          { value: 'tets', label: 'Tetrahedra', text: tetrahedraText(now.result) },
        ]}
      />
      <Fineness longest={longest} thickness={info.thickness ?? null} />
      <div class="row">
        <button
          type="button"
          class={ready ? '' : 'primary'}
          onClick={() => void fill()}
          title="Fills the body with the elements that will be simulated"
        >
          {ready ? 'Fill again' : 'Show the elements'}
        </button>
        {ready && <Check label="Visible" on={showInside} />}
      </div>
      {job && (job.state === 'running' || job.state === 'queued') && (
        <JobProgress job={job} onCancel={() => void filling.cancel()} />
      )}
      {problem && (
        <ProblemHere problem={problem}>
          {flow.value.filling === 'tets' && (
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
      {ready && <Result result={ready} />}
      {!ready && (
        <p class="hint">
          {filled.value && 'The choice has changed since the elements were shown. '}
          {estimate(Math.abs(info.volume ?? 0), now.mesh.area, longest)}
        </p>
      )}
    </>
  );
}
