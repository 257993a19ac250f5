// SPDX-License-Identifier: Apache-2.0
// What `limber build` and `limber info` tell about a model.
#pragma once
#include <limber/model/model.h>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace limber::cli {

// rank, modes, basis, vertices, elements, total_mass, frequencies_hz, bytes, groups, spectrum ...
nlohmann::json model_json(const Model& model, std::size_t bytes);

// The same for people; `more` rows follow.
std::string model_text(const Model& model, std::size_t bytes,
                       const std::vector<std::pair<std::string, std::string>>& more);

}  // namespace limber::cli
