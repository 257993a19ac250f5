// SPDX-License-Identifier: Apache-2.0
// SELECT on the surface of a model.
#pragma once
#include <limber/model/model.h>
#include <limber/select/select.h>

namespace limber {

// Vertices of the surface, ascending and unique; of vertices that a seam split, the first. Ids ("#12",
// "file:") count the vertices of the user's mesh. An empty selection is no error.
Result<std::vector<int>> select_on_model(std::string_view text, const Model& model,
                                         const SelectSources& sources = {});

}  // namespace limber
