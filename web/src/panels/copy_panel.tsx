// SPDX-License-Identifier: Apache-2.0
// The settings and the pull as text: a scene for the command line, and Python.
import { useState } from 'preact/hooks';
import { announce } from '../page/announce';
import { commandLineText, pythonText } from './as_text';
import type { Session } from '../view/session';
import { Button, Panel } from './controls';
import { copyText } from './files';

export function CopyPanel({ session }: { session: Session }) {
  const { player, id } = session;
  const { settings, model: { info }, lastPull } = player;
  const [shown, setShown] = useState<string | null>(null);
  const copy = async (text: string, what: string) => {
    setShown(text);
    announce(await copyText(text) ? `${what} copied.` : `${what} shown below.`);
  };
  return (
    <Panel title="Copy as command or Python">
      <div class="row">
        <Button hint="A scene with these settings and the last pull, and the command that runs it"
                onClick={() => void copy(commandLineText(settings.value, info, `${id}.glb`, lastPull.value), 'Command line')}>
          Command line
        </Button>
        <Button hint="A Python program with these settings and the last pull"
                onClick={() => void copy(pythonText(settings.value, info, `${id}.glb`, lastPull.value), 'Python program')}>
          Python
        </Button>
      </div>
      <p class="hint">{lastPull.value ? 'Settings and the last pull.' : 'Settings only: nothing has been pulled.'}</p>
      {shown && <pre tabIndex={0} aria-label="Copied text">{shown}</pre>}
    </Panel>
  );
}
