// SPDX-License-Identifier: Apache-2.0
// What a view of a moving body has on its stage; panels and the test hook work on it.
import type { Signal } from '@preact/signals';
import type { ConstraintGizmos } from './constraints';
import type { LiveScene } from './live_scene';
import type { Poking } from './poking';
import type { Pulling } from './pulling';
import type { Session } from './session';

export interface Workspace {
  session: Session;
  live: LiveScene;
  pulling: Pulling;
  poking: Poking;
  /** What the last arrangement of bodies says about them; empty: nothing. */
  notice: Signal<string>;
  gizmos: ConstraintGizmos;
  /** The vertex whose displacement is plotted. */
  probe: { vertex: number | null };
}
