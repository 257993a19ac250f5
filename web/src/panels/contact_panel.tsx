// SPDX-License-Identifier: Apache-2.0
// Bodies that fall on a floor and touch: drop, stack and pour in; the ball; and how things touch, as the library describes it.
import type { Field } from 'limber';
import { announce, showProblem } from '../page/announce';
import { count, forceText, lengthText, massText, plain } from '../page/format';
import type { Up } from '../api/jobs';
import type { Player } from '../sim/player';
import type { Settings } from '../sim/settings';
import { floorHeight, type ContactSettings } from '../sim/touching';
import { length } from '../sim/vector';
import {
  dropped, kMostBodies, kPoured, kStacked, poured, stacked, withFloor, withModels, type Arranged, type ModelOf,
} from '../view/arrange';
import type { LiveScene } from '../view/live_scene';
import { upVector } from '../view/up';
import type { Workspace } from '../view/workspace';
import { Button, NumberControl, Panel, shortNumber, Toggle } from './controls';
import { fieldOf, kShown, NumberOfField, unitText } from './field_control';
import { freeModels } from './free_models';
import { LivePlot } from './live_plot';

function modelsOf(live: LiveScene): ModelOf {
  return (model) => {
    const { title, shown: { info, flight } } = live.player.modelOf({ model });
    return { title, info, flight, box: live.partsOf(model).box };
  };
}

async function arrange({ live, pulling, notice, session: { player } }: Workspace, { settings, remarks }: Arranged, what: string): Promise<void> {
  if (settings.bodies.length > kMostBodies) {
    notice.value = `At most ${kMostBodies} bodies: remove some first.`;
    return;
  }
  pulling.release();
  notice.value = remarks.join(' ');
  if (settings === player.settings.value) return;
  const [was] = [player.body.value];
  const place = player.settings.value.bodies.findIndex(({ name }) => name === was.name);
  await player.change(settings, what);
  // Where the body goes on under another name, as a rigid one.
  if (!player.settings.value.bodies.some(({ name }) => name === was.name)) player.selected.value = settings.bodies[place]?.name ?? '';
  await player.reset();
  live.frameStart();
  player.running.value = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  announce(`${what}.${player.running.value ? '' : ' Paused: Space runs it.'} ${remarks.join(' ')}`);
}

// These bodies, as they are when the models that can fly are there, arranged.
async function arrangeFree(
  workspace: Workspace, names: readonly string[], make: (settings: Settings, modelOf: ModelOf, up: Up) => Arranged, what: string,
): Promise<void> {
  const { player } = workspace.session, modelOf = modelsOf(workspace.live);
  const bodies = player.settings.value.bodies.filter(({ name, method }) => names.includes(name) && method !== 'rigid');
  const free = await freeModels(workspace, bodies.map(({ model }) => model));
  if (!free) return;
  const settings = withModels(player.settings.value, names, free.of, modelOf);
  const arranged = make(settings, modelOf, player.model.info.up);
  await arrange(workspace, { settings: arranged.settings, remarks: [...free.remarks, ...arranged.remarks] }, what);
}

/** All bodies that can fly fall on a floor. */
export function dropIt(workspace: Workspace): Promise<void> {
  return arrangeFree(workspace, workspace.session.player.settings.value.bodies.map(({ name }) => name), dropped, 'Dropped');
}

export function stackIt(workspace: Workspace): Promise<void> {
  const { name } = workspace.session.player.body.value;
  return arrangeFree(workspace, [name], (settings, modelOf, up) => stacked(settings, name, modelOf, up), 'Stacked');
}

/** The bodies that are there stay as they are. */
export async function pourIn(workspace: Workspace, number = kPoured): Promise<void> {
  const { player } = workspace.session, { up } = player.model.info;
  const models = [...new Set(player.settings.value.bodies.map(({ model }) => model))];
  const free = await freeModels(workspace, models);
  if (!free) return;
  const { settings, remarks } = poured(player.settings.value, [...new Set(models.map(free.of))], modelsOf(workspace.live), up, number);
  await arrange(workspace, { settings, remarks: [...free.remarks, ...remarks] }, 'Poured in');
}

function setFloor({ live, session: { player } }: Workspace, on: boolean): void {
  const settings = player.settings.value, { up } = player.model.info;
  const isFloor = (height: number | null) => height !== null;
  const next = on ? withFloor(settings, modelsOf(live), up)
    : { ...settings, obstacles: settings.obstacles.filter((one) => !isFloor(floorHeight(one, upVector(up)))) };
  void player.change(on ? { ...next, gravity: settings.gravity } : next, 'floor');
}

