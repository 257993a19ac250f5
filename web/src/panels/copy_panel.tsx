// SPDX-License-Identifier: Apache-2.0
// The settings and the pull as text: a scene for the command line, and Python.
import { useState } from 'preact/hooks';
import { announce } from '../page/announce';
import { commandLineText, pythonText } from './as_text';
import type { Session } from '../view/session';
import { Button, Panel } from './controls';
import { copyText } from './files';

export function CopyPanel({ session }: { session: Session }) {
  const { player } = session;
  const { lastPull } = player;
  const [text, setText] = useState<string | null>(null);
  const copy = async (next: string, what: string) => {
    setText(next);
    announce(await copyText(next) ? `${what} copied.` : `${what} shown below.`);
  };
  const copied = () => ({
    settings: player.settings.value, fields: player.fields, pull: lastPull.value,
    models: new Map([...player.models.value].map(([name, { shown: { info } }]) => [name, { info }])),
  });
  return (
    <Panel title="Copy as command or Python">
      <div class="row">
        <Button hint="A scene with these bodies, their settings and the last pull, and the command that runs it"
                onClick={() => void copy(commandLineText(copied()), 'Command line')}>
          Command line
        </Button>
        <Button hint="A Python program with these bodies, their settings and the last pull"
                onClick={() => void copy(pythonText(copied()), 'Python program')}>
          Python
        </Button>
      </div>
      <p class="hint">{lastPull.value ? 'Bodies, settings and the last pull.' : 'Bodies and settings only: nothing has been pulled.'}</p>
      {text && <pre tabIndex={0} aria-label="Copied text">{text}</pre>}
    </Panel>
  );
}
