// SPDX-License-Identifier: Apache-2.0
// The arrow of a pull: from the vertex to where the spring's other end is.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';

const kUp = new Vector3(0, 1, 0);

export class ForceArrow {
  readonly group = new Group();
  #shaft: Mesh;
  #head: Mesh;
  #grip: Mesh;
  /** `size`: of the body, m. */
  constructor(size: number) {
    const material = new MeshBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true });
    const thick = 0.0035 * size;
    this.#shaft = new Mesh(new CylinderGeometry(thick, thick, 1, 12), material);
    this.#head = new Mesh(new ConeGeometry(3.2 * thick, 8 * thick, 20), material);
    this.#grip = new Mesh(new SphereGeometry(2.2 * thick, 16, 12), material);
    for (const part of [this.#shaft, this.#head, this.#grip]) part.renderOrder = 10;
    this.group.add(this.#shaft, this.#head, this.#grip);
    this.group.visible = false;
  }
  show(from: Vector3, to: Vector3): void {
    const along = to.clone().sub(from);
    const length = along.length();
    const turn = new Quaternion().setFromUnitVectors(kUp, length > 0 ? along.clone().divideScalar(length) : kUp);
    this.#grip.position.copy(from);
    this.#shaft.position.copy(from).addScaledVector(along, 0.5);
    this.#shaft.scale.set(1, Math.max(length, 1e-9), 1);
    this.#shaft.quaternion.copy(turn);
    this.#head.position.copy(to);
    this.#head.quaternion.copy(turn);
    this.#shaft.visible = this.#head.visible = length > 0;
    this.group.visible = true;
  }
  hide(): void {
    this.group.visible = false;
  }
  dispose(): void {
    for (const part of [this.#shaft, this.#head, this.#grip]) part.geometry.dispose();
    (this.#shaft.material as MeshBasicMaterial).dispose();
  }
}
