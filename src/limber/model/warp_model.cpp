// SPDX-License-Identifier: Apache-2.0
#include "limber/model/warp_model.h"

#include "limber/model/number_limits.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

template <class Matrix>
bool within(const Matrix& m, double largest) {
    return m.allFinite() && (m.size() == 0 || m.cwiseAbs().maxCoeff() <= largest);
}
bool is_positive(double x) {
    return x > 0 && x <= kLargestNumber;
}

std::optional<InputError> rows_problem(const WarpRows& rows, const char* name, Eigen::Index points,
                                       Eigen::Index modes, const std::string& where) {
    if (rows.rows() != 3 * points || (points > 0 && rows.cols() != modes))
        return InputError{where,
                          std::string(name) + " is " + std::to_string(rows.rows()) + " x " +
                              std::to_string(rows.cols()) + " instead of " + std::to_string(3 * points) +
                              " x " + std::to_string(modes),
                          ""};
    if (!within(rows, kLargestShown))
        return InputError{where, std::string(name) + " has entries that are not finite or larger than 1e30",
                          ""};
    return std::nullopt;
}

bool all_within(const std::vector<Eigen::Vector3d>& points) {
    return std::all_of(points.begin(), points.end(), [](const auto& x) { return within(x, kLargestNumber); });
}

// Mass-normalised modes of the Earth move it by 1e-12/√kg.
std::optional<InputError> idle_mode_problem(const WarpModel& model, const std::string& where) {
    constexpr double kLeastMotion = 1e-20;  // 1/√kg: with less, coordinates would not be floats
    for (Eigen::Index i = 0; i < model.modes(); ++i) {
        double most = 0;
        for (const WarpRows* rows : {&model.node_modes, &model.surface_modes})
            if (rows->rows() > 0) most = std::max(most, rows->col(i).cwiseAbs().maxCoeff());
        if (model.nodes() + model.vertices() > 0 && !(most >= kLeastMotion))
            return InputError{where, "mode " + std::to_string(i) + " moves nothing", ""};
    }
    return std::nullopt;
}

}  // namespace

Eigen::Index modes_of_pairs(Eigen::Index pairs) {
    return static_cast<Eigen::Index>(std::lround((std::sqrt(8 * static_cast<double>(pairs) + 1) - 1) / 2));
}

std::optional<InputError> warp_model_problem(const WarpModel& model, const std::string& where) {
    const Eigen::Index m = model.modes(), n = model.nodes(), s = model.vertices();
    if (m == 0) return InputError{where, "there are no modes", "build with at least one"};
    for (Eigen::Index i = 0; i < m; ++i)
        if (!is_positive(model.eigenvalues[i]))
            return InputError{where,
                              "the eigenvalue of mode " + std::to_string(i) + " is " +
                                  number(model.eigenvalues[i]) + " 1/s^2",
                              "warping is for bodies that are held: fix some vertices"};
    for (Eigen::Index i = 0; i < n; ++i)
        if (!is_positive(model.node_mass[i]))
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
    if (!all_within(model.node_moment) || !all_within(model.normals))
        return InputError{where, "a moment or a normal is not finite or larger than 1e100", ""};
    if (auto p = rows_problem(model.node_modes, "node_modes", n, m, where)) return p;
    if (auto p = rows_problem(model.node_rotations, "node_rotations", n, m, where)) return p;
    if (auto p = rows_problem(model.surface_modes, "surface_modes", s, m, where)) return p;
    if (auto p = rows_problem(model.surface_rotations, "surface_rotations", s, m, where)) return p;
    if (auto p = idle_mode_problem(model, where)) return p;
    const Eigen::Index k = model.companions(), pairs = model.companion_forms.cols();
    if (k == 0 && pairs == 0 && model.surface_companions.cols() == 0) return std::nullopt;
    const Eigen::Index c = modes_of_pairs(pairs);
    if (c < 1 || c > m || c * (c + 1) / 2 != pairs)
        return InputError{where,
                          "companion_forms has " + std::to_string(pairs) +
                              " columns, which are not the products of some of the " + std::to_string(m) +
                              " modes",
                          ""};
    if (!within(model.companion_forms, kLargestNumber))
        return InputError{where, "companion_forms has entries that are not finite or larger than 1e100", ""};
    return rows_problem(model.surface_companions, "surface_companions", s, k, where);
}

}  // namespace limber
