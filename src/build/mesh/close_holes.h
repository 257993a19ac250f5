// SPDX-License-Identifier: Apache-2.0
// Closing the holes of a surface under repair; for the sources of this folder only.
#pragma once
#include "build/mesh/repair.h"

#include <vector>

namespace limber::build {

// A triangle and the one of the input that it came from.
struct Piece {
    Triangle corners;
    int origin;
};
std::vector<Triangle> corners_of(const std::vector<Piece>& pieces);

// Appends the patches of the holes, each with the origin first_origin + its number, oriented as the surface
// around it will be. Counts in `report` what was closed and, with HolePolicy::Close, lists what was not.
void close_holes(const std::vector<Vertex>& vertices, HolePolicy policy, int first_origin,
                 std::vector<Piece>& pieces, RepairReport& report);

}  // namespace limber::build
