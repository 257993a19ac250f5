// SPDX-License-Identifier: Apache-2.0
// One body on the stage, nonlinear or of linear modes, behind the few things that the simulation asks of it.
import type { Body, FrameMotion, Manipulation, Model, StepReport, WarpBody } from 'limber';
import { surfaceBasis, type BasisColumn, type ModelArrays } from './model_arrays';
import { meanRotated } from './rotation';
import type { Placement } from './constraint_motion';
import type { Pull } from './recording';
import { bodySettings, warpSettings, type Method, type Settings } from './settings';
import { length, type Vec3 } from './vector';

export interface StagedBody {
  readonly method: Method;
  readonly kind: 'stvk' | 'warp';
  readonly body: Body | WarpBody;
  /** Of a surface vertex at these shape coordinates, m, in doubles; at rest without any. */
  position(vertex: number, coordinates: ArrayLike<number>): Vec3;
  /** Its rotation vector, rad; zero for bodies that know none. */
  rotation(vertex: number, coordinates: ArrayLike<number>): Vec3;
}

export function stageBody(model: Model, arrays: ModelArrays, method: Method, settings: Settings): StagedBody {
  const rest = arrays.doubles('surface.vertices')!;
  const restOf = (vertex: number): Vec3 => [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
  if (method === 'stvk') {
    const columns = surfaceBasis(arrays, model.rank);
    return {
      method, kind: 'stvk', body: model.createBody(bodySettings(settings)),
      position: (vertex, q) => add(restOf(vertex), weightedColumns(columns, vertex, q)),
      rotation: () => [0, 0, 0],
    };
  }
  // The file has these as floats.
  const modes = model.warpModes(), rotations = model.warpRotations();
  const companions = method === 'linear' ? new Float32Array(0) : model.warpCompanions();
  return {
    method, kind: 'warp', body: model.createWarpBody(warpSettings(settings, model.info, method)),
    position: (vertex, coordinates) => {
      const linear = weighted(modes, rest.length, vertex, coordinates);
      if (method === 'linear') return add(restOf(vertex), linear);
      // R̃(Ψq) (Φq + Γz), docs/math/warping.md (25)
      const moved = add(linear, weighted(companions, rest.length, vertex, coordinates, model.info.warp_modes));
      return add(restOf(vertex), meanRotated(weighted(rotations, rest.length, vertex, coordinates), moved));
    },
    rotation: (vertex, coordinates) => weighted(rotations, rest.length, vertex, coordinates),
  };
}

function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function weightedColumns(columns: BasisColumn[], vertex: number, q: ArrayLike<number>): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (let i = 0; i < q.length; ++i)
    for (let axis = 0; axis < 3; ++axis) sum[axis] += (columns[i].values[3 * vertex + axis] / columns[i].scale) * q[i];
  return sum;
}

// Σ q_i column_i at one vertex; columns have `stride` entries, and their coordinates begin at `first`.
function weighted(columns: ArrayLike<number>, stride: number, vertex: number, q: ArrayLike<number>, first = 0): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (let i = first, at = 3 * vertex; i < q.length && at < columns.length; ++i, at += stride)
    for (let axis = 0; axis < 3; ++axis) sum[axis] += columns[at + axis] * q[i];
  return sum;
}

/** What the shape of a body is computed from: q, and behind it the amplitudes of a warped body's companions. */
export function shapeCoordinates(method: Method, body: Body | WarpBody): Float64Array {
  return method === 'warped' ? (body as WarpBody).shapeCoordinates : body.state.q;
}

// Between so many shapes a straight line is near enough for the eye.
const kSwingShapes = 65;

/** Shape coordinates on the way from −q to q; the body itself stays where it is. */
export function shapesAlong(staged: StagedBody, q: Float64Array): Float64Array[] {
  const probe = staged.body.clone();
  try {
    return Array.from({ length: kSwingShapes }, (_, k) => {
      const share = (2 * k) / (kSwingShapes - 1) - 1;
      probe.state = { time: 0, q: q.map((x) => share * x) };
      return shapeCoordinates(staged.method, probe);
    });
  } finally {
    probe.destroy();
  }
}

