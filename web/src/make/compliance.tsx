// SPDX-License-Identifier: Apache-2.0
// Local compliance of the surface, against the full model: a map, the worst place, and a build that
// is better where the user points.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { isOver, startJob, type BuildInfo, type CompliancePoint, type QualityResult, type Up } from '../api/jobs';
import { forget, keep, kept } from '../api/keep';
import { ComplianceLegend, ComplianceMap, type Place } from './compliance_map';
import { ProblemHere } from '../panels/fields';
import { JobProgress } from '../panels/job_progress';
import { count, durationText, lengthText, plain } from '../page/format';
import { createWork, type Work } from '../panels/work';
import './compliance.css';

const works = new Map<string, Work<QualityResult>>();
const keyOf = (model: string) => `quality.${model}`;

function workOf(model: string): Work<QualityResult> {
  let work = works.get(model);
  if (!work) works.set(model, (work = createWork<QualityResult>()));
  return work;
}

async function measure(model: string): Promise<void> {
  await workOf(model).run(async () => {
    const job = await startJob({ kind: 'quality', model });
    keep(keyOf(model), job);
    return job;
  });
}

// Started without being asked if it takes no longer; s.
const kShort = 20;
/** Vectors that a place adds to the basis. */
const kVectors = 3;
// Below this a place is worth improving.
const kPoor = 0.9;

/** One factorisation and a dozen solves: less than the modes took, or the basis. */
function expectedSeconds({ seconds }: BuildInfo): number {
  return Math.max(1, seconds.modes ?? 0, seconds.basis ?? 0);
}

const placeText = ([x, y, z]: Place) => `(${plain(x)}, ${plain(y)}, ${plain(z)}) m`;
const ratioText = (ratio: number) => (ratio > 0.9995 ? '1' : plain(ratio, ratio < 0.1 ? 1 : 2));
// One unit for all, so that they can be compared.
const millimetres = (metres: number) => `${plain(1000 * metres)} mm`;

function Worst({ point, of }: { point: CompliancePoint; of: number }) {
  return (
    <p role="status">
      <strong>
        Worst of {count(of, 'place')}: {ratioText(point.ratio)} of the full model’s compliance
      </strong>{' '}
      at {point.place} {placeText(point.position)}. A force of 1 N would move it {millimetres(point.reduced)}, the full
      model {millimetres(point.full)}.
    </p>
  );
}

