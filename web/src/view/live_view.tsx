// SPDX-License-Identifier: Apache-2.0
// The live view: a soft body to pull on, with everything about it that can be changed while it moves.
import { isExport } from '../api/client';
import type { ViewProps } from '../main';
import { CopyPanel } from '../panels/copy_panel';
import { ForcesPanel, ShowPanel } from '../panels/display_panel';
import { saveFile } from '../panels/files';
import { MaterialPanel } from '../panels/material_panel';
import { PinPanel } from '../panels/pin_panel';
import { RecordingPanel } from '../panels/recording_panel';
import { MethodPanel, SolverPanel } from '../panels/solver_panel';
import { coordinatesOf } from '../sim/settings';
import { WorkspaceView, type Workspace } from './workspace';

export default function LiveView({ id }: ViewProps) {
  return (
    <WorkspaceView id={id} label="The body. Drag it to pull, drag beside it to turn the view.">
      {(workspace) => <Side id={id} workspace={workspace} />}
    </WorkspaceView>
  );
}

function Side({ id, workspace }: { id: string; workspace: Workspace }) {
  const { session, live, pulling, gizmos } = workspace;
  const { player } = session;
  const { info } = player.model;
  return (
    <>
      <div class="side-head">
        <h1>{session.title}</h1>
        <p class="hint">{info.vertices.toLocaleString('en')} vertices, {coordinatesOf(info, player.settings.value.methods[0])} coordinates. Drag the body to pull it;
          drag beside it, or with the second button or two fingers, to look around.</p>
        <p class="row">
          <a class="button" href={`#/inspect/${id}`} title="Modes, plots, spectrum and files">Inspect</a>
          {!isExport && <a class="button" href={`#/sketch/${id}`} title="Record forces and build a basis from them">Sketch</a>}
          <button type="button" title="The model as a glTF file, which Blender opens"
                  onClick={() => saveFile(`${id}.glb`, session.file, 'model/gltf-binary')}>Download</button>
        </p>
      </div>
      <ForcesPanel player={player} pulling={pulling} size={live.size} />
      <MaterialPanel player={player} />
      <MethodPanel player={player} />
      <SolverPanel player={player} />
      <ShowPanel display={session.display} player={player} live={live} />
      <PinPanel player={player} pins={session.pins} gizmos={gizmos} pulling={pulling} size={live.size} />
      <RecordingPanel session={session} />
      <CopyPanel session={session} />
    </>
  );
}
