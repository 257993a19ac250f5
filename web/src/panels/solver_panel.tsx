// SPDX-License-Identifier: Apache-2.0
// The time step of the world; coordinates, Newton iterations and damping of the selected body.
import type { Player } from '../sim/player';
import { flies, type BodySettings } from '../sim/settings';
import { NumberControl, Panel } from './controls';
import { ChoiceOfField, fieldOf, NumberOfField } from './field_control';

const kStructs = {
  stvk: 'StvkSettings', warp: 'WarpSettings', linear: 'WarpSettings', rigid: 'RigidSettings', domains: 'DomainsSettings',
} as const;

export function SolverPanel({ player }: { player: Player }) {
  const world = player.settings.value;
  const { method, name, model, settings } = player.body.value;
  const { info } = player.modelOf({ model }).shown;
  const set = (part: BodySettings, what: string) => void player.set(name, part, what);
  const field = (key: string) => fieldOf(player.fields, kStructs[method], key);
  const damping = (key: 'alpha' | 'beta' | 'strain_rate') => (
    <NumberOfField field={field(`damping.${key}`)} value={settings.damping?.[key] ?? 0}
                   onChange={(value) => set({ damping: { [key]: value } }, key)} />
  );
  return (
    <Panel title="Solver">
      <NumberControl label="Time step" hint="Of the world. Several steps are made per frame." unit="s" value={world.dt} min={1e-5}
                     max={0.02} scale="log" onChange={(dt) => void player.change({ ...world, dt }, 'dt')} />
      {method === 'rigid' && <p class="note">Rigid bodies are not damped.</p>}
      {method !== 'rigid' && <>{damping('beta')}{damping('alpha')}</>}
      {method === 'stvk' && (
        <>
          {damping('strain_rate')}
          <NumberOfField field={field('rank')} unit={`of ${info.rank}`} max={info.rank}
                         value={settings.rank ?? (settings.coordinates?.length || info.rank)}
                         onChange={(rank) => set({ rank }, 'rank')} />
          {flies(player.body.value) && <p class="note">A free body keeps its momentum and energy by a step of its own. Damping acts
            on its deformation only.</p>}
          {!flies(player.body.value) && (
            <>
              <NumberOfField field={field('newton')} value={settings.newton ?? 1} onChange={(newton) => set({ newton }, 'newton')} />
              <ChoiceOfField field={field('integrator')} value={settings.integrator ?? 'newmark'}
                             onChange={(integrator) => set({ integrator: integrator as BodySettings['integrator'] }, 'integrator')} />
            </>
          )}
        </>
      )}
      {method === 'domains' && (
        <>
          <ChoiceOfField field={field('coupling')} value={settings.coupling ?? 'exact'}
                         onChange={(coupling) => set({ coupling: coupling as BodySettings['coupling'] }, 'coupling')} />
          <NumberOfField field={field('tolerance')} value={settings.tolerance ?? 0.01}
                         onChange={(tolerance) => set({ tolerance }, 'tolerance')} />
        </>
      )}
      {(method === 'warp' || method === 'linear') && (
        <ChoiceOfField field={field('step')} value={settings.step ?? 'semi-implicit'}
                       onChange={(step) => set({ step: step as BodySettings['step'] }, 'step')} />
      )}
    </Panel>
  );
}
