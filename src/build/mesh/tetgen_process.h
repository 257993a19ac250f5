// SPDX-License-Identifier: Apache-2.0
// TetGen in a process of its own. TetGen 1.5.0 ends the process, by a failed assertion or a crash while it
// cleans up, on surfaces that it cannot take, and it may write to standard output; the caller must survive
// both.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <string>
#include <vector>

namespace limber::build {

struct TetGenResult {
    bool done = false;
    std::string failure;          // how it ended, if not done
    std::vector<double> points;   // x y z each; those of the input first
    std::vector<int> tets;        // four corners each
    std::vector<double> regions;  // per tet: which part of space between the triangles
};

// `switches` as on TetGen's command line.
TetGenResult run_tetgen(const SurfaceMesh& surface, const std::string& switches);

}  // namespace limber::build
