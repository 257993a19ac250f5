// SPDX-License-Identifier: Apache-2.0
// The domains of the selected tree: colours, a list of them, and what can be changed of the selected one while it moves.
import { useMemo, useState } from 'preact/hooks';
import type { Tree } from 'limber';
import { announce, showProblem } from '../page/announce';
import { count } from '../page/format';
import { kDomainAsBuilt, type DomainSettings } from '../sim/settings';
import type { Workspace } from '../view/workspace';
import { Button, Panel, Toggle } from './controls';
import { fieldOf, kShown, NumberOfField } from './field_control';

// Rows of the list; the others are found by their names.
const kMostRows = 60;

interface Row {
  domain: number;
  depth: number;
}

/** Depth first, children in the order of the file. */
export function rowsOf({ domains }: Pick<Tree, 'domains'>): Row[] {
  const children: number[][] = domains.map(() => []);
  domains.forEach(({ parent }, i) => { if (parent >= 0) children[parent].push(i); });
  const out: Row[] = [], open: Row[] = [{ domain: 0, depth: 0 }];
  while (open.length > 0) {
    const row = open.pop()!;
    out.push(row);
    for (const child of children[row.domain].slice().reverse()) open.push({ domain: child, depth: row.depth + 1 });
  }
  return out;
}

export function DomainsPanel({ workspace }: { workspace: Workspace }) {
  const { live, session: { player, display } } = workspace;
  const { shown: { tree } } = player.modelOf(player.body.value);
  const [wanted, setWanted] = useState('');
  const rows = useMemo(() => (tree ? rowsOf(tree) : []), [tree]);
  if (!tree) return null;
  const { domains, parts } = tree;
  const selected = live.domain.value !== null && live.domain.value < domains.length ? live.domain.value : null;
  const colours = live.partsOf(player.body.value.model).domainColours!.colours;
  const text = wanted.trim().toLowerCase();
  const found = rows.filter(({ domain }) => domains[domain].name.toLowerCase().includes(text));
  // The selected one is always among them.
  const rowOfSelected = found.findIndex(({ domain }) => domain === selected);
  const first = Math.max(0, Math.min(rowOfSelected - kMostRows / 2, found.length - kMostRows));
  const listed = found.slice(first, first + kMostRows);
  return (
    <Panel title="Domains" open>
      <Toggle label="Colours" hint={`Each of the ${count(domains.length, 'domain')} in a colour of its own.`} checked={display.value.domains}
              onChange={(on) => { display.value = { ...display.value, domains: on }; }} />
      {domains.length > 12 && (
        <div class="field">
          <label for="domain-name">Find a domain</label>
          <input id="domain-name" type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </div>
      )}
      <ul class="domain-list" aria-label="Domains">
        {listed.map(({ domain, depth }) => {
          const { name, part, parent } = domains[domain];
          return (
            <li key={name} style={`--depth: ${Math.min(depth, 12)}`}>
              <button type="button" aria-pressed={domain === selected}
                      title={parent < 0 ? 'The root' : `Child of ${domains[parent].name}`}
                      onClick={() => { live.domain.value = domain === selected ? null : domain; }}>
                <span class="swatch" style={`background: ${colours[domain]}`} aria-hidden="true" />
                <span class="domain-name">{name}</span>
                <span class="muted number">r = {parts[part].rank}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {found.length > listed.length && <p class="hint">{listed.length} of {count(found.length, 'domain')}. Search by name, or click one in the picture.</p>}
      {found.length === 0 && <p class="hint">No domain has this name.</p>}
      {selected === null ? <p class="hint">Click a domain in the picture or in the list to change it.</p>
        : <Selected workspace={workspace} tree={tree} domain={selected} />}
    </Panel>
  );
}

function Selected({ workspace: { session: { player } }, tree: { domains, parts }, domain }: {
  workspace: Workspace; tree: Tree; domain: number;
}) {
  const { name: body, settings } = player.body.value;
  const { name, part, parent, scale } = domains[domain];
  const children = domains.filter((one) => one.parent === domain).length;
  const now = { ...kDomainAsBuilt, ...settings.domains?.[name] };
  const set = (change: DomainSettings, what: string) => void player.set(
    body, { domains: { ...settings.domains, [name]: { ...now, ...change } } }, `${name} ${what}`);
  const factor = (key: 'young_scale' | 'density_scale') => (
    <NumberOfField key={`${name} ${key}`} field={fieldOf(player.fields, 'DomainState', key)} value={now[key]} unit="×"
                   onChange={(value) => set({ [key]: value }, key)} />
  );
  const canDetach = player.fields.DomainState.some((field) => field.name === 'detach');
  const detach = () => player.detach(body, name).then(() => announce(`${name} is detached.`)).catch(showProblem);
  return (
    <fieldset>
      <legend>{name}</legend>
      <p class="hint">{parts[part].rank === 0 ? 'Rigid' : count(parts[part].rank, 'coordinate')}
        {(now.replace || parts[part].name) && `, part ${now.replace || parts[part].name}`}{scale !== 1 && `, scale ${Number(scale.toPrecision(3))}`}.{' '}
        {parent < 0 ? 'The root of the tree.' : `Parent: ${domains[parent].name}.`}{' '}
        {children > 0 && `${count(children, 'child', 'children')}.`}</p>
      {parts[part].rank > 0 && factor('young_scale')}
      {factor('density_scale')}
      {parts[part].rank > 0 && (
        <Toggle label={kShown.frozen.label} hint={fieldOf(player.fields, 'DomainState', 'frozen').sentence} checked={now.frozen}
                onChange={(frozen) => set({ frozen }, 'frozen')} />
      )}
      {canDetach && (
        <Button hint={parent < 0 ? 'The root cannot be detached' : 'It and its children become a free body. Reset puts it back.'} disabled={parent < 0}
                onClick={() => void detach()}>Detach</Button>
      )}
    </fieldset>
  );
}
