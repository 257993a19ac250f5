// SPDX-License-Identifier: Apache-2.0
// The live picture: the bodies of the world where they are, with what the user sees of forces.
import { effect, signal, untracked, type Signal } from '@preact/signals';
import {
  Box3, BufferAttribute, BufferGeometry, Matrix4, Points, PointsMaterial, Raycaster, Vector3, type Ray,
} from 'three';
import type { SupportPath } from '../api/gallery';
import { forceText } from '../page/format';
import { cardProblem } from '../gpu/deformer';
import type { BodyFrame } from '../sim/live_world';
import type { Frame } from '../sim/messages';
import type { Player } from '../sim/player';
import { flies } from '../sim/settings';
import { floorHeight } from '../sim/touching';
import { length } from '../sim/vector';
import { BodyView, disposeParts, makeParts, type ModelParts } from './body_view';
import { kMethodColours } from './colour_map';
import { ContactArrows } from './contact_arrows';
import { domainOfVertex } from './domain_colours';
import { alongPath, boxOfBodies, type Display, type Placed } from './display';
import { standsOnFloor } from './floor';
import { ForceArrow } from './force_arrow';
import { placeBesideAll, placeCoveringFewest, type Point, type Rectangle } from './label_place';
import { ObstacleViews } from './obstacle_views';
import { pick } from './pick';
import { Stage } from './stage';
import { axisOf, upVector } from './up';

/** A vertex of one of the bodies, by its place among them. */
export interface Grasp {
  body: number;
  vertex: number;
}

// What the buttons below the body cover, pixels: one row, two on a phone.
const kToolbar = 60, kPhoneToolbar = 96;
// Of more bodies only the selected one is named; a phone has room for two names.
const kMostLabels = 6, kMostOnPhone = 2;
/** Triangles of a body that its label avoids. */
const kLabelTriangles = 400;
const kPhone = matchMedia('(max-width: 520px)');

