// SPDX-License-Identifier: Apache-2.0
// Which mesh, in which unit, and what is wrong with it.
import { batch, effect, signal } from '@preact/signals';
import { problemFrom, type Problem } from '../api/client';
import { startJob, uploadFile, type CheckResult, type MeshProblem, type Unit } from '../api/jobs';
import { Choice, ProblemHere } from './fields';
import { change, changeUnit, checked, flow, startWith } from './flow';
import { endingProblem, FilePicker, incoming } from './incoming';
import { JobProgress } from './job_progress';
import { shownProblem } from './mesh_canvas';
import { fetchMesh } from './mesh_data';
import { areaOf, fittingResolution } from './mesh_measure';
import { forgetPast } from './tools';
import { bytesText, count, kMetresPer, kUnitNames, lengthText, plain, sizeInWords } from './words';
import { createWork } from './work';

const uploading = signal<string | null>(null);
const uploadProblem = signal<Problem | null>(null);
export const checking = createWork<CheckResult>();

export async function takeFile(file: File): Promise<void> {
  uploadProblem.value = endingProblem(file.name);
  if (uploadProblem.value) return;
  uploading.value = file.name;
  try {
    const { upload, bytes } = await uploadFile(file);
    takeUpload({ id: upload, name: file.name, bytes });
  } catch (error) {
    uploadProblem.value = problemFrom(error);
  } finally {
    uploading.value = null;
  }
}

export function takeUpload(upload: { id: string; name: string; bytes: number }): void {
  batch(() => {
    forgetPast();
    startWith(upload);
    checked.value = null;
    shownProblem.value = null;
  });
}

