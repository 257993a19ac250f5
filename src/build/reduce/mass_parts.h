// SPDX-License-Identifier: Apache-2.0
// Mass, weight and rigid moments of one material group at density 1 kg/m^3.
#pragma once
#include "build/fem/assemble.h"

#include <limber/model/model.h>

namespace limber::build {

// Fills the tensors of [X U], then out.mass, weight and moment, from the elements of material group `group`
// of the model. Element by element: memory does not grow with their number.
void add_mass_parts(const FemModel& model, int group, const Eigen::MatrixXd& U, MassKind kind,
                    StvkGroup& out);

// Fills out.volume, first_moment and second_moment.
void add_inertia(const FemModel& model, int group, ModelGroup& out);

}  // namespace limber::build
