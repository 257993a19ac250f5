// SPDX-License-Identifier: Apache-2.0
// The list of models: samples, those of the command line, and those that the user built.
import { getBytes, getJson, isExport, type OnBytes } from './client';

/** Poses at even times, relative to the first one. It begins and ends at rest. */
export interface SupportPath {
  /** What it is, such as "jump". */
  name: string;
  /** Poses a second. */
  rate: number;
  /** m, three numbers a pose */
  positions: number[];
  /** x y z w, four numbers a pose */
  orientations: number[];
}

export interface GalleryModel {
  id: string;
  title: string;
  text: string;
  kind: 'sample' | 'given' | 'built';
  state: 'ready' | 'unbuilt' | 'building' | 'failed';
  job: string | null;
  model: string | null;
  picture: string | null;
  vertices: number;
  rank: number;
  size: string;
  command: string;
  /** The mesh that it is made of, where the server still has it. */
  upload?: string | null;
  /** What made it, where it was made here and is not long. */
  request?: { sample?: string } | null;
  /** Of samples that follow a skeleton: how their support moves. */
  motion?: SupportPath | null;
  /** Of samples that stand in the wind: the mean velocity of the air, m/s. */
  wind?: [number, number, number] | null;
  /** Of samples that are trees: linear RGB, 0 to 1, by the name of the part. */
  colors?: Record<string, [number, number, number]>;
}

/** How much of its limits the server uses; an export has none. */
export interface Limits {
  /** The cache folder; beyond its limit the server removes what can be made or sent again, then refuses. */
  cache: { bytes: number; limit: number };
  /** Jobs that wait. */
  queue: { waiting: number; limit: number };
}

export interface Gallery extends Partial<Limits> {
  version: string;
  models: GalleryModel[];
}

export function fetchGallery(): Promise<Gallery> {
  return getJson<Gallery>(isExport ? 'gallery.json' : 'api/gallery');
}

/** The bytes of a model.glb by its id. */
export function fetchModel(id: string, onBytes?: OnBytes): Promise<ArrayBuffer> {
  return getBytes(isExport ? `models/${id}.glb` : `api/models/${id}.glb`, undefined, onBytes);
}
