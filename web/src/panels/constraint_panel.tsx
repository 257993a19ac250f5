// SPDX-License-Identifier: Apache-2.0
// Constraints of warped bodies: vertices chosen by a click, moved and rotated by gizmos or by typing.
import type { Signal } from '@preact/signals';
import type { Vec3 } from '../sim/vector';
import { anglesOf, orientationOf, type Constraint, type ConstraintGizmos } from '../view/constraints';
import type { LiveScene } from '../view/live_scene';
import type { Pulling } from '../view/pulling';
import { addBody } from './bodies_panel';
import { Button, NumberControl, Panel, Toggle } from './controls';

export function ConstraintPanel({ live, constraints, gizmos, pulling }: {
  live: LiveScene; constraints: Signal<Constraint[]>; gizmos: ConstraintGizmos; pulling: Pulling;
}) {
  const { player, size } = live;
  const { bodies } = player.settings.value;
  const warped = bodies.some(({ method }) => method === 'warp');
  const able = [...player.models.value.values()].find(({ shown }) => shown.methods.includes('warp'));
  if (!warped && !able) {
    return (
      <Panel title="Constraints">
        <p class="note">This model has no modal-warping data, which constraints need.</p>
      </Panel>
    );
  }
  const selected = gizmos.selected.value;
  const constraint = selected === null ? undefined : constraints.value[selected];
  const chosen = pulling.chosen.value;
  const adding = pulling.tool.value === 'constrain';
  const ofSeveral = bodies.filter(({ method }) => method === 'warp').length > 1;
  return (
    <Panel title="Constraints">
      {!warped && able && (
        <p class="note">
          Constraints act on warped bodies. <button type="button" class="quiet" title="Adds a warped body to the view"
            onClick={() => void addBody(live, able.name, 'warp')}>Show one</button>
        </p>
      )}
      <div class="row">
        <Button hint="Click vertices of a warped body to constrain them" disabled={!warped} pressed={adding}
                onClick={() => { pulling.tool.value = adding ? 'pull' : 'constrain'; }}>Add by click</Button>
        <Button hint="Constrains the vertex chosen with the arrow keys" disabled={!warped || !chosen}
                onClick={() => chosen && gizmos.add(chosen)}>Add the chosen vertex</Button>
      </div>
      {constraints.value.length > 0 && (
        <ul class="list" aria-label="Constraints">
          {constraints.value.map((one, place) => (
            <li key={`${one.body} ${one.vertex}`} class="row spread">
              <Button hint="Select" pressed={place === selected}
                      onClick={() => { gizmos.selected.value = place === selected ? null : place; }}>Vertex {one.vertex}{ofSeveral ? ` of ${one.body}` : ''}</Button>
              <Button hint="Remove this constraint" onClick={() => gizmos.remove(place)}>Remove</Button>
            </li>
          ))}
        </ul>
      )}
      {constraint && selected !== null && (
        <fieldset>
          <legend>Vertex {constraint.vertex}</legend>
          <div class="row">
            <Button hint="Drag the gizmo to move the vertex" pressed={gizmos.mode.value === 'translate'}
                    onClick={() => { gizmos.mode.value = 'translate'; }}>Move</Button>
            <Button hint="Drag the gizmo to rotate the vertex" pressed={gizmos.mode.value === 'rotate'}
                    onClick={() => { gizmos.mode.value = 'rotate'; }}>Rotate</Button>
          </div>
          {(['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Displacement ${axis}`} hint="From the rest position." unit="m"
                           value={constraint.displacement[k]} min={-size} max={size} step={size / 1000}
                           onChange={(value) => gizmos.change(selected,
                             { ...constraint, displacement: replaced(constraint.displacement, k, value) })} />
          ))}
          <Toggle label="Constrain orientation" hint="Also prescribes the rotation of the vertex."
                  checked={constraint.orientation !== null}
                  onChange={(on) => gizmos.change(selected, { ...constraint, orientation: on ? [0, 0, 0, 1] : null })} />
          {constraint.orientation && (['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Rotation ${axis}`} hint="From the rest orientation." unit="°"
                           min={-180} max={180} step={1} value={anglesOf(constraint.orientation!)[k]}
                           onChange={(value) => gizmos.change(selected,
                             { ...constraint, orientation: orientationOf(replaced(anglesOf(constraint.orientation!), k, value)) })} />
          ))}
        </fieldset>
      )}
    </Panel>
  );
}

function replaced(list: Vec3, place: number, value: number): Vec3 {
  return list.map((one, k) => (k === place ? value : one)) as Vec3;
}
