// SPDX-License-Identifier: Apache-2.0
// The live picture: the bodies that the player moves, side by side on a stage, with what the user sees of forces.
import { effect, type Signal } from '@preact/signals';
import {
  Box3, BufferAttribute, BufferGeometry, Matrix4, Points, PointsMaterial, Raycaster, Vector3, type Ray,
} from 'three';
import { forceText } from '../page/format';
import { cardProblem } from '../gpu/deformer';
import type { Player } from '../sim/player';
import type { Frame } from '../sim/messages';
import { modelArrays } from '../sim/model_arrays';
import { bodyName, type Settings } from '../sim/settings';
import type { SupportPath } from '../sim/support_motion';
import { length } from '../sim/vector';
import { readAppearance, type Appearance } from './appearance';
import { BodyView, disposeParts, makeParts, type ModelParts } from './body_view';
import { kMethodColours } from './colour_map';
import { alongPath, boxOfBodies, spacing, type Display } from './display';
import { standsOnFloor } from './floor';
import { ForceArrow } from './force_arrow';
import { pick } from './pick';
import { Stage } from './stage';
import { axisOf } from './up';

/** A vertex of one of the bodies. */
export interface Grasp {
  body: number;
  vertex: number;
}

// What the buttons below the body cover, pixels: one row, two on a phone.
const kToolbar = 60, kPhoneToolbar = 96;
const kPhone = matchMedia('(max-width: 520px)');

export class LiveScene {
  readonly stage: Stage;
  readonly player: Player;
  readonly display: Signal<Display>;
  /** Of the body at rest, m. */
  readonly box: Box3;
  readonly size: number;
  /** Why the CPU draws; null: the card does. */
  readonly cpuReason: string | null;
  views: BodyView[] = [];
  /** In place of the simulation: the first body's shape coordinates at a time in ms. Null: the simulation moves it. */
  pose: ((now: number) => Float64Array) | null = null;
  /** Runs before each picture, after the bodies moved. */
  onMoved: () => void = () => {};
  #parts: ModelParts;
  #appearance: Appearance | null;
  #arrows: ForceArrow[] = [];
  #labels: HTMLElement[] = [];
  #forceLabel: HTMLElement;
  #overlay: HTMLElement;
  #moved: Frame | null = null;
  #stopEffects: (() => void)[] = [];
  #pulled: { vertex: number; target: Vector3 } | null = null;
  #path: SupportPath | null;

