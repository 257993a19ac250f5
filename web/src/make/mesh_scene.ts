// SPDX-License-Identifier: Apache-2.0
// A mesh on the stage while a model is made of it: its surface coloured by what is chosen, the places of its problems,
// the simulation mesh, and the box that is being chosen with.
import {
  Box3,
  Box3Helper,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  Raycaster,
  SphereGeometry,
  Vector3,
  type Material,
  type Object3D,
} from 'three';
import { pick } from '../view/pick';
import type { Up } from '../api/jobs';
import { Stage } from '../view/stage';
import type { MeshData } from './mesh_data';
import { diagonalOf } from './mesh_measure';
import type { PreparedMesh } from './prepare_mesh';
import type { Box } from './select_text';

/** Of Okabe and Ito: colour-blind eyes tell them apart. The first is for fixed parts. */
export const kHeldColour = '#d55e00';
export const kGroupColours = ['#0072b2', '#009e73', '#cc79a7', '#f0e442', '#56b4e9', '#e69f00'];
const kBodyColour = '#b9c3ca';
const kProblemColour = '#d55e00';

/** What a vertex belongs to; later ones lie over earlier ones. */
export interface Layer {
  marks: Uint8Array;
  colour: string;
}

export interface Hit {
  triangle: number;
  vertex: number;
  /** m, in the model's axes */
  point: [number, number, number];
}

function geometryOf({ drawn }: PreparedMesh): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(drawn.positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(drawn.normals, 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(drawn.positions.length), 3));
  geometry.setIndex(new BufferAttribute(drawn.index, 1));
  return geometry;
}

function disposeOf(object: Object3D | null): void {
  if (!object) return;
  object.removeFromParent();
  const { geometry, material } = object as Mesh;
  geometry?.dispose();
  (material as Material | undefined)?.dispose();
}

export class MeshScene {
  readonly stage: Stage;
  #mesh: PreparedMesh | null = null;
  #surface: Mesh<BufferGeometry, MeshStandardMaterial> | null = null;
  #chosen: Points<BufferGeometry, PointsMaterial> | null = null;
  #problems: Points<BufferGeometry, PointsMaterial> | null = null;
  #inside: LineSegments<BufferGeometry, LineBasicMaterial> | null = null;
  #tree: Mesh<BufferGeometry, MeshStandardMaterial> | null = null;
  #box: Box3Helper | null = null;
  #brush: Mesh<SphereGeometry, MeshStandardMaterial>;
  #ray = new Raycaster();

  constructor(host: HTMLElement) {
    this.stage = new Stage(host);
    this.#brush = new Mesh(
      new SphereGeometry(1, 24, 16),
      new MeshStandardMaterial({ color: kHeldColour, transparent: true, opacity: 0.3, depthWrite: false }),
    );
    this.#brush.visible = false;
    this.stage.root.add(this.#brush);
  }

