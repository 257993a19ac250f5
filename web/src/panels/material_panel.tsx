// SPDX-License-Identifier: Apache-2.0
// What the selected body is made of, while it moves: constants of each group of a nonlinear one, factors of a warped one,
// the density of a rigid one.
import { useState } from 'preact/hooks';
import type { Material } from 'limber';
import type { Player } from '../sim/player';
import { Choice, Panel } from './controls';
import { fieldOf, NumberOfField } from './field_control';

// Of the constants as built: how far the sliders go.
const kReach = { young: 100, density: 20 };

export function MaterialPanel({ player }: { player: Player }) {
  const { method, name, settings } = player.body.value;
  const factor = (key: 'young_scale' | 'density_scale') => (
    <NumberOfField field={fieldOf(player.fields, 'WarpSettings', key)} value={settings[key] ?? 1} unit="×"
                   onChange={(value) => void player.set(name, { [key]: value }, key)} />
  );
  return (
    <Panel title="Material" open>
      {method === 'stvk' && <Groups player={player} />}
      {(method === 'warp' || method === 'linear') && <>{factor('young_scale')}{factor('density_scale')}</>}
      {method === 'rigid' && (
        <NumberOfField field={fieldOf(player.fields, 'RigidSettings', 'density')} value={settings.density ?? 1000}
                       onChange={(density) => void player.set(name, { density }, 'density')} />
      )}
    </Panel>
  );
}

function Groups({ player }: { player: Player }) {
  const body = player.body.value;
  const { groups } = player.modelOf(body).shown.info;
  const [chosen, setChosen] = useState(groups[0].name);
  const group = groups.find((one) => one.name === chosen) ?? groups[0];
  const materials = body.settings.materials ?? {};
  const material = materials[group.name] ?? group;
  const control = (key: keyof Material, reach?: number) => (
    <NumberOfField key={key} field={fieldOf(player.fields, 'Material', key)} value={material[key]}
                   min={reach && group[key] / reach} max={reach && group[key] * reach}
                   onChange={(value) => {
                     const { young, poisson, density } = material;
                     void player.set(body.name, { materials: { ...materials, [group.name]: { young, poisson, density, [key]: value } } },
                       `${group.name} ${key}`);
                   }} />
  );
  return (
    <>
      {groups.length > 1 && (
        <Choice label="Group" hint="Material group of the constants below." value={group.name}
                options={groups.map(({ name }) => [name, name] as const)} onChange={setChosen} />
      )}
      {control('young', kReach.young)}
      {control('poisson')}
      {control('density', kReach.density)}
    </>
  );
}
