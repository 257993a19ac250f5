// SPDX-License-Identifier: Apache-2.0
// Poking bodies with a ball that the pointer or the keys carry: a haptic device of the world while it is pressed. The ball is
// drawn where its proxy is, and the force is what a hand would feel.
import { effect, signal, type Signal } from '@preact/signals';
import { Mesh, MeshStandardMaterial, MOUSE, Plane, SphereGeometry, TOUCH, Vector3 } from 'three';
import { announce, showProblem } from '../page/announce';
import { forceText } from '../page/format';
import { length, type Vec3 } from '../sim/vector';
import { ForceArrow } from './force_arrow';
import type { LiveScene } from './live_scene';
import { kDirections, type Pulling } from './pulling';

/** The force on the ball in time, for the plot. */
export interface ForceHistory {
  samples: { time: number; force: number }[];
}

const kMostSamples = 3000;
// Of the scene's size: a ball to begin with; a key press moves it by so much; the arrow of the largest force.
const kRadius = 0.05, kKeyStep = 0.015, kLongest = 0.35;
// Of the radius: how far the ball is pressed into the point under the pointer.
const kPress = 0.5;
// And how far in front of it the ball begins.
const kAway = 0.1;
// A turn of the wheel by a pixel moves the ball by this part of its radius along the view.
const kWheel = 0.004;

export class Poking {
  /** m */
  readonly radius: Signal<number>;
  /** The ball is in the world. */
  readonly pressing = signal(false);
  /** On the ball, N. */
  readonly force = signal(0);
  readonly history: ForceHistory = { samples: [] };
  #live: LiveScene;
  #pulling: Pulling;
  #ball: Mesh<SphereGeometry, MeshStandardMaterial>;
  #arrow: ForceArrow;
  #fullScale = 0;
  // Of the ball's centre in the world; `plane` in the scene, where a pointer moves it.
  #held: { target: Vector3; plane: Plane; pointer: number | null } | null = null;
  #changed = false;
  #stops = new AbortController();
  #stopEffect: () => void;

