// SPDX-License-Identifier: Apache-2.0
// The present settings as text: a scene for the command line, and Python.
import { useState } from 'preact/hooks';
import { announce } from '../announce';
import { commandLineText, pythonText } from './as_text';
import type { Session } from '../view/session';
import { Button, Panel } from './controls';
import { copyText } from './files';

export function CopyPanel({ session }: { session: Session }) {
  const { player, id } = session;
  const [shown, setShown] = useState<string | null>(null);
  const copy = async (text: string, what: string) => {
    setShown(text);
    announce(await copyText(text) ? `${what} was copied.` : `${what} is shown below.`);
  };
  return (
    <Panel title="Copy as text">
      <div class="row">
        <Button hint="A scene with these settings, and the command that runs it"
                onClick={() => void copy(commandLineText(player.settings.value, player.model.info, `${id}.glb`), 'The command line')}>
          Command line
        </Button>
        <Button hint="A Python program with these settings"
                onClick={() => void copy(pythonText(player.settings.value, player.model.info, `${id}.glb`), 'The Python program')}>
          Python
        </Button>
      </div>
      {shown && <pre tabIndex={0} aria-label="What was copied">{shown}</pre>}
    </Panel>
  );
}
