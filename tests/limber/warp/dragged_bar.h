// SPDX-License-Identifier: Apache-2.0
// The paper's bar with 12 modes, held by its vertices.
#pragma once
#include "tests/limber/warp/bar.h"
#include "tests/limber/warp/random_warp_model.h"

#include <cmath>
#include <vector>

namespace limber::test {

inline const int kTip = vertex(10, 1, 1), kCorner = vertex(10, 2, 2), kOpposite = vertex(10, 0, 0),
                 kMiddle = vertex(5, 1, 1);
inline const std::vector<int> kAround = {kCorner, kOpposite, vertex(10, 0, 2), vertex(10, 2, 0)};

inline const WarpModel& bar_model() {
    static const WarpModel model = warp_of(clamped(bar()), 12);
    return model;
}
inline WarpBody bar_body(OscillatorStep step = OscillatorStep::SemiImplicit) {
    return body_of(bar_model(), {.step = step, .alpha = 1, .gravity = {0, 0, -9.81}});
}

// Where a vertex must be after t seconds of a drag of ten, and how it is turned.
inline Eigen::Vector3d drag(double t) {
    return {-0.15 * (1 - std::cos(t)), 0.3 * std::sin(t), 0.3 * std::sin(0.7 * t)};
}
inline Eigen::Quaterniond twist(double t) {
    return Eigen::Quaterniond(
        Eigen::AngleAxisd(0.8 * std::sin(t), Eigen::Vector3d(1, 0.3, 0.2).normalized()));
}

}  // namespace limber::test
