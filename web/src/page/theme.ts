// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, or as the user chose.
import { signal } from '@preact/signals';
import { keep, kept } from '../api/keep';

export type Theme = 'system' | 'light' | 'dark';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>(kept<Theme>('theme') ?? 'system');
/** What is on the screen now; views that draw by themselves follow it. */
export const dark = signal(false);

function apply(): void {
  dark.value = theme.value === 'dark' || (theme.value === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = dark.value ? 'dark' : 'light';
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  keep('theme', chosen);
  apply();
}

systemDark.addEventListener('change', apply);
apply();
