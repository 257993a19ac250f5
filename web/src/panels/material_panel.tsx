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
        <Choice label="Group" hint="Material group of the constants below." value={group.name}
                options={groups.map(({ name }) => [name, name] as const)} onChange={setChosen} />
      )}
      <NumberControl label="Young's modulus E" hint="Stiffness. Frequencies grow with √E." unit="Pa"
                     value={material.young} min={group.young / 100} max={group.young * 100} scale="log"
                     onChange={(young) => set({ young }, 'young')} />
      <NumberControl label="Poisson's ratio ν" hint="Lateral contraction: 0 cork, 0.5 rubber (incompressible)." unit=""
                     value={material.poisson} min={0} max={0.495} step={0.005}
                     onChange={(poisson) => set({ poisson }, 'poisson')} />
      <NumberControl label="Density ρ" hint="Water: 1000." unit="kg/m³"
                     value={material.density} min={group.density / 20} max={group.density * 20} scale="log"
                     onChange={(density) => set({ density }, 'density')} />
      {leftOut && <p class="note">Modal warping ignores {leftOut}.</p>}
    </Panel>
  );
}
