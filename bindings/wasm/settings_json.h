// SPDX-License-Identifier: Apache-2.0
// Settings of a body as JSON, in the words of a scene file:
//     { "materials": { "GROUP": { "young", "poisson", "density" } }, "rank" or "coordinates": [...],
//       "integrator": "newmark" | "central" | "euler" | "energy", "newton", "tolerance",
//       "damping": { "alpha", "beta", "strain_rate" }, "gravity": [x, y, z], "precision": "double" | "float"
//       }
#pragma once
#include <limber/reduced/stvk_body.h>

#include <optional>
#include <string>
#include <string_view>

namespace limber {

// Changes what the text names, and nothing else. On an error nothing is changed.
std::optional<InputError> read_settings(std::string_view text, const Model& model, StvkSettings& settings);

std::string write_settings(const Model& model, const StvkSettings& settings);
std::string write_error(const InputError& error);

}  // namespace limber
