// SPDX-License-Identifier: Apache-2.0
// The list of keys: opened by ? or by its button.
import { Dialog } from '../page/dialog';

/** Keys that do the same, and what. */
export type KeyList = readonly (readonly [keys: readonly string[], does: string])[];

/** Of the live view and Inspect. */
export const kWorkspaceKeys: KeyList = [
  [['Space'], 'Run or pause'],
  [['.'], 'One step (while paused)'],
  [['R'], 'Reset to rest'],
  [['F'], 'Frame the whole body'],
  [['D'], 'Drop it: all bodies fall on a floor'],
  [['B'], 'Poke: the pointer carries a ball'],
  [['Ctrl+Z', 'Ctrl+Shift+Z'], 'Undo, redo'],
  [['←', '→', '↑', '↓'], 'Choose a vertex (in the picture)'],
  [['Enter'], 'Pull or release the chosen vertex'],
  [['←', '→', '↑', '↓'], 'While pulling: move the spring end'],
  [['Page Up', 'Page Down'], 'While pulling: nearer, farther'],
  [['Enter'], 'While poking: press the ball, release it'],
  [['Shift'], 'With arrow keys: 4 times as far'],
  [['Esc'], 'Release'],
  [['?'], 'This list'],
];

/** Of the views that are looked round by keys. */
export const kSketchKeys: KeyList = [
  [['←', '→', '↑', '↓'], 'Turn the view (in the picture)'],
  [['+', '−'], 'Zoom'],
  [['Home'], 'Show the whole body'],
  [['?'], 'This list'],
];

const kPointer: KeyList = [
  [['drag the body'], 'Pull; release a free one in motion to throw it'],
  [['drag beside it', 'second button'], 'Turn the view'],
  [['middle button', 'two fingers'], 'Move the view'],
  [['wheel', 'pinch'], 'Zoom'],
];

function Rows({ title, list }: { title: string; list: KeyList }) {
  return (
    <>
      <tr><th colSpan={2} scope="colgroup">{title}</th></tr>
      {list.map(([keys, does], i) => (
        <tr key={i}>
          <td>{keys.map((key, k) => <span key={key}>{k > 0 && ' '}<kbd>{key}</kbd></span>)}</td>
          <td>{does}</td>
        </tr>
      ))}
    </>
  );
}

export function KeysDialog({ keys, onClose }: { keys: KeyList; onClose: () => void }) {
  return (
    <Dialog class="keys" labelledBy="keys-title" onCancel={onClose} closesBeside>
      <div class="row spread">
        <h2 id="keys-title">Keys and pointer</h2>
        <button type="button" autoFocus onClick={onClose}>Close</button>
      </div>
      <table><tbody>
        <Rows title="Keys" list={keys} />
        <Rows title="Pointer" list={kPointer} />
      </tbody></table>
    </Dialog>
  );
}

/** A key press that asks for the list. */
export function asksForKeys(event: KeyboardEvent): boolean {
  return event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey;
}
