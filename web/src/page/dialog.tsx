// SPDX-License-Identifier: Apache-2.0
// A modal dialog: open as long as it is rendered. Escape asks its owner to close it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  class: string;
  /** The id of its heading. */
  labelledBy: string;
  onCancel: () => void;
  /** A click beside it cancels too. */
  closesBeside?: boolean;
  children: ComponentChildren;
}

export function Dialog({ class: kind, labelledBy, onCancel, closesBeside, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      onClick={(event) => {
        if (closesBeside && event.target === dialog.current) onCancel();
      }}
    >
      {children}
    </dialog>
  );
}
