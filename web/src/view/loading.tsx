// SPDX-License-Identifier: Apache-2.0
// What is shown in place of a model while its file is read.
import { bytesText } from '../page/format';

/** How much of the file has been read; then the simulation is set up. */
export function Loading({ read }: { read: { done: number; all: number } | null }) {
  if (!read) return <p class="stage-note" role="status">Loading the model…</p>;
  const whole = read.all > 0 && read.done >= read.all;
  return (
    <div class="stage-note" role="status">
      <p>{whole ? `Preparing the simulation (${bytesText(read.all)})…`
        : `Reading the model: ${bytesText(read.done)}${read.all > 0 ? ` of ${bytesText(read.all)}` : ''}`}</p>
      <progress aria-label="Model file read" max={read.all || undefined} value={whole || !read.all ? undefined : read.done} />
    </div>
  );
}
