// SPDX-License-Identifier: Apache-2.0
// Pulling a vertex of the body under the pointer with a spring, by pointer or by keys. Its other end is in the world.
import { signal } from '@preact/signals';
import { Mesh, MeshBasicMaterial, MOUSE, Plane, SphereGeometry, TOUCH, Vector3 } from 'three';
import { announce } from '../page/announce';
import { forceText } from '../page/format';
import { length } from '../sim/vector';
import type { Grasp, LiveScene } from './live_scene';

// A key press moves the marker, or the spring's end, by this part of the body's size.
const kKeyStep = 0.03;
// Where no button is pressed, the shape under the pointer is looked up at most so often, ms.
const kHoverInterval = 120;

export type PointerTool = 'pull' | 'poke' | 'constrain' | 'probe';

export class Pulling {
  /** What a click on a body does. */
  readonly tool = signal<PointerTool>('pull');
  /** Times the stiffness that fits the body. */
  readonly strength = signal(1);
  /** The vertex that keys have chosen. */
  readonly chosen = signal<Grasp | null>(null);
  readonly pulling = signal(false);
  /** Something else has the pointer: a gizmo. */
  blocked: (event: PointerEvent) => boolean = () => false;
  /** A click on a body with another tool. */
  onClick: (tool: PointerTool, grasp: Grasp) => void = () => {};
  #live: LiveScene;
  // `body` by name, `target` in the world.
  #held: { grasp: Grasp; body: string; target: Vector3; stiffness: number; plane: Plane; pointer: number | null } | null = null;
  #changed = false;
  #marker: Mesh;
  #lastHover = 0;
  #stops = new AbortController();

