// SPDX-License-Identifier: Apache-2.0
// Whether the body is cut into a tree of domains, and how: by their number, or by painting. The tree can be seen before the
// build; what is wrong with it is told here.
import { problemFrom } from '../api/client';
import { startJob, type DomainTree, type FillResult } from '../api/jobs';
import { showProblem } from '../page/announce';
import { count } from '../page/format';
import { Check, Choice, NumberField, ProblemHere } from '../panels/fields';
import { JobProgress } from '../panels/job_progress';
import { createWork } from '../panels/work';
import { domainColour, treeColours } from './domain_palette';
import { change, checked, cutKey, cutTree, domainsRequest, domainVertices, fillingOf, flow, type Cut } from './flow';
import { fetchMesh } from './load_mesh';
import { showTree } from './mesh_canvas';
import { SelectionEditor } from './selection_editor';
import { target, tool } from './tools';

const cutting = createWork<FillResult>();
/** The cut that was asked for last: a problem of another one is not shown. */
let asked = '';

async function cutNow(): Promise<void> {
  const { upload, unit, fix } = flow.value, domains = domainsRequest(flow.value);
  if (!upload || !domains) return;
  const key = cutKey.value;
  asked = key;
  tool.value = 'look';
  const result = await cutting.run(() => startJob({ kind: 'fill', upload: upload.id, unit, filling: fillingOf(flow.value), domains, fix }));
  if (!result?.tree) return;
  // The filling was chosen meanwhile: what is shown is what the build takes.
  if (key !== cutKey.value) return cutNow();
  try {
    const mesh = await fetchMesh(result.positions);
    if (key === cutKey.value) cutTree.value = { key, tree: result.tree, mesh };
    showTree.value = true;
  } catch (error) {
    showProblem(problemFrom(error));
  }
}

function Swatch({ colour }: { colour: string }) {
  return (
    <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">
      <rect width="12" height="12" rx="3" fill={colour} />
    </svg>
  );
}

function PaintedDomain({ place }: { place: number }) {
  const chosen = domainVertices.value[place]?.count ?? 0;
  const of = `domain ${place}` as const;
  return (
    <details class="group" open={target.value === of}>
      <summary>
        <Swatch colour={domainColour(place)} />
        Domain {place + 1}: {count(chosen, 'vertex', 'vertices')}
      </summary>
      <SelectionEditor of={of} verb="Select" nothing="Nothing is selected" />
      <button
        type="button"
        class="danger"
        title="This part belongs to the remainder again"
        onClick={() => {
          target.value = 'fix';
          tool.value = 'look';
          change({ domains: flow.value.domains.filter((_, i) => i !== place) });
        }}
      >
        Remove the domain
      </button>
    </details>
  );
}

function Painting() {
  const { domains } = flow.value;
  return (
    <>
      {domains.map((_, i) => (
        <PaintedDomain key={i} place={i} />
      ))}
      <div>
        <button
          type="button"
          title="Another part that gets its own shapes"
          onClick={() => {
            change({ domains: [...domains, []] });
            target.value = `domain ${domains.length}`;
            tool.value = 'paint';
            showTree.value = false;
          }}
        >
          Add a domain
        </button>
        <p class="hint">What is in none of them is a domain too. Where they overlap, the last one counts. Elements inside take the domain of the
          nearest triangle.</p>
      </div>
    </>
  );
}

// More rows than this say nothing.
const kMostRows = 40;

function Tree({ tree: { domains, depth }, colours }: { tree: DomainTree; colours: string[] }) {
  return (
    <>
      <p role="status">
        <strong>{count(domains.length, 'domain')}</strong>, {count(depth, 'link')} from the root to the farthest.
      </p>
      <ul class="tree-list" aria-label="Domains">
        {domains.slice(0, kMostRows).map(({ name, parent, elements }, i) => (
          <li key={name}>
            <Swatch colour={colours[i]} /> {name}: {count(elements, 'element')}
            {parent < 0 ? ', the root' : `, on ${domains[parent].name}`}
          </li>
        ))}
      </ul>
      {domains.length > kMostRows && <p class="hint">And {count(domains.length - kMostRows, 'other')}.</p>}
    </>
  );
}

export function DomainsChoice() {
  const { cut, domainCount, domainRank } = flow.value;
  const surface = checked.value?.result.info.kind === 'surface';
  const job = cutting.job.value;
  const ready = cutTree.value?.key === cutKey.value ? cutTree.value : null;
  const problem = asked === cutKey.value ? cutting.problem.value : null;
  const options: { value: Cut; label: string; text: string }[] = [
    { value: 'none', label: 'One body', text: ' with one set of shapes' },
    { value: 'count', label: 'Tree of domains', text: ' each with its own shapes, cut automatically: for branches, limbs, long bodies' },
  ];
  if (surface) options.push({ value: 'painted', label: 'Painted domains', text: ' cut where you paint' });
  return (
    <>
      <Choice legend="Domains" value={cut} onValue={(value) => change({ cut: value })} options={options} />
      {cut !== 'none' && (
        <>
          <div class="material-grid">
            {cut === 'count' && (
              <NumberField
                label="Number of domains"
                whole
                min={1}
                max={1000}
                value={domainCount}
                onValue={(value) => change({ domainCount: value ?? 8 })}
                hint="Domains that form a cycle are merged, so there may be fewer"
              />
            )}
            <NumberField
              label="Shapes of each domain"
              whole
              min={1}
              max={60}
              value={domainRank}
              onValue={(value) => change({ domainRank: value ?? 12 })}
              hint="12 is enough for most bodies. The time per step grows linearly with the number of domains."
            />
          </div>
          {cut === 'painted' && <Painting />}
          <div class="row">
            <button type="button" onClick={() => void cutNow()} title="Cuts the body as the build will, and draws the domains">
              {ready ? 'Cut again' : 'Show the domains'}
            </button>
            {ready && <Check label="Visible" on={showTree} />}
          </div>
          {job && (job.state === 'running' || job.state === 'queued') && <JobProgress job={job} onCancel={() => void cutting.cancel()} />}
          {problem && <ProblemHere problem={problem} />}
          {ready && <Tree tree={ready.tree} colours={treeColours(ready.tree)} />}
        </>
      )}
    </>
  );
}
