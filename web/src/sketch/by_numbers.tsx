// SPDX-License-Identifier: Apache-2.0
// A pull by numbers.
import { useMemo, useState } from 'preact/hooks';
import { NumberField } from '../panels/fields';
import { plain } from '../page/format';
import type { Vec3 } from '../sim/vector';
import { softestVertex, springForce, type LinearStatics, type Pull } from './statics';

interface ByNumbersProps {
  statics: LinearStatics;
  onPreview: (pull: Pull | null) => void;
  onRecord: (pull: Pull) => void;
}

const kWays: { label: string; way: Vec3 }[] = [
  { label: '+x', way: [1, 0, 0] },
  { label: '−x', way: [-1, 0, 0] },
  { label: '+y', way: [0, 1, 0] },
  { label: '−y', way: [0, -1, 0] },
  { label: '+z', way: [0, 0, 1] },
  { label: '−z', way: [0, 0, -1] },
];

export function ByNumbers({ statics, onPreview, onRecord }: ByNumbersProps) {
  const { inputVertices, shape } = statics;
  const [vertex, setVertex] = useState(() => inputVertices[softestVertex(statics)]);
  const [force, setForce] = useState<Vec3>([0, 0, 0]);
  const chosen = Math.max(0, inputVertices.indexOf(vertex));
  const missing = !inputVertices.includes(vertex);
  const at = Array.from(shape.rest.subarray(3 * chosen, 3 * chosen + 3), (x) => plain(x)).join(', ');
  const held = useMemo(() => !springForce(statics, chosen, [1, 1, 1]), [statics, chosen]);
  const nothing = missing || held || force.every((x) => x === 0);
  const push = (way: Vec3) => {
    const found = springForce(statics, chosen, way.map((x) => 0.15 * statics.size * x) as Vec3);
    if (!found) return;
    // One axis only: what a finger would do.
    const axis = way.findIndex((x) => x !== 0);
    const alone: Vec3 = [0, 0, 0];
    alone[axis] = Math.abs(found[axis]) * way[axis];
    alone[axis] = Number(alone[axis].toPrecision(3));
    setForce(alone);
    onPreview({ vertex: chosen, force: alone });
  };
  return (
    <div class="by-numbers">
      <NumberField
        label="Vertex of the mesh file"
        whole
        min={0}
        value={vertex}
        hint={
          missing
            ? 'This vertex is not on the surface.'
            : held
              ? 'This vertex is fixed. Choose another one.'
              : `At ${at} m`
        }
        onValue={(value) => {
          setVertex(value ?? 0);
          onPreview({ vertex: Math.max(0, inputVertices.indexOf(value ?? 0)), force });
        }}
      />
      <div class="row tools" role="group" aria-label="A force along an axis">
        {kWays.map(({ label, way }) => (
          <button
            key={label}
            type="button"
            disabled={missing || held}
            aria-label={`Push along ${label}`}
            title="A force along this axis that bends the body visibly"
            onClick={() => push(way)}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="force-grid">
        {['x', 'y', 'z'].map((axis, i) => (
          <NumberField
            key={axis}
            label={`Force ${axis}`}
            unit="N"
            value={force[i]}
            onValue={(value) => {
              const next = force.map((old, k) => (k === i ? (value ?? 0) : old)) as Vec3;
              setForce(next);
              onPreview({ vertex: chosen, force: next });
            }}
          />
        ))}
      </div>
      <div class="row">
        <button
          type="button"
          disabled={nothing}
          onClick={() => onRecord({ vertex: chosen, force })}
          title="Add this force"
        >
          Record
        </button>
        <button type="button" class="quiet" onClick={() => onPreview(null)} title="Return to rest">
          Release
        </button>
      </div>
    </div>
  );
}
