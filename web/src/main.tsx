// SPDX-License-Identifier: Apache-2.0
// The page's frame: header, the view that the fragment names, and what the page says. Views are loaded when they are
// first shown, so that the gallery paints early.
import { signal } from '@preact/signals';
import { render, type ComponentType } from 'preact';
import { Announcements, clearProblem, showProblem } from './page/announce';
import { isExport, takeToken } from './api/client';
import { DropAnywhere } from './make/incoming';
import { installTestHook } from './live/test_hook';
import type { ViewProps } from './page/view_props';
import { chooseTheme, theme, type Theme } from './page/theme';

type View = ComponentType<ViewProps>;

const kViews: Record<string, { title: string; load: () => Promise<{ default: View }>; needsServer?: boolean }> = {
  '': { title: 'Gallery', load: () => import('./gallery/gallery') },
  open: { title: 'Opening', load: () => import('./gallery/open') },
  live: { title: 'Live view', load: () => import('./live/live_view') },
  inspect: { title: 'Inspect', load: () => import('./inspect/inspect_view') },
  make: { title: 'Make a model', load: () => import('./make/make'), needsServer: true },
  sketch: { title: 'Sketch', load: () => import('./sketch/sketch'), needsServer: true },
};

interface Place {
  name: string;
  id: string;
}

// `#/live/spoon` -> live, spoon
function placeOf(fragment: string): Place {
  const [name = '', id = ''] = fragment.replace(/^#\/?/, '').split('/');
  const known = kViews[name];
  return known && !(known.needsServer && isExport) ? { name, id: decodeURIComponent(id) } : { name: '', id: '' };
}

takeToken();
const place = signal<Place>(placeOf(location.hash));
const view = signal<{ place: Place; Component: View } | null>(null);

async function show(next: Place): Promise<void> {
  place.value = next;
  document.title = `${kViews[next.name].title} · limber studio`;
  try {
    const Component = (await kViews[next.name].load()).default;
    // The user may have gone elsewhere meanwhile.
    if (place.value === next) view.value = { place: next, Component };
  } catch (error) {
    showProblem(error);
  }
}

addEventListener('hashchange', () => {
  takeToken();
  clearProblem();
  void show(placeOf(location.hash));
});

function Header() {
  const here = (name: string) => (place.value.name === name ? 'page' : undefined);
  return (
    <header class="top">
      <a class="brand" href="#/"><span aria-hidden="true" class="mark" />limber studio</a>
      <nav aria-label="Views">
        <a href="#/" aria-current={here('')}>Gallery</a>
        {!isExport && <a href="#/make" aria-current={here('make')}>Make a model</a>}
      </nav>
      <label class="theme" title="Light or dark colours; System follows your settings">
        <span>Theme</span>
        <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
    </header>
  );
}

function Studio() {
  const shown = view.value;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>Skip to the content</a>
      <Header />
      <main id="main" tabIndex={-1}>
        {shown
          ? <shown.Component id={shown.place.id} key={`${shown.place.name}/${shown.place.id}`} />
          : <p class="loading">Loading…</p>}
      </main>
      <DropAnywhere />
      <Announcements />
    </>
  );
}

installTestHook();
render(<Studio />, document.getElementById('app')!);
void show(place.value);
