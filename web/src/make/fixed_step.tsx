// SPDX-License-Identifier: Apache-2.0
// What does not move.
import { flow } from './flow';
import { SelectionEditor } from './selection_editor';

export function HoldStep() {
  return (
    <>
      <p>
        Choose where the body is held: feet on the ground, the end of a handle. What is chosen does not move; it is
        shown in orange.
      </p>
      <SelectionEditor of="fix" nothing="Nothing is held" />
      {!flow.value.fix.length && (
        <p class="hint">
          A body that is not held can be built too. It then flies freely, and cannot be sketched on or compared with the
          full model.
        </p>
      )}
    </>
  );
}
