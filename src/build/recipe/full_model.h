// SPDX-License-Identifier: Apache-2.0
// The finite elements that a model was reduced from.
#pragma once
#include "build/fem/model.h"

#include <limber/model/model.h>

namespace limber::build {

// Throws InputError for a lean model, which has left them out of its file.
FemModel full_model(const Model& model);

}  // namespace limber::build
