// SPDX-License-Identifier: Apache-2.0
// From the modes of a full model to what modal warping needs at run time. docs/math/warping.md.
#pragma once
#include "build/fem/modes.h"
#include "build/mesh/embed.h"
#include "build/mesh/surface_mesh.h"

#include <limber/model/warp_model.h>

namespace limber::build {

// The surface follows the elements that it lies in; it has no normals yet. Throws InputError if the body or a
// part of it can move as a whole: warping needs a support.
WarpModel make_warp_model(const FemModel& model, const ModesResult& modes, MassKind mass,
                          const Embedding& surface);
// With normals.
WarpModel make_warp_model(const FemModel& model, const ModesResult& modes, MassKind mass,
                          const SurfaceMesh& surface);

}  // namespace limber::build
