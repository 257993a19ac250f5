// SPDX-License-Identifier: Apache-2.0
// The time step of the world; coordinates, Newton iterations and damping of the selected body.
import type { Player } from '../sim/player';
import { fieldsOf, flies, type BodySettings } from '../sim/settings';
import { NumberControl, Panel } from './controls';
import { ChoiceOfField, NumberOfField } from './field_control';

type Damping = 'alpha' | 'beta' | 'strain_rate';
type Chosen = 'integrator' | 'coupling' | 'step';

export function SolverPanel({ player }: { player: Player }) {
  const world = player.settings.value;
  const { method, name, model, settings } = player.body.value;
  const { info } = player.modelOf({ model }).shown;
  const fields = fieldsOf(player.fields, method), free = flies(player.body.value);
  const set = (part: BodySettings, what: string) => void player.set(name, part, what);
  // A control of each setting that bodies of the method have, and none of others.
  const of = (key: string) => fields.filter((field) => field.name === key);
  const damping = (key: Damping) => of(`damping.${key}`).map((field) => (
    <NumberOfField key={key} field={field} value={settings.damping?.[key] ?? 0}
                   onChange={(value) => set({ damping: { [key]: value } }, key)} />
  ));
  const number = (key: 'newton' | 'tolerance') => of(key).map((field) => (
    <NumberOfField key={key} field={field} value={settings[key] ?? Number(field.default)} onChange={(value) => set({ [key]: value }, key)} />
  ));
  const choice = (key: Chosen) => of(key).map((field) => (
    <ChoiceOfField key={key} field={field} value={settings[key] ?? String(field.default)} onChange={(word) => set({ [key]: word }, key)} />
  ));
  return (
    <Panel title="Solver">
      <NumberControl label="Time step" hint="Of the world. Several steps are made per frame." unit="s" value={world.dt} min={1e-5}
                     max={0.02} scale="log" onChange={(dt) => void player.change({ ...world, dt }, 'dt')} />
      {of('damping.beta').length === 0 && <p class="note">These bodies are not damped.</p>}
      {damping('beta')}
      {damping('alpha')}
      {damping('strain_rate')}
      {of('rank').map((field) => (
        <NumberOfField key="rank" field={field} unit={`of ${info.rank}`} max={info.rank}
                       value={settings.rank ?? (settings.coordinates?.length || info.rank)}
                       onChange={(rank) => set({ rank }, 'rank')} />
      ))}
      {of('integrator').length > 0 && free && (
        <p class="note">A free body keeps its momentum and energy by a step of its own. Damping acts on its deformation only.</p>
      )}
      {!free && <>{number('newton')}{choice('integrator')}</>}
      {choice('coupling')}
      {of('coupling').length > 0 && number('tolerance')}
      {choice('step')}
    </Panel>
  );
}
