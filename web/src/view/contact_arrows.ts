// SPDX-License-Identifier: Apache-2.0
// Contact points and the forces in them, as dots and arrows.
import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3, type BufferGeometry } from 'three';
import type { ContactPoint } from '../sim/touching';
import { length } from '../sim/vector';

const kUp = new Vector3(0, 1, 0);
// Of the scene's size: the arrow of the largest force, a shaft's radius, a dot's.
const kLongest = 0.3, kShaft = 0.003, kDot = 0.006;
// The scale follows a smaller largest force with this part a frame, so that arrows do not flicker.
const kFollow = 0.04;
// More are not told apart.
const kMostShown = 2000;

export class ContactArrows {
  readonly group = new Group();
  /** The force of an arrow of full length, N. */
  fullScale = 0;
  #size: number;
  #meshes: InstancedMesh[];
  #material = new MeshBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true });

  /** `size`: of the scene, m. */
  constructor(size: number) {
    this.#size = size;
    const thick = kShaft * size;
    const shaft = new CylinderGeometry(thick, thick, 1, 8).translate(0, 0.5, 0);
    const head = new ConeGeometry(3 * thick, 8 * thick, 12).translate(0, -4 * thick, 0);
    this.#meshes = [shaft, head, new SphereGeometry(kDot * size, 12, 8)].map((geometry: BufferGeometry) => {
      const mesh = new InstancedMesh(geometry, this.#material, kMostShown);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = 8;
      return mesh;
    });
    this.group.add(...this.#meshes);
    this.group.visible = false;
  }

  show(points: readonly ContactPoint[]): void {
    const largest = points.reduce((most, { force }) => Math.max(most, length(force)), 0);
    this.fullScale = largest > this.fullScale ? largest : this.fullScale + kFollow * (largest - this.fullScale);
    const shown = points.slice(0, kMostShown);
    const [shaft, head, dot] = this.#meshes;
    const at = new Vector3(), along = new Vector3(), end = new Vector3(), one = new Vector3(1, 1, 1), turn = new Quaternion(), matrix = new Matrix4();
    shown.forEach(({ position, force }, i) => {
      at.set(...position);
      along.set(...force);
      const size = along.length();
      const long = this.fullScale > 0 ? (kLongest * this.#size * size) / this.fullScale : 0;
      turn.setFromUnitVectors(kUp, size > 0 ? along.divideScalar(size) : kUp);
      shaft.setMatrixAt(i, matrix.compose(at, turn, end.set(1, Math.max(long, 1e-9), 1)));
      end.copy(at).addScaledVector(along, long);
      head.setMatrixAt(i, matrix.compose(end, turn, one));
      dot.setMatrixAt(i, matrix.compose(at, turn, one));
    });
    for (const mesh of this.#meshes) {
      mesh.count = shown.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.group.visible = shown.length > 0;
  }

  hide(): void {
    this.group.visible = false;
  }

  dispose(): void {
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.#material.dispose();
  }
}
