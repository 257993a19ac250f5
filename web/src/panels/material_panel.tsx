// SPDX-License-Identifier: Apache-2.0
// Young's modulus, Poisson's ratio and density of each group, while the body moves.
import { useState } from 'preact/hooks';
import type { Material } from 'limber';
import type { Player } from '../sim/player';
import { warpingLeavesOut } from '../sim/settings';
import { Choice, NumberControl, Panel } from './controls';

export function MaterialPanel({ player }: { player: Player }) {
  const { groups } = player.model.info;
  const [chosen, setChosen] = useState(groups[0].name);
  const group = groups.find((one) => one.name === chosen) ?? groups[0];
  const settings = player.settings.value;
  const material = settings.materials[group.name] ?? group;
  const set = (part: Partial<Material>, what: string) => void player.change(
    { ...settings, materials: { ...settings.materials, [group.name]: { ...material, ...part } } }, `${group.name} ${what}`);
  const leftOut = settings.methods.some((method) => method !== 'stvk') ? warpingLeavesOut(settings, player.model.info) : '';
  return (
    <Panel title="Material" open>
      {groups.length > 1 && (
        <Choice label="Group" hint="Which part of the body the constants below are of." value={group.name}
                options={groups.map(({ name }) => [name, name] as const)} onChange={setChosen} />
      )}
      <NumberControl label="Young's modulus E" hint="Stiffness. Twice as much vibrates √2 times as fast." unit="Pa"
                     value={material.young} min={group.young / 100} max={group.young * 100} scale="log"
                     onChange={(young) => set({ young }, 'young')} />
      <NumberControl label="Poisson's ratio ν" hint="How much it thins when stretched: 0 cork, 0.5 rubber." unit=""
                     value={material.poisson} min={0} max={0.495} step={0.005}
                     onChange={(poisson) => set({ poisson }, 'poisson')} />
      <NumberControl label="Density ρ" hint="Mass for each cubic metre. Water has 1000." unit="kg/m³"
                     value={material.density} min={group.density / 20} max={group.density * 20} scale="log"
                     onChange={(density) => set({ density }, 'density')} />
      {leftOut && <p class="note">The warped body does not follow {leftOut}.</p>}
    </Panel>
  );
}