export function ContactPanel({ workspace }: { workspace: Workspace }) {
  const { poking, pulling, session: { player } } = workspace;
  const settings = player.settings.value;
  const up = upVector(player.model.info.up);
  const heights = settings.obstacles.flatMap((one) => floorHeight(one, up) ?? []);
  const ball = player.frame.value?.ball;
  const run = (work: Promise<void>) => void work.catch(showProblem);
  return (
    <Panel title="Contact" open>
      <div class="row">
        <Button hint={`${kStacked} copies of the selected body, on top of each other`} onClick={() => run(stackIt(workspace))}>Stack {kStacked}</Button>
        <Button hint={`${kPoured} bodies of the models in this scene, from above`} onClick={() => run(pourIn(workspace))}>
          Pour in {kPoured}</Button>
      </div>
      <p class="hint">{count(settings.bodies.length, 'body', 'bodies')} of at most {kMostBodies}. To throw a free one, drag it and release it while it moves.</p>
      {pulling.tool.value === 'poke' && (
        <>
          <NumberControl label="Ball radius" hint="Hold and drag. The wheel, or Page Up and Page Down, move the ball along the view." unit="m"
                         value={poking.radius.value} min={workspace.live.size / 200} max={workspace.live.size / 4} scale="log"
                         onChange={(radius) => { if (radius > 0) poking.radius.value = radius; }} />
          <p class="note" role="status">Force on the ball: {poking.pressing.value ? forceText(poking.force.value) : '–'}.
            {ball ? ` Coupling stiffness: ${plain(ball.stiffness)} N/m.` : ''}</p>
          <LivePlot title="Force on the ball" unit="N" history={poking.history} about="the present force is shown above"
                    lines={[{ label: 'force', colour: '#d55e00', of: ({ force }) => force }]} />
        </>
      )}
      <Toggle label="Floor" checked={heights.length > 0} onChange={(on) => setFloor(workspace, on)}
              hint={heights.length > 0 ? `A plane at ${lengthText(Math.max(...heights))} along ${player.model.info.up}.` : 'A plane below the bodies.'} />
      <ContactFields player={player} />
      <Touching player={player} />
    </Panel>
  );
}

export function togglePoke({ pulling }: Workspace): void {
  const on = pulling.tool.value !== 'poke';
  pulling.release();
  pulling.tool.value = on ? 'poke' : 'pull';
  announce(on ? 'The pointer carries a ball. In the picture, Enter presses it against the body.' : 'The pointer pulls.');
}

// Every setting that the library has, by its kind.
function ContactFields({ player }: { player: Player }) {
  const settings = player.settings.value;
  const { contact } = settings;
  const set = (part: ContactSettings, what: string) => void player.change({ ...settings, contact: { ...contact, ...part } }, `contact ${what}`);
  const value = (field: Field) => contact?.[field.name as keyof ContactSettings] ?? field.default;
  const on = contact !== null && value(fieldOf(player.fields, 'ContactSettings', 'enabled')) !== false;
  return (
    <>
      {player.fields.ContactSettings.filter(({ name }) => name in kShown).map((field) => {
        const { name } = field;
        if (name === 'enabled') {
          return <Toggle key={name} label={kShown[name].label} hint={field.sentence} checked={on}
                         onChange={(enabled) => set({ enabled }, name)} />;
        }
        if (!on) return null;
        if (field.kind === 'flag') {
          return <Toggle key={name} label={kShown[name].label} hint={field.sentence} checked={value(field) === true}
                         onChange={(flag) => set({ [name]: flag }, name)} />;
        }
        if (field.kind === 'number or auto') return <NumberOrAuto key={name} field={field} value={value(field) as number | 'auto'} player={player} onChange={(next) => set({ [name]: next }, name)} />;
        return <NumberOfField key={name} field={field} value={Number(value(field))} onChange={(number) => set({ [name]: number }, name)} />;
      })}
    </>
  );
}

// Chosen by the library, which tells what it chose, or given.
function NumberOrAuto({ field, value, player, onChange }: {
  field: Field; value: number | 'auto'; player: Player; onChange: (value: number | 'auto') => void;
}) {
  const { label } = kShown[field.name];
  const contact = player.frame.value?.contact;
  const chosen = contact && contact[field.name as 'stiffness' | 'margin'] || null;
  const unit = unitText(field.unit);
  const told = chosen ? `${shortNumber(Number(plain(chosen)))} ${unit}` : 'known after the first step';
  return (
    <>
      <Toggle label={`${label}: automatic`} checked={value === 'auto'} hint={value === 'auto' ? `Now ${told}. ${field.sentence}` : field.sentence}
              onChange={(auto) => onChange(auto ? 'auto' : Number((chosen ?? field.least ?? 1).toPrecision(2)))} />
      {value !== 'auto' && <NumberOfField field={field} value={value} onChange={onChange} />}
    </>
  );
}

// What the last step says.
function Touching({ player }: { player: Player }) {
  const frame = player.frame.value, contact = frame?.contact;
  if (!frame || !contact) return null;
  const body = frame.bodies.find(({ name }) => name === player.body.value.name);
  const { shown: { info } } = player.modelOf(player.body.value);
  return (
    <dl class="facts" aria-label="Contact now">
      <div><dt>Contact points</dt><dd>{contact.touching}</dd></div>
      <div><dt>Contact force on the selected body</dt><dd>{body ? forceText(length(body.contact.force)) : '–'}</dd></div>
      <div title={`As built: ${massText(info.mass)}`}><dt>Largest penetration</dt><dd>{lengthText(contact.depth)}</dd></div>
      <div><dt>Bodies asleep</dt><dd>{contact.asleep} of {frame.bodies.length}</dd></div>
      {contact.not_converged > 0 && <div class="slow"><dt>Islands not converged</dt><dd>{contact.not_converged}</dd></div>}
      {contact.left_out > 0 && <div class="slow"><dt>Contacts left out</dt><dd>{contact.left_out}</dd></div>}
      {contact.cut_short > 0 && (
        <div class="slow" title="Pairs of bodies with more near triangles than are looked at: they lie in one another">
          <dt>Searches cut short</dt><dd>{contact.cut_short}</dd>
        </div>
      )}
    </dl>
  );
}

