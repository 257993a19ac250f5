// SPDX-License-Identifier: Apache-2.0
// What the body is made of: one material, and others for parts of it.
import { signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { problemFrom, type Problem } from '../api/client';
import { fetchMaterials, type Material, type MaterialPreset } from '../api/jobs';
import { count, pressureText } from '../page/format';
import { NumberField, ProblemHere } from '../panels/fields';
import { change, flow, groupVertices, type MaterialGroup } from './flow';
import { kGroupColours } from './mesh_scene';
import { SelectionEditor } from './selection_editor';
import { target, tool } from './tools';
import { densityInWords, stiffnessInWords } from './words';

const presets = signal<MaterialPreset[]>([]);
const problem = signal<Problem | null>(null);

async function loadPresets(): Promise<void> {
  problem.value = null;
  try {
    presets.value = await fetchMaterials();
  } catch (error) {
    problem.value = problemFrom(error);
  }
}

type Chosen = Material & { preset: string };

function MaterialFields({ value, onValue }: { value: Chosen; onValue: (value: Chosen) => void }) {
  const id = useId();
  const preset = presets.value.find((one) => one.id === value.preset);
  const set = (part: Partial<Material>) => onValue({ ...value, ...part, preset: '' });
  return (
    <>
      <div class="field">
        <label for={id}>Material</label>
        <select
          id={id}
          value={preset ? value.preset : ''}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const found = presets.value.find((one) => one.id === event.currentTarget.value);
            if (found)
              onValue({ preset: found.id, young: found.young, poisson: found.poisson, density: found.density });
            else onValue({ ...value, preset: '' });
          }}
        >
          <option value="">Custom</option>
          {presets.value.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title} ({pressureText(one.young)})
            </option>
          ))}
        </select>
        <p class="hint" id={`${id}-hint`}>
          {preset
            ? `Source: ${preset.source}`
            : 'All values can be changed, also in the running model.'}
        </p>
      </div>
      <div class="material-grid">
        <NumberField
          label="Stiffness (Young’s modulus)"
          unit="Pa"
          min={1e-3}
          value={value.young}
          onValue={(young) => set({ young: young ?? value.young })}
          hint={stiffnessInWords(value.young)}
        />
        <NumberField
          label="Poisson’s ratio"
          min={-0.99}
          max={0.499}
          value={value.poisson}
          onValue={(poisson) => set({ poisson: poisson ?? value.poisson })}
          hint={
            value.poisson > 0.485
              ? 'Above 0.485 the elements become too stiff; use 0.45'
              : 'How much it narrows when stretched; near 0.5 it keeps its volume'
          }
        />
        <NumberField
          label="Density"
          unit="kg/m³"
          min={1e-3}
          value={value.density}
          onValue={(density) => set({ density: density ?? value.density })}
          hint={densityInWords(value.density)}
        />
      </div>
    </>
  );
}

function GroupEditor({ group, place }: { group: MaterialGroup; place: number }) {
  const set = (part: Partial<MaterialGroup>) =>
    change({ groups: flow.value.groups.map((one, i) => (i === place ? { ...one, ...part } : one)) });
  const chosen = groupVertices.value[place]?.count ?? 0;
  return (
    <details class="group" open={target.value === place}>
      <summary>
        <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">
          <rect width="12" height="12" rx="3" fill={kGroupColours[place % kGroupColours.length]} />
        </svg>
        Group {place + 1}: {pressureText(group.young)}, {count(chosen, 'vertex', 'vertices')}
      </summary>
      <MaterialFields value={group} onValue={set} />
      <SelectionEditor of={place} verb="Select" nothing="Nothing is selected" />
      <button
        type="button"
        class="danger"
        title="This part gets the material of the body again"
        onClick={() => {
          target.value = 'fix';
          tool.value = 'look';
          change({ groups: flow.value.groups.filter((_, i) => i !== place) });
        }}
      >
        Remove the group
      </button>
    </details>
  );
}

export function MaterialStep() {
  useEffect(() => {
    if (!presets.value.length) void loadPresets();
  }, []);
  const { material, groups } = flow.value;
  return (
    <>
      {problem.value && (
        <ProblemHere problem={problem.value}>
          <button type="button" onClick={() => void loadPresets()}>
            Load the list again
          </button>
        </ProblemHere>
      )}
      <MaterialFields value={material} onValue={(value) => change({ material: value })} />
      <h3>Parts of another material</h3>
      {groups.map((group, i) => (
        <GroupEditor key={i} group={group} place={i} />
      ))}
      <div>
        <button
          type="button"
          title="For a part that is softer, stiffer or heavier"
          onClick={() => {
            change({ groups: [...groups, { ...material, young: 10 * material.young, preset: '', selects: [] }] });
            target.value = groups.length;
          }}
        >
          Add a material group
        </button>
        <p class="hint">Where groups overlap, the last one counts.</p>
      </div>
    </>
  );
}
