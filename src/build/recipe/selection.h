// SPDX-License-Identifier: Apache-2.0
// Selections that a user asked for by an option or a key: mistakes name it, and nothing selected is one.
#pragma once
#include "build/mesh/select.h"

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace limber::build {

// select_vertices(); `option` ("--fix") stands before the place in every complaint.
std::vector<int> select_some(const std::string& option, const std::string& text, const VolumeMesh& mesh);
std::vector<int> select_some(const std::string& option, const std::string& text, const SurfaceMesh& mesh);
std::vector<int> select_some_elements(const std::string& option, const std::string& text,
                                      const VolumeMesh& mesh);
// Ids that were selected on vertices within `bounds`; throws the error with the option, and where there are
// none.
std::vector<int> some_of(const std::string& option, const std::string& text, Result<std::vector<int>> ids,
                         const Eigen::AlignedBox3d& bounds);

// "x 0 .. 1, y 0 .. 0.2, z 0 .. 0.2 m"
std::string describe(const Eigen::AlignedBox3d& bounds);

}  // namespace limber::build
