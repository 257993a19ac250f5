// SPDX-License-Identifier: Apache-2.0
// Where a label stands: near its body, and on nothing else.

/** In pixels of the page, y downwards. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const kHighest = 6, kGap = 2, kEdge = 4;

/** The place nearest to `wanted`, above or below it, that overlaps none of `taken`; null: there is none from the top to `lowest`. */
export function placeBeside(wanted: Rectangle, taken: Rectangle[], lowest: number): Rectangle | null {
  // The free places begin where something ends.
  const heights = [wanted.y, ...taken.flatMap(({ y, height }) => [y - wanted.height - kGap, y + height + kGap])]
    .filter((y) => y >= kHighest && y <= Math.max(lowest, kHighest))
    .sort((a, b) => Math.abs(a - wanted.y) - Math.abs(b - wanted.y));
  const y = heights.find((height) => !taken.some((other) => overlap({ ...wanted, y: height }, other)));
  return y === undefined ? null : { ...wanted, y };
}

export interface Point {
  x: number;
  y: number;
}

/** The place on none of `taken` that covers the fewest of `points`, and of those the one nearest to `wanted`; null: there is none. */
export function placeCoveringFewest(
  wanted: Rectangle, pictureWidth: number, points: Point[], taken: Rectangle[], lowest: number,
): Rectangle | null {
  const { width, height } = wanted;
  const wide = Math.max(kEdge, pictureWidth - width - kEdge), low = Math.max(lowest, kHighest);
  let best: Rectangle | null = null, fewest = Infinity, nearest = Infinity;
  for (const x of [wanted.x, ...steps(kEdge, wide, width / 3)])
    for (const y of [wanted.y, ...steps(kHighest, low, height / 2)]) {
      const place = { x, y, width, height };
      if (taken.some((other) => overlap(place, other))) continue;
      const covered = points.filter((p) => p.x > x - kGap && p.x < x + width + kGap && p.y > y - kGap && p.y < y + height + kGap).length;
      const away = Math.hypot(x - wanted.x, y - wanted.y);
      if (covered > fewest || (covered === fewest && away >= nearest)) continue;
      best = place;
      fewest = covered;
      nearest = away;
    }
  return best;
}

function steps(from: number, to: number, step: number): number[] {
  const count = Math.max(1, Math.floor((to - from) / step));
  return Array.from({ length: count + 1 }, (_, i) => from + (to - from) * i / count);
}

/** placeBeside, or where there is none at an edge of a picture of this width. */
export function placeBesideAll(wanted: Rectangle, pictureWidth: number, taken: Rectangle[], lowest: number): Rectangle | null {
  for (const x of [wanted.x, kEdge, pictureWidth - wanted.width - kEdge]) {
    const place = placeBeside({ ...wanted, x }, taken, lowest);
    if (place) return place;
  }
  return null;
}
