// SPDX-License-Identifier: Apache-2.0
// Pairs of modes in the order of modal derivatives, and what all uses of modes ask of them.
#pragma once
#include "build/fem/modes.h"

#include <limber/input_error.h>

#include <utility>
#include <vector>

namespace limber::build {

// 00, 01, ..., 0k, 11, ...
inline std::vector<std::pair<int, int>> mode_pairs(Eigen::Index count) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < count; ++i)
        for (int j = i; j < count; ++j)
            pairs.emplace_back(i, j);
    return pairs;
}

inline void require_modes(const FemModel& model, const ModesResult& modes) {
    if (modes.shapes.cols() == 0)
        throw InputError{"modes", "there are none", "ask for at least one mode that converges"};
    if (modes.shapes.rows() != 3 * model.vertex_count())
        throw InputError{"modes", "they belong to another mesh", ""};
}

}  // namespace limber::build
