// SPDX-License-Identifier: Apache-2.0
// Which mesh, which way up, in which unit, and what the check found.
import type { CheckResult, MeshProblem, Unit, Up } from '../api/jobs';
import { bytesText, count, lengthText, plain } from '../page/format';
import { Check, Choice, NumberField, ProblemHere } from '../panels/fields';
import { changeUnit, changeUp, checked, flow, up, type BeforeRepair, type UploadedMesh } from './flow';
import { FilePicker, take } from './incoming';
import { JobProgress } from '../panels/job_progress';
import { beforeRepair, showBefore, shownProblem } from './mesh_canvas';
import { check, checking, otherMeshes, reading, readingProblem, repair, repairing, undoRepair } from './mesh_files';
import {
  findingInWords,
  findingName,
  isRepairable,
  kUnitNames,
  metresPer,
  sizeInWords,
  type NamedUnit,
} from './words';

const kUps: { value: Up; label: string }[] = [
  { value: 'y', label: 'y' },
  { value: 'z', label: 'z' },
  { value: 'x', label: 'x' },
  { value: '-y', label: '−y' },
  { value: '-z', label: '−z' },
  { value: '-x', label: '−x' },
];

function UpSwitch() {
  return (
    <fieldset class="choice">
      <legend>Up</legend>
      <div class="row segments">
        {kUps.map(({ value, label }) => (
          <label key={value} class="segment">
            <input
              type="radio"
              name="up"
              value={value}
              checked={up.value === value}
              onChange={() => changeUp(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p class="hint">The axis that points up in the picture. Gravity pulls the other way.</p>
    </fieldset>
  );
}

type UnitChoiceName = NamedUnit | 'scale';

function UnitChoice({ result, unit }: { result: CheckResult; unit: Unit }) {
  // The numbers of the file, whatever they mean.
  const bare = result.longest / metresPer(unit);
  const scaled = typeof flow.value.unit === 'number';
  return (
    <>
      <Choice<UnitChoiceName>
        legend="Unit of the file"
        value={typeof flow.value.unit === 'number' ? 'scale' : flow.value.unit}
        onValue={(name) => changeUnit(name === 'scale' ? metresPer(flow.value.unit) : name)}
        options={[
          ...(Object.keys(kUnitNames) as NamedUnit[]).map((name) => ({
            value: name,
            label: kUnitNames[name],
            text: ` ${sizeInWords(bare * metresPer(name))}`,
          })),
          { value: 'scale', label: 'another', text: scaled ? ` ${sizeInWords(bare * metresPer(flow.value.unit))}` : ' set the size' },
        ]}
      />
      {scaled && (
        <NumberField
          label="Longest side"
          unit="m"
          min={1e-6}
          max={1e5}
          value={bare * metresPer(flow.value.unit)}
          onValue={(metres) => {
            if (metres !== null && bare > 0) changeUnit(Number((metres / bare).toPrecision(6)));
          }}
        />
      )}
    </>
  );
}

function SizeSentence({ result, unit }: { result: CheckResult; unit: Unit }) {
  const guess = result.unit_guess;
  if (guess === null || guess === flow.value.unit) return <p>The body is {sizeInWords(result.longest)}.</p>;
  const longest = (result.longest / metresPer(unit)) * metresPer(guess);
  return (
    <div class="advice" role="status">
      <p>
        In {typeof unit === 'number' ? 'this unit' : kUnitNames[unit]} the body is {sizeInWords(result.longest)}.{' '}
        {typeof guess === 'number' ? 'No common unit gives it a usual size.' : `Is the file in ${kUnitNames[guess]}?`}
      </p>
      <button type="button" onClick={() => changeUnit(guess)}>
        {typeof guess === 'number' ? 'Make it' : `Use ${kUnitNames[guess]}:`} {lengthText(longest)} long
      </button>
    </div>
  );
}

// A closed surface whose triangles face both ways encloses no volume, but has no holes either.
function closedText({ info, problems }: CheckResult): string {
  if (info.watertight) return 'closed';
  return problems.some(({ kind }) => kind === 'open_edges' || kind === 'non_manifold_edges') ? 'not closed' : 'closed, with mixed winding';
}

function Facts({ result }: { result: CheckResult }) {
  const { info } = result;
  const size = info.bounds[1].map((end, i) => lengthText(end - info.bounds[0][i]));
  // Rounding is no coordinate.
  const coordinate = (x: number) => plain(Math.abs(x) < 1e-9 * result.longest ? 0 : x);
  const elements =
    info.kind === 'volume'
      ? [info.tets > 0 && count(info.tets, 'tetrahedron', 'tetrahedra'), info.bricks > 0 && count(info.bricks, 'brick')]
          .filter(Boolean)
          .join(', ')
      : `${count(info.triangles, 'triangle')}, ${closedText(result)}`;
  return (
    <dl class="facts">
      <dt>Mesh</dt>
      <dd>
        {count(info.vertices, 'vertex', 'vertices')}, {elements}
        {info.components > 1 && `, ${count(info.components, 'separate piece')}`}
      </dd>
      <dt>Size</dt>
      <dd>
        x {size[0]}, y {size[1]}, z {size[2]}
      </dd>
      <dt>Range</dt>
      <dd class="number">
        {['x', 'y', 'z']
          .map((axis, i) => `${axis} ${coordinate(info.bounds[0][i])} … ${coordinate(info.bounds[1][i])}`)
          .join(', ')}{' '}
        m
      </dd>
    </dl>
  );
}

/** The files that belong to the mesh: which were used, which are missing, which have no place. */
function Files({ upload }: { upload: UploadedMesh }) {
  const { companions = [], missing = [], unused = [] } = upload;
  const others = otherMeshes.value;
  return (
    <>
      {companions.length > 0 && <p class="hint">With {companions.map(({ path }) => path).join(', ')}.</p>}
      {missing.length > 0 && (
        <p class="advice">
          Not found: {missing.join(', ')}. The body will have plain colours there. Drop the missing files here to add
          them.
        </p>
      )}
      {unused.length > 0 && <p class="hint">Not used by this mesh: {unused.join(', ')}.</p>}
      {others.length > 0 && (
        <div class="advice">
          <p>One model is made of one mesh. The others were not opened:</p>
          <div class="row">
            {others.map((other) => (
              <button key={other.path} type="button" onClick={() => take([other])}>
                Open {other.file.name}
              </button>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function howMany({ points, count: all }: MeshProblem): string {
  const many = all.toLocaleString('en');
  return points.length < all ? `the first ${points.length} of ${many}` : many;
}

function RepairPart({ result }: { result: CheckResult }) {
  const job = repairing.job.value;
  const under = job && (job.state === 'running' || job.state === 'queued');
  // What a repair has left, another leaves too.
  const useful = !flow.value.upload?.before && result.problems.some(({ kind }) => isRepairable(kind));
  return (
    <>
      {useful && !under && (
        <div>
          <button
            type="button"
            class="primary"
            onClick={() => void repair()}
            title="Joins, flips and removes triangles, and closes holes"
          >
            Repair
          </button>
        </div>
      )}
      {under && <JobProgress job={job} onCancel={() => void repairing.cancel()} />}
      {repairing.problem.value && <ProblemHere problem={repairing.problem.value} />}
    </>
  );
}

const kMostHoles = 5;

/** What a repair has changed. */
function Repaired({ before, after }: { before: BeforeRepair; after: MeshProblem[] }) {
  const { problems, left = [] } = before;
  const kinds = [...new Set([...problems, ...after].map(({ kind }) => kind))];
  const countOf = (list: Pick<MeshProblem, 'kind' | 'count'>[], kind: string) =>
    (list.find((one) => one.kind === kind)?.count ?? 0).toLocaleString('en');
  return (
    <section class="repaired" aria-label="Repair">
      <h3>Repaired</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Finding</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{findingName(kind)}</th>
              <td class="number">{countOf(problems, kind)}</td>
              <td class="number">{countOf(after, kind)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left.length > 0 && (
        <ul class="problems">
          {left.slice(0, kMostHoles).map((hole, i) => (
            <li key={i}>
              <p>
                A hole of {count(hole.edges, 'edge')} near {hole.middle.map((x) => plain(x)).join(', ')} was left open: {hole.reason}.
              </p>
            </li>
          ))}
          {left.length > kMostHoles && <li>{left.length - kMostHoles} more were left open.</li>}
        </ul>
      )}
      <div class="row">
        {beforeRepair.value?.id === flow.value.upload?.before?.id && <Check label="Show the mesh before" on={showBefore} />}
        <button type="button" onClick={undoRepair} title="Go back to the mesh as it was">
          Undo the repair
        </button>
      </div>
    </section>
  );
}

function Findings({ result }: { result: CheckResult }) {
  const before = flow.value.upload?.before;
  const volume = result.info.kind === 'volume';
  return (
    <section aria-label="Check" class="stack">
      {before && <Repaired before={before} after={result.problems} />}
      {result.problems.length === 0 ? (
        <p class="good-news">No problems found.</p>
      ) : (
        <>
          <h3>{before ? 'What is left' : 'Check'}</h3>
          <ul class="problems">
            {result.problems.map((problem, i) => (
              <li key={problem.kind}>
                <p>{findingInWords(problem, volume)}</p>
                {problem.points.length > 0 && result.problems.length > 1 && (
                  <button
                    type="button"
                    class="quiet"
                    aria-pressed={shownProblem.value === i}
                    title="Marks the places on the mesh with dots"
                    onClick={() => {
                      shownProblem.value = shownProblem.value === i ? null : i;
                    }}
                  >
                    {shownProblem.value === i ? 'Show all problems' : `Show only these (${howMany(problem)})`}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <RepairPart result={result} />
    </section>
  );
}

function ReadingBar() {
  const now = reading.value;
  if (!now) return null;
  return (
    <label class="reading">
      {now.what} …
      {now.fraction === null ? <progress /> : <progress max={1} value={now.fraction} />}
    </label>
  );
}

export function MeshStep() {
  const { upload } = flow.value;
  const now = checked.value;
  const current = now && now.upload === upload?.id ? now : null;
  const job = checking.job.value;
  return (
    <>
      {upload ? (
        <p class="file-name">
          <strong>{upload.name}</strong> {upload.bytes > 0 && <span class="muted">{bytesText(upload.bytes)}</span>}
        </p>
      ) : (
        <p>A surface mesh or a volume mesh of the body. It stays on this computer.</p>
      )}
      <FilePicker compact={upload !== null} />
      {readingProblem.value && <ProblemHere problem={readingProblem.value} />}
      <ReadingBar />
      {upload && <Files upload={upload} />}
      {job && job.state !== 'done' && job.state !== 'failed' && (
        <JobProgress job={job} onCancel={() => void checking.cancel()} />
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
          <UpSwitch />
          <SizeSentence result={current.result} unit={current.unit} />
          <UnitChoice result={current.result} unit={current.unit} />
          <Facts result={current.result} />
          <Findings result={current.result} />
        </>
      )}
    </>
  );
}
