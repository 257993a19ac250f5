// SPDX-License-Identifier: Apache-2.0
// Choosing vertices: by a rectangle on the picture, by painting, by the numbers of a box or a vertex, or as text.
import { signal } from '@preact/signals';
import { useId, useState } from 'preact/hooks';
import { checked, chosenBy, flow } from './flow';
import { NumberField } from './fields';
import { diagonalOf } from './mesh_measure';
import { boxText, nearestVertex, type Box } from './select_text';
import {
  addBox,
  brushSize,
  canUndo,
  paint,
  remember,
  setTexts,
  target,
  textsOf,
  tool,
  undo,
  type Target,
  type Tool,
} from './tools';
import { count, lengthText, plain } from './words';

const kTools: { value: Tool; label: string; hint: string }[] = [
  { value: 'look', label: 'Look', hint: 'Drag to turn the mesh, with two fingers or the wheel to zoom.' },
  {
    value: 'box',
    label: 'Box',
    hint: 'Drag a rectangle: what lies under it, through the body, gives a box; the second button turns.',
  },
  { value: 'paint', label: 'Paint', hint: 'Drag over the surface. The second button still turns.' },
  { value: 'erase', label: 'Erase', hint: 'Drag over what shall not be chosen. Boxes become single vertices by that.' },
];

function Tools({ of }: { of: Target }) {
  const active = target.value === of ? tool.value : 'look';
  const painting = active === 'paint' || active === 'erase';
  const diagonal = diagonalOf(checked.value!.mesh);
  return (
    <>
      <div class="row tools" role="group" aria-label="What dragging on the picture does">
        {kTools.map(({ value, label, hint }) => (
          <button
            key={value}
            type="button"
            aria-pressed={active === value}
            title={hint}
            onClick={() => {
              target.value = of;
              tool.value = value;
            }}
          >
            {label}
          </button>
        ))}
        <button type="button" disabled={!canUndo.value} onClick={undo} title="Take the last change of a selection back">
          Undo
        </button>
      </div>
      <p class="hint">{kTools.find(({ value }) => value === active)!.hint}</p>
      {painting && (
        <label class="slider">
          Size of the brush: {lengthText(brushSize.value * diagonal)}
          <input
            type="range"
            min={0.005}
            max={0.2}
            step={0.005}
            value={brushSize.value}
            onInput={(event) => {
              brushSize.value = event.currentTarget.valueAsNumber;
            }}
          />
        </label>
      )}
    </>
  );
}

const kOpen: Box = { min: [null, null, null], max: [null, null, null] };
const box = signal<Box>(kOpen);

function BoxByNumbers({ of }: { of: Target }) {
  const { min, max } = checked.value!.mesh;
  const set = (side: 'min' | 'max', axis: number, value: number | null) => {
    box.value = { ...box.value, [side]: box.value[side].map((old, i) => (i === axis ? value : old)) };
  };
  return (
    <div class="by-numbers">
      <p class="hint">Sides in metres; an empty side is open.</p>
      <div class="box-grid">
        {['x', 'y', 'z'].flatMap((name, axis) => [
          <NumberField
            key={`${name}>`}
            label={`${name} above`}
            unit="m"
            value={box.value.min[axis]}
            empty={plain(min[axis])}
            onValue={(value) => set('min', axis, value)}
          />,
          <NumberField
            key={`${name}<`}
            label={`${name} below`}
            unit="m"
            value={box.value.max[axis]}
            empty={plain(max[axis])}
            onValue={(value) => set('max', axis, value)}
          />,
        ])}
      </div>
      <div class="row">
        <button
          type="button"
          disabled={boxText(box.value) === ''}
          onClick={() => {
            target.value = of;
            tool.value = 'box';
            addBox(of, box.value);
            box.value = kOpen;
          }}
        >
          Add this box
        </button>
      </div>
    </div>
  );
}

