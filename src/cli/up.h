// SPDX-License-Identifier: Apache-2.0
// --up: which axis of a mesh points up.
#pragma once
#include "cli/command.h"

#include <limber/model/up_axis.h>

#include <string>

namespace limber::cli {

// `out` stays empty if it is not given: up is what the file says, or by its format
// (build/mesh_files/files.h).
void add_up_option(Command& command, std::string& out);

}  // namespace limber::cli
