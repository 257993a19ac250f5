// SPDX-License-Identifier: Apache-2.0
// What `limber studio FILE` was started with: a model opens in the live view; a mesh in the steps that make a model of it,
// since its unit and its supports are for the user to choose.
import { useEffect } from 'preact/hooks';
import { showProblem } from '../page/announce';
import { fetchGallery } from '../api/gallery';
import type { ViewProps } from '../page/view_props';
import { setUp } from './set_up';

async function open(id: string): Promise<void> {
  const found = (await fetchGallery()).models.find((model) => model.id === id);
  if (found?.kind === 'given' && found.state === 'unbuilt' && found.upload) await setUp(found);
  else location.replace(`#/live/${id}`);
}

export default function Opening({ id }: ViewProps) {
  useEffect(() => {
    open(id).catch(showProblem);
  }, [id]);
  return <p class="loading">Loading…</p>;
}
