// SPDX-License-Identifier: Apache-2.0
// The surface of a model coloured by its local compliance relative to the full model. Dots: where it was computed;
// balls: patches that were chosen. A click chooses.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Color, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, SphereGeometry, Vector3 } from 'three';
import { getBytes, problemFrom, type Problem } from '../api/client';
import type { CompliancePoint, Up } from '../api/jobs';
import { kViridis } from '../view/colour_map';
import { kLookingHelp, lookByKey, LookButtons, PictureTrouble } from './looking';
import { prepared } from './load_mesh';
import { readMesh, type MeshData } from './mesh_data';
import { diagonalOf } from './mesh_measure';
import { kHeldColour, MeshScene } from './mesh_scene';

export type Place = [number, number, number];

interface MapData {
  mesh: MeshData;
  /** Of each vertex, 0 to 1. */
  ratios: Float32Array;
}

/** `limber validate --map`: a mesh, then a number of each vertex. */
export function readMap(bytes: ArrayBuffer): MapData {
  const mesh = readMesh(bytes);
  const vertices = mesh.positions.length / 3;
  const at = 12 + mesh.positions.byteLength + mesh.edges.byteLength + mesh.triangles.byteLength;
  if (bytes.byteLength < at + 4 * vertices) throw new Error('the map that the server sent is cut short: reload the page');
  return { mesh, ratios: new Float32Array(bytes, at, vertices) };
}

/** Viridis at 0 to 1, linear RGB. */
function colourOf(ratio: number, out: Color): Color {
  const at = Math.min(Math.max(ratio, 0), 1) * (kViridis.length - 1);
  const low = Math.min(Math.floor(at), kViridis.length - 2);
  return out.set(kViridis[low]).lerp(new Color(kViridis[low + 1]), at - low);
}

function coloursOf(ratios: Float32Array): Float32Array {
  const colour = new Color();
  const out = new Float32Array(3 * ratios.length);
  ratios.forEach((ratio, i) => colourOf(ratio, colour).toArray(out, 3 * i));
  return out;
}

// A pointer that moved farther rotated the view: no click; pixels.
const kClick = 5;

/** Looks at the model from where a place faces, a little from above. */
function lookFrom({ stage }: MeshScene, normal: Place): void {
  const { camera, controls, root } = stage;
  const back = new Vector3(...normal).applyQuaternion(root.quaternion);
  back.y = Math.min(Math.max(back.y, 0.15), 0.8);
  const distance = camera.position.distanceTo(controls.target);
  camera.position.copy(controls.target).addScaledVector(back.normalize(), distance);
  controls.update();
  stage.invalidate();
}

class Marks {
  readonly group = new Group();
  #ball = new SphereGeometry(1, 24, 16);
  #dot = new MeshBasicMaterial({ color: 0x101418 });
  #ring = new MeshBasicMaterial({ color: 0xffffff });
  #chosen = new MeshStandardMaterial({ color: kHeldColour, transparent: true, opacity: 0.55, depthWrite: false });

  show(points: CompliancePoint[], chosen: Place[], radius: number, diagonal: number): void {
    this.group.clear();
    const add = (place: Place, size: number, material: MeshBasicMaterial | MeshStandardMaterial) => {
      const mesh = new Mesh(this.#ball, material);
      mesh.position.set(...place);
      mesh.scale.setScalar(size);
      this.group.add(mesh);
    };
    for (const { position } of points) {
      // White around black shows on every colour.
      add(position, 0.007 * diagonal, this.#ring);
      add(position, 0.0072 * diagonal, this.#dot);
    }
    for (const place of chosen) add(place, radius, this.#chosen);
  }

  dispose(): void {
    for (const part of [this.#ball, this.#dot, this.#ring, this.#chosen]) part.dispose();
  }
}

interface ComplianceMapProps {
  /** Address of the map. */
  map: string;
  points: CompliancePoint[];
  worst: CompliancePoint;
  /** m */
  radius: number;
  up: Up;
  chosen: Place[];
  onChoose: (place: Place) => void;
}

export function ComplianceMap({ map, points, worst, radius, up, chosen, onChoose }: ComplianceMapProps) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<{ scene: MeshScene; marks: Marks; diagonal: number } | null>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const problem = useSignal<Problem | null>(null);
  const lost = useSignal(false);
  const ready = useSignal(false);

  useEffect(() => {
    const stop = new AbortController();
    let scene: MeshScene | null = null;
    const marks = new Marks();
    void (async () => {
      try {
        const bytes = await getBytes(map, { signal: stop.signal });
        // The worker takes the bytes over.
        const ratios = readMap(bytes).ratios.slice();
        const mesh = await prepared(bytes, stop.signal);
        if (stop.signal.aborted) return;
        scene = new MeshScene(host.current!);
        scene.stage.onContext = (gone) => {
          lost.value = gone;
        };
        scene.setMesh(mesh, up);
        scene.setColours(coloursOf(ratios));
        scene.stage.root.add(marks.group);
        lookFrom(scene, worst.normal);
        listen(scene, mesh, (place) => choose.current(place), stop.signal);
        shown.current = { scene, marks, diagonal: diagonalOf(mesh) };
        ready.value = true;
      } catch (error) {
        if (!stop.signal.aborted) problem.value = problemFrom(error);
      }
    })();
    return () => {
      stop.abort();
      shown.current = null;
      ready.value = false;
      marks.dispose();
      scene?.dispose();
    };
  }, [map, up]);

  useEffect(() => {
    if (!shown.current) return;
    const { scene, marks, diagonal } = shown.current;
    marks.show(points, chosen, radius, diagonal);
    scene.stage.invalidate();
  }, [ready.value, points, chosen, radius]);

  return (
    <div class="compliance-view">
      <div
        ref={host}
        class="mesh-host"
        data-tool="box"
        data-ready={ready.value}
        tabIndex={0}
        role="application"
        aria-label={`Map of the local compliance. ${kLookingHelp} The places are in the table below.`}
        onKeyDown={(event) => {
          if (shown.current) lookByKey(shown.current.scene.stage, event);
        }}
      />
      <PictureTrouble problem={problem.value} lost={lost.value} />
      <div class="view-bar">
        <LookButtons stage={() => shown.current?.scene.stage ?? null} />
      </div>
    </div>
  );
}

function listen(scene: MeshScene, mesh: MeshData, onChoose: (place: Place) => void, signal: AbortSignal): void {
  const canvas = scene.stage.renderer.domElement;
  let from: { x: number; y: number } | null = null;
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      from = event.button === 0 && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
    },
    { signal },
  );
  canvas.addEventListener(
    'pointerup',
    (event) => {
      if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > kClick) return;
      from = null;
      const hit = scene.hit(event);
      if (!hit) return;
      const [x, y, z] = mesh.positions.subarray(3 * hit.vertex, 3 * hit.vertex + 3);
      onChoose([x, y, z]);
    },
    { signal },
  );
}

/** The colours of 0 to 1. */
export function ComplianceLegend() {
  return (
    <figure class="compliance-legend">
      <div class="colour-bar" style={{ background: `linear-gradient(to right, ${kViridis.join(', ')})` }} />
      <div class="colour-ticks number" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <figcaption class="hint">
        Compliance relative to the full model, from 0 (dark, does not give way) to 1 (yellow, as the full model). Dots:
        computed. Between them: interpolated.
      </figcaption>
    </figure>
  );
}