  /** `path`: along which the support may move; it is in the picture from the start. */
  constructor(host: HTMLElement, player: Player, file: ArrayBuffer, display: Signal<Display>, path: SupportPath | null) {
    this.#path = path;
    this.player = player;
    this.display = display;
    this.stage = new Stage(host);
    this.stage.covered = () => (kPhone.matches ? kPhoneToolbar : kToolbar);
    const { rank, warp_modes, warp_companions } = player.model.info;
    this.cpuReason = new URLSearchParams(location.search).get('draw') === 'cpu' ? 'the address asks for it'
      : cardProblem(this.stage.renderer, Math.max(rank, warp_modes + warp_companions));
    player.wantsSurfaces = !this.onTheCard;
    this.box = new Box3().setFromArray(player.model.positions);
    this.size = this.box.getSize(new Vector3()).length();
    this.#parts = makeParts(player.model, modelArrays(file), this.size);
    this.#appearance = readAppearance(file, () => this.stage.invalidate());
    this.#overlay = document.createElement('div');
    this.#overlay.className = 'overlay';
    this.#overlay.setAttribute('aria-hidden', 'true');
    this.#forceLabel = document.createElement('span');
    this.#forceLabel.className = 'force-label';
    this.#forceLabel.hidden = true;
    this.#overlay.append(this.#forceLabel);
    host.append(this.#overlay);

    this.#stopEffects.push(
      effect(() => this.#arrange(player.settings.value.methods.join(), display.value.materials)),
      effect(() => this.#name(player.settings.value)),
      effect(() => this.#dress(display.value)),
      effect(() => {
        if (player.frame.value) this.stage.invalidate();
      }),
    );
    this.stage.onFrame = (now) => {
      player.tick(now);
      if (this.pose) this.#strike(this.pose(now));
      else this.#follow();
    };
    this.stage.controls.addEventListener('change', () => this.#placeLabels());
  }

  // Builds the row of bodies; `methods` is the list in words, so that other changes of the settings do not.
  #arrange(methods: string, materials: boolean): void {
    const { up } = this.player.model.info;
    for (const view of this.views) {
      this.stage.root.remove(view.group);
      view.dispose();
    }
    for (const arrow of this.#arrows) arrow.dispose();
    for (const label of this.#labels) label.remove();
    const names = methods.split(',') as BodyView['method'][];
    const apart = spacing(this.box.getSize(new Vector3()), up);
    const several = names.length > 1;
    this.views = names.map((method, place) => {
      const view = new BodyView(this.#parts, method, several || !materials ? null : this.#appearance, this.onTheCard);
      view.group.userData.offset = new Vector3().setComponent('xyz'.indexOf(apart.axis), place * apart.distance);
      view.group.position.copy(view.group.userData.offset as Vector3);
      this.stage.root.add(view.group);
      return view;
    });
    this.#arrows = this.views.map((view) => {
      const arrow = new ForceArrow(this.size);
      view.group.add(arrow.group);
      return arrow;
    });
    this.#labels = several ? this.views.map(({ method }) => {
      const label = document.createElement('span');
      label.className = 'body-label';
      label.style.setProperty('--body', kMethodColours[method]);
      this.#overlay.append(label);
      return label;
    }) : [];
    this.#name(this.player.settings.peek());
    const all = alongPath(boxOfBodies(this.box, names.length, apart), this.#path);
    this.stage.frame(all, up, standsOnFloor(this.player.model.mesh, up));
    this.#dress(this.display.peek());
    this.#moved = null;
    this.#placeLabels();
  }

  #name(settings: Settings): void {
    this.#labels.forEach((label, place) => {
      label.textContent = bodyName(this.views[place].method, settings);
    });
  }

