// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/constraints.h"

#include "limber/warp/warping.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace limber {

using Eigen::Vector3d;

namespace {

std::optional<InputError> vertex_problem(const WarpModel& model, int vertex) {
    const std::string name = "vertex " + std::to_string(vertex);
    if (vertex < 0 || vertex >= model.vertices())
        return InputError{"constraint",
                          "there is no surface " + name + "; the model has " +
                              std::to_string(model.vertices()) + ", numbered from 0",
                          ""};
    if (model.surface_modes.middleRows<3>(3 * Eigen::Index(vertex)).isZero(0))
        return InputError{"constraint", name + " is fixed: no mode moves it", "choose a vertex that moves"};
    return std::nullopt;
}

}  // namespace

std::optional<InputError> orientation_problem(const Eigen::Quaterniond& q) {
    if (q.coeffs().allFinite() && std::abs(q.norm() - 1) <= 1e-6) return std::nullopt;
    return InputError{"constraint", "an orientation is not a quaternion of unit length", "normalise it"};
}

std::optional<InputError> position_problem(const Vector3d& displacement, const char* of, int which) {
    if (displacement.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kFarthest) return std::nullopt;
    return InputError{"constraint",
                      "the target of " + std::string(of) + " " + std::to_string(which) + " is " +
                          number(displacement.norm()) + " m from rest; it must be a number up to " +
                          number(kFarthest),
                      ""};
}

bool same_constraints(const Constraints& a, const Constraints& b) {
    const auto same_vertices = [](const auto& x, const auto& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                          [](const auto& c, const auto& d) { return c.vertex == d.vertex; });
    };
    return same_vertices(a.positions, b.positions) && same_vertices(a.orientations, b.orientations) &&
           a.exercised == b.exercised && a.priority == b.priority && a.positions_by == b.positions_by;
}

std::optional<InputError> constraints_problem(const WarpModel& model, const Constraints& m) {
    for (const PositionConstraint& c : m.positions) {
        if (auto p = vertex_problem(model, c.vertex)) return p;
        if (auto p = position_problem(c.displacement, "vertex", c.vertex)) return p;
    }
    for (const OrientationConstraint& c : m.orientations) {
        if (auto p = vertex_problem(model, c.vertex)) return p;
        if (auto p = orientation_problem(c.orientation)) return p;
    }
    for (const int vertex : m.exercised)
        if (auto p = vertex_problem(model, vertex)) return p;
    return std::nullopt;
}

}  // namespace limber
