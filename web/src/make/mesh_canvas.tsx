// SPDX-License-Identifier: Apache-2.0
// The mesh in the middle of the page, and the pointer on it: look, drag a box, click a face, paint, erase.
import { computed, effect, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { MOUSE, TOUCH } from 'three';
import { announce } from '../page/announce';
import { problemFrom, type Problem } from '../api/client';
import type { MeshProblem } from '../api/jobs';
import { dark } from '../page/theme';
import { checked, cutKey, cutTree, domainVertices, filled, fillKey, fixedVertices, flow, groupVertices, up } from './flow';
import { domainColour, treeColours } from './domain_palette';
import { kLookingHelp, lookByKey, LookButtons, PictureTrouble } from './looking';
import { diagonalOf } from './mesh_measure';
import { kGroupColours, kHeldColour, MeshScene, type Layer } from './mesh_scene';
import type { PreparedMesh } from './prepare_mesh';
import { boxOf } from './select_text';
import { addBox, addSpread, brushSize, domainOf, isSpread, paint, remember, target, textsOf, tool } from './tools';

/** The places of the problem that is shown; null: all of them. */
export const shownProblem = signal<number | null>(null);
/** The mesh as it was before its repair, and whether the picture shows it. */
export const beforeRepair = signal<{ id: string; mesh: PreparedMesh; problems: MeshProblem[] } | null>(null);
export const showBefore = signal(false);
/** Whether the simulation mesh is drawn. */
export const showInside = signal(true);
/** Whether the domains of the tree are drawn in place of the surface. */
export const showTree = signal(true);

// One signal each, so that the picture is redrawn only for what it shows.
const step = computed(() => flow.value.step);
const cut = computed(() => flow.value.cut);

/** The mesh and the problems in the picture. */
const pictured = computed(() => {
  const before = beforeRepair.value;
  const old = showBefore.value && step.value === 'mesh' && before?.id === flow.value.upload?.before?.id;
  if (old && before) return before;
  const now = checked.value;
  return now && { id: now.upload, mesh: now.mesh, problems: now.result.problems };
});

function layers(): Layer[] {
  if (step.value === 'motion' && cut.value === 'painted')
    return domainVertices.value.map(({ marks }, i) => ({ marks, colour: domainColour(i) }));
  const out: Layer[] = groupVertices.value.map(({ marks }, i) => ({
    marks,
    colour: kGroupColours[i % kGroupColours.length],
  }));
  if (fixedVertices.value && step.value !== 'material')
    out.push({ marks: fixedVertices.value.marks, colour: kHeldColour });
  return out;
}

function colourOfTarget(): string {
  const domain = domainOf(target.value);
  if (domain !== null) return domainColour(domain);
  return typeof target.value === 'number' ? kGroupColours[target.value % kGroupColours.length] : kHeldColour;
}

/** What the scene shows follows what was chosen. */
function follow(scene: MeshScene): () => void {
  const stops = [
    effect(() => {
      const now = pictured.value;
      if (now) scene.setMesh(now.mesh, up.value);
    }),
    // Selections are of the mesh as it is now.
    effect(() => scene.setLayers(checked.value && pictured.value?.mesh === checked.value.mesh ? layers() : [])),
    effect(() => {
      const problems = pictured.value?.problems ?? [];
      const one = shownProblem.value;
      const shown = step.value !== 'mesh' ? [] : one === null ? problems : problems.slice(one, one + 1);
      scene.setProblems(shown.flatMap(({ points }) => points));
    }),
    effect(() => {
      const ready = filled.value?.key === fillKey.value && step.value === 'fill' && showInside.value;
      scene.setInside(checked.value && ready ? filled.value!.mesh : null, dark.value ? '#8fd3d8' : '#0b6e75');
    }),
    effect(() => {
      const now = cutTree.value;
      const ready = checked.value && now?.key === cutKey.value && step.value === 'motion' && showTree.value;
      scene.setTree(ready ? { mesh: now.mesh, colours: treeColours(now.tree) } : null);
    }),
    effect(() => {
      // The box that was chosen last is outlined.
      const boxes =
        checked.value && tool.value === 'box'
          ? textsOf(target.value)
              .map(boxOf)
              .filter((box) => box !== null)
          : [];
      scene.setBox(boxes.at(-1) ?? null);
    }),
    effect(() => {
      // One finger and the first button rotate the view unless a tool uses them.
      const looking = tool.value === 'look';
      scene.stage.controls.mouseButtons.LEFT = looking ? MOUSE.ROTATE : null;
      scene.stage.controls.touches.ONE = looking ? TOUCH.ROTATE : null;
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

type Place = { clientX: number; clientY: number };

/** The pointer on the canvas. `rectangle`: what is drawn while a box is dragged. */
function listen(scene: MeshScene, rectangle: HTMLElement): () => void {
  const canvas = scene.stage.renderer.domElement;
  let pressed: { id: number; from: Place } | null = null;
  const radius = () => brushSize.value * diagonalOf(checked.value!.mesh);

  const brush = (event: PointerEvent): void => {
    const hit = scene.hit(event);
    scene.setBrush(hit?.point ?? null, hit ? radius() : 1, colourOfTarget());
    if (hit && pressed)
      paint(target.value, tool.value === 'erase' ? 'erase' : 'paint', hit.vertex, hit.point, radius());
  };
  const drawRectangle = (to: Place | null): void => {
    rectangle.hidden = !to || !pressed;
    if (!to || !pressed) return;
    const { left, top } = canvas.getBoundingClientRect();
    const { from } = pressed;
    rectangle.style.left = `${Math.min(from.clientX, to.clientX) - left}px`;
    rectangle.style.top = `${Math.min(from.clientY, to.clientY) - top}px`;
    rectangle.style.width = `${Math.abs(from.clientX - to.clientX)}px`;
    rectangle.style.height = `${Math.abs(from.clientY - to.clientY)}px`;
  };
  const stop = () => {
    pressed = null;
    drawRectangle(null);
  };

  const stops = new AbortController();
  const options = { signal: stops.signal };
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (!checked.value || tool.value === 'look' || event.button !== 0) return;
      // A second finger takes over to look round.
      if (!event.isPrimary) return stop();
      pressed = { id: event.pointerId, from: { clientX: event.clientX, clientY: event.clientY } };
      canvas.setPointerCapture(event.pointerId);
      if (tool.value === 'box') return;
      if (isSpread(tool.value)) {
        const hit = scene.hit(event);
        if (hit) addSpread(target.value, tool.value, hit.triangle);
        return;
      }
      remember(target.value);
      brush(event);
    },
    options,
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      if (!checked.value || (pressed && pressed.id !== event.pointerId)) return;
      if (tool.value === 'paint' || tool.value === 'erase') brush(event);
      else if (tool.value === 'box') drawRectangle(event);
    },
    options,
  );
  canvas.addEventListener(
    'pointerup',
    (event) => {
      if (pressed?.id !== event.pointerId) return;
      const { from } = pressed;
      stop();
      if (tool.value !== 'box') return;
      const box = scene.boxUnder(from, event);
      if (box) addBox(target.value, box);
      else announce('No vertex lies in this rectangle.');
    },
    options,
  );
  canvas.addEventListener('pointercancel', stop, options);
  canvas.addEventListener('pointerleave', () => scene.setBrush(null, 1, kHeldColour), options);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  return () => stops.abort();
}

export function MeshCanvas() {
  const host = useRef<HTMLDivElement>(null);
  const rectangle = useRef<HTMLDivElement>(null);
  const scene = useRef<MeshScene | null>(null);
  const problem = useSignal<Problem | null>(null);
  const lost = useSignal(false);
  useEffect(() => {
    try {
      scene.current = new MeshScene(host.current!);
    } catch (error) {
      problem.value = problemFrom(error);
      return;
    }
    const made = scene.current;
    made.stage.onContext = (gone) => {
      lost.value = gone;
    };
    const stops = [follow(made), listen(made, rectangle.current!), () => made.dispose()];
    return () => {
      stops.forEach((stop) => stop());
      scene.current = null;
    };
  }, []);
  return (
    <div class="mesh-view">
      <div
        ref={host}
        class="mesh-host"
        data-tool={tool.value}
        tabIndex={0}
        role="application"
        aria-label={`The mesh. ${kLookingHelp}`}
        onKeyDown={(event) => {
          if (scene.current) lookByKey(scene.current.stage, event);
        }}
      >
        <div ref={rectangle} class="rectangle" hidden />
      </div>
      <PictureTrouble problem={problem.value} lost={lost.value} />
      <div class="view-bar">
        <LookButtons stage={() => scene.current?.stage ?? null} />
      </div>
    </div>
  );
}
