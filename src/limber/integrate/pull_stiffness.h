// SPDX-License-Identifier: Apache-2.0
// A stiffness for pulling at a point of a body by a spring whose force is held for each step.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace limber {

// compliance: how far the point gives way to a constant force, m/N; zero if nothing holds the body, so that
// only the step limits the spring. inverse_mass: how a force accelerates it, 1/kg. Both symmetric, 3 x 3. The
// spring is twice as stiff as the body where it is softest: the point follows two thirds of the distance. And
// k dt² w is at most 0.25, w the largest inverse mass: at 1, a force held for a step would carry the point to
// its target and beyond. N/m; 0: the point cannot move.
inline double pull_stiffness(const Eigen::Matrix3d& compliance, const Eigen::Matrix3d& inverse_mass,
                             double dt) {
    const auto largest = [](const Eigen::Matrix3d& A) {
        return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues()[2];
    };
    const double softest = largest(compliance), lightest = largest(inverse_mass);
    if (!(lightest > 0)) return 0;
    const double held = 0.25 / (dt * dt * lightest);
    return softest > 0 ? std::min(2 / softest, held) : held;
}

inline std::optional<InputError> pull_problem(int vertex, Eigen::Index vertices, double dt) {
    if (vertex < 0 || vertex >= vertices)
        return InputError{"pull",
                          "there is no surface vertex " + std::to_string(vertex) + "; the model has " +
                              std::to_string(vertices) + ", numbered from 0",
                          ""};
    if (!(std::isfinite(dt) && dt > 0))
        return InputError{"pull", "a step of " + number(dt) + " s is not positive", ""};
    return std::nullopt;
}

}  // namespace limber
