// SPDX-License-Identifier: Apache-2.0
// Where a hand goes: positions at ascending times, straight between them, still before the first and after
// the last.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber {

struct HandKey {
    double time = 0;                                     // s
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
};
using HandPath = std::vector<HandKey>;

// Empty: it has a key, all are finite, and their times ascend.
std::optional<InputError> hand_path_problem(const HandPath& path);
// Of a path without problem. O(log n).
Eigen::Vector3d position_at(const HandPath& path, double time);

}  // namespace limber
