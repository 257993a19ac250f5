// SPDX-License-Identifier: Apache-2.0
// Constraints of the warped body: vertices chosen by a click, moved and rotated by gizmos or by typing.
import type { Signal } from '@preact/signals';
import type { Player } from '../sim/player';
import type { Vec3 } from '../sim/vector';
import { anglesOf, orientationOf, type Pin, type PinGizmos } from '../view/pins';
import type { Pulling } from '../view/pulling';
import { Button, NumberControl, Panel, Toggle } from './controls';

export function PinPanel({ player, pins, gizmos, pulling, size }: {
  player: Player; pins: Signal<Pin[]>; gizmos: PinGizmos; pulling: Pulling; size: number;
}) {
  if (!player.model.info.methods.includes('warp')) {
    return (
      <Panel title="Constraints">
        <p class="note">This model has no modal-warping data, which constraints need.</p>
      </Panel>
    );
  }
  const settings = player.settings.value;
  const warped = settings.methods.includes('warped');
  const selected = gizmos.selected.value;
  const pin = selected === null ? undefined : pins.value[selected];
  const chosen = pulling.chosen.value;
  return (
    <Panel title="Constraints">
      {!warped && (
        <p class="note">
          Constraints act on the warped body. <button type="button" class="quiet" title="Adds the warped body to the view"
            onClick={() => void player.change({ ...settings, methods: [...settings.methods, 'warped'] }, 'method warped')}>
            Show it</button>
        </p>
      )}
      <div class="row">
        <Button hint="Click vertices of the warped body to constrain them" disabled={!warped} pressed={pulling.tool.value === 'pin'}
                onClick={() => { pulling.tool.value = pulling.tool.value === 'pin' ? 'pull' : 'pin'; }}>Add by click</Button>
        <Button hint="Constrains the vertex chosen with the arrow keys" disabled={!warped || !chosen}
                onClick={() => chosen && gizmos.add(chosen.vertex)}>Add the chosen vertex</Button>
      </div>
      {pins.value.length > 0 && (
        <ul class="list" aria-label="Constraints">
          {pins.value.map((one, place) => (
            <li key={one.vertex} class="row spread">
              <Button hint="Select" pressed={place === selected}
                      onClick={() => { gizmos.selected.value = place === selected ? null : place; }}>Vertex {one.vertex}</Button>
              <Button hint="Remove this constraint" onClick={() => gizmos.remove(place)}>Remove</Button>
            </li>
          ))}
        </ul>
      )}
      {pin && selected !== null && (
        <fieldset>
          <legend>Vertex {pin.vertex}</legend>
          <div class="row">
            <Button hint="Drag the gizmo to move the vertex" pressed={gizmos.mode.value === 'translate'}
                    onClick={() => { gizmos.mode.value = 'translate'; }}>Move</Button>
            <Button hint="Drag the gizmo to rotate the vertex" pressed={gizmos.mode.value === 'rotate'}
                    onClick={() => { gizmos.mode.value = 'rotate'; }}>Rotate</Button>
          </div>
          {(['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Displacement ${axis}`} hint="From the rest position." unit="m" value={pin.displacement[k]}
                           min={-size} max={size} step={size / 1000}
                           onChange={(value) => gizmos.change(selected, { ...pin, displacement: replaced(pin.displacement, k, value) })} />
          ))}
          <Toggle label="Constrain orientation" hint="Also prescribes the rotation of the vertex." checked={pin.orientation !== null}
                  onChange={(on) => gizmos.change(selected, { ...pin, orientation: on ? [0, 0, 0, 1] : null })} />
          {pin.orientation && (['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Rotation ${axis}`} hint="From the rest orientation." unit="°" min={-180} max={180} step={1}
                           value={anglesOf(pin.orientation!)[k]}
                           onChange={(value) => gizmos.change(selected,
                             { ...pin, orientation: orientationOf(replaced(anglesOf(pin.orientation!), k, value)) })} />
          ))}
        </fieldset>
      )}
    </Panel>
  );
}

function replaced(list: Vec3, place: number, value: number): Vec3 {
  return list.map((one, k) => (k === place ? value : one)) as Vec3;
}
