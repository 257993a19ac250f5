// SPDX-License-Identifier: Apache-2.0
// Finds the shapes of a motion in a worker of its own: it may take seconds, and the page goes on.
import { shapesMotion } from './motion_glb';

export type MotionRequest = Parameters<typeof shapesMotion>;
export type MotionAnswer = ReturnType<typeof shapesMotion>;

self.onmessage = ({ data }: MessageEvent<MotionRequest>) => {
  const answer = shapesMotion(...data);
  (self as unknown as { postMessage(message: MotionAnswer, transfer: Transferable[]): void })
    .postMessage(answer, [answer.bytes.buffer]);
};
