// SPDX-License-Identifier: Apache-2.0
// --fill, and what was filled and fixed as JSON: what build, mesh voxelize and mesh outline share.
#pragma once
#include "build/recipe/recipe.h"
#include "cli/command.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace limber::cli {

void add_fill_option(Command& command, std::string& out);
// "fraction", "full"; empty: not given.
std::optional<build::VoxelFill> parse_fill(const std::string& word);

// Says so if cubes are filled in part and the format of `file` cannot keep that: all but .vtu.
void note_lost_fractions(const std::string& file, const build::VolumeMesh& mesh, Console& console);

// {"kind", "resolution", "element_side", "volume", "thickness", "elements_across", "cubes_thick",
// "bending_excess", "better_resolution", "estimated_seconds"}; null for a volume. thickness and the four that
// follow are null where the surface is open, the last three for tetrahedra too; better_resolution also where
// nothing is wrong.
nlohmann::json to_json(const build::FillReport& report);
// {"nodes", "area", "surface_area"}.
nlohmann::json to_json(const build::HeldReport& report);

}  // namespace limber::cli
