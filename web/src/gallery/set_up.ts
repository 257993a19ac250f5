// SPDX-License-Identifier: Apache-2.0
// From a mesh of the gallery to the steps that make a model of it.
import type { GalleryModel } from '../api/gallery';

export async function setUp(model: GalleryModel): Promise<void> {
  // The steps bring the 3D view along: only those who go there load it.
  const { takeUpload } = await import('../make/mesh_files');
  takeUpload({ id: model.upload!, name: model.title, bytes: 0 });
  location.replace('#/make');
}
