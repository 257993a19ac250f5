// SPDX-License-Identifier: Apache-2.0
// --unit: what the coordinates of a mesh file are in. Everything behind it is in metres.
#pragma once
#include "build/mesh_files/files.h"
#include "cli/command.h"

#include <string>

namespace limber::cli {

void add_unit_option(Command& command, std::string& out);
double metres_per_unit(const std::string& unit);

void scale_to_metres(build::AnyMesh& mesh, const std::string& unit);

}  // namespace limber::cli
