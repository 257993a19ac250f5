// SPDX-License-Identifier: Apache-2.0
// From the modes of a full model to what modal warping needs at run time. docs/math/warping.md.
#pragma once
#include "build/fem/modes.h"
#include "build/mesh/surface_mesh.h"

#include <limber/warp/warp_model.h>

namespace limber::build {

// The surface follows the elements that it lies in. Throws InputError if the body or a part of it can move as
// a whole: warping needs a support.
WarpModel make_warp_model(const FemModel& model, const ModesResult& modes, MassKind mass,
                          const SurfaceMesh& surface);

}  // namespace limber::build
