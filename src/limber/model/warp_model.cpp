// SPDX-License-Identifier: Apache-2.0
#include "limber/model/warp_model.h"

#include "limber/model/model_checks.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

bool is_positive(double x) {
    return x > 0 && x <= kLargestNumber;
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
    ModelChecks check(where);
    const std::string part = where + ": warp";
    const Eigen::Index m = model.modes();
    if (m == 0) return InputError{part, "there are no modes", "build with at least one"};
    for (Eigen::Index i = 0; i < m; ++i)
        if (!is_positive(model.eigenvalues[i]))
            return InputError{part,
                              "the eigenvalue of mode " + std::to_string(i) + " is " +
                                  number(model.eigenvalues[i]) + " 1/s^2",
                              "warping is for bodies that are held: fix some vertices"};
    for (Eigen::Index i = 0; i < model.nodes(); ++i)
        if (!is_positive(model.node_mass[i]))
            return InputError{
                part, "the mass of node " + std::to_string(i) + " is " + number(model.node_mass[i]) + " kg",
                ""};
    KnownLengths lengths;
    check.arrays(kWarpArrays, model, lengths);
    if (check.failed()) return std::move(check).result();
    if (!model.normals.empty() && static_cast<Eigen::Index>(model.normals.size()) != model.vertices())
        return InputError{part,
                          std::to_string(model.normals.size()) + " normals were given for " +
                              std::to_string(model.vertices()) + " vertices",
                          ""};
    for (const Eigen::Vector3d& normal : model.normals)
        if (!(normal.cwiseAbs().maxCoeff() <= kLargestNumber))
            return InputError{part, "a normal is not finite or larger than 1e100", ""};
    if (auto p = idle_mode_problem(model, part)) return p;
    const Eigen::Index pairs = model.companion_forms.cols();
    if (pairs == 0) return std::nullopt;
    const Eigen::Index c = modes_of_pairs(pairs);
    if (c < 1 || c > m || c * (c + 1) / 2 != pairs)
        return InputError{part,
                          "companion_forms has " + std::to_string(pairs) +
                              " columns, which are not the products of some of the " + std::to_string(m) +
                              " modes",
                          ""};
    return std::nullopt;
}

}  // namespace limber