// Lighter or darker, −1 to 1, so that one body of a heap is told from the next: multiples of the golden ratio are spread evenly.
function shadeOf(place: number): number {
  return 2 * ((place * 0.618034) % 1) - 1;
}

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
  /** Of the selected body, by its place among the domains; null: none. */
  readonly domain = signal<number | null>(null);
  #parts = new Map<string, ModelParts>();
  readonly contactArrows: ContactArrows;
  #obstacles: ObstacleViews;
  #arrow: ForceArrow;
  #poked: { at: Vector3; newtons: number } | null = null;
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
    this.contactArrows = new ContactArrows(this.size);
    this.#obstacles = new ObstacleViews(this.size, (name) => player.models.peek().get(name)?.shown);
    this.stage.root.add(this.#arrow.group, this.contactArrows.group, this.#obstacles.group);
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
        this.#selectDomain(player.body.value.name, this.domain.value);
        this.stage.invalidate();
      }),
      effect(() => {
        void player.ask('contacts', { kind: 'contacts', on: display.value.contacts }).then(async () => {
          if (!player.running.peek()) await player.step(0);
        });
      }),
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
    // Colours tell the methods of one model's bodies apart.
    const alike = ({ model, method }: BodyFrame) => frame.bodies.every((other) => other.model !== model || other.method === method);
    this.views = frame.bodies.map((body, place) => {
      const view = new BodyView(this.partsOf(body.model), body.name, body.method, materials && alike(body), this.onTheCard);
      if (frame.bodies.length > 2) view.shade = shadeOf(place);
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
    this.#selectDomain(this.player.body.peek().name, this.domain.peek());
    this.frameStart();
    this.#dress(this.display.peek());
    this.#moved = null;
    this.#pulled = null;
    this.#arrow.hide();
    untracked(() => this.onArranged());
    this.#placeLabels();
  }

  /** The picture holds all bodies where they begin, the floor below them, and the path. */
  frameStart(): void {
    const frame = this.player.frame.peek();
    if (!frame) return;
    const { info: { up }, mesh } = this.player.model;
    const starts = new Map(this.player.settings.peek().bodies.map((body) => [body.name, body]));
    const bodies = frame.bodies.map(({ name, model, position, orientation }): Placed => {
      const start = starts.get(name);
      return { box: this.partsOf(model).box, position: start?.position ?? position, rotation: start?.rotation ?? orientation };
    });
    const { obstacles } = this.player.settings.peek();
    const floors = obstacles.flatMap((obstacle) => floorHeight(obstacle, upVector(up)) ?? []);
    // Nothing that flies follows the path.
    const mounted = this.player.settings.peek().bodies.some((body) => !flies(body));
    const box = alongPath(boxOfBodies(bodies), mounted ? this.#path : null);
    for (const height of floors) {
      const below = box.getCenter(new Vector3());
      below[axisOf(up)] = up === axisOf(up) ? height : -height;
      box.expandByPoint(below);
    }
    this.stage.frame(box, up, floors.length === 0 && standsOnFloor(mesh, up));
  }

  #name(selected: string): void {
    const setups = new Map(this.player.settings.peek().bodies.map((body) => [body.name, body]));
    const texts = this.views.map(({ name }) => {
      const setup = setups.get(name);
      return setup ? this.player.labelOf(setup) : name;
    });
    // Names of many bodies of one kind say nothing.
    const crowd = this.views.length > (kPhone.matches ? kMostOnPhone : kMostLabels) || (this.views.length > 2 && new Set(texts).size === 1);
    this.#labels.forEach((label, place) => {
      // Two of one kind are told apart by their names.
      const { name } = this.views[place], text = texts[place];
      label.textContent = texts.indexOf(text) === texts.lastIndexOf(text) ? text : `${text} (${name})`;
      label.classList.toggle('selected', name === selected);
      label.classList.toggle('quiet', crowd && name !== selected);
    });
  }

  #dress(display: Display): void {
    for (const view of this.views) {
      view.wireframe = display.wireframe;
      view.colourByDisplacement = display.colourEnd;
      view.colourByDomain = display.domains;
      view.showVolume(display.volume, this.stage.renderer);
      this.#showFixed(view, display.fixed && view.method !== 'rigid');
    }
    this.stage.invalidate();
  }

  #selectDomain(body: string, domain: number | null): void {
    this.views.find(({ name }) => name === body)?.parts.domainColours?.select(domain);
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
    this.#obstacles.show(frame.obstacles);
    if (this.display.peek().contacts && frame.contact) this.contactArrows.show(frame.contact.points);
    else this.contactArrows.hide();
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

  /** Where the force of the ball is told, in the world, m; null: there is none. */
  set poked(poked: { at: Vector3; newtons: number } | null) {
    this.#poked = poked;
    if (this.player.frame.value) this.#showForce(this.player.frame.value);
    this.#placeLabels();
  }

  #showForce(frame: Frame): void {
    const pulled = this.#pulled;
    if (pulled && this.views[pulled.grasp.body]) this.#arrow.show(this.vertexPosition(pulled.grasp), pulled.target);
    else this.#arrow.hide();
    const force = pulled && frame.bodies[pulled.grasp.body]?.force;
    const newtons = force ? length(force) : this.#poked?.newtons;
    this.#forceLabel.textContent = newtons === undefined ? '' : forceText(newtons);
  }

  #placeLabels(): void {
    const bodies = this.views.map((view) => this.#rectangleOf(view)).filter((rectangle) => rectangle !== null);
    let seen: Point[] | null = null;
    const points = () => seen ??= this.views.flatMap((view) => this.#pointsOf(view));
    const labels: Rectangle[] = [];
    // The numbers in the corner stand over the picture too.
    const corner = document.querySelector('.corner')?.getBoundingClientRect();
    const overlay = this.#overlay.getBoundingClientRect();
    if (corner) labels.push({ x: corner.x - overlay.x, y: corner.y - overlay.y, width: corner.width, height: corner.height });
    // Inside the picture, whole, on no other label; and on no body if there is room, else on as little of them as possible.
    const put = (label: HTMLElement, point: Vector3, aside: number, away: Rectangle[]) => {
      const pixel = this.stage.pixelOf(point);
      label.hidden = !pixel || label.classList.contains('quiet');
      if (!pixel || label.hidden) return;
      const { offsetWidth: width, offsetHeight: height } = label;
      // Above the buttons.
      const lowest = this.#overlay.clientHeight - this.stage.covered() - height;
      const x = Math.max(4, Math.min(pixel.x + aside * width, this.#overlay.clientWidth - width - 4));
      const wanted = Math.max(6, Math.min(pixel.y - height - 6, lowest));
      const at = { x, y: wanted, width, height };
      const place = placeBesideAll(at, this.#overlay.clientWidth, [...labels, ...away], lowest) ??
        placeCoveringFewest(at, this.#overlay.clientWidth, points(), labels, lowest) ?? at;
      labels.push(place);
      label.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
    };
    this.#labels.forEach((label, place) => {
      const { box, size: diagonal, model: { info: { up } } } = this.views[place].parts;
      const axis = axisOf(up);
      // Above the end of the longest side, where most bodies are fixed.
      const top = box.getCenter(new Vector3()), size = box.getSize(new Vector3());
      const longest = size.x >= size.y && size.x >= size.z ? 'x' : size.y >= size.z ? 'y' : 'z';
      top[longest] = box.min[longest];
      top[axis] = up === axis ? box.max[axis] + 0.06 * diagonal : box.min[axis] - 0.06 * diagonal;
      put(label, this.views[place].group.localToWorld(top), -0.5, bodies);
    });
    const told = this.#pulled?.target ?? this.#poked?.at;
    if (told && this.#forceLabel.textContent) {
      put(this.#forceLabel, this.scenePoint(told), 0.1, []);
    } else {
      this.#forceLabel.hidden = true;
    }
  }

  /** What the box of the body at rest, where the body is now, covers of the picture; null: it is out of sight. */
  #rectangleOf({ parts: { box }, group }: BodyView): Rectangle | null {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let corner = 0; corner < 8; ++corner) {
      const pixel = this.stage.pixelOf(group.localToWorld(new Vector3(
        corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z)));
      if (!pixel) return null;
      left = Math.min(left, pixel.x);
      right = Math.max(right, pixel.x);
      top = Math.min(top, pixel.y);
      bottom = Math.max(bottom, pixel.y);
    }
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** Some points of the surface at rest, where the body is now, in the picture. */
  #pointsOf({ parts: { model: { positions, triangles } }, group }: BodyView): Point[] {
    const corner = (triangle: number, k: number) => new Vector3().fromArray(positions, 3 * triangles[3 * triangle + k % 3]);
    const points: Point[] = [];
    const count = triangles.length / 3, step = Math.max(1, count / kLabelTriangles);
    for (let at = 0; at < count; at += step)
      for (let k = 0; k < 3; ++k) {
        const pixel = this.stage.pixelOf(group.localToWorld(corner(Math.floor(at), k).lerp(corner(Math.floor(at), k + 1), 0.5)));
        if (pixel) points.push(pixel);
      }
    return points;
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

  /** The domain that a vertex of a tree belongs to. */
  selectDomainOf({ body, vertex }: Grasp): void {
    const { tree } = this.views[body].parts.model;
    if (tree) this.domain.value = domainOfVertex(tree, vertex);
  }

  /** What is under a pointer. */
  graspAt(event: { clientX: number; clientY: number }): Grasp | null {
    return this.#hit(this.ray(event));
  }

  /** The ray of a pointer, in the scene, and where it meets a body first, in the world, m; null: nowhere. */
  hitAt(event: { clientX: number; clientY: number }): { ray: Ray; point: Vector3 | null } {
    const ray = this.ray(event), hit = this.#hit(ray);
    return { ray, point: hit && this.worldPoint(ray.at(hit.distance * this.stage.root.scale.x, new Vector3())) };
  }

  // Distances are in metres: bodies are not scaled.
  #hit(ray: Ray): (Grasp & { distance: number }) | null {
    let best: (Grasp & { distance: number }) | null = null;
    const box = new Box3(), met = new Vector3();
    this.views.forEach((view, body) => {
      const local = ray.clone().applyMatrix4(new Matrix4().copy(view.group.matrixWorld).invert());
      // Bodies may be deformed far beyond their box at rest; rigid ones are not.
      if (view.method === 'rigid' && !local.intersectBox(box.copy(view.parts.box), met)) return;
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
    this.contactArrows.dispose();
    this.#obstacles.dispose();
    this.#overlay.remove();
    this.stage.dispose();
  }
}