  constructor(live: LiveScene, pulling: Pulling) {
    this.#live = live;
    this.#pulling = pulling;
    this.radius = signal(Number((kRadius * live.size).toPrecision(1)));
    this.#ball = new Mesh(new SphereGeometry(1, 40, 28), new MeshStandardMaterial({ color: 0xd55e00, roughness: 0.5, transparent: true }));
    this.#ball.castShadow = true;
    this.#ball.visible = false;
    this.#arrow = new ForceArrow(live.size);
    live.stage.root.add(this.#ball, this.#arrow.group);
    const canvas = live.stage.renderer.domElement;
    const options = { capture: true, signal: this.#stops.signal };
    canvas.addEventListener('pointerdown', (event) => this.#down(event), options);
    canvas.addEventListener('pointermove', (event) => this.#move(event), options);
    canvas.addEventListener('pointerup', (event) => this.#up(event), options);
    canvas.addEventListener('pointercancel', (event) => this.#up(event), options);
    canvas.addEventListener('pointerleave', () => { if (!this.#held) this.#hide(); }, options);
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { ...options, passive: false });
    this.#stopEffect = effect(() => {
      canvas.classList.toggle('poking', pulling.tool.value === 'poke');
      if (pulling.tool.value !== 'poke') this.release();
    });
  }

  get #isOn(): boolean {
    return this.#pulling.tool.value === 'poke';
  }

  /** Once a frame, before the steps. */
  send(): void {
    if (!this.#changed || !this.#held) return;
    this.#changed = false;
    const { target: { x, y, z } } = this.#held;
    this.#ask([x, y, z]);
  }

  #ask(position: Vec3 | null): void {
    const { player } = this.#live;
    void player.ask('ball', { kind: 'ball', position, radius: this.radius.value, body: player.body.peek().name }).catch(showProblem);
  }

  // Where the ball would be: half pressed into what is under the pointer, else beside the selected body.
  #placeFor(event: { clientX: number; clientY: number }): { target: Vector3; pressed: boolean } | null {
    const { ray, point } = this.#live.hitAt(event);
    const radius = this.radius.value;
    if (point) {
      const towards = this.#live.worldPoint(ray.origin).sub(point).normalize();
      return { target: point.addScaledVector(towards, radius * (1 - kPress)), pressed: true };
    }
    const { views, selected, stage } = this.#live;
    const view = views[selected];
    if (!view) return null;
    const centre = view.parts.box.getCenter(new Vector3()).applyMatrix4(view.group.matrixWorld);
    const plane = new Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), centre);
    const beside = ray.intersectPlane(plane, new Vector3());
    return beside && { target: this.#live.worldPoint(beside), pressed: false };
  }

  #down(event: PointerEvent): void {
    if (!this.#isOn) return;
    if (!event.isPrimary) {
      this.release();
      return;
    }
    const { controls } = this.#live.stage;
    const grasp = event.button === 0 ? this.#live.graspAt(event) : null;
    // What is poked is what the panels act on.
    if (grasp) this.#live.player.selected.value = this.#live.views[grasp.body].name;
    const place = event.button === 0 ? this.#placeFor(event) : null;
    controls.mouseButtons.LEFT = place ? null : MOUSE.ROTATE;
    controls.touches.ONE = place ? null : TOUCH.ROTATE;
    if (place) this.press(place.target, event.pointerId);
  }

  #move(event: PointerEvent): void {
    if (!this.#isOn) return;
    const held = this.#held;
    if (!held) {
      if (event.pointerType === 'mouse' && event.buttons === 0) this.#hover(event);
      return;
    }
    if (held.pointer !== event.pointerId) return;
    const point = this.#live.ray(event).intersectPlane(held.plane, new Vector3());
    if (!point) return;
    held.target = this.#live.worldPoint(point);
    this.#changed = true;
  }

  #up(event: PointerEvent): void {
    if (this.#held?.pointer === event.pointerId) this.release();
  }

  #wheel(event: WheelEvent): void {
    if (!this.#held) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#along(this.#axes()[2], kWheel * this.radius.value * event.deltaY);
  }

  // A pale ball where a press would put it.
  #hover(event: PointerEvent): void {
    const place = this.#placeFor(event);
    if (!place) return this.#hide();
    this.#show(place.target, 0.35);
  }

  #show(at: Vector3, opacity: number): void {
    this.#ball.position.copy(at);
    this.#ball.scale.setScalar(this.radius.value);
    this.#ball.material.opacity = opacity;
    this.#ball.visible = true;
    this.#live.stage.invalidate();
  }

  #hide(): void {
    this.#ball.visible = false;
    this.#arrow.hide();
    this.#live.poked = null;
    this.#live.stage.invalidate();
  }

  /** The ball comes into the world here, m. */
  press(target: Vector3, pointer: number | null): void {
    const { stage, player } = this.#live;
    const facing = stage.camera.getWorldDirection(new Vector3());
    this.#held = { target, pointer, plane: new Plane().setFromNormalAndCoplanarPoint(facing, this.#live.scenePoint(target)) };
    this.pressing.value = true;
    this.history.samples.length = 0;
    this.#fullScale = 0;
    this.#show(target, 1);
    // From in front: it is pressed in, and does not appear inside.
    const eye = this.#live.worldPoint(stage.camera.position);
    const front = target.clone().addScaledVector(eye.sub(target).normalize(), (kPress + kAway) * this.radius.value);
    this.#ask([front.x, front.y, front.z]);
    this.#changed = true;
    if (!player.running.value) announce('The simulation is paused. Space runs it.');
  }