function Points({ points, onChoose }: { points: CompliancePoint[]; onChoose: (place: Place) => void }) {
  return (
    <details>
      <summary>All {count(points.length, 'place')}</summary>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Full model</th>
              <th scope="col">This model</th>
              <th scope="col">Ratio</th>
              <th scope="col">
                <span class="visually-hidden">Choose</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {[...points]
              .sort((a, b) => a.ratio - b.ratio)
              .map((point) => (
                <tr key={point.vertex}>
                  <th scope="row">
                    {point.place} {placeText(point.position)}
                  </th>
                  <td class="number">{millimetres(point.full)}/N</td>
                  <td class="number">{millimetres(point.reduced)}/N</td>
                  <td class="number">{ratioText(point.ratio)}</td>
                  <td>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Choose the place ${placeText(point.position)}`}
                      onClick={() => onChoose(point.position)}
                    >
                      Choose
                    </button>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** "Bunny" -> "Bunny improved" -> "Bunny improved 2" */
export function improvedName(title: string): string {
  const found = / improved(?: (\d+))?$/.exec(title);
  return found ? `${title.slice(0, found.index)} improved ${Number(found[1] ?? 1) + 1}` : `${title} improved`;
}

async function improve(model: string, title: string, places: Place[]): Promise<void> {
  const job = await startJob({
    kind: 'build',
    from_model: model,
    name: improvedName(title),
    improve: places.map((place) => `near:${place.join(',')}`),
  });
  location.hash = `#/make/${job}`;
}

interface ImproveProps {
  model: string;
  title: string;
  info: BuildInfo;
  places: Place[];
  onPlaces: (places: Place[]) => void;
}

function Improve({ model, title, info, places, onPlaces }: ImproveProps) {
  const starting = useSignal(false);
  const rank = info.rank + kVectors * places.length;
  const start = async () => {
    starting.value = true;
    try {
      await improve(model, title, places);
    } catch (error) {
      showProblem(error);
    } finally {
      starting.value = false;
    }
  };
  return (
    <section class="stack" aria-label="Improve where I point">
      <h3>Improve where I point</h3>
      <p class="hint">
        Click on the map, or choose a place in the table. The rebuilt model then deforms there like the full one.
      </p>
      {places.length > 0 && (
        <ul class="places">
          {places.map((place, i) => (
            <li key={place.join()} class="row">
              <span class="number">{placeText(place)}</span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove the place ${placeText(place)}`}
                onClick={() => onPlaces(places.filter((_, k) => k !== i))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <button
          type="button"
          class="primary"
          disabled={!places.length || starting.value}
          onClick={() => void start()}
          title="Builds a new model with the static responses of these patches in its basis"
        >
          {places.length > 1 ? `Improve ${places.length} places` : 'Improve this place'} and rebuild
        </button>
      </div>
      {places.length > 0 && (
        <p class="hint">
          {count(rank, 'coordinate')} instead of {info.rank}: a step takes about {plain((rank / info.rank) ** 4, 2)}{' '}
          times as long. The build takes about {durationText(info.seconds.total ?? 0)}.
        </p>
      )}
    </section>
  );
}

interface ComplianceProps {
  model: string;
  title: string;
  info: BuildInfo;
  up: Up;
}

export function Compliance({ model, title, info, up }: ComplianceProps) {
  const work = workOf(model);
  const places = useSignal<Place[] | null>(null);
  const expected = expectedSeconds(info);
  useEffect(() => {
    if (work.job.value) return;
    const started = kept<string>(keyOf(model));
    if (started)
      void work.follow(started).then(() => {
        // The server forgot it: it is measured again.
        if (!work.problem.value) return;
        forget(keyOf(model));
        work.leave();
        if (expected <= kShort) void measure(model);
      });
    else if (expected <= kShort) void measure(model);
  }, [model]);
  const job = work.job.value;
  const result = job?.state === 'done' ? job.result : null;
  const local = result?.local_compliance ?? null;
  const worst = local?.worst ?? null;
  // Not where it is about to start by itself.
  const offered = job ? isOver(job.state) && !result : expected > kShort || work.problem.value !== null;
  const chosen = places.value ?? (worst && worst.ratio < kPoor ? [worst.position] : []);
  const choose = (place: Place) => {
    if (chosen.some((other) => other.join() === place.join())) return;
    places.value = [...chosen, place];
    announce(`Chosen: ${placeText(place)}`);
  };
  return (
    <div class="stack">
      {!result && (
        <p>
          Small pushes at a dozen places, on this model and on the full one. This takes about {durationText(expected)}.
        </p>
      )}
      {offered && (
        <div>
          <button type="button" onClick={() => void measure(model)} title="Solves the full model at a dozen places">
            Measure local compliance
          </button>
        </div>
      )}
      {job && (job.state === 'running' || job.state === 'queued') && (
        <JobProgress job={job} onCancel={() => void work.cancel()} />
      )}
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
      {local && !worst && <p>All of the surface is fixed.</p>}
      {result && local && worst && (
        <>
          <Worst point={worst} of={local.points.length} />
          <div class="compliance">
            <div>
              <ComplianceMap
                map={result.map}
                points={local.points}
                worst={worst}
                radius={local.radius}
                up={up}
                chosen={chosen}
                onChoose={choose}
              />
              <ComplianceLegend />
            </div>
            <Improve
              model={model}
              title={title}
              info={info}
              places={chosen}
              onPlaces={(next) => {
                places.value = next;
              }}
            />
          </div>
          <Points points={local.points} onChoose={choose} />
          <p class="hint">
            Each place is a patch of radius {lengthText(local.radius)}, pushed along its normal by a small force (linear
            statics at rest). A small basis has no local dents, so it is too stiff there. Measured in{' '}
            {durationText(result.seconds)}.
          </p>
        </>
      )}
    </div>
  );
}
