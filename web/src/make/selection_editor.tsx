// SPDX-License-Identifier: Apache-2.0
// Selecting vertices: a side, what is clicked or painted, a rectangle on the picture, numbers, or text.
import { signal } from '@preact/signals';
import { useId, useState } from 'preact/hooks';
import { count, lengthText, plain } from '../page/format';
import { checked, chosenBy, up } from './flow';
import { NumberField } from '../panels/fields';
import { diagonalOf } from './mesh_measure';
import { boxText, nearestVertex, type Box } from './select_text';
import { kSides, sideText } from './sides';
import {
  addBox,
  brushSize,
  canUndo,
  paint,
  remember,
  setTexts,
  spreadAngle,
  target,
  textsOf,
  tool,
  undo,
  type Target,
  type Tool,
} from './tools';

const kTools: { value: Tool; label: string; hint: string }[] = [
  { value: 'look', label: 'Look', hint: 'Drag to rotate the view. The wheel or two fingers zoom.' },
  { value: 'face', label: 'Face', hint: 'Click the surface: selects the connected part that faces the same way.' },
  { value: 'patch', label: 'Patch', hint: 'Click the surface: selects everything up to the next sharp edge.' },
  { value: 'piece', label: 'Piece', hint: 'Click the surface: selects the whole connected piece.' },
  { value: 'box', label: 'Box', hint: 'Drag a rectangle: selects everything behind it. The right button rotates the view.' },
  { value: 'paint', label: 'Paint', hint: 'Drag over the surface to select. The right button rotates the view.' },
  { value: 'erase', label: 'Erase', hint: 'Drag over the surface to deselect.' },
];

function Tools({ of }: { of: Target }) {
  const active = target.value === of ? tool.value : 'look';
  const painting = active === 'paint' || active === 'erase';
  const diagonal = diagonalOf(checked.value!.mesh);
  return (
    <>
      <div class="row tools" role="group" aria-label="Tool">
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
        <button type="button" disabled={!canUndo.value} onClick={undo} title="Undo the last change of a selection">
          Undo
        </button>
      </div>
      <p class="hint">{kTools.find(({ value }) => value === active)!.hint}</p>
      {(active === 'face' || active === 'patch') && (
        <label class="slider">
          {active === 'face' ? 'Largest angle to the clicked triangle' : 'Largest angle at an edge'}:{' '}
          {spreadAngle.value[active]}°
          <input
            type="range"
            min={1}
            max={90}
            value={spreadAngle.value[active]}
            onInput={(event) => {
              spreadAngle.value = { ...spreadAngle.value, [active]: event.currentTarget.valueAsNumber };
            }}
          />
        </label>
      )}
      {painting && (
        <label class="slider">
          Brush size: {lengthText(brushSize.value * diagonal)}
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
      <p class="hint">In metres. An empty field is no limit.</p>
      <div class="box-grid">
        {['x', 'y', 'z'].flatMap((name, axis) => [
          <NumberField
            key={`${name}>`}
            label={`${name} from`}
            unit="m"
            value={box.value.min[axis]}
            empty={plain(min[axis])}
            onValue={(value) => set('min', axis, value)}
          />,
          <NumberField
            key={`${name}<`}
            label={`${name} to`}
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
          label="Radius"
          unit="m"
          min={0}
          value={radius}
          onValue={(value) => setRadius(value ?? 0)}
          hint="Vertices within this distance"
        />
      </div>
      <div class="row">
        <button type="button" onClick={() => apply('paint')} title="Add these vertices to the selection">
          Add
        </button>
        <button type="button" onClick={() => apply('erase')} title="Remove these vertices from the selection">
          Remove
        </button>
        <button
          type="button"
          class="quiet"
          title="The vertex nearest to the centre of the mesh"
          onClick={() =>
            setVertex(
              nearestVertex(
                mesh.positions,
                mesh.min.map((low, i) => 0.5 * (low + mesh.max[i])),
              ),
            )
          }
        >
          Centre
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

/** Buttons for the sides of the body, as seen from the front. */
function Sides({ of, verb }: { of: Target; verb: string }) {
  const texts = textsOf(of);
  return (
    <div class="row tools" role="group" aria-label={`${verb} a side`}>
      {kSides.map((side) => {
        const text = sideText(side, up.value);
        const on = texts.includes(text);
        return (
          <button
            key={side}
            type="button"
            aria-pressed={on}
            title={`The outer 5% of the body at the ${side}`}
            onClick={() => setTexts(of, on ? texts.filter((one) => one !== text) : [...texts, text])}
          >
            {side.charAt(0).toUpperCase() + side.slice(1)}
          </button>
        );
      })}
    </div>
  );
}

/** `verb`: what is done with the selection, "Fix". */
export function SelectionEditor({ of, verb, nothing }: { of: Target; verb: string; nothing: string }) {
  const texts = textsOf(of);
  const chosen = chosenBy(texts, checked.value!.mesh);
  return (
    <div class="selection">
      <h3>{verb} a side</h3>
      <Sides of={of} verb={verb} />
      <h3>{verb} what you click or drag over</h3>
      <Tools of={of} />
      <p role="status">
        <strong>
          {chosen.count === 0 && !texts.length ? nothing : `${count(chosen.count, 'vertex', 'vertices')} selected`}
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
          title="A condition to edit as text, such as z<0.01 && !(x>0.2)"
          onClick={() => setTexts(of, [...texts, sideText('bottom', up.value)])}
        >
          Add a condition
        </button>
        {texts.length > 0 && (
          <button type="button" class="quiet" title="Select nothing" onClick={() => setTexts(of, [])}>
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
