// SPDX-License-Identifier: Apache-2.0
// Obstacles in the picture, where the world has them: a floor with a grid, balls, boxes, capsules, cylinders, surfaces of
// models.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CircleGeometry, CylinderGeometry, Group, LineBasicMaterial,
  LineSegments, Mesh, MeshStandardMaterial, SphereGeometry, Vector3,
} from 'three';
import { dark } from '../page/theme';
import { roundDown125 } from '../sim/settings';
import type { Obstacle, ObstacleShape } from '../sim/touching';
import type { ShownModel } from '../sim/messages';

// Of the scene's size: how far a floor is drawn, and half a line of its grid.
const kFloorRadius = 12, kGridCell = 0.25, kGridLines = 24;

export class ObstacleViews {
  readonly group = new Group();
  #size: number;
  #modelOf: (name: string) => ShownModel | undefined;
  #shown = '';
  #stopFollowingTheme: () => void;
  #surface = new MeshStandardMaterial({ roughness: 0.9, metalness: 0 });
  #floor = new MeshStandardMaterial({ roughness: 1, metalness: 0, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  #lines = new LineBasicMaterial({ transparent: true });

  /** `size`: of the scene, m. */
  constructor(size: number, modelOf: (name: string) => ShownModel | undefined) {
    this.#size = size;
    this.#modelOf = modelOf;
    this.#stopFollowingTheme = dark.subscribe((isDark) => {
      this.#surface.color.set(isDark ? 0x7d8994 : 0xb9c2ca);
      this.#floor.color.set(isDark ? 0x232c34 : 0xa3adb5);
      this.#lines.color.set(isDark ? 0x5a6873 : 0x8d9aa5);
      this.#lines.opacity = isDark ? 0.5 : 0.55;
    });
  }

  show(obstacles: readonly Obstacle[]): void {
    const key = JSON.stringify(obstacles.map(({ name, shape }) => [name, shape]));
    if (key !== this.#shown) {
      this.#clear();
      this.#shown = key;
      for (const { shape } of obstacles) this.group.add(this.#make(shape));
    }
    obstacles.forEach(({ position, rotation }, place) => {
      this.group.children[place].position.set(...position);
      this.group.children[place].quaternion.set(...rotation);
    });
  }

  #make(shape: ObstacleShape): Group {
    const out = new Group();
    if (shape.plane) return this.#plane(out, shape.plane);
    const mesh = new Mesh(this.#geometry(shape), this.#surface);
    mesh.receiveShadow = mesh.castShadow = true;
    // three's capsules and cylinders stand along y, limber's along z.
    if (shape.capsule || shape.cylinder) mesh.rotation.x = Math.PI / 2;
    return out.add(mesh);
  }

  #geometry({ sphere, capsule, box, cylinder, mesh }: ObstacleShape): BufferGeometry {
    if (sphere) return new SphereGeometry(sphere.radius, 48, 32);
    if (capsule) return new CapsuleGeometry(capsule.radius, capsule.length, 16, 40);
    if (box) return new BoxGeometry(...box.size);
    if (cylinder) return new CylinderGeometry(cylinder.radius, cylinder.radius, cylinder.length, 48);
    const geometry = new BufferGeometry();
    const model = mesh ? this.#modelOf(mesh) : undefined;
    if (!model) return geometry;
    geometry.setAttribute('position', new BufferAttribute(model.positions.slice(), 3));
    geometry.setIndex([...model.triangles]);
    geometry.computeVertexNormals();
    return geometry;
  }

  #plane(out: Group, { normal = [0, 0, 1], offset = 0 }: NonNullable<ObstacleShape['plane']>): Group {
    const inner = new Group();
    const up = new Vector3(...normal).normalize();
    inner.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
    inner.position.copy(up).multiplyScalar(offset);
    const disc = new Mesh(new CircleGeometry(kFloorRadius * this.#size, 96), this.#floor);
    disc.receiveShadow = true;
    const cell = roundDown125(kGridCell * this.#size), end = kGridLines * cell;
    const points: number[] = [];
    for (let i = -kGridLines; i <= kGridLines; ++i)
      points.push(-end, i * cell, 0, end, i * cell, 0, i * cell, -end, 0, i * cell, end, 0);
    const lines = new BufferGeometry();
    lines.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
    inner.add(disc, new LineSegments(lines, this.#lines));
    return out.add(inner);
  }

  #clear(): void {
    this.group.traverse((one) => {
      if (one instanceof Mesh || one instanceof LineSegments) (one.geometry as BufferGeometry).dispose();
    });
    this.group.clear();
  }

  dispose(): void {
    this.#stopFollowingTheme();
    this.#clear();
    for (const material of [this.#surface, this.#floor, this.#lines]) material.dispose();
  }
}
