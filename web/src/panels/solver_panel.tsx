// SPDX-License-Identifier: Apache-2.0
// Methods side by side, time step, coordinates in use, Newton iterations and damping.
import { Fragment } from 'preact';
import type { Player } from '../sim/player';
import { kMethodNames, methodsOf, type Integrator, type Method, type Settings, type WarpedShape } from '../sim/settings';
import { Choice, NumberControl, Panel, Toggle } from './controls';

const kMethodHints: Record<Method, string> = {
  stvk: 'Large deformations (St. Venant–Kirchhoff material).',
  warped: 'Linear modes with local rotations: fast, takes constraints.',
  linear: 'Small displacements only; for comparison.',
};

const kWarpedShapes: readonly (readonly [WarpedShape, string])[] = [
  ['warped', 'Length-preserving'],
  ['local', 'Local (as published)'],
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
                      hint="Local: each vertex rotates by itself, so lengths change in large bends."
                      value={settings.warping} options={kWarpedShapes}
                      onChange={(warping) => void player.change({ ...settings, warping }, 'warping')} />
            </div>
          )}
        </Fragment>
      ))}
      {possible.length < 3 && (
        <p class="note">
          {possible.includes('stvk') ? 'This model has no modal-warping data.' : 'This model has modal-warping data only.'}
        </p>
      )}
    </Panel>
  );
}

const kIntegrators: readonly (readonly [Integrator, string])[] = [
  ['newmark', 'Implicit Newmark'],
  ['energy', 'Energy-conserving'],
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
      <NumberControl label="Time step" hint="Several steps are made per frame." unit="s"
                     value={settings.dt} min={1e-5} max={0.02} scale="log" onChange={(dt) => set({ dt }, 'dt')} />
      <NumberControl label="Damping β" hint="Rayleigh, stiffness-proportional: high frequencies decay fastest." unit="s"
                     value={settings.damping.beta} min={1e-6} max={1} scale="log-zero"
                     onChange={(beta) => damp({ beta }, 'beta')} />
      <NumberControl label="Damping α" hint="Rayleigh, mass-proportional: all modes decay at the rate α/2." unit="1/s"
                     value={settings.damping.alpha} min={1e-3} max={100} scale="log-zero"
                     onChange={(alpha) => damp({ alpha }, 'alpha')} />
      {stvk && (
        <>
          <NumberControl label="Strain-rate damping" hint="Viscous stress. Dissipative at any deformation." unit="s"
                         value={settings.damping.strain_rate} min={1e-6} max={1} scale="log-zero"
                         onChange={(strain_rate) => damp({ strain_rate }, 'strain rate')} />
          <NumberControl label="Coordinates r′" hint={`The first r′ of ${info.rank} basis vectors. The cost of a step grows with r′⁴.`}
                         unit={`of ${info.rank}`} value={settings.rank} min={1} max={info.rank} step={1}
                         onChange={(rank) => set({ rank: Math.round(rank) }, 'rank')} />
          <NumberControl label="Newton iterations" hint="Newton iterations per step; 0 = until the tolerance is met." unit=""
                         value={settings.newton} min={0} max={10} step={1}
                         onChange={(newton) => set({ newton: Math.round(newton) }, 'newton')} />
          <Choice label="Integrator" hint="Central differences are stable for small time steps only."
                  value={settings.integrator} options={kIntegrators} onChange={(integrator) => set({ integrator }, 'integrator')} />
        </>
      )}
      {modal && (
        <Choice label="Modal step" hint="Semi-implicit: numerically damped, always stable. Closed form: exact for each mode."
                value={settings.warpStep}
                options={[['semi-implicit', 'Semi-implicit'], ['closed-form', 'Closed form']] as const}
                onChange={(warpStep) => set({ warpStep }, 'warp step')} />
      )}
    </Panel>
  );
}
