// SPDX-License-Identifier: Apache-2.0
// A question before something is lost.
import { useEffect, useId, useRef } from 'preact/hooks';

interface AskProps {
  question: string;
  consequence: string;
  /** The word on the button that does it. */
  action: string;
  onYes: () => void;
  onNo: () => void;
}

export function Ask({ question, consequence, action, onYes, onNo }: AskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="ask"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onNo();
      }}
    >
      <h2 id={id}>{question}</h2>
      <p>{consequence}</p>
      <div class="row">
        <button type="button" class="danger" onClick={onYes}>
          {action}
        </button>
        <button type="button" autoFocus onClick={onNo}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