export function applySettings(staged: StagedBody, model: Model, settings: Settings): void {
  if (staged.kind === 'stvk') (staged.body as Body).set(bodySettings(settings));
  else (staged.body as WarpBody).set(warpSettings(settings, model.info, staged.method as 'warped' | 'linear'));
}

/** The spring's force at the present state, N. */
export function pullForce(staged: StagedBody, pull: Pull): Vec3 {
  const x = staged.position(pull.vertex, shapeCoordinates(staged.method, staged.body));
  return [0, 1, 2].map((axis) => pull.stiffness * (pull.target[axis] - x[axis])) as Vec3;
}

/** Where a vertex is at the present state, as a constraint prescribes it. */
export function placement(staged: StagedBody, vertex: number): Placement {
  const coordinates = shapeCoordinates(staged.method, staged.body);
  const at = staged.position(vertex, coordinates), rest = staged.position(vertex, []);
  const w = staged.rotation(vertex, coordinates);
  const angle = length(w);
  const s = angle > 0 ? Math.sin(0.5 * angle) / angle : 0.5;
  return {
    displacement: [at[0] - rest[0], at[1] - rest[1], at[2] - rest[2]],
    orientation: [s * w[0], s * w[1], s * w[2], Math.cos(0.5 * angle)],
  };
}

/** Gives the warped body other constraints, or moves the same ones on. */
export function setConstraints(staged: StagedBody, constraints: Manipulation | null): void {
  if (staged.method === 'warped') (staged.body as WarpBody).setManipulation(constraints ?? {});
}

export function setFrame(staged: StagedBody, frame: FrameMotion): void {
  staged.body.setFrame(frame);
}

/** At rest, without velocity; forces and settings stay. */
export function toRest(staged: StagedBody): void {
  staged.body.state = { time: 0 };
}

/** The acceleration with which a motion begins; modal bodies have none in their state. */
export function beginMotion(staged: StagedBody): void {
  if (staged.kind === 'stvk') (staged.body as Body).setAccelerationFromForces();
}

export function stepBody(staged: StagedBody, dt: number, count: number): StepReport {
  return staged.body.step(dt, count);
}

/**
 * A stiffness for pulling at a vertex, N/m: the vertex follows two thirds of the way where the body is softest. The
 * force is taken at the start of a step, so it stays below what such a spring can hold at this time step.
 */
export function pullStiffness(staged: StagedBody, vertex: number, settings: Settings, model: Model): number {
  const probe = staged.body.clone();
  try {
    const mass = model.info.groups.reduce((sum, group) => sum + group.volume * group.density, 0);
    const small = 1e-6 * Math.max(mass, 1e-12);
    if (staged.kind === 'stvk') (probe as Body).set({ gravity: [0, 0, 0], integrator: 'euler', newton: 1, damping: { alpha: 0, beta: 0, strain_rate: 0 } });
    else (probe as WarpBody).set({ gravity: [0, 0, 0], step: 'semi-implicit', damping: { alpha: 0, beta: 0 } });
    if (staged.kind === 'warp') (probe as WarpBody).setManipulation({});
    probe.setFrame({});
    // One backward Euler step of a thousand periods is the static answer.
    const long = 1000 / (model.info.frequencies_hz[0] || 1);
    let softest = 0, lightest = 0;
    for (let axis = 0; axis < 3; ++axis) {
      const force: Vec3 = [0, 0, 0];
      force[axis] = small;
      const answer = (dt: number) => {
        probe.state = { time: 0 };
        probe.clearForces();
        probe.addForce(vertex, force);
        probe.step(dt, 1);
        const x = staged.position(vertex, shapeCoordinates(staged.method, probe)), rest = staged.position(vertex, []);
        return Math.abs(x[axis] - rest[axis]) / small;
      };
      softest = Math.max(softest, answer(long));
      // The answer to a very short push is that of the mass alone: dt²/m.
      const brief = 1e-3 * settings.dt;
      lightest = Math.max(lightest, answer(brief) / (brief * brief));
    }
    if (!(softest > 0)) return 0;
    const held = lightest > 0 ? 0.25 / (settings.dt * settings.dt * lightest) : Infinity;
    return Math.min(2 / softest, held);
  } finally {
    probe.destroy();
  }
}
