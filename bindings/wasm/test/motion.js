// SPDX-License-Identifier: Apache-2.0
// Numbers of the native library beside those of the module.
import assert from 'node:assert/strict';

export function norm(list) {
  return Math.hypot(...list);
}
export function relativeError(found, expected, scale) {
  return norm(Array.from(found, (x, i) => x - expected[i])) / scale;
}

// The numbers that the native library wrote, one list after the other.
export class Motion {
  #numbers;
  #at = 0;
  worst = 0;
  constructor(bytes) {
    this.#numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }
  get isOver() {
    return this.#at === this.#numbers.length;
  }
  next(length) {
    return this.#numbers.subarray(this.#at, (this.#at += length));
  }
  // Lists relative to their norms, energies to their sum. With energiesOf: 'world' that of all bodies counts, for velocities
  // its root (their masses are 1): what the solve of an island leaves is a part of the whole, and one body may be nearly
  // at rest.
  compare(world, { energiesOf = 'body' } = {}) {
    const all = world.bodies.reduce((sum, body) => sum + body.kineticEnergy + body.elasticEnergy, 0);
    for (const body of world.bodies) {
      const { q, v, pose, kineticEnergy, elasticEnergy } = body;
      for (const [list, least] of [[q, 0], [v, energiesOf === 'world' ? Math.sqrt(2 * all) : 0]]) {
        const expected = this.next(list.length);
        const scale = Math.max(norm(expected), least) || 1;
        if (list.length > 0) this.#note(relativeError(list, expected, scale), `${body.name} at ${world.steps}`);
      }
      const [kinetic, elastic] = this.next(2);
      const energy = energiesOf === 'body' ? kinetic + elastic : all;
      this.#note((Math.abs(kineticEnergy - kinetic) + Math.abs(elasticEnergy - elastic)) / (energy || 1), `${body.name}'s energies`);
      const position = this.next(3), rotation = this.next(4);
      this.#note(relativeError(pose.position, position, norm(position) || 1), `${body.name}'s position`);
      this.#note(relativeError(pose.rotation, rotation, 1), `${body.name}'s rotation`);
    }
  }
  #note(error, what) {
    assert.ok(error <= 1e-9, `${what}: ${error}`);
    this.worst = Math.max(this.worst, error);
  }
}
