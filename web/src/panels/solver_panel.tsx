// SPDX-License-Identifier: Apache-2.0
// Methods side by side, time step, coordinates in use, Newton's iterations and damping.
import { Fragment } from 'preact';
import type { Player } from '../sim/player';
import { kMethodNames, methodsOf, type Integrator, type Method, type Settings, type WarpedShape } from '../sim/settings';
import { Choice, NumberControl, Panel, Toggle } from './controls';

const kMethodHints: Record<Method, string> = {
  stvk: 'St. Venant and Kirchhoff’s large-deformation energy: bends and swings right.',
  warped: 'Linear modes bent by their own rotations: fast, and holds pins.',
  linear: 'Plain linear modes: grows when it bends. For comparison.',
};

const kWarpedShapes: readonly (readonly [WarpedShape, string])[] = [
  ['warped', 'Keeps lengths'],
  ['local', 'Local'],
];

export function MethodPanel({ player }: { player: Player }) {
  const settings = player.settings.value;
  const possible = methodsOf(player.model.info);
  const toggle = (method: Method, on: boolean) => {
    const methods = (Object.keys(kMethodNames) as Method[]).filter((one) => (one === method ? on : settings.methods.includes(one)));
    if (methods.length > 0) void player.change({ ...settings, methods }, `method ${method}`);
  };
  return (
    <Panel title="Methods side by side" open>
      {(Object.keys(kMethodNames) as Method[]).map((method) => (
        <Fragment key={method}>
          <Toggle label={kMethodNames[method]} hint={kMethodHints[method]}
                  checked={settings.methods.includes(method)}
                  disabled={!possible.includes(method) || (settings.methods.length === 1 && settings.methods[0] === method)}
                  onChange={(on) => toggle(method, on)} />
          {method === 'warped' && settings.methods.includes('warped') && player.model.info.warp_companions > 0 && (
            <div class="below-toggle">
              <Choice label="Warped shape"
                      hint="Local turns each vertex by itself, as the method was published; lengths change in high bends."
                      value={settings.warping} options={kWarpedShapes}
                      onChange={(warping) => void player.change({ ...settings, warping }, 'warping')} />
            </div>
          )}
        </Fragment>
      ))}
      {possible.length < 3 && (
        <p class="note">
          {possible.includes('stvk')
            ? <>This model has no modes for warping. Build it with <code>--method both</code> to compare.</>
            : <>This model was built for warping alone. Build it with <code>--method both</code> to compare.</>}
        </p>
      )}
    </Panel>
  );
}

const kIntegrators: readonly (readonly [Integrator, string])[] = [
  ['newmark', 'Implicit Newmark'],
  ['energy', 'Energy-keeping'],
  ['euler', 'Backward Euler'],
  ['central', 'Central differences'],
];

export function SolverPanel({ player }: { player: Player }) {
  const settings = player.settings.value;
  const { info } = player.model;
  const set = (part: Partial<Settings>, what: string) => void player.change({ ...settings, ...part }, what);
  const damp = (part: Partial<Settings['damping']>, what: string) => set({ damping: { ...settings.damping, ...part } }, what);
  const stvk = settings.methods.includes('stvk');
  const modal = settings.methods.some((method) => method !== 'stvk');
  return (
    <Panel title="Solver">
      <NumberControl label="Time step" hint="Length of one step; several are made for each picture." unit="s"
                     value={settings.dt} min={1e-5} max={0.02} scale="log" onChange={(dt) => set({ dt }, 'dt')} />
      <NumberControl label="Damping β" hint="Rayleigh's: fast vibrations fade first." unit="s"
                     value={settings.damping.beta} min={1e-6} max={1} scale="log-zero"
                     onChange={(beta) => damp({ beta }, 'beta')} />
      <NumberControl label="Damping α" hint="Rayleigh's: all motion fades alike, as in a thick liquid." unit="1/s"
                     value={settings.damping.alpha} min={1e-3} max={100} scale="log-zero"
                     onChange={(alpha) => damp({ alpha }, 'alpha')} />
      {stvk && (
        <>
          <NumberControl label="Strain-rate damping" hint="A viscous stress; it never adds energy, however large the bend." unit="s"
                         value={settings.damping.strain_rate} min={1e-6} max={1} scale="log-zero"
                         onChange={(strain_rate) => damp({ strain_rate }, 'strain rate')} />
          <NumberControl label="Coordinates r′" hint={`The first so many of ${info.rank} basis vectors; a step costs about r′⁴.`}
                         unit={`of ${info.rank}`} value={settings.rank} min={1} max={info.rank} step={1}
                         onChange={(rank) => set({ rank: Math.round(rank) }, 'rank')} />
          <NumberControl label="Newton iterations" hint="Corrections in a step; 0 goes on until the tolerance is met." unit=""
                         value={settings.newton} min={0} max={10} step={1}
                         onChange={(newton) => set({ newton: Math.round(newton) }, 'newton')} />
          <Choice label="Integrator" hint="How a step is made. Central differences need steps below the stable one."
                  value={settings.integrator} options={kIntegrators} onChange={(integrator) => set({ integrator }, 'integrator')} />
        </>
      )}
      {modal && (
        <Choice label="Modal step" hint="Semi-implicit damps and holds anything; the closed form is exact for each mode."
                value={settings.warpStep}
                options={[['semi-implicit', 'Semi-implicit'], ['closed-form', 'Closed form']] as const}
                onChange={(warpStep) => set({ warpStep }, 'warp step')} />
      )}
    </Panel>
  );
}
