// SPDX-License-Identifier: Apache-2.0
// What does not move.
import { flow } from './flow';
import { SelectionEditor } from './selection_editor';

export function FixedStep() {
  return (
    <>
      <p>Fixed parts do not move: feet on the ground, the end of a handle. They are orange.</p>
      <SelectionEditor of="fix" verb="Fix" nothing="Nothing is fixed" />
      {!flow.value.fix.length && (
        <p class="hint">
          You can also build a body without fixed parts, but not sketch on it or compare it with the full model.
        </p>
      )}
    </>
  );
}
