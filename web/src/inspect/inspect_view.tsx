// SPDX-License-Identifier: Apache-2.0
// Inspect: modes and derivatives, plots of the motion, the spectrum, the full model beside the reduced one, and files.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isExport } from '../api/client';
import { capturedText, count } from '../page/format';
import type { ViewProps } from '../page/view_props';
import { Frequencies, leftOut, SpectrumPlot } from '../make/spectrum';
import { Validation } from '../make/validation';
import { Button, NumberControl, Panel } from '../panels/controls';
import { coordinatesOf } from '../sim/settings';
import { WorkspaceView } from '../live/workspace_view';
import type { Sample } from '../view/history';
import type { Workspace } from '../view/workspace';
import { ExportPanel } from '../panels/export_panel';
import { kLineColours, LivePlot, type Line } from '../panels/live_plot';
import { ModePanel } from './mode_player';
import '../make/make.css';
import './inspect.css';

export default function InspectView({ id }: ViewProps) {
  return (
    <WorkspaceView id={id} label="The body. Drag it to pull; drag beside it to rotate the view.">
      {(workspace) => <Side id={id} workspace={workspace} />}
    </WorkspaceView>
  );
}

function Side({ id, workspace }: { id: string; workspace: Workspace }) {
  const { session } = workspace;
  const { info } = session.player.model;
  return (
    <>
      <div class="side-head">
        <h1>{session.title}</h1>
        <p class="row"><a class="button" href={`#/live/${id}`} title="Back to the live view">Live view</a></p>
      </div>
      <ModePanel workspace={workspace} />
      <PlotPanel workspace={workspace} />
      <Panel title="Spectrum">
        {info.spectrum.length > 0
          ? <>
              <p class="hint">{count(info.rank, 'shape captures', 'shapes capture')}{' '}
                {capturedText(leftOut({ values: info.spectrum, rank: info.rank }))} of the computed motion; local dents are not
                included.</p>
              <SpectrumPlot spectra={[{ title: 'this basis', values: info.spectrum, rank: info.rank }]} />
            </>
          : <p class="hint">This basis has no spectrum.</p>}
        <Frequencies hz={info.frequencies_hz} />
      </Panel>
      {!isExport && info.domains === 0 && <Panel title="Comparison with the full model"><Validation model={id} possible={!info.free_body} /></Panel>}
      <ExportPanel workspace={workspace} open />
    </>
  );
}

function PlotPanel({ workspace }: { workspace: Workspace }) {
  const { session, pulling } = workspace;
  const { player, history } = session;
  const [first, setFirst] = useState(0);
  const [vertex, setVertex] = useState(workspace.probe.vertex);
  useEffect(() => {
    player.wantsTrail = true;
    return () => {
      player.wantsTrail = false;
    };
  }, [player]);
  const coordinates = useMemo(() => kLineColours.map((colour, k): Line<Sample> => ({
    label: `q${first + k}`, colour, of: ({ q }) => q[first + k] ?? null,
  })), [first]);
  const energies = useMemo((): Line<Sample>[] => [
    { label: 'kinetic', colour: kLineColours[0], of: ({ kinetic }) => kinetic },
    { label: 'elastic', colour: kLineColours[1], of: ({ elastic }) => elastic },
    { label: 'sum', colour: kLineColours[2], of: ({ kinetic, elastic }) => kinetic + elastic },
  ], []);
  const moved = useMemo(() => ['x', 'y', 'z'].map((axis, k): Line<Sample> => ({
    label: axis, colour: kLineColours[k], of: ({ probe }) => probe?.[k] ?? null,
  })), []);
  const { info } = player.modelOf(player.body.value).shown;
  const count = coordinatesOf(info, player.body.value.method);
  const chosen = workspace.probe.vertex;
  const probe = (next: number) => {
    workspace.probe.vertex = Math.max(0, Math.min(Math.round(next), info.vertices - 1));
    history.samples.length = 0;
    pulling.choose({ body: workspace.live.selected, vertex: workspace.probe.vertex });
    setVertex(workspace.probe.vertex);
  };
  return (
    <Panel title="Plots" open>
      <LivePlot title="Energy" unit="J" lines={energies} history={history} />
      <LivePlot title="Coordinates" unit="q, m√kg" lines={coordinates} history={history} />
      {count > kLineColours.length && (
        <NumberControl label="First coordinate" hint="Six coordinates are plotted, starting with this one." unit="" value={first} min={0}
                       max={count - kLineColours.length} step={1} onChange={(value) => setFirst(Math.round(value))} />
      )}
      <div class="row">
        <Button hint="Click the body to choose the plotted vertex" pressed={pulling.tool.value === 'probe'}
                onClick={() => { pulling.tool.value = pulling.tool.value === 'probe' ? 'pull' : 'probe'; }}>Pick a vertex</Button>
      </div>
      <NumberControl label="Vertex" hint="Surface vertex whose displacement is plotted." unit="" value={chosen ?? vertex ?? 0} min={0}
                     max={info.vertices - 1} step={1} onChange={probe} />
      {chosen !== null && <LivePlot title={`Displacement of vertex ${chosen}`} unit="m" lines={moved} history={history} />}
    </Panel>
  );
}
