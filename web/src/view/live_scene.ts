// SPDX-License-Identifier: Apache-2.0
// The live picture: the bodies of the world where they are, with what the user sees of forces.
import { effect, untracked, type Signal } from '@preact/signals';
import {
  Box3, BufferAttribute, BufferGeometry, Matrix4, Points, PointsMaterial, Raycaster, Vector3, type Ray,
} from 'three';
import type { SupportPath } from '../api/gallery';
import { forceText } from '../page/format';
import { cardProblem } from '../gpu/deformer';
import type { BodyFrame } from '../sim/live_world';
import type { Frame } from '../sim/messages';
import type { Player } from '../sim/player';
import { length } from '../sim/vector';
import { BodyView, disposeParts, makeParts, type ModelParts } from './body_view';
import { kMethodColours } from './colour_map';
import { alongPath, boxOfBodies, type Display, type Placed } from './display';
import { standsOnFloor } from './floor';
import { ForceArrow } from './force_arrow';
import { pick } from './pick';
import { Stage } from './stage';
import { axisOf } from './up';

/** A vertex of one of the bodies, by its place among them. */
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
  /** The diagonal of the first model at rest, m. */
  readonly size: number;
  /** Why the CPU draws; null: the card does. */
  readonly cpuReason: string | null;
  /** In the order of the world's bodies. */
  views: BodyView[] = [];
  /** In place of the simulation: the selected body's shape coordinates at a time in ms. Null: the simulation moves it. */
  pose: ((now: number) => Float64Array) | null = null;
  /** Runs before each picture, after the bodies moved. */
  onMoved: () => void = () => {};
  /** Runs after other bodies took the stage. */
  onArranged: () => void = () => {};
  #parts = new Map<string, ModelParts>();
  #arrow: ForceArrow;
  #labels: HTMLElement[] = [];
  #forceLabel: HTMLElement;
  #overlay: HTMLElement;
  #moved: Frame | null = null;
  #arranged = '';
  #stopEffects: (() => void)[] = [];
  #pulled: { grasp: Grasp; target: Vector3 } | null = null;
  #path: SupportPath | null;

  /** `path`: along which the support may move; it is in the picture from the start. */
  constructor(host: HTMLElement, player: Player, display: Signal<Display>, path: SupportPath | null) {
    this.#path = path;
    this.player = player;
    this.display = display;
    this.stage = new Stage(host);
    this.stage.covered = () => (kPhone.matches ? kPhoneToolbar : kToolbar);
    const { rank, warp_modes, warp_companions } = player.model.info;
    this.cpuReason = new URLSearchParams(location.search).get('draw') === 'cpu' ? 'the address asks for it'
      : cardProblem(this.stage.renderer, Math.max(rank, warp_modes + warp_companions));
    player.wantsSurfaces = !this.onTheCard;
    this.size = this.partsOf(player.settings.peek().bodies[0].model).size;
    this.#arrow = new ForceArrow(this.size);
    this.stage.root.add(this.#arrow.group);
    this.#overlay = document.createElement('div');
    this.#overlay.className = 'overlay';
    this.#overlay.setAttribute('aria-hidden', 'true');
    this.#forceLabel = document.createElement('span');
    this.#forceLabel.className = 'force-label';
    this.#forceLabel.hidden = true;
    this.#overlay.append(this.#forceLabel);
    host.append(this.#overlay);

    this.#stopEffects.push(
      effect(() => this.#arrange(player.frame.value, display.value.materials)),
      effect(() => this.#name(player.settings.value && player.body.value.name)),
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

  /** What the bodies of a model share on the stage; made when it is first asked for. */
  partsOf(model: string): ModelParts {
    let parts = this.#parts.get(model);
    if (!parts) this.#parts.set(model, parts = makeParts(this.player.modelOf({ model }), () => this.stage.invalidate()));
    return parts;
  }

  // Makes the views of the frame's bodies, where they are others than those on the stage.
  #arrange(frame: Frame | null, materials: boolean): void {
    if (!frame) return;
    const key = JSON.stringify([materials, frame.bodies.map(({ name, model, method }) => [name, model, method])]);
    if (key === this.#arranged) return;
    this.#arranged = key;
    for (const view of this.views) {
      this.stage.root.remove(view.group);
      view.dispose();
    }
    for (const label of this.#labels) label.remove();
    // Colours tell the bodies of one model apart.
    const alone = ({ model }: BodyFrame) => frame.bodies.filter((other) => other.model === model).length === 1;
    this.views = frame.bodies.map((body) => {
      const view = new BodyView(this.partsOf(body.model), body.name, body.method, materials && alone(body), this.onTheCard);
      view.place(body.position, body.orientation);
      this.stage.root.add(view.group);
      return view;
    });
    this.#labels = this.views.length > 1 ? this.views.map(({ method }) => {
      const label = document.createElement('span');
      label.className = 'body-label';
      label.style.setProperty('--body', kMethodColours[method]);
      this.#overlay.append(label);
      return label;
    }) : [];
    this.#name(this.player.body.peek().name);
    this.#frameStart(frame);
    this.#dress(this.display.peek());
    this.#moved = null;
    this.#pulled = null;
    this.#arrow.hide();
    untracked(() => this.onArranged());
    this.#placeLabels();
  }

  // The picture holds all bodies where they begin, and the path.
  #frameStart(frame: Frame): void {
    const { info: { up }, mesh } = this.player.model;
    const starts = new Map(this.player.settings.peek().bodies.map((body) => [body.name, body]));
    const bodies = frame.bodies.map(({ name, model, position, orientation }): Placed => {
      const start = starts.get(name);
      return { box: this.partsOf(model).box, position: start?.position ?? position, rotation: start?.rotation ?? orientation };
    });
    this.stage.frame(alongPath(boxOfBodies(bodies), this.#path), up, standsOnFloor(mesh, up));
  }

  #name(selected: string): void {
    const setups = new Map(this.player.settings.peek().bodies.map((body) => [body.name, body]));
    const texts = this.views.map(({ name }) => {
      const setup = setups.get(name);
      return setup ? this.player.labelOf(setup) : name;
    });
    this.#labels.forEach((label, place) => {
      // Two of one kind are told apart by their names.
      const { name } = this.views[place], text = texts[place];
      label.textContent = texts.indexOf(text) === texts.lastIndexOf(text) ? text : `${text} (${name})`;
      label.classList.toggle('selected', name === selected);
    });
  }

  #dress(display: Display): void {
    for (const view of this.views) {
      view.wireframe = display.wireframe;
      view.colourByDisplacement = display.colourEnd;
      view.showVolume(display.volume, this.stage.renderer);
      this.#showFixed(view, display.fixed && view.method !== 'rigid');
    }
    this.stage.invalidate();
  }

  #showFixed(view: BodyView, on: boolean): void {
    const { mesh } = view.parts.model;
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
    this.#moved = frame;
    this.views.forEach((view, place) => {
      const { position, orientation, shapeCoordinates } = frame.bodies[place];
      view.place(position, orientation);
      view.move(this.stage.renderer, shapeCoordinates, frame.surfaces?.[place] ?? null);
    });
    this.#showForce(frame);
    this.onMoved();
    this.#placeLabels();
    this.stage.invalidate();
  }

  #strike(coordinates: Float64Array): void {
    this.views[this.selected]?.move(this.stage.renderer, coordinates, null);
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

  /** The place of the selected body. */
  get selected(): number {
    const { name } = this.player.body.peek();
    return Math.max(0, this.views.findIndex((view) => view.name === name));
  }

  /** A file brings colours or textures of its own. */
  get hasMaterials(): boolean {
    return [...this.#parts.values()].some(({ appearance }) => appearance !== null);
  }

  /** The vertex that is pulled, and the spring's other end in the world, that the arrow shows; null: none. */
  set pulled(pulled: { grasp: Grasp; target: Vector3 } | null) {
    this.#pulled = pulled;
    if (this.player.frame.value) this.#showForce(this.player.frame.value);
    this.#placeLabels();
    this.stage.invalidate();
  }

  #showForce(frame: Frame): void {
    const pulled = this.#pulled;
    if (pulled && this.views[pulled.grasp.body]) this.#arrow.show(this.vertexPosition(pulled.grasp), pulled.target);
    else this.#arrow.hide();
    const force = pulled && frame.bodies[pulled.grasp.body]?.force;
    this.#forceLabel.textContent = force ? forceText(length(force)) : '';
  }

  #placeLabels(): void {
    const taken: { x: number; y: number; width: number; height: number }[] = [];
    const put = (label: HTMLElement, point: Vector3, aside: number) => {
      const pixel = this.stage.pixelOf(point);
      label.hidden = !pixel;
      if (!pixel) return;
      const { offsetWidth: width, offsetHeight: height } = label;
      // Inside the picture, whole, and below labels that are there already.
      const x = Math.max(4, Math.min(pixel.x + aside * width, this.#overlay.clientWidth - width - 4));
      let y = Math.max(36, pixel.y);
      for (const other of taken.sort((a, b) => a.y - b.y))
        if (x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height) y = other.y + other.height + 2;
      taken.push({ x, y, width, height });
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    };
    this.#labels.forEach((label, place) => {
      const { box, size: diagonal, model: { info: { up } } } = this.views[place].parts;
      const axis = axisOf(up);
      // Above the end of the longest side, where most bodies are fixed.
      const top = box.getCenter(new Vector3()), size = box.getSize(new Vector3());
      const longest = size.x >= size.y && size.x >= size.z ? 'x' : size.y >= size.z ? 'y' : 'z';
      top[longest] = box.min[longest];
      top[axis] = up === axis ? box.max[axis] + 0.06 * diagonal : box.min[axis] - 0.06 * diagonal;
      put(label, this.views[place].group.localToWorld(top), -0.5);
    });
    if (this.#pulled && this.#forceLabel.textContent) {
      put(this.#forceLabel, this.stage.root.localToWorld(this.#pulled.target.clone()), 0.1);
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

  /** In the world, m. */
  vertexPosition({ body, vertex }: Grasp): Vector3 {
    const { group } = this.views[body];
    return this.views[body].positionOf(vertex).applyQuaternion(group.quaternion).add(group.position);
  }

  /** A point of the picture's scene, such as one that a ray meets, in the world, m. */
  worldPoint(point: Vector3): Vector3 {
    return this.stage.root.worldToLocal(point.clone());
  }
  /** And the other way round. */
  scenePoint(point: Vector3): Vector3 {
    return this.stage.root.localToWorld(point.clone());
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
      const hit = pick(local, view.positions(), view.parts.model.triangles);
      if (hit && (!best || hit.distance < best.distance)) best = { body, vertex: hit.vertex, distance: hit.distance };
    });
    return best;
  }

  dispose(): void {
    for (const stop of this.#stopEffects) stop();
    for (const view of this.views) view.dispose();
    for (const parts of this.#parts.values()) disposeParts(parts);
    this.#arrow.dispose();
    this.#overlay.remove();
    this.stage.dispose();
  }
}
