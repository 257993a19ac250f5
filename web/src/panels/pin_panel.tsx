// SPDX-License-Identifier: Apache-2.0
// Pins of the warped body: chosen by a click, moved and turned by gizmos or by typing.
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
      <Panel title="Pins">
        <p class="note">Pins need the modes of warping. Build the model with <code>--method both</code>.</p>
      </Panel>
    );
  }
  const settings = player.settings.value;
  const warped = settings.methods.includes('warped');
  const selected = gizmos.selected.value;
  const pin = selected === null ? undefined : pins.value[selected];
  const chosen = pulling.chosen.value;
  return (
    <Panel title="Pins">
      {!warped && (
        <p class="note">
          Pins hold the warped body. <button type="button" class="quiet" title="Show the warped body beside the others"
            onClick={() => void player.change({ ...settings, methods: [...settings.methods, 'warped'] }, 'method warped')}>
            Show it</button>
        </p>
      )}
      <div class="row">
        <Button hint="Clicks on the warped body set pins" disabled={!warped} pressed={pulling.tool.value === 'pin'}
                onClick={() => { pulling.tool.value = pulling.tool.value === 'pin' ? 'pull' : 'pin'; }}>Set pins</Button>
        <Button hint="Pins the vertex that the keys have chosen in the view" disabled={!warped || !chosen}
                onClick={() => chosen && gizmos.add(chosen.vertex)}>Pin the chosen vertex</Button>
      </div>
      {pins.value.length > 0 && (
        <ul class="list" aria-label="Pins">
          {pins.value.map((one, place) => (
            <li key={one.vertex} class="row spread">
              <Button hint="Shows its gizmo" pressed={place === selected}
                      onClick={() => { gizmos.selected.value = place === selected ? null : place; }}>Vertex {one.vertex}</Button>
              <Button hint="Lets this vertex go" onClick={() => gizmos.remove(place)}>Remove</Button>
            </li>
          ))}
        </ul>
      )}
      {pin && selected !== null && (
        <fieldset>
          <legend>Vertex {pin.vertex}</legend>
          <div class="row">
            <Button hint="The gizmo moves the pin" pressed={gizmos.mode.value === 'translate'}
                    onClick={() => { gizmos.mode.value = 'translate'; }}>Move</Button>
            <Button hint="The gizmo turns the pin" pressed={gizmos.mode.value === 'rotate'}
                    onClick={() => { gizmos.mode.value = 'rotate'; }}>Turn</Button>
          </div>
          {(['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Moved along ${axis}`} hint="From where it rests." unit="m" value={pin.displacement[k]}
                           min={-size} max={size} step={size / 1000}
                           onChange={(value) => gizmos.change(selected, { ...pin, displacement: replaced(pin.displacement, k, value) })} />
          ))}
          <Toggle label="Hold its direction" hint="The pin also says how the vertex is turned." checked={pin.orientation !== null}
                  onChange={(on) => gizmos.change(selected, { ...pin, orientation: on ? [0, 0, 0, 1] : null })} />
          {pin.orientation && (['x', 'y', 'z'] as const).map((axis, k) => (
            <NumberControl key={axis} label={`Turned about ${axis}`} hint="From how it rests." unit="°" min={-180} max={180} step={1}
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