  moveTarget(target: Vector3): void {
    if (!this.#held) return;
    this.#held.target = target;
    this.#changed = true;
  }

  release(): void {
    if (!this.#held) return this.#hide();
    this.#held = null;
    this.pressing.value = false;
    this.force.value = 0;
    this.#ask(null);
    this.#hide();
  }

  /** After the bodies moved: the ball where the world has it, with its force. */
  follow(): void {
    const frame = this.#live.player.frame.value, ball = frame?.ball;
    if (!this.#held || !frame || !ball) return;
    const at = new Vector3(...ball.position), force = length(ball.force);
    this.#show(at, 1);
    this.force.value = force;
    this.#fullScale = Math.max(force, this.#fullScale);
    const { samples } = this.history;
    if (samples.length === 0 || frame.time > samples[samples.length - 1].time) samples.push({ time: frame.time, force });
    else if (frame.time < samples[samples.length - 1].time) samples.length = 0;
    if (samples.length > kMostSamples) samples.splice(0, samples.length - kMostSamples);
    if (force === 0) {
      this.#arrow.hide();
      this.#live.poked = null;
      return;
    }
    const end = at.clone().addScaledVector(new Vector3(...ball.force), (kLongest * this.#live.size) / this.#fullScale);
    this.#arrow.show(at, end);
    this.#live.poked = { at: end, newtons: force };
  }

  // Right, up and towards the eye, of unit length in the scene.
  #axes(): [Vector3, Vector3, Vector3] {
    const { matrixWorld } = this.#live.stage.camera;
    return [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(matrixWorld, column)) as [Vector3, Vector3, Vector3];
  }

  // By metres along a direction of the scene; the plane of the pointer goes along.
  #along(axis: Vector3, metres: number): void {
    const held = this.#held!;
    const point = this.#live.scenePoint(held.target).addScaledVector(axis, metres * this.#live.stage.root.scale.x);
    held.target = this.#live.worldPoint(point);
    held.plane.setFromNormalAndCoplanarPoint(held.plane.normal, point);
    this.#changed = true;
  }

  /** Keys of the view: true where the key meant something here. */
  key(event: KeyboardEvent): boolean {
    if (!this.#isOn) return false;
    const screen = kDirections[event.key];
    if (screen && this.#held) {
      const step = kKeyStep * this.#live.size * (event.shiftKey ? 4 : 1);
      this.#axes().forEach((axis, place) => { if (screen[place] !== 0) this.#along(axis, screen[place] * step); });
      if (this.force.value > 0) announce(`Force on the ball: ${forceText(this.force.value)}.`);
      return true;
    }
    if (event.key === 'Enter' && !this.#held) return this.#pressByKey();
    if ((event.key === 'Enter' || event.key === 'Escape') && this.#held) {
      this.release();
      announce('The ball is taken away.');
      return true;
    }
    if (event.key === 'Escape') {
      this.#pulling.tool.value = 'pull';
      announce('Pulling again.');
      return true;
    }
    return false;
  }

  // In front of the chosen vertex, else in front of the selected body; not touching yet.
  #pressByKey(): boolean {
    const { views, selected, stage } = this.#live;
    const chosen = this.#pulling.chosen.value;
    const view = views[selected];
    if (!view) return false;
    const eye = this.#live.worldPoint(stage.camera.position);
    const at = chosen ? this.#live.vertexPosition(chosen)
      : this.#live.worldPoint(view.parts.box.getCenter(new Vector3()).applyMatrix4(view.group.matrixWorld));
    const away = chosen ? 1.5 * this.radius.value : 0.5 * view.parts.size;
    this.press(at.addScaledVector(eye.sub(at).normalize(), away), null);
    announce('The ball is in front of the body. Page Down pushes it in, Page Up pulls it back, arrow keys move it; Enter takes it away.');
    return true;
  }

  dispose(): void {
    this.#stopEffect();
    this.#stops.abort();
    if (this.#held) this.#ask(null);
    this.#ball.removeFromParent();
    this.#ball.geometry.dispose();
    this.#ball.material.dispose();
    this.#arrow.dispose();
  }
}