  setMesh(mesh: PreparedMesh, up: Up): void {
    if (mesh !== this.#mesh) this.#show(mesh);
    this.stage.frame(new Box3(new Vector3(...mesh.min), new Vector3(...mesh.max)), up);
  }

  #show(mesh: PreparedMesh): void {
    disposeOf(this.#surface);
    disposeOf(this.#chosen);
    this.#mesh = mesh;
    const geometry = geometryOf(mesh);
    this.#surface = new Mesh(
      geometry,
      new MeshStandardMaterial({
        vertexColors: true,
        roughness: 0.55,
        metalness: 0,
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    );
    this.#surface.castShadow = this.#surface.receiveShadow = true;
    const points = new BufferGeometry();
    points.setAttribute('position', geometry.getAttribute('position'));
    points.setAttribute('color', geometry.getAttribute('color'));
    points.setIndex([]);
    this.#chosen = new Points(points, new PointsMaterial({ vertexColors: true, size: 5, sizeAttenuation: false }));
    this.stage.root.add(this.#surface, this.#chosen);
    this.setLayers([]);
  }

  setLayers(layers: Layer[]): void {
    if (!this.#surface || !this.#chosen || !this.#mesh) return;
    const { vertexOf } = this.#mesh.drawn;
    const colours = this.#surface.geometry.getAttribute('color') as BufferAttribute;
    const palette = [kBodyColour, ...layers.map(({ colour }) => colour)].map((colour) => new Color(colour));
    const ids: number[] = [];
    for (let i = 0; i < colours.count; ++i) {
      const vertex = vertexOf[i];
      let top = 0;
      for (let layer = 0; layer < layers.length; ++layer) if (layers[layer].marks[vertex]) top = layer + 1;
      if (top > 0) ids.push(i);
      colours.setXYZ(i, palette[top].r, palette[top].g, palette[top].b);
    }
    colours.needsUpdate = true;
    this.#chosen.geometry.setIndex(ids);
    this.stage.invalidate();
  }

  /** A colour of each vertex of the mesh, linear RGB, until the layers change. */
  setColours(rgb: Float32Array): void {
    if (!this.#surface || !this.#mesh) return;
    const { vertexOf } = this.#mesh.drawn;
    const colours = this.#surface.geometry.getAttribute('color') as BufferAttribute;
    for (let i = 0; i < colours.count; ++i) {
      const at = 3 * vertexOf[i];
      colours.setXYZ(i, rgb[at], rgb[at + 1], rgb[at + 2]);
    }
    colours.needsUpdate = true;
    this.stage.invalidate();
  }

  setProblems(points: [number, number, number][]): void {
    disposeOf(this.#problems);
    this.#problems = null;
    if (points.length) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(points.flat()), 3));
      this.#problems = new Points(
        geometry,
        new PointsMaterial({
          color: kProblemColour,
          size: 11,
          sizeAttenuation: false,
          depthTest: false,
          transparent: true,
        }),
      );
      this.#problems.renderOrder = 3;
      this.stage.root.add(this.#problems);
    }
    this.stage.invalidate();
  }

  /** The simulation mesh in lines, the surface pale behind it; null: none. */
  setInside(mesh: MeshData | null, colour: string): void {
    disposeOf(this.#inside);
    this.#inside = null;
    if (mesh) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
      geometry.setIndex(new BufferAttribute(mesh.edges, 1));
      this.#inside = new LineSegments(
        geometry,
        new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 }),
      );
      this.stage.root.add(this.#inside);
    }
    if (this.#surface) {
      const { material } = this.#surface;
      if (material.transparent !== (mesh !== null)) material.needsUpdate = true;
      material.transparent = mesh !== null;
      material.opacity = mesh ? 0.35 : 1;
      material.depthWrite = mesh === null;
    }
    this.stage.invalidate();
  }

  /** The outer faces of the elements, each domain in its colour, in place of the surface; null: none. */
  setTree(tree: { mesh: MeshData; colours: readonly string[] } | null): void {
    disposeOf(this.#tree);
    this.#tree = null;
    if (tree) {
      const { positions, triangles, domains } = tree.mesh;
      const palette = tree.colours.map((colour) => new Color(colour));
      const corners = new Float32Array(3 * triangles.length), colours = new Float32Array(3 * triangles.length);
      triangles.forEach((vertex, corner) => {
        corners.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
        palette[domains[Math.floor(corner / 3)]].toArray(colours, 3 * corner);
      });
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(corners, 3));
      geometry.setAttribute('color', new BufferAttribute(colours, 3));
      this.#tree = new Mesh(geometry, new MeshStandardMaterial({ vertexColors: true, flatShading: true, roughness: 0.6, side: DoubleSide }));
      this.stage.root.add(this.#tree);
    }
    for (const shown of [this.#surface, this.#chosen]) if (shown) shown.visible = tree === null;
    this.stage.invalidate();
  }

  /** Open sides end where the mesh ends. */
  setBox(box: Box | null): void {
    disposeOf(this.#box);
    this.#box = null;
    if (box && this.#mesh) {
      const beyond = 0.02 * diagonalOf(this.#mesh);
      const min = this.#mesh.min.map((side, i) => box.min[i] ?? side - beyond);
      const max = this.#mesh.max.map((side, i) => box.max[i] ?? side + beyond);
      this.#box = new Box3Helper(new Box3(new Vector3(...min), new Vector3(...max)), kHeldColour);
      this.stage.root.add(this.#box);
    }
    this.stage.invalidate();
  }

  /** The ball that paints, m; null hides it. */
  setBrush(centre: ArrayLike<number> | null, radius: number, colour: string): void {
    this.#brush.visible = centre !== null;
    if (centre) {
      this.#brush.position.set(centre[0], centre[1], centre[2]);
      this.#brush.scale.setScalar(radius);
      this.#brush.material.color.set(colour);
    }
    this.stage.invalidate();
  }

  hit(event: { clientX: number; clientY: number }): Hit | null {
    if (!this.#mesh) return null;
    this.#ray.setFromCamera(this.stage.pointerAt(event), this.stage.camera);
    const ray = this.#ray.ray.clone().applyMatrix4(this.stage.root.matrixWorld.clone().invert());
    const found = pick(ray, this.#mesh.positions, this.#mesh.triangles);
    return found && { triangle: found.triangle, vertex: found.vertex, point: ray.at(found.distance, new Vector3()).toArray() };
  }

  /** The smallest box around the vertices that lie under a rectangle of the picture, through the body; null: none. */
  boxUnder(from: { clientX: number; clientY: number }, to: { clientX: number; clientY: number }): Box | null {
    if (!this.#mesh) return null;
    const a = this.stage.pointerAt(from);
    const b = this.stage.pointerAt(to);
    const left = Math.min(a.x, b.x);
    const right = Math.max(a.x, b.x);
    const low = Math.min(a.y, b.y);
    const high = Math.max(a.y, b.y);
    const { positions } = this.#mesh;
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    const seen = new Vector3();
    for (let i = 0; i < positions.length; i += 3) {
      seen.set(positions[i], positions[i + 1], positions[i + 2]);
      this.stage.root.localToWorld(seen).project(this.stage.camera);
      if (seen.x < left || seen.x > right || seen.y < low || seen.y > high) continue;
      for (let axis = 0; axis < 3; ++axis) {
        min[axis] = Math.min(min[axis], positions[i + axis]);
        max[axis] = Math.max(max[axis], positions[i + axis]);
      }
    }
    if (!(min[0] <= max[0])) return null;
    // A little air: conditions leave out what lies on their sides.
    const air = 1e-3 * diagonalOf(this.#mesh);
    return { min: min.map((side) => side - air), max: max.map((side) => side + air) };
  }

  dispose(): void {
    for (const object of [this.#surface, this.#chosen, this.#problems, this.#inside, this.#tree, this.#box, this.#brush])
      disposeOf(object);
    this.stage.dispose();
  }
}
