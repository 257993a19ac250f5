// SPDX-License-Identifier: Apache-2.0
// Looking at a model by keys and buttons, for those who do not drag.
import { Spherical, Vector3 } from 'three';
import type { Problem } from '../api/client';
import { ProblemHere } from '../panels/fields';
import type { Stage } from '../view/stage';

function moveCamera(stage: Stage, change: (at: Spherical) => void): void {
  const { camera, controls } = stage;
  const at = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
  change(at);
  at.makeSafe();
  at.radius = Math.min(Math.max(at.radius, controls.minDistance), controls.maxDistance);
  camera.position.copy(controls.target).add(new Vector3().setFromSpherical(at));
  controls.update();
  stage.invalidate();
}

const kTurn = Math.PI / 18;

const kKeys: Record<string, (at: Spherical) => void> = {
  ArrowLeft: (at) => {
    at.theta -= kTurn;
  },
  ArrowRight: (at) => {
    at.theta += kTurn;
  },
  ArrowUp: (at) => {
    at.phi -= kTurn;
  },
  ArrowDown: (at) => {
    at.phi += kTurn;
  },
  '+': (at) => {
    at.radius /= 1.2;
  },
  '=': (at) => {
    at.radius /= 1.2;
  },
  '-': (at) => {
    at.radius *= 1.2;
  },
};

/** Arrow keys rotate, plus and minus zoom, Home shows the whole. */
export function lookByKey(stage: Stage, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const change = kKeys[event.key];
  if (change) moveCamera(stage, change);
  else if (event.key === 'Home') stage.resetCamera();
  else return;
  event.preventDefault();
}

export const kLookingHelp = 'Arrow keys rotate the view, plus and minus zoom, Home shows the whole body.';

const kFrom: { label: string; theta: number; phi: number }[] = [
  { label: 'Front', theta: 0, phi: Math.PI / 2 },
  { label: 'Side', theta: Math.PI / 2, phi: Math.PI / 2 },
  { label: 'Top', theta: 0, phi: 0 },
];

export function LookButtons({ stage }: { stage: () => Stage | null }) {
  const look = (theta: number, phi: number) => {
    const on = stage();
    if (on)
      moveCamera(on, (at) => {
        [at.theta, at.phi] = [theta, phi];
      });
  };
  return (
    <div class="look-buttons" role="group" aria-label="Look from">
      {kFrom.map(({ label, theta, phi }) => (
        <button
          key={label}
          type="button"
          title={`Look from the ${label.toLowerCase()}`}
          onClick={() => look(theta, phi)}
        >
          {label}
        </button>
      ))}
      <button type="button" title="Show the whole body" onClick={() => stage()?.resetCamera()}>
        All
      </button>
    </div>
  );
}

/** Over a picture: why there is none, and that the graphics card took it away. */
export function PictureTrouble({ problem, lost }: { problem: Problem | null; lost: boolean }) {
  return (
    <>
      {problem && (
        <div class="over-view">
          <ProblemHere problem={problem} />
        </div>
      )}
      {lost && (
        <div class="over-view">
          <p role="alert">
            The graphics card has reset. The picture comes back by itself; if it does not, reload the page.
          </p>
        </div>
      )}
    </>
  );
}
