// SPDX-License-Identifier: Apache-2.0
// Make a model: five steps beside the mesh, then the build (`#/make/JOB`).
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { forget } from '../api/keep';
import type { ViewProps } from '../page/view_props';
import { BuildView } from './build_view';
import { change, checked, flow, freshFlow, kSteps, type StepName } from './flow';
import { FillStep } from './fill_step';
import { FixedStep } from './fixed_step';
import { MaterialStep } from './material_step';
import { MeshCanvas } from './mesh_canvas';
import { attendMesh } from './mesh_files';
import { MeshStep } from './mesh_step';
import { MotionStep } from './motion_step';
import { forgetPast, tool } from './tools';
import './make.css';
import '../panels/parts.css';

const kParts: Record<StepName, { title: string; hint: string; Component: ComponentType }> = {
  mesh: { title: 'Mesh', hint: 'The file, its up axis and its unit', Component: MeshStep },
  fill: { title: 'Fill', hint: 'The elements inside', Component: FillStep },
  fixed: { title: 'Fixed parts', hint: 'What does not move', Component: FixedStep },
  material: { title: 'Material', hint: 'Stiffness and density', Component: MaterialStep },
  motion: { title: 'Motion', hint: 'Accuracy, name and build', Component: MotionStep },
};

function goTo(step: StepName): void {
  tool.value = 'look';
  change({ step });
}

function Steps({ reachable }: { reachable: boolean }) {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {kSteps.map((step, i) => (
          <li key={step}>
            <button
              type="button"
              aria-current={flow.value.step === step ? 'step' : undefined}
              disabled={!reachable && step !== 'mesh'}
              title={kParts[step].hint}
              onClick={() => goTo(step)}
            >
              <span class="step-number" aria-hidden="true">
                {i + 1}
              </span>
              {kParts[step].title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function startOver(): void {
  forgetPast();
  checked.value = null;
  forget('make');
  flow.value = freshFlow();
}

function Flow() {
  useEffect(attendMesh, []);
  const { upload } = flow.value;
  const ready = upload !== null && checked.value?.upload === upload.id;
  // A step that needs the mesh waits until it is here again after a reload.
  const step = ready ? flow.value.step : 'mesh';
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.scrollIntoView();
    }
    shown.current = step;
  }, [step]);
  const { title, Component } = kParts[step];
  const place = kSteps.indexOf(step);
  const next = kSteps[place + 1];
  const before = kSteps[place - 1];
  return (
    <section class={upload ? 'make' : 'make empty'}>
      <h1 class="visually-hidden">Make a model</h1>
      <div class="make-panel">
        <Steps reachable={ready} />
        <div class="make-step stack">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Component />
          {upload && (
            <div class="row spread step-ends">
              {before ? (
                <button type="button" onClick={() => goTo(before)}>
                  Back
                </button>
              ) : (
                <button type="button" class="quiet" onClick={startOver} title="Discard this mesh and all choices">
                  Start over
                </button>
              )}
              {next && (
                <button type="button" class="primary" disabled={!ready} onClick={() => goTo(next)}>
                  Next: {kParts[next].title}
                </button>
              )}
            </div>
          )}
        </div>
      </div>
      {upload && <MeshCanvas />}
    </section>
  );
}

export default function Make({ id }: ViewProps) {
  return id ? <BuildView id={id} /> : <Flow />;
}
