// SPDX-License-Identifier: Apache-2.0
// Constraints: prescribed positions and orientations of vertices of warped bodies, by gizmos or by typing.
import { effect, signal, type Signal } from '@preact/signals';
import { Euler, Mesh, MeshBasicMaterial, Object3D, Quaternion, SphereGeometry, Vector3 } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { showProblem } from '../page/announce';
import type { WantedConstraints } from '../sim/recording';
import type { Quaternion as QuaternionList, Vec3 } from '../sim/vector';
import type { BodyView } from './body_view';
import type { Grasp, LiveScene } from './live_scene';

export interface Constraint {
  /** The name of its body. */
  body: string;
  vertex: number;
  /** m from rest */
  displacement: Vec3;
  /** x y z w; null: free */
  orientation: QuaternionList | null;
}

export type GizmoMode = 'translate' | 'rotate';

// Time constant with which targets are approached, s: a jump within one step would be a blow.
const kSmoothing = 0.06;

/** What the library is told of one body; null: no constraints. */
export function wantedOf(constraints: Constraint[]): WantedConstraints | null {
  if (constraints.length === 0) return null;
  const turned = constraints.filter(({ orientation }) => orientation);
  return {
    // The targets are met exactly; predicted ones leave an error in large bends, and drift off.
    positions_by: 'newton',
    positions: constraints.map(({ vertex, displacement }) => ({ vertex, displacement })),
    ...(turned.length ? { orientations: turned.map(({ vertex, orientation }) => ({ vertex, orientation: orientation! })) } : {}),
    smoothing: kSmoothing,
  };
}

/** Of an earlier visit, when there was one warped body. */
export function translateConstraints(kept: (Omit<Constraint, 'body'> & { body?: string })[]): Constraint[] {
  return kept.map((one) => ({ ...one, body: one.body ?? 'warp' }));
}

/** The constraints in the scene, on warped bodies. */
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
    for (const body of new Set(constraints.value.map((one) => one.body))) this.#send(body);
    this.#stops.push(
      effect(() => this.#show(constraints.value, this.selected.value)),
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

  #viewOf({ body }: Constraint): BodyView | undefined {
    return this.#live.views.find(({ name, method }) => name === body && method === 'warp');
  }

  #restOf({ vertex }: Constraint, view: BodyView): Vector3 {
    return new Vector3().fromArray(view.parts.model.positions, 3 * vertex);
  }

  #show(constraints: Constraint[], selected: number | null): void {
    while (this.#handles.length > constraints.length) this.#drop(this.#handles.pop()!);
    while (this.#handles.length < constraints.length) this.#handles.push(this.#makeHandle());
    constraints.forEach((constraint, i) => {
      const handle = this.#handles[i], view = this.#viewOf(constraint);
      if (!view) {
        if (this.#controls.object === handle) this.#controls.detach();
        handle.removeFromParent();
        return;
      }
      view.group.add(handle);
      handle.position.copy(this.#restOf(constraint, view)).add(new Vector3(...constraint.displacement));
      handle.quaternion.set(...(constraint.orientation ?? [0, 0, 0, 1]));
    });
    const handle = selected === null ? undefined : this.#handles[selected];
    const chosen = handle?.parent ? handle : undefined;
    if (chosen && this.#controls.object !== chosen) this.#controls.attach(chosen);
    if (!chosen) this.#controls.detach();
    this.#live.stage.invalidate();
  }

  /** Other bodies took the stage: constraints of those that are gone go with them. */
  rearrange(): void {
    const left = this.#constraints.value.filter((one) => this.#viewOf(one));
    if (left.length < this.#constraints.value.length) {
      this.selected.value = null;
      this.#constraints.value = left;
    } else {
      this.#show(this.#constraints.value, this.selected.value);
    }
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
    const view = this.#viewOf(constraint);
    if (!view) return;
    const rest = this.#restOf(constraint, view);
    // What is left of the gizmo's rounding is no displacement.
    const displacement = handle.position.clone().sub(rest).toArray()
      .map((x) => (Math.abs(x) < 1e-9 * this.#live.size ? 0 : x)) as Vec3;
    const turned = this.mode.value === 'rotate' || constraint.orientation;
    const orientation = turned ? handle.quaternion.toArray() as QuaternionList : null;
    this.change(selected, { ...constraint, displacement, orientation });
  }

  /** A vertex of a warped body, where it is now. */
  add({ body, vertex }: Grasp): void {
    const view = this.#live.views[body];
    if (view?.method !== 'warp') return;
    const known = this.#constraints.value.findIndex((one) => one.vertex === vertex && one.body === view.name);
    if (known >= 0) {
      this.selected.value = known;
      return;
    }
    const one: Constraint = { body: view.name, vertex, displacement: [0, 0, 0], orientation: null };
    one.displacement = view.positionOf(vertex).sub(this.#restOf(one, view)).toArray() as Vec3;
    this.#set([...this.#constraints.value, one], view.name);
    this.selected.value = this.#constraints.value.length - 1;
  }

  change(place: number, constraint: Constraint): void {
    this.#set(this.#constraints.value.map((one, i) => (i === place ? constraint : one)), constraint.body);
  }

  remove(place: number): void {
    const { body } = this.#constraints.value[place];
    this.selected.value = null;
    this.#set(this.#constraints.value.filter((_, i) => i !== place), body);
  }

  #set(constraints: Constraint[], body: string): void {
    this.#constraints.value = constraints;
    this.#send(body);
  }

  #send(body: string): void {
    if (!this.#live.player.settings.peek().bodies.some(({ name, method }) => name === body && method === 'warp')) return;
    const constraints = wantedOf(this.#constraints.value.filter((one) => one.body === body));
    void this.#live.player.apply({ body, constraints }).catch(showProblem);
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
