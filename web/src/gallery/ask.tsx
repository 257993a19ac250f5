// SPDX-License-Identifier: Apache-2.0
// A question before something is lost.
import { useId } from 'preact/hooks';
import { Dialog } from '../page/dialog';

interface AskProps {
  question: string;
  consequence: string;
  /** The word on the button that does it. */
  action: string;
  onYes: () => void;
  onNo: () => void;
}

export function Ask({ question, consequence, action, onYes, onNo }: AskProps) {
  const id = useId();
  return (
    <Dialog class="ask" labelledBy={id} onCancel={onNo}>
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
    </Dialog>
  );
}
