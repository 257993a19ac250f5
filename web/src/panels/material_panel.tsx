// SPDX-License-Identifier: Apache-2.0
// What the selected body is made of, while it moves: its density, factors on the constants, or those of each group, whichever
// its settings have.
import { useState } from 'preact/hooks';
import type { Material } from 'limber';
import type { Player } from '../sim/player';
import { fieldsOf } from '../sim/settings';
import { Choice, Panel } from './controls';
import { fieldOf, NumberOfField } from './field_control';

// Of the constants as built: how far the sliders go.
const kReach = { young: 100, density: 20 };

export function MaterialPanel({ player }: { player: Player }) {
  const { method, name, settings } = player.body.value;
  const fields = fieldsOf(player.fields, method);
  const has = (key: string) => fields.some((field) => field.name === key);
  const control = (key: 'density' | 'young_scale' | 'density_scale', unit?: string) => fields.filter((field) => field.name === key).map((field) => (
    <NumberOfField key={key} field={field} value={settings[key] ?? Number(field.default)} unit={unit}
                   onChange={(value) => void player.set(name, { [key]: value }, key)} />
  ));
  return (
    <Panel title="Material" open>
      {has('materials') && !has('young_scale') && <Groups player={player} />}
      {control('young_scale', '×')}
      {control('density_scale', '×')}
      {control('density')}
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
