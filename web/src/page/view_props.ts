// SPDX-License-Identifier: Apache-2.0
// What main.tsx gives to every view.

/** Every view is the default export of its module. `id`: what follows its name in the fragment. */
export interface ViewProps {
  id: string;
}