/** Checks the mesh whenever it or its unit is another one; takes files that were dropped anywhere. */
export function attendMesh(): () => void {
  const asked = signal('');
  const stops = [
    effect(() => {
      const file = incoming.value;
      if (!file) return;
      incoming.value = null;
      void takeFile(file);
    }),
    effect(() => {
      const { upload, unit } = flow.value;
      const key = upload ? `${upload.id} ${unit}` : '';
      if (key === asked.peek()) return;
      asked.value = key;
      const known = checked.peek();
      if (!upload || (known?.upload === upload.id && known.unit === unit)) return;
      void check(upload.id, unit);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    checking.leave();
  };
}

async function check(upload: string, unit: Unit): Promise<void> {
  const result = await checking.run(() => startJob({ kind: 'check', upload, unit }));
  if (!result) return;
  try {
    const mesh = await fetchMesh(result.mesh);
    if (flow.value.upload?.id !== upload || flow.value.unit !== unit) return;
    const area = areaOf(mesh);
    batch(() => {
      checked.value = { upload, unit, result, mesh, area };
      if (flow.value.resolution === null && result.info.kind === 'surface')
        change({ resolution: fittingResolution(result.info.volume ?? 0, area, result.longest) });
    });
  } catch (error) {
    uploadProblem.value = problemFrom(error);
  }
}

function UnitChoice({ result, unit }: { result: CheckResult; unit: Unit }) {
  // The numbers of the file, whatever they mean.
  const bare = result.longest / kMetresPer[unit];
  return (
    <Choice
      legend="The numbers in the file are"
      value={flow.value.unit}
      onValue={changeUnit}
      options={(Object.keys(kUnitNames) as Unit[]).map((name) => ({
        value: name,
        label: kUnitNames[name],
        text: ` ${sizeInWords(bare * kMetresPer[name])}`,
      }))}
    />
  );
}

function SizeSentence({ result }: { result: CheckResult }) {
  const guess = result.unit_guess;
  if (!guess || guess === flow.value.unit) return <p>The body is {sizeInWords(result.longest)}.</p>;
  return (
    <div class="advice" role="status">
      <p>{result.size_text}</p>
      <button type="button" onClick={() => changeUnit(guess)} title={`Take the numbers as ${kUnitNames[guess]}`}>
        Yes, these are {kUnitNames[guess]}
      </button>
    </div>
  );
}

function Facts({ result }: { result: CheckResult }) {
  const { info } = result;
  const size = info.bounds[1].map((end, i) => lengthText(end - info.bounds[0][i]));
  const elements =
    info.kind === 'volume'
      ? [info.tets > 0 && count(info.tets, 'tetrahedron', 'tetrahedra'), info.bricks > 0 && count(info.bricks, 'brick')]
          .filter(Boolean)
          .join(', ')
      : `${count(info.triangles, 'triangle')}, ${info.watertight ? 'closed' : 'not closed'}`;
  return (
    <dl class="facts">
      <dt>Holds</dt>
      <dd>
        {count(info.vertices, 'vertex', 'vertices')}, {elements}
        {info.components > 1 && `, ${info.components} parts`}
      </dd>
      <dt>Size</dt>
      <dd>
        x {size[0]}, y {size[1]}, z {size[2]}
      </dd>
      <dt>Reaches</dt>
      <dd class="number">
        {['x', 'y', 'z']
          .map((axis, i) => `${axis} ${plain(info.bounds[0][i])} … ${plain(info.bounds[1][i])}`)
          .join(', ')}{' '}
        m
      </dd>
    </dl>
  );
}

function howMany({ points, count: all }: MeshProblem): string {
  return points.length < all ? `the first ${points.length} of ${all}` : `${all}`;
}

function Problems({ result }: { result: CheckResult }) {
  if (!result.problems.length) return <p class="good-news">The check found nothing wrong with it.</p>;
  return (
    <section aria-label="What the check found">
      <h3>What the check found</h3>
      <ul class="problems">
        {result.problems.map((problem, i) => (
          <li key={problem.kind}>
            <p>
              <strong>{problem.message}</strong>
            </p>
            {problem.try_this && <p class="hint">Try: {problem.try_this}</p>}
            {problem.points.length > 0 && (
              <button
                type="button"
                aria-pressed={shownProblem.value === i}
                title="Shows the places of this problem on the mesh, as large dots"
                onClick={() => {
                  shownProblem.value = shownProblem.value === i ? null : i;
                }}
              >
                {shownProblem.value === i
                  ? 'Show all problems'
                  : `Show only these (${howMany(problem)})`}
              </button>
            )}
          </li>
        ))}
      </ul>
      {!result.info.watertight && result.info.kind === 'surface' && (
        <p class="hint">Cubes fill any surface, also one with holes. Tetrahedra need a closed one.</p>
      )}
    </section>
  );
}

export function MeshStep() {
  const { upload } = flow.value;
  const now = checked.value;
  const current = now && now.upload === upload?.id ? now : null;
  return (
    <>
      {upload ? (
        <p class="file-name">
          <strong>{upload.name}</strong> {upload.bytes > 0 && <span class="muted">{bytesText(upload.bytes)}</span>}
        </p>
      ) : (
        <p>A surface or a volume mesh of the thing that shall become soft. Nothing leaves this machine.</p>
      )}
      <FilePicker compact={upload !== null} />
      {uploading.value !== null && <p role="status">Reading {uploading.value} …</p>}
      {uploadProblem.value && <ProblemHere problem={uploadProblem.value} />}
      {checking.job.value && checking.job.value.state !== 'done' && checking.job.value.state !== 'failed' && (
        <JobProgress job={checking.job.value} onCancel={() => void checking.cancel()} />
      )}
      {checking.problem.value && (
        <ProblemHere problem={checking.problem.value}>
          {upload && (
            <button type="button" onClick={() => void check(upload.id, flow.value.unit)}>
              Check again
            </button>
          )}
        </ProblemHere>
      )}
      {current && (
        <>
          <SizeSentence result={current.result} />
          <UnitChoice result={current.result} unit={current.unit} />
          <Facts result={current.result} />
          <Problems result={current.result} />
        </>
      )}
    </>
  );
}
