// SPDX-License-Identifier: Apache-2.0
// The motion as a glTF animation, as `limber simulate` writes it. limber, Blender, three.js and engines read it.
import type { Limber } from 'limber';
import type { Shape } from '../gpu/deformer';
import { shapePositions } from '../gpu/shape_cpu';
import { Glb } from './glb';

/** A body at one moment. */
export interface Posed {
  /** s */
  time: number;
  shapeCoordinates: Float64Array;
}

// Of the body's size: how far from its place a vertex may be drawn; and weight 1 of a morph target moves so far.
const kShapeTolerance = 1e-4, kTargetReach = 0.1;
const kMostShapes = 300;
// Between frames whose shapes are looked for, s; a little less than between pictures, so that none is left out.
const kFrameSeconds = 0.9 / 60;

// Samples that are more than `apart` (s) from the one before; times that no float tells apart are none. The first is 0.
function spaced(samples: Posed[], apart: number): { kept: Posed[]; times: Float32Array } {
  const began = samples[0].time;
  const since = ({ time }: Posed) => Math.fround(time - began);
  let last = -Infinity;
  const kept = samples.filter((sample) => {
    if (!(since(sample) > last + apart)) return false;
    last = since(sample);
    return true;
  });
  return { kept, times: Float32Array.from(kept, since) };
}

/** Of a nonlinear body: the model's own file with the weights of its morph targets, q[i] / scale[i], over time. */
export function nonlinearMotion(file: ArrayBuffer, samples: Posed[], scale: readonly number[]): Uint8Array<ArrayBuffer> {
  const { kept, times } = spaced(samples, 0);
  const glb = new Glb(file);
  glb.addMotion(times, Float32Array.from(kept.flatMap(({ shapeCoordinates: q }) => scale.map((s, i) => (q[i] ?? 0) / s))), 'motion');
  return glb.bytes();
}

/** How far the vertex goes that goes farthest. */
function farthest(field: Float32Array): number {
  let most = 0;
  for (let k = 0; k < field.length; k += 3) most = Math.max(most, field[k] ** 2 + field[k + 1] ** 2 + field[k + 2] ** 2);
  return Math.sqrt(most);
}

/**
 * Of any body: a warped one moves on curves, which morph targets cannot, so the principal shapes of its motion take
 * their place. What is written is shown by others; limber's own data are left out.
 */
export function shapesMotion(
  limber: Limber, file: ArrayBuffer, samples: Posed[], shape: Shape, size: number,
): {
  bytes: Uint8Array<ArrayBuffer>; shapes: number; error: number;
} {
  const { kept, times } = spaced(samples, kFrameSeconds);
  const displacement = (frame: number) =>
    Float64Array.from(shapePositions(shape, kept[frame].shapeCoordinates), (x, k) => x - shape.rest[k]);
  const found = limber.principalShapes(displacement,
    { frames: kept.length, size: shape.rest.length, tolerance: kShapeTolerance * size, most: kMostShapes });
  // A body that never moves has one target all the same.
  const { shapes, weights } = found.shapes.length > 0 ? found
    : { shapes: [new Float32Array(shape.rest.length)], weights: kept.map(() => Float64Array.of(0)) };
  const scale = shapes.map((one) => (kTargetReach * size) / (farthest(one) || kTargetReach * size));
  const glb = new Glb(file);
  glb.keepShown();
  glb.setTargets(shapes.map((one, i) => one.map((x) => scale[i] * x)));
  glb.addMotion(times, Float32Array.from(weights.flatMap((row) => scale.map((s, i) => row[i] / s))), 'motion');
  return { bytes: glb.bytes(), shapes: shapes.length, error: found.error };
}
