// SPDX-License-Identifier: Apache-2.0
// The motion of the last seconds, for plots and for files.
import type { Frame, Moment } from '../sim/messages';
import type { Vec3 } from '../sim/vector';

export interface Sample extends Moment {
  /** Displacement of the probed vertex, m; null without one. */
  probe: Vec3 | null;
}

export interface History {
  /** The name of the body that moved. */
  body: string | null;
  samples: Sample[];
}

const kMostSamples = 5000;

export function emptyHistory(): History {
  return { body: null, samples: [] };
}

/**
 * Adds a body's motion since the last frame. A step back in time, such as a reset, and another body begin anew. `probe` is
 * the displacement at given shape coordinates, m.
 */
export function remember(history: History, frame: Frame, name: string, probe: ((coordinates: Float64Array) => Vec3) | null): void {
  const { samples } = history;
  const body = frame.bodies.find((one) => one.name === name);
  if (!body) return;
  const isNew = name !== history.body;
  if (isNew) samples.length = 0;
  history.body = name;
  // The trail of a frame that was on its way is of the body before.
  const moments = frame.trail.length > 0 && !isNew ? frame.trail : [{ ...body, time: frame.time }];
  for (const { time, q, shapeCoordinates, kinetic, elastic } of moments) {
    const last = samples[samples.length - 1];
    if (last && time < last.time) samples.length = 0;
    else if (last && time === last.time) continue;
    samples.push({ time, q, shapeCoordinates, kinetic, elastic, probe: probe && probe(shapeCoordinates) });
  }
  if (samples.length > kMostSamples) samples.splice(0, samples.length - kMostSamples);
}

/** As `limber simulate` writes it: t, q0 …, energies, and the probe. */
export function historyCsv(history: History, name: string): string {
  const { samples } = history;
  const rank = samples[0]?.q.length ?? 0;
  const withProbe = samples.some((sample) => sample.probe);
  const columns = ['t', ...Array.from({ length: rank }, (_, i) => `${name}.q${i}`), `${name}.kinetic`, `${name}.elastic`,
    ...(withProbe ? ['probe.x', 'probe.y', 'probe.z'] : [])];
  const rows = samples.map(({ time, q, kinetic, elastic, probe }) =>
    [time, ...q, kinetic, elastic, ...(withProbe ? probe ?? ['', '', ''] : [])].join(','));
  return `${[columns.join(','), ...rows].join('\n')}\n`;
}