function VertexByNumber({ of }: { of: Target }) {
  const { mesh } = checked.value!;
  const last = mesh.positions.length / 3 - 1;
  const [vertex, setVertex] = useState(0);
  const [radius, setRadius] = useState(0);
  const at = mesh.positions.subarray(3 * vertex, 3 * vertex + 3);
  const apply = (how: 'paint' | 'erase') => {
    remember(of);
    paint(of, how, vertex, at, radius);
  };
  return (
    <div class="by-numbers">
      <div class="box-grid">
        <NumberField
          label="Vertex"
          whole
          min={0}
          max={last}
          value={vertex}
          onValue={(value) => setVertex(value ?? 0)}
          hint={`At ${Array.from(at, (x) => plain(x)).join(', ')} m`}
        />
        <NumberField
          label="And all within"
          unit="m"
          min={0}
          value={radius}
          onValue={(value) => setRadius(value ?? 0)}
          hint="Distance from it"
        />
      </div>
      <div class="row">
        <button type="button" onClick={() => apply('paint')} title="Add these vertices to the selection">
          Add
        </button>
        <button type="button" onClick={() => apply('erase')} title="Take these vertices out of the selection">
          Take away
        </button>
        <button
          type="button"
          class="quiet"
          title="The vertex that is nearest to the middle of the mesh"
          onClick={() =>
            setVertex(
              nearestVertex(
                mesh.positions,
                mesh.min.map((low, i) => 0.5 * (low + mesh.max[i])),
              ),
            )
          }
        >
          Middle
        </button>
      </div>
    </div>
  );
}

function SelectText({
  of,
  place,
  text,
  remark,
}: {
  of: Target;
  place: number;
  text: string;
  remark: { text: string; wrong: boolean } | null;
}) {
  const id = useId();
  const texts = textsOf(of);
  const kind = text.trim().startsWith('#') ? 'Vertices' : 'Condition';
  return (
    <li>
      <label for={id}>{kind}</label>
      <div class="row select-row">
        <input
          id={id}
          type="text"
          class="mono"
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={remark?.wrong ?? false}
          aria-describedby={`${id}-remark`}
          onChange={(event) =>
            setTexts(
              of,
              texts.map((old, i) => (i === place ? event.currentTarget.value : old)),
            )
          }
        />
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${kind.toLowerCase()} ${place + 1}`}
          title="Remove this part of the selection"
          onClick={() =>
            setTexts(
              of,
              texts.filter((_, i) => i !== place),
            )
          }
        >
          Remove
        </button>
      </div>
      <p id={`${id}-remark`} class={remark?.wrong ? 'hint wrong' : 'hint'}>
        {remark?.text}
      </p>
    </li>
  );
}

/** A condition to start from: the lowest twentieth of the body. */
function lowest(up: 'y' | 'z'): string {
  return `${up} < ${up}min + 0.05*(${up}max-${up}min)`;
}

export function SelectionEditor({ of, nothing }: { of: Target; nothing: string }) {
  const texts = textsOf(of);
  const chosen = chosenBy(texts, checked.value!.mesh);
  return (
    <div class="selection">
      <Tools of={of} />
      <p role="status">
        <strong>
          {chosen.count === 0 && !texts.length ? nothing : `${count(chosen.count, 'vertex', 'vertices')} chosen`}
        </strong>
      </p>
      {texts.length > 0 && (
        <ul class="select-list">
          {texts.map((text, i) => (
            <SelectText key={i} of={of} place={i} text={text} remark={chosen.remarks[i]} />
          ))}
        </ul>
      )}
      <div class="row">
        <button
          type="button"
          class="quiet"
          title="A condition to write yourself, such as z<0.01 && !(x>0.2)"
          onClick={() => setTexts(of, [...texts, lowest(flow.value.up)])}
        >
          Add a condition
        </button>
        {texts.length > 0 && (
          <button type="button" class="quiet" title="Choose nothing" onClick={() => setTexts(of, [])}>
            Clear
          </button>
        )}
      </div>
      <details>
        <summary>Box by numbers</summary>
        <BoxByNumbers of={of} />
      </details>
      <details>
        <summary>Vertex by number</summary>
        <VertexByNumber of={of} />
      </details>
    </div>
  );
}
