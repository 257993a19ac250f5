// SPDX-License-Identifier: Apache-2.0
#include "limber/model/warp_model.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::optional<InputError> rows_problem(const WarpRows& rows, const char* name, Eigen::Index points,
                                       Eigen::Index modes, const std::string& where) {
    if (rows.rows() != 3 * points || (points > 0 && rows.cols() != modes))
        return InputError{where,
                          std::string(name) + " is " + std::to_string(rows.rows()) + " x " +
                              std::to_string(rows.cols()) + " instead of " + std::to_string(3 * points) +
                              " x " + std::to_string(modes),
                          ""};
    if (!rows.allFinite())
        return InputError{where, std::string(name) + " has entries that are not finite", ""};
    return std::nullopt;
}

bool all_finite(const std::vector<Eigen::Vector3d>& points) {
    return std::all_of(points.begin(), points.end(), [](const auto& x) { return x.allFinite(); });
}

}  // namespace

Eigen::Index modes_of_pairs(Eigen::Index pairs) {
    return static_cast<Eigen::Index>(std::lround((std::sqrt(8 * static_cast<double>(pairs) + 1) - 1) / 2));
}

std::optional<InputError> warp_model_problem(const WarpModel& model, const std::string& where) {
    const Eigen::Index m = model.modes(), n = model.nodes(), s = model.vertices();
    if (m == 0) return InputError{where, "there are no modes", "build with at least one"};
    for (Eigen::Index i = 0; i < m; ++i)
        if (!(model.eigenvalues[i] > 0) || !std::isfinite(model.eigenvalues[i]))
            return InputError{where,
                              "the eigenvalue of mode " + std::to_string(i) + " is " +
                                  number(model.eigenvalues[i]) + " 1/s^2",
                              "warping is for bodies that are held: fix some vertices"};
    for (Eigen::Index i = 0; i < n; ++i)
        if (!(model.node_mass[i] > 0) || !std::isfinite(model.node_mass[i]))
            return InputError{
                where, "the mass of node " + std::to_string(i) + " is " + number(model.node_mass[i]) + " kg",
                ""};
    if (static_cast<Eigen::Index>(model.node_moment.size()) != n)
        return InputError{where,
                          std::to_string(model.node_moment.size()) + " moments were given for " +
                              std::to_string(n) + " nodes",
                          ""};
    if (!model.normals.empty() && static_cast<Eigen::Index>(model.normals.size()) != s)
        return InputError{where,
                          std::to_string(model.normals.size()) + " normals were given for " +
                              std::to_string(s) + " vertices",
                          ""};
    if (!all_finite(model.node_moment) || !all_finite(model.normals))
        return InputError{where, "a moment or a normal is not finite", ""};
    if (auto p = rows_problem(model.node_modes, "node_modes", n, m, where)) return p;
    if (auto p = rows_problem(model.node_rotations, "node_rotations", n, m, where)) return p;
    if (auto p = rows_problem(model.surface_modes, "surface_modes", s, m, where)) return p;
    if (auto p = rows_problem(model.surface_rotations, "surface_rotations", s, m, where)) return p;
    const Eigen::Index k = model.companions(), pairs = model.companion_forms.cols();
    if (k == 0 && pairs == 0 && model.surface_companions.cols() == 0) return std::nullopt;
    const Eigen::Index c = modes_of_pairs(pairs);
    if (c < 1 || c > m || c * (c + 1) / 2 != pairs)
        return InputError{where,
                          "companion_forms has " + std::to_string(pairs) +
                              " columns, which are not the products of some of the " + std::to_string(m) +
                              " modes",
                          ""};
    if (!model.companion_forms.allFinite())
        return InputError{where, "companion_forms has entries that are not finite", ""};
    return rows_problem(model.surface_companions, "surface_companions", s, k, where);
}

}  // namespace limber
