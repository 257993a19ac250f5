// SPDX-License-Identifier: Apache-2.0
// Finds the shapes of a motion in a worker of its own: it may take seconds, and the page goes on.
import { loadLimber } from 'limber';
import type { Shape } from '../gpu/deformer';
import { shapesMotion, type Posed } from './motion_glb';

export type MotionRequest = [module: WebAssembly.Module, file: ArrayBuffer, samples: Posed[], shape: Shape, size: number];
export type MotionAnswer = ReturnType<typeof shapesMotion>;

self.onmessage = async ({ data: [module, ...motion] }: MessageEvent<MotionRequest>) => {
  const answer = shapesMotion(await loadLimber(module), ...motion);
  (self as unknown as { postMessage(message: MotionAnswer, transfer: Transferable[]): void })
    .postMessage(answer, [answer.bytes.buffer]);
};
