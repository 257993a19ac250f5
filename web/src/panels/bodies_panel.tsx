// SPDX-License-Identifier: Apache-2.0
// The bodies of the world: which one the panels act on; others of this model, or of another one of the gallery, beside it.
import { useEffect, useState } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { fetchGallery, type GalleryModel } from '../api/gallery';
import { kMethodNames, mounted, newBody, type BodySettings, type BodySetup, type Method, type Mount } from '../sim/settings';
import { besides, rotationBetween } from '../view/display';
import type { LiveScene } from '../view/live_scene';
import { fileOf, openModel } from '../view/session';
import type { Workspace } from '../view/workspace';
import { Button, Choice, Panel } from './controls';
import { ChoiceOfField, fieldOf } from './field_control';

const kMethodHints: Record<Method, string> = {
  stvk: 'Large deformations (St. Venant–Kirchhoff material).',
  warp: 'Linear modes with local rotations: fast, takes constraints.',
  linear: 'Small displacements only; for comparison.',
  rigid: 'Does not deform. Moves freely; falls under gravity.',
  domains: 'Domains with modes of their own, connected at interfaces: large rotations between them.',
};

/** A new body that stands beside these. */
export function bodyBeside(live: LiveScene, bodies: readonly BodySetup[], model: string, method: Method): BodySetup {
  const { player } = live;
  const { info } = player.modelOf({ model }).shown;
  const { up } = player.model.info;
  const rotation = rotationBetween(info.up, up);
  const placed = bodies.map((body) => ({ ...body, box: live.partsOf(body.model).box }));
  return newBody(info, model, method, bodies, besides(placed, live.partsOf(model).box, rotation, up), rotation);
}

/** A body beside those that are there; it becomes the selected one. */
export async function addBody(live: LiveScene, model: string, method: Method): Promise<void> {
  const { player } = live;
  const settings = player.settings.value;
  const body = bodyBeside(live, settings.bodies, model, method);
  await player.change({ ...settings, bodies: [...settings.bodies, body] }, `add ${body.name}`);
  if (!player.settings.value.bodies.some(({ name }) => name === body.name)) return;
  player.selected.value = body.name;
  announce(`${player.labelOf(body)} added.`);
}

export async function removeBody({ player }: LiveScene, name: string): Promise<void> {
  const settings = player.settings.value;
  await player.change({ ...settings, bodies: settings.bodies.filter((body) => body.name !== name) }, `remove ${name}`);
  announce('Body removed.');
}

export function BodiesPanel({ workspace: { live } }: { workspace: Workspace }) {
  const { player } = live;
  const { bodies } = player.settings.value;
  const selected = player.body.value;
  const { info } = player.modelOf(selected).shown;
  const companions = info.warp_companions > 0;
  const mount = (how: Mount) => void player.change(
    { ...player.settings.value, bodies: bodies.map((body) => (body.name === selected.name ? mounted(body, how) : body)) },
    `mount ${selected.name}`);
  const labels = bodies.map((body) => player.labelOf(body));
  return (
    <Panel title="Bodies" open>
      <ul class="list" aria-label="Bodies">
        {bodies.map((body, place) => (
          <li key={body.name} class="row spread">
            <Button hint="Select: the panels act on this body" pressed={body.name === selected.name}
                    onClick={() => { player.selected.value = body.name; }}>
              {labels.indexOf(labels[place]) === labels.lastIndexOf(labels[place]) ? labels[place] : `${labels[place]} (${body.name})`}
            </Button>
            <Button hint={bodies.length > 1 ? `Remove ${body.name}` : 'The last body stays'} disabled={bodies.length === 1}
                    onClick={() => void removeBody(live, body.name)}>Remove</Button>
          </li>
        ))}
      </ul>
      {selected.method === 'stvk' && info.can_be_free && (
        <Choice label="Mount" hint="Free: moves, rotates and falls. Fixed: deforms in place." value={selected.mount ?? 'free'}
                options={[['free', 'Free'], ['fixed', 'Fixed']] as const} onChange={mount} />
      )}
      {selected.method === 'warp' && companions && (
        <ChoiceOfField field={fieldOf(player.fields, 'WarpSettings', 'warping')} value={selected.settings.warping ?? 'warped'}
                       onChange={(warping) => void player.set(selected.name, { warping: warping as BodySettings['warping'] }, 'warping')} />
      )}
      <AddBody live={live} />
    </Panel>
  );
}

function AddBody({ live }: { live: LiveScene }) {
  const { player } = live;
  const open = player.models.value;
  const [gallery, setGallery] = useState<GalleryModel[]>([]);
  const [model, setModel] = useState([...open.keys()][0]);
  const [chosen, setChosen] = useState<Method | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let gone = false;
    fetchGallery().then(({ models }) => { if (!gone) setGallery(models.filter(({ state }) => state === 'ready')); }).catch(showProblem);
    return () => { gone = true; };
  }, []);
  const methods = open.get(model)?.shown.methods ?? [];
  // What is not shown yet comes first.
  const free = methods.filter((method) => !player.settings.value.bodies.some((body) => body.model === model && body.method === method));
  const method = chosen && methods.includes(chosen) ? chosen : free[0] ?? methods[0];
  const others = gallery.filter(({ id }) => !open.has(fileOf(id)));
  const options = [...[...open.values()].map(({ name, title }) => [name, title] as const),
    ...others.map(({ id, title }) => [fileOf(id), title] as const)];
  const busily = (work: () => Promise<unknown>) => {
    setBusy(true);
    work().catch(showProblem).finally(() => setBusy(false));
  };
  const choose = (file: string) => {
    const entry = others.find(({ id }) => fileOf(id) === file);
    if (!entry) setModel(file);
    else busily(async () => setModel((await openModel(player, entry)).name));
  };
  return (
    <fieldset>
      <legend>Add a body</legend>
      <Choice label="Model" hint={busy ? 'Reading the model…' : 'This model, or another one of the gallery.'} value={model}
              options={options} disabled={busy} onChange={choose} />
      {method && (
        <Choice label="Method" hint={kMethodHints[method]} value={method} disabled={busy}
                options={methods.map((one) => [one, kMethodNames[one]] as const)} onChange={setChosen} />
      )}
      {methods.length > 0 && !methods.includes('rigid') && <p class="note">The surface of this model is not closed: it cannot be a rigid body.</p>}
      <Button hint="Beside the other bodies" disabled={busy || !method}
              onClick={() => busily(() => addBody(live, model, method!))}>Add</Button>
    </fieldset>
  );
}
