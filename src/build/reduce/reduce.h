// SPDX-License-Identifier: Apache-2.0
// From a full model and a basis to the coefficients of the reduced one: one quadrature sweep, one rank-k
// update per material group and modulus. docs/math/reduced_stvk.md (3) to (5) and section 9.
#pragma once
#include "build/fem/assemble.h"
#include "build/progress.h"

#include <limber/model/model.h>

#include <vector>

namespace limber::build {

// Name, material and inertia of each material group that has elements, in their order.
std::vector<ModelGroup> model_groups(const FemModel& model);

// One StvkGroup for each of model_groups(). U: 3n x r. Same quadrature as
// force_and_stiffness, so R̃(q) = UᵀR(Uq) to rounding. In parallel, with the same bytes whatever the number of
// threads. Beside the result it takes 2 m² numbers (m = r + r(r+1)/2) and a panel of points: memory does not
// grow with the number of elements. Throws InputError if U does not fit the mesh or is not finite.
StvkModel reduce(const FemModel& model, const Eigen::MatrixXd& U, MassKind mass,
                 const Progress& progress = {});

// Material group of the FemModel -> its place in model_groups(); -1 if it has no elements.
std::vector<int> model_group_of(const FemModel& model);

}  // namespace limber::build
