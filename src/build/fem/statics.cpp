// SPDX-License-Identifier: Apache-2.0
#include "build/fem/statics.h"

#include "build/fem/body_size.h"
#include "build/fem/equilibrium.h"
#include "build/fem/rigid_motions.h"
#include "build/fem/vertex_vector.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

constexpr int kIterationsPerLoad = 40;       // more: the load is stepped instead
constexpr double kLeastLoadStep = 1.0 / 16;  // of the whole load
constexpr int kEscapes = 2;                  // from an unstable equilibrium

void check_input(const FemModel& model, const Eigen::VectorXd& f, const StaticOptions& options,
                 const Eigen::VectorXd& start) {
    check_vertex_vector(f, model, "load", "N");
    if (start.size() > 0) check_vertex_vector(start, model, "start", "m");
    if (!(options.tolerance > 0))
        throw InputError{"tolerance", fmt::format("{} is not a positive number", options.tolerance), ""};
    const std::vector<LoosePart> loose = loose_parts(model);
    if (loose.empty()) return;
    const LoosePart& part = loose.front();
    const std::string held = part.fixed == 0   ? "has no fixed vertex"
                             : part.fixed == 1 ? "is fixed at one vertex only"
                                               : fmt::format("is fixed at {} vertices in a line", part.fixed);
    throw InputError{
        "fixed vertices",
        fmt::format("the part with vertex {} ({} vertices) {} and can move as a whole in {} ways; {} of "
                    "the body's parts can",
                    part.vertices.front(), part.vertices.size(), held, part.motions.cols(), loose.size()),
        "fix at least three vertices of every part that are not in a line, or drop the loose parts"};
}

}  // namespace

StaticResult solve_static(const FemModel& model, const Eigen::VectorXd& f, const StaticOptions& options,
                          const Eigen::VectorXd& start) {
    check_input(model, f, options, start);
    const Eigen::VectorXd load = model.restrict_to_free(f);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(model.free_dofs());
    if (start.size() > 0) u = model.restrict_to_free(start);

    StaticResult result;
    EquilibriumSearch search(model);
    const auto count_turned = [&](const Eigen::VectorXd& x) {
        return turned_inside_out(model.mesh(), model.expand_from_free(x));
    };
    // The start is in equilibrium under R(u): the load grows from there, (1 - t) R(u) + t f.
    const Eigen::VectorXd first_load = search.force(u);
    const double scale = load.norm() > 0 ? load.norm() : first_load.norm();
    if (scale == 0) {
        result.u = model.expand_from_free(u);
        result.converged = true;
        return result;
    }
    const double goal = options.tolerance * scale;
    const auto hear = [&](double residual) {
        const double digits = std::log10(std::max(1.0, scale / residual)) / -std::log10(options.tolerance);
        tell(options.progress, "equilibrium", std::clamp(digits, 0.0, 1.0));
    };

    // The whole load at once, most often; where that fails, half of what is left.
    double t = 0, step = 1;
    Eigen::VectorXd collapsed;  // an equilibrium under the whole load, with elements inside out
    std::string problem;
    while (t < 1 && step >= kLeastLoadStep) {
        const double next = std::min(1.0, t + step);
        const int left = std::min(kIterationsPerLoad, options.max_iterations - search.iterations());
        if (left <= 0) {
            problem = fmt::format("{} Newton iterations did not suffice", options.max_iterations);
            break;
        }
        // Intermediate load steps need not be exact.
        const Equilibrium found =
            search.find(u, (1 - next) * first_load + next * load, next < 1 ? 1e-3 * scale : goal, left, hear);
        const bool sound = found.converged && count_turned(found.u) == 0;
        if (sound) {
            u = found.u;
            t = next;
            ++result.load_steps;
            step *= 2;
            continue;
        }
        if (found.converged && next == 1 && collapsed.size() == 0) collapsed = found.u;
        problem = fmt::format("at {:.3g} % of the load: {}", 100 * next,
                              found.converged ? "elements are inside out" : found.problem);
        step = (next - t) / 2;
    }
    if (t < 1 && collapsed.size() > 0) {
        u = collapsed;
        t = 1;
        ++result.load_steps;
    }

    result.converged = t >= 1;
    if (result.converged) {
        // An equilibrium that buckles at a touch is left for a stable one, if one is found.
        result.stable = search.is_stable(u);
        double displacement = 0.2 * body_size(model);
        for (int escape = 0; escape < kEscapes && !result.stable; ++escape, displacement /= 4) {
            const int left = std::min(2 * kIterationsPerLoad, options.max_iterations - search.iterations());
            const Equilibrium other =
                search.find(search.leave_saddle(u, displacement), load, goal, left, hear);
            if (!other.converged || count_turned(other.u) > 0 || !search.is_stable(other.u)) continue;
            u = other.u;
            result.stable = true;
        }
        result.turned_elements = count_turned(u);
        if (result.turned_elements > 0)
            result.warning = fmt::format(
                "{} of {} elements are inside out: St.Venant-Kirchhoff material softens under strong "
                "compression",
                result.turned_elements, model.mesh().element_count());
        else if (!result.stable)
            result.warning = "the equilibrium is unstable: the body would buckle away from it";
    } else {
        result.problem = problem;
    }
    result.u = model.expand_from_free(u);
    result.residual = (load - search.force(u)).norm() / scale;
    result.iterations = search.iterations();
    result.indefinite_tangents = search.indefinite_tangents();
    tell(options.progress, "equilibrium", 1);
    return result;
}

}  // namespace limber::build
