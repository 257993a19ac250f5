// SPDX-License-Identifier: Apache-2.0
// Constraints: prescribed positions and orientations of vertices of the warped body, by gizmos or by typing.
import { effect, signal, type Signal } from '@preact/signals';
import type { Manipulation } from 'limber';
import { Euler, Mesh, MeshBasicMaterial, Object3D, Quaternion, SphereGeometry, Vector3 } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import type { Quaternion as QuaternionList, Vec3 } from '../sim/vector';
import type { LiveScene } from './live_scene';

export interface Constraint {
  vertex: number;
  /** m from rest */
  displacement: Vec3;
  /** x y z w; null: free */
  orientation: QuaternionList | null;
}

export type GizmoMode = 'translate' | 'rotate';

/** What the library is told; null: no constraints. */
export function manipulationOf(constraints: Constraint[]): Manipulation | null {
  if (constraints.length === 0) return null;
  const turned = constraints.filter(({ orientation }) => orientation);
  return {
    // The targets are met exactly; predicted ones may miss them in large bends, and drift off.
    method: 'newton',
    positions: constraints.map(({ vertex, displacement }) => ({ vertex, displacement })),
    ...(turned.length ? { orientations: turned.map(({ vertex, orientation }) => ({ vertex, orientation: orientation! })) } : {}),
  };
}

/** The constraints in the scene, on the warped body. */
export class ConstraintGizmos {
  readonly selected = signal<number | null>(null);
  readonly mode = signal<GizmoMode>('translate');
  #live: LiveScene;
  #constraints: Signal<Constraint[]>;
  #handles: Object3D[] = [];
  #controls: TransformControls;
  #visible = true;
  #stops: (() => void)[] = [];

  constructor(live: LiveScene, constraints: Signal<Constraint[]>) {
    this.#live = live;
    this.#constraints = constraints;
    this.#controls = new TransformControls(live.stage.camera, live.stage.renderer.domElement);
    this.#controls.size = 0.8;
    // The model's own axes, which the panel names.
    this.#controls.space = 'local';
    live.stage.scene.add(this.#controls.getHelper());
    this.#controls.addEventListener('change', () => live.stage.invalidate());
    this.#controls.addEventListener('dragging-changed', ({ value }) => {
      live.stage.controls.enabled = !value;
    });
    this.#controls.addEventListener('objectChange', () => this.#takeHandle());
    // Those of an earlier visit.
    if (constraints.value.length > 0) this.#set(constraints.value);
    this.#stops.push(
      effect(() => this.#show(constraints.value, this.selected.value, live.player.settings.value.methods.join())),
      effect(() => {
        this.#controls.mode = this.mode.value;
      }),
    );
  }

  /** The pointer is on a part of the gizmo, or drags it. */
  owns(event: PointerEvent): boolean {
    if (this.#controls.dragging) return true;
    if (!this.#controls.object) return false;
    const { x, y } = this.#live.stage.pointerAt(event);
    // A finger does not hover before it touches. What is asked for is a point, whatever its declared type.
    this.#controls.pointerHover({ x, y, button: event.button } as PointerEvent);
    return this.#controls.axis !== null;
  }

  #show(constraints: Constraint[], selected: number | null, methods: string): void {
    const place = methods.split(',').indexOf('warped');
    const view = this.#live.views[place];
    const handles = view ? constraints : [];
    while (this.#handles.length > handles.length) this.#drop(this.#handles.pop()!);
    while (this.#handles.length < handles.length) this.#handles.push(this.#makeHandle());
    const rest = this.#live.player.model.positions;
    handles.forEach((constraint, i) => {
      const handle = this.#handles[i];
      view.group.add(handle);
      handle.position.fromArray(rest, 3 * constraint.vertex).add(new Vector3(...constraint.displacement));
      handle.quaternion.set(...(constraint.orientation ?? [0, 0, 0, 1]));
    });
    const chosen = selected === null ? undefined : this.#handles[selected];
    if (chosen && this.#controls.object !== chosen) this.#controls.attach(chosen);
    if (!chosen) this.#controls.detach();
    this.#live.stage.invalidate();
  }

  /** Not while the body is elsewhere, such as in a mode that is played. */
  set visible(on: boolean) {
    if (on === this.#visible) return;
    this.#visible = on;
    for (const handle of this.#handles) handle.visible = on;
    this.#controls.getHelper().visible = on && this.#controls.object !== undefined;
    this.#live.stage.invalidate();
  }

  #makeHandle(): Object3D {
    const handle = new Mesh(new SphereGeometry(0.014 * this.#live.size, 20, 14),
      new MeshBasicMaterial({ color: 0x0072b2, depthTest: false, transparent: true, opacity: 0.9 }));
    handle.renderOrder = 8;
    return handle;
  }

  #drop(handle: Object3D): void {
    if (this.#controls.object === handle) this.#controls.detach();
    handle.removeFromParent();
    (handle as Mesh).geometry.dispose();
  }

  // A gizmo was dragged: its handle says where the vertex is wanted.
  #takeHandle(): void {
    const selected = this.selected.value;
    if (selected === null) return;
    const constraint = this.#constraints.value[selected], handle = this.#handles[selected];
    const rest = new Vector3().fromArray(this.#live.player.model.positions, 3 * constraint.vertex);
    // What is left of the gizmo's rounding is no displacement.
    const displacement = handle.position.clone().sub(rest).toArray()
      .map((x) => (Math.abs(x) < 1e-9 * this.#live.size ? 0 : x)) as Vec3;
    const turned = this.mode.value === 'rotate' || constraint.orientation;
    const orientation = turned ? handle.quaternion.toArray() as QuaternionList : null;
    this.change(selected, { ...constraint, displacement, orientation });
  }

  add(vertex: number): void {
    const place = this.#live.views.findIndex((view) => view.method === 'warped');
    if (place < 0) return;
    const known = this.#constraints.value.findIndex((constraint) => constraint.vertex === vertex);
    if (known >= 0) {
      this.selected.value = known;
      return;
    }
    const rest = new Vector3().fromArray(this.#live.player.model.positions, 3 * vertex);
    const displacement = this.#live.views[place].positionOf(vertex).sub(rest).toArray() as Vec3;
    this.#set([...this.#constraints.value, { vertex, displacement, orientation: null }]);
    this.selected.value = this.#constraints.value.length - 1;
  }

  change(place: number, constraint: Constraint): void {
    this.#set(this.#constraints.value.map((one, i) => (i === place ? constraint : one)));
  }

  remove(place: number): void {
    this.selected.value = null;
    this.#set(this.#constraints.value.filter((_, i) => i !== place));
  }

  #set(constraints: Constraint[]): void {
    this.#constraints.value = constraints;
    this.#live.player.constrain(manipulationOf(constraints));
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    for (const handle of this.#handles) this.#drop(handle);
    this.#controls.getHelper().removeFromParent();
    this.#controls.dispose();
  }
}

/** Turns about x, y, z in degrees, as the panel shows them. */
export function anglesOf(orientation: QuaternionList): Vec3 {
  const euler = new Euler().setFromQuaternion(new Quaternion(...orientation));
  return [euler.x, euler.y, euler.z].map((angle) => (angle * 180) / Math.PI) as Vec3;
}

export function orientationOf(anglesDeg: Vec3): QuaternionList {
  const [x, y, z] = anglesDeg.map((angle) => (angle * Math.PI) / 180);
  return new Quaternion().setFromEuler(new Euler(x, y, z)).toArray() as QuaternionList;
}
