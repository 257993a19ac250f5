// SPDX-License-Identifier: Apache-2.0
// The live view: a soft body to pull on, with everything about it that can be changed while it moves.
import { isExport } from '../api/client';
import { count } from '../page/format';
import { BodiesPanel } from '../panels/bodies_panel';
import { DomainsPanel } from '../panels/domains_panel';
import { ExportPanel } from '../panels/export_panel';
import type { ViewProps } from '../page/view_props';
import { ContactPanel } from '../panels/contact_panel';
import { CopyPanel } from '../panels/copy_panel';
import { ForcesPanel, ShowPanel } from '../panels/display_panel';
import { saveFile } from '../panels/files';
import { MaterialPanel } from '../panels/material_panel';
import { ConstraintPanel } from '../panels/constraint_panel';
import { RecordingPanel } from '../panels/recording_panel';
import { ScenePanel } from '../panels/scene_panel';
import { SolverPanel } from '../panels/solver_panel';
import { coordinatesOf, flies } from '../sim/settings';
import { kSceneId } from '../view/session';
import type { Workspace } from '../view/workspace';
import { WorkspaceView } from './workspace_view';

export default function LiveView({ id }: ViewProps) {
  return (
    <WorkspaceView id={id} label="The body. Drag it to pull; drag beside it to rotate the view.">
      {(workspace) => <Side id={id} workspace={workspace} />}
    </WorkspaceView>
  );
}

function Side({ id, workspace }: { id: string; workspace: Workspace }) {
  const { session, live, pulling, gizmos } = workspace;
  const { player } = session;
  const { info } = player.modelOf(player.body.value).shown;
  return (
    <>
      <div class="side-head">
        <h1>{session.title}</h1>
        <p class="hint">{player.settings.value.bodies.length > 1 && `Selected: ${player.labelOf(player.body.value)}, `}
          {count(info.vertices, 'vertex', 'vertices')},{' '}
          {count(coordinatesOf(info, player.body.value.method), 'coordinate')}.
          Drag the body to pull it. Drag beside it to turn the view.</p>
        {info.free_body && !flies(player.body.value) && <p class="note">Nothing is fixed. The body deforms where it is, but it
          does not move away, rotate or fall: {info.can_be_free || player.body.value.method !== 'stvk'
            ? 'its mount is fixed.' : 'build the model again, and it can fly.'}</p>}
        <p class="row">
          <a class="button" href={`#/inspect/${id}`} title="Modes, plots, spectrum, comparison with the full model">Inspect</a>
          {!isExport && !info.free_body && info.domains === 0 && !id.startsWith(kSceneId) &&
            <a class="button" href={`#/sketch/${id}`} title="Record forces and build a basis from them">Sketch</a>}
          <button type="button" title="Download the model as a glTF file"
                  onClick={() => saveFile(id.startsWith(kSceneId) ? player.body.value.model : `${id}.glb`, id.startsWith(kSceneId) ? player.modelOf(player.body.value).file : session.file, 'model/gltf-binary')}>Download</button>
        </p>
      </div>
      <ForcesPanel player={player} pulling={pulling} size={live.size} motion={session.entry.motion ?? null} />
      <ContactPanel workspace={workspace} />
      <BodiesPanel workspace={workspace} />
      {player.body.value.method === 'domains' ? <DomainsPanel workspace={workspace} /> : <MaterialPanel player={player} />}
      <SolverPanel player={player} />
      <ShowPanel display={session.display} live={live} />
      <ConstraintPanel live={live} constraints={session.constraints} gizmos={gizmos} pulling={pulling} />
      <ScenePanel session={session} />
      <RecordingPanel session={session} />
      <ExportPanel workspace={workspace} />
      <CopyPanel session={session} />
    </>
  );
}
