// SPDX-License-Identifier: Apache-2.0
// The infinitesimal rigid motions t + w x (x - c) that the fixed vertices of a body allow, part by part.
#pragma once
#include "build/fem/model.h"

#include <vector>

namespace limber::build {

// Vertices that elements connect, and how they can move as one.
struct LoosePart {
    std::vector<int> vertices;  // ascending
    int fixed = 0;              // how many of them are fixed
    Eigen::MatrixXd motions;    // 3·vertices x 1..6, zero on the fixed ones
};

// The parts that can move: 6 motions without fixed vertices, 3 about one, 1 about several in a line
// (within a millionth of the part's size). Empty: the body is fixed.
std::vector<LoosePart> loose_parts(const FemModel& model);

}  // namespace limber::build
