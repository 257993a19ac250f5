// SPDX-License-Identifier: Apache-2.0
// The package's types, as a project in TypeScript finds them: compiled, never run.
import { loadLimber, LimberError } from 'limber';

export async function fall(bytes: ArrayBuffer, model: ArrayBuffer): Promise<number> {
  const limber = await loadLimber(bytes);
  const world = limber.createWorld({ gravity: [0, 0, -9.81] });
  world.addModel('model', limber.loadModel(model));
  world.apply({ add: { name: 'body', model: 'model' } });
  world.step(1);
  // @ts-expect-error: a world has no such function
  world.jump();
  return world.body('body').q.length;
}

export const where = (error: LimberError): string => error.where;