  #dress(display: Display): void {
    for (const view of this.views) {
      view.wireframe = display.wireframe;
      view.colourByDisplacement = display.colourEnd;
      view.showVolume(display.volume, this.stage.renderer);
      this.#showFixed(view, display.fixed);
    }
    this.stage.invalidate();
  }

  #showFixed(view: BodyView, on: boolean): void {
    const { mesh } = this.player.model;
    let points = view.group.userData.fixed as Points | undefined;
    if (!points && on && mesh.fixedVertices.length > 0) {
      const geometry = new BufferGeometry();
      const positions = new Float32Array(3 * mesh.fixedVertices.length);
      mesh.fixedVertices.forEach((vertex, place) => {
        for (let axis = 0; axis < 3; ++axis) positions[3 * place + axis] = mesh.positions[3 * vertex + axis];
      });
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
      points = new Points(geometry, new PointsMaterial({ color: 0x7a2e8e, size: 2.5, sizeAttenuation: false }));
      view.group.add(points);
      view.group.userData.fixed = points;
    }
    if (points) points.visible = on;
  }

  // Brings the bodies to the latest frame of the player.
  #follow(): void {
    const frame = this.player.frame.value;
    if (!frame || frame === this.#moved) return;
    // Bodies were added or taken away, and this frame is from before.
    if (frame.bodies.length !== this.views.length) return;
    this.#moved = frame;
    const shift = new Vector3(...frame.support.offset);
    this.views.forEach((view, place) => {
      view.group.position.copy(view.group.userData.offset as Vector3).add(shift);
      view.group.quaternion.set(...frame.support.orientation);
      view.move(this.stage.renderer, frame.bodies[place].shapeCoordinates, frame.surfaces?.[place] ?? null);
    });
    this.#showForces(frame);
    this.onMoved();
    this.#placeLabels();
    this.stage.invalidate();
  }

  #strike(coordinates: Float64Array): void {
    this.views[0].move(this.stage.renderer, coordinates, null);
    this.#moved = null;
    this.stage.invalidate();
  }

  /** Draws the present frame now, whether it was drawn before or not. */
  redraw(): void {
    this.#moved = null;
    this.#follow();
    this.stage.render();
  }

  get onTheCard(): boolean {
    return this.cpuReason === null;
  }

  /** The file brings colours or textures of its own. */
  get hasMaterials(): boolean {
    return this.#appearance !== null;
  }

  /** The surface vertex of each shown one. */
  get vertexOf(): Uint32Array {
    return this.#parts.shown.vertexOf;
  }

  /** The vertex and the point, in the body's frame, that the arrows show; null: none. */
  set pulled(pulled: { vertex: number; target: Vector3 } | null) {
    this.#pulled = pulled;
    if (this.player.frame.value) this.#showForces(this.player.frame.value);
    this.#placeLabels();
    this.stage.invalidate();
  }

  #showForces(frame: Frame): void {
    const pulled = this.#pulled;
    this.views.forEach((view, place) => {
      if (!pulled) {
        this.#arrows[place].hide();
        return;
      }
      const from = this.vertexPosition({ body: place, vertex: pulled.vertex });
      this.#arrows[place].show(from, pulled.target);
      view.group.updateMatrixWorld(true);
    });
    const force = frame.bodies[0]?.force;
    this.#forceLabel.textContent = force ? forceText(length(force)) : '';
  }

  #placeLabels(): void {
    const put = (label: HTMLElement, point: Vector3, aside: number) => {
      const pixel = this.stage.pixelOf(point);
      label.hidden = !pixel;
      if (!pixel) return;
      // Inside the picture, whole.
      const x = Math.max(4, Math.min(pixel.x + aside * label.offsetWidth, this.#overlay.clientWidth - label.offsetWidth - 4));
      label.style.transform = `translate(${x.toFixed(1)}px, ${Math.max(36, pixel.y).toFixed(1)}px)`;
    };
    const { up } = this.player.model.info, axis = axisOf(up);
    this.#labels.forEach((label, place) => {
      // Above the end of the longest side, where most bodies are fixed.
      const top = this.box.getCenter(new Vector3()), size = this.box.getSize(new Vector3());
      const longest = size.x >= size.y && size.x >= size.z ? 'x' : size.y >= size.z ? 'y' : 'z';
      top[longest] = this.box.min[longest];
      top[axis] = up === axis ? this.box.max[axis] + 0.06 * this.size : this.box.min[axis] - 0.06 * this.size;
      put(label, this.views[place].group.localToWorld(top), -0.5);
    });
    if (this.#pulled && this.#forceLabel.textContent) {
      put(this.#forceLabel, this.views[0].group.localToWorld(this.#pulled.target.clone()), 0.1);
    } else {
      this.#forceLabel.hidden = true;
    }
  }

  /** Looks at all bodies as they are now. */
  frame(): void {
    const all = new Box3();
    for (const view of this.views) {
      view.group.updateMatrix();
      all.union(new Box3().setFromArray(view.positions()).applyMatrix4(view.group.matrix));
    }
    this.stage.lookAt(all);
  }

  /** In the body's frame, m. */
  vertexPosition({ body, vertex }: Grasp): Vector3 {
    return this.views[body].positionOf(vertex);
  }

  ray(event: { clientX: number; clientY: number }): Ray {
    const caster = new Raycaster();
    caster.setFromCamera(this.stage.pointerAt(event), this.stage.camera);
    return caster.ray;
  }

  /** What is under a pointer. */
  graspAt(event: { clientX: number; clientY: number }): Grasp | null {
    const ray = this.ray(event);
    let best: (Grasp & { distance: number }) | null = null;
    this.views.forEach((view, body) => {
      const local = ray.clone().applyMatrix4(new Matrix4().copy(view.group.matrixWorld).invert());
      const hit = pick(local, view.positions(), this.player.model.triangles);
      if (hit && (!best || hit.distance < best.distance)) best = { body, vertex: hit.vertex, distance: hit.distance };
    });
    return best;
  }

  dispose(): void {
    for (const stop of this.#stopEffects) stop();
    for (const view of this.views) view.dispose();
    for (const arrow of this.#arrows) arrow.dispose();
    disposeParts(this.#parts);
    this.#overlay.remove();
    this.stage.dispose();
  }
}
