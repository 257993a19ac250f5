// SPDX-License-Identifier: Apache-2.0
// The body of a sketch on the stage: bent by the pulls of the moment, with an arrow for each force.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Mesh,
  MeshBasicMaterial,
  MOUSE,
  Plane,
  Raycaster,
  SphereGeometry,
  TOUCH,
  Vector3,
  type Ray,
} from 'three';
import { shapePositions, shapeVertex } from '../gpu/shape_cpu';
import { shownMesh, shownNormals, type ShownMesh } from '../sim/shown_mesh';
import { length, type Vec3 } from '../sim/vector';
import { plainMaterial } from '../view/appearance';
import { kMethodColours } from '../view/colour_map';
import { ForceArrow } from '../view/force_arrow';
import { standsOnFloor } from '../view/floor';
import { pick } from '../view/pick';
import { Stage } from '../view/stage';
import { coordinates, springForce, type LinearStatics, type Pull } from './statics';

const kMostArrows = 100;

export class SketchScene {
  readonly stage: Stage;
  /** The force while a pointer pulls; null: let go, with what it was. */
  onPull: (pull: Pull | null) => void = () => {};
  onRecord: (pull: Pull) => void = () => {};
  /** A pull at a fixed vertex. */
  onHeld: () => void = () => {};
  /** Pulls that stay while the next one is made. */
  staying: Pull[] = [];
  #statics: LinearStatics;
  #shown: ShownMesh;
  #mesh: Mesh;
  #positions: Float32Array;
  #box: Box3;
  #size: number;
  #arrows: ForceArrow[] = [];
  #marker: Mesh<SphereGeometry, MeshBasicMaterial>;
  #held: { vertex: number; pointer: number; plane: Plane; pull: Pull | null } | null = null;
  #ray = new Raycaster();
  #stops = new AbortController();