  constructor(live: LiveScene) {
    this.#live = live;
    this.#marker = new Mesh(new SphereGeometry(0.012 * live.size, 20, 14),
      new MeshBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true, opacity: 0.9 }));
    this.#marker.renderOrder = 9;
    const canvas = live.stage.renderer.domElement;
    const options = { capture: true, signal: this.#stops.signal };
    canvas.addEventListener('pointerdown', (event) => this.#down(event), options);
    canvas.addEventListener('pointermove', (event) => this.#move(event), options);
    canvas.addEventListener('pointerup', (event) => this.#up(event), options);
    canvas.addEventListener('pointercancel', (event) => this.#up(event), options);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  }

  /** Once a frame, before the steps: the spring's end where the pointer is now. */
  send(): void {
    if (!this.#changed || !this.#held) return;
    this.#changed = false;
    const { grasp, body, target, stiffness } = this.#held;
    if (stiffness > 0)
      this.#live.player.pull(body, { vertex: grasp.vertex, target: [target.x, target.y, target.z], stiffness });
    this.#live.pulled = { grasp, target };
  }

  #down(event: PointerEvent): void {
    if (this.tool.value === 'poke') return;
    const { controls } = this.#live.stage;
    const first = event.button === 0 && event.isPrimary;
    // A second finger takes the view over.
    if (!event.isPrimary) {
      this.release();
      return;
    }
    if (this.blocked(event)) return;
    const grasp = first ? this.#live.graspAt(event) : null;
    controls.mouseButtons.LEFT = grasp ? null : MOUSE.ROTATE;
    controls.touches.ONE = grasp ? null : TOUCH.ROTATE;
    if (!grasp) return;
    if (this.tool.value !== 'pull') {
      this.onClick(this.tool.value, grasp);
      return;
    }
    this.choose(null);
    void this.grab(grasp, event.pointerId);
  }

  #move(event: PointerEvent): void {
    const held = this.#held;
    if (held && held.pointer === event.pointerId) {
      const point = this.#live.ray(event).intersectPlane(held.plane, new Vector3());
      if (!point) return;
      held.target = this.#live.worldPoint(point);
      this.#changed = true;
      return;
    }
    const now = performance.now();
    if (event.pointerType !== 'mouse' || event.buttons !== 0 || now - this.#lastHover < kHoverInterval) return;
    this.#lastHover = now;
    this.#live.stage.renderer.domElement.classList.toggle('graspable', this.#live.graspAt(event) !== null);
  }

  #up(event: PointerEvent): void {
    if (this.#held?.pointer === event.pointerId) this.release();
  }

  /** Begins to pull at a vertex, from where it is. */
  async grab(grasp: Grasp, pointer: number | null): Promise<void> {
    const { views, stage, player } = this.#live;
    const target = this.#live.vertexPosition(grasp);
    const facing = stage.camera.getWorldDirection(new Vector3());
    const body = views[grasp.body].name;
    const held = {
      grasp, body, target, pointer, stiffness: 0,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, this.#live.scenePoint(target)),
    };
    // What is pulled is what the panels act on.
    player.selected.value = body;
    this.#live.selectDomainOf(grasp);
    this.#held = held;
    this.pulling.value = true;
    this.#changed = true;
    stage.renderer.domElement.classList.add('pulling');
    const stiffness = await player.ask('stiffness', { kind: 'stiffness', body, vertex: grasp.vertex });
    held.stiffness = stiffness * this.strength.value;
    this.#changed = true;
    if (stiffness === 0) announce('This vertex is fixed: it cannot be pulled.');
    else if (!player.running.value) announce('The simulation is paused. Space runs it.');
  }

  /** Moves the spring's end, in the world, m. */
  moveTarget(target: Vector3): void {
    if (!this.#held) return;
    this.#held.target = target;
    this.#changed = true;
  }

  release(): void {
    if (!this.#held) return;
    const { body } = this.#held;
    this.#held = null;
    this.pulling.value = false;
    this.#live.stage.renderer.domElement.classList.remove('pulling');
    if (this.#live.views.some(({ name }) => name === body)) this.#live.player.pull(body, null);
    this.#live.pulled = null;
  }

  /** Other bodies are on the stage: what was held or chosen may be gone. */
  forget(): void {
    this.release();
    this.choose(null);
  }

  choose(grasp: Grasp | null): void {
    this.chosen.value = grasp;
    this.#marker.removeFromParent();
    if (grasp) this.#live.stage.root.add(this.#marker);
    this.placeMarker();
  }

  /** The marker stays on its vertex while the body moves. */
  placeMarker(): void {
    const grasp = this.chosen.value;
    if (!grasp || !this.#live.views[grasp.body]) return;
    this.#marker.position.copy(this.#live.vertexPosition(grasp));
    this.#live.stage.invalidate();
  }

  /** Keys of the view: true where the key meant something here. */
  key(event: KeyboardEvent): boolean {
    const screen = kDirections[event.key];
    if (screen && this.pulling.value) return this.#moveByKey(screen, event.shiftKey ? 4 : 1);
    if (screen && !event.ctrlKey && !event.metaKey && screen[2] === 0) return this.#chooseByKey(screen);
    if (event.key === 'Enter') return this.#enter();
    if (event.key === 'Escape' && (this.pulling.value || this.chosen.value)) {
      this.release();
      this.choose(null);
      announce('Released.');
      return true;
    }
    return false;
  }

  #enter(): boolean {
    if (this.pulling.value) {
      this.release();
      announce('Released.');
      return true;
    }
    const grasp = this.chosen.value;
    if (!grasp) return this.#chooseByKey([0, 0, 0]);
    void this.grab(grasp, null);
    announce('Pulling. Arrow keys move the end of the spring, Page Up and Page Down towards you and away; Enter releases it.');
    return true;
  }

  // Right, up and towards the eye, of unit length in the scene.
  #axes(): [Vector3, Vector3, Vector3] {
    const { matrixWorld } = this.#live.stage.camera;
    return [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(matrixWorld, column)) as [Vector3, Vector3, Vector3];
  }

  #moveByKey(screen: readonly [number, number, number], factor: number): boolean {
    const held = this.#held;
    if (!held) return false;
    const point = this.#live.scenePoint(held.target);
    const unit = this.#live.stage.root.scale.x * this.#live.views[held.grasp.body].parts.size * kKeyStep * factor;
    this.#axes().forEach((axis, place) => point.addScaledVector(axis, screen[place] * unit));
    held.target = this.#live.worldPoint(point);
    this.#changed = true;
    const force = this.#live.player.frame.value?.bodies[held.grasp.body]?.force;
    if (force) announce(`Pulling with ${forceText(length(force))}.`);
    return true;
  }

  // The vertex next to the present one in that direction of the picture, on the side that is seen.
  #chooseByKey(screen: readonly [number, number, number]): boolean {
    const { views, stage } = this.#live;
    const body = this.chosen.value?.body ?? this.#live.selected;
    const { box, size } = views[body].parts;
    const positions = views[body].positions();
    const toWorld = views[body].group.matrixWorld;
    const [right, up, back] = this.#axes();
    const point = new Vector3();
    const from = this.chosen.value
      ? point.fromArray(positions, 3 * this.chosen.value.vertex).applyMatrix4(toWorld).clone()
      : box.getCenter(new Vector3()).applyMatrix4(toWorld);
    const unit = stage.root.scale.x * size * kKeyStep;
    from.addScaledVector(right, screen[0] * unit).addScaledVector(up, screen[1] * unit);
    let best = -1, least = Infinity;
    for (let vertex = 0; vertex < positions.length / 3; ++vertex) {
      if (vertex === this.chosen.value?.vertex) continue;
      point.fromArray(positions, 3 * vertex).applyMatrix4(toWorld).sub(from);
      const across = Math.hypot(point.dot(right), point.dot(up));
      const behind = screen[0] * point.dot(right) + screen[1] * point.dot(up) < -0.9 * unit ? 4 * unit : 0;
      const cost = across + behind - 0.08 * point.dot(back);
      if (cost < least) [best, least] = [vertex, cost];
    }
    if (best < 0) return false;
    this.choose({ body, vertex: best });
    const at = this.#live.vertexPosition({ body, vertex: best }).toArray().map((x) => x.toPrecision(3)).join(', ');
    announce(`Vertex ${best} at ${at} metres. Enter pulls.`);
    return true;
  }

  dispose(): void {
    this.#stops.abort();
    this.#marker.removeFromParent();
    this.#marker.geometry.dispose();
    (this.#marker.material as MeshBasicMaterial).dispose();
  }
}

/** Keys by where they point in the picture: right, up, towards the eye. */
export const kDirections: Record<string, readonly [number, number, number]> = {
  ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1], PageDown: [0, 0, -1],
};
