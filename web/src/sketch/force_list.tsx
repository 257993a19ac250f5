// SPDX-License-Identifier: Apache-2.0
// The recorded forces: shown again, made stronger or weaker, repeated, removed.
import { NumberField } from '../panels/fields';
import { plain } from '../page/format';
import { directionText, scaled, strength, type Recorded } from './recorded';

interface ForceListProps {
  forces: Recorded[];
  inputVertices: Int32Array;
  /** The place of the one that is shown on the body; null: none. */
  shown: number | null;
  onShow: (place: number | null) => void;
  onChange: (forces: Recorded[]) => void;
}

function where({ pulls }: Recorded, inputVertices: Int32Array): string {
  return pulls.map(({ vertex }) => `vertex ${inputVertices[vertex]}`).join(' and ');
}

export function ForceList({ forces, inputVertices, shown, onShow, onChange }: ForceListProps) {
  if (!forces.length) return <p class="muted">None yet. Drag the body: each pull is recorded when you release it.</p>;
  return (
    <ol class="forces">
      {forces.map((force, place) => {
        const name = `force ${place + 1}`;
        return (
          <li key={place} data-shown={shown === place}>
            <p>
              <strong>{place + 1}.</strong> {where(force, inputVertices)}:{' '}
              {force.pulls.map((pull) => directionText(pull.force)).join('; ')}
              <span class="hint number">
                {' '}
                {force.pulls.map((pull) => `(${pull.force.map((x) => plain(x, 2)).join(', ')}) N`).join(' ')}
              </span>
            </p>
            <div class="force-row">
              <NumberField
                label={force.pulls.length > 1 ? 'Largest force' : 'Force'}
                unit="N"
                min={1e-12}
                value={strength(force)}
                onValue={(newtons) => {
                  if (newtons === null || !(strength(force) > 0)) return;
                  onChange(forces.map((one, i) => (i === place ? scaled(one, newtons / strength(one)) : one)));
                }}
              />
              <button
                type="button"
                aria-pressed={shown === place}
                aria-label={`Show ${name}`}
                title="Show the body under this force"
                onClick={() => onShow(shown === place ? null : place)}
              >
                Show
              </button>
              <button
                type="button"
                aria-label={`Duplicate ${name}`}
                title="Copy this force, to scale it"
                onClick={() => onChange([...forces, scaled(force, 1)])}
              >
                Duplicate
              </button>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                title="Remove this force"
                onClick={() => onChange(forces.filter((_, i) => i !== place))}
              >
                Remove
              </button>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