  constructor(host: HTMLElement, statics: LinearStatics) {
    this.stage = new Stage(host);
    this.#statics = statics;
    const { rest } = statics.shape;
    this.#shown = shownMesh(rest, statics.triangles);
    this.#positions = rest;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * this.#shown.vertexOf.length), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(3 * this.#shown.vertexOf.length), 3));
    geometry.setIndex(new BufferAttribute(this.#shown.index, 1));
    this.#mesh = new Mesh(geometry, plainMaterial(kMethodColours.linear));
    this.#mesh.castShadow = this.#mesh.receiveShadow = true;
    this.#mesh.frustumCulled = false;
    this.#box = new Box3().setFromArray(rest);
    this.#size = statics.size;
    this.#marker = new Mesh(
      new SphereGeometry(0.012 * this.#size, 20, 14),
      new MeshBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true }),
    );
    this.#marker.renderOrder = 9;
    this.#marker.visible = false;
    this.stage.root.add(this.#mesh, this.#marker);
    this.stage.frame(this.#box, statics.info.up, standsOnFloor(statics.mesh, statics.info.up));
    this.show([], []);
    this.#listen();
  }

  /** Bends the body by `bending`, and draws an arrow for each of `arrows`; the longest is `reach` long, m. */
  show(bending: Pull[], arrows: Pull[], reach = 0.22 * this.#size): void {
    const q = coordinates(this.#statics, bending);
    this.#positions = shapePositions(this.#statics.shape, q);
    const positions = this.#mesh.geometry.getAttribute('position') as BufferAttribute;
    const normals = this.#mesh.geometry.getAttribute('normal') as BufferAttribute;
    this.#shown.vertexOf.forEach((vertex, i) => {
      for (let axis = 0; axis < 3; ++axis) positions.array[3 * i + axis] = this.#positions[3 * vertex + axis];
    });
    normals.copyArray(shownNormals(this.#shown, this.#positions));
    positions.needsUpdate = normals.needsUpdate = true;
    this.#draw(arrows, q, reach);
    this.stage.invalidate();
  }

  #draw(pulls: Pull[], q: Float64Array, reach: number): void {
    const shown = pulls.slice(0, kMostArrows);
    const largest = Math.max(1e-300, ...shown.map(({ force }) => length(force)));
    while (this.#arrows.length < shown.length) {
      const arrow = new ForceArrow(this.#size);
      this.#arrows.push(arrow);
      this.stage.root.add(arrow.group);
    }
    this.#arrows.forEach((arrow, i) => {
      if (i >= shown.length) return arrow.hide();
      const from = new Vector3(...shapeVertex(this.#statics.shape, q, shown[i].vertex));
      arrow.show(from, from.clone().addScaledVector(new Vector3(...shown[i].force), reach / largest));
    });
  }

  /** A dot on a vertex that was chosen by its number; null hides it. */
  mark(vertex: number | null): void {
    this.#marker.visible = vertex !== null;
    if (vertex !== null) this.#marker.position.fromArray(this.#positions, 3 * vertex);
    this.stage.invalidate();
  }

  #rayAt(event: PointerEvent): Ray {
    this.#ray.setFromCamera(this.stage.pointerAt(event), this.stage.camera);
    return this.#ray.ray.clone().applyMatrix4(this.stage.root.matrixWorld.clone().invert());
  }

  #listen(): void {
    const canvas = this.stage.renderer.domElement;
    const options = { capture: true, signal: this.#stops.signal };
    canvas.addEventListener('pointerdown', (event) => this.#down(event), options);
    canvas.addEventListener('pointermove', (event) => this.#move(event), options);
    canvas.addEventListener('pointerup', (event) => this.#up(event, 'record'), options);
    canvas.addEventListener('pointercancel', (event) => this.#up(event, 'drop'), options);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  }

  #down(event: PointerEvent): void {
    const { controls } = this.stage;
    const ray = this.#rayAt(event);
    const hit = event.button === 0 && event.isPrimary ? pick(ray, this.#positions, this.#statics.triangles) : null;
    // On the body the first button pulls, elsewhere it looks round; so does a second finger.
    controls.mouseButtons.LEFT = hit ? null : MOUSE.ROTATE;
    controls.touches.ONE = hit ? null : TOUCH.ROTATE;
    this.#held = null;
    if (!hit) return;
    const at = new Vector3().fromArray(this.#positions, 3 * hit.vertex);
    const facing = this.stage.camera
      .getWorldDirection(new Vector3())
      .transformDirection(this.stage.root.matrixWorld.clone().invert());
    this.#held = {
      vertex: hit.vertex,
      pointer: event.pointerId,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, at),
      pull: null,
    };
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const held = this.#held;
    if (!held || held.pointer !== event.pointerId) return;
    const target = this.#rayAt(event).intersectPlane(held.plane, new Vector3());
    if (!target) return;
    // The length of the spring counts from where the other pulls have moved the vertex.
    const from = shapeVertex(this.#statics.shape, coordinates(this.#statics, this.staying), held.vertex);
    const way = target.toArray().map((x, axis) => x - from[axis]) as Vec3;
    const force = springForce(this.#statics, held.vertex, way);
    if (!force) {
      this.#held = null;
      this.onHeld();
      return;
    }
    held.pull = { vertex: held.vertex, force };
    const pulls = [...this.staying, held.pull];
    this.show(pulls, pulls, length(way));
    this.onPull(held.pull);
  }

  #up(event: PointerEvent, what: 'record' | 'drop'): void {
    const held = this.#held;
    if (!held || held.pointer !== event.pointerId) return;
    this.#held = null;
    this.onPull(null);
    if (what === 'record' && held.pull) this.onRecord(held.pull);
    else this.show([], []);
  }

  dispose(): void {
    this.#stops.abort();
    for (const arrow of this.#arrows) arrow.dispose();
    this.#mesh.geometry.dispose();
    this.#marker.geometry.dispose();
    this.#marker.material.dispose();
    this.stage.dispose();
  }
}
