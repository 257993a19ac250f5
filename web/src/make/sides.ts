// SPDX-License-Identifier: Apache-2.0
// The six sides of a body as one sees it from the front, and the SELECT text of each: the outer twentieth.
import type { Up } from '../api/jobs';

export const kSides = ['bottom', 'top', 'left', 'right', 'front', 'back'] as const;
export type Side = (typeof kSides)[number];

const kOpposite: Record<string, Side> = { bottom: 'top', left: 'right', back: 'front' };

// Axes of the model that point up, to the right and to the viewer; the rotations of view/up.ts.
const kAxes: Record<Up, { top: Up; right: Up; front: Up }> = {
  y: { top: 'y', right: 'x', front: 'z' },
  z: { top: 'z', right: 'x', front: '-y' },
  x: { top: 'x', right: '-y', front: 'z' },
  '-y': { top: '-y', right: 'x', front: '-z' },
  '-z': { top: '-z', right: 'x', front: 'y' },
  '-x': { top: '-x', right: 'y', front: 'z' },
};

function reversed(axis: Up): Up {
  return (axis.startsWith('-') ? axis.slice(1) : `-${axis}`) as Up;
}

/** The axis of the model that points to a side. */
export function axisTowards(side: Side, up: Up): Up {
  const axes = kAxes[up];
  return side in axes ? axes[side as 'top' | 'right' | 'front'] : reversed(axes[kOpposite[side] as 'top' | 'right' | 'front']);
}

/** "z < zmin + 0.05*(zmax-zmin)" */
export function sideText(side: Side, up: Up): string {
  const axis = axisTowards(side, up);
  const name = axis.slice(-1);
  const part = `0.05*(${name}max-${name}min)`;
  return axis.startsWith('-') ? `${name} < ${name}min + ${part}` : `${name} > ${name}max - ${part}`;
}
