// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/statics.h"

#include "limber/integrate/pull_stiffness.h"
#include "limber/reduced/modes.h"
#include "limber/reduced/stvk_settings.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

namespace limber {
namespace {

constexpr int kMostNewtonSteps = 500;
constexpr double kBalanceTolerance = 1e-10;  // on the residual
constexpr int kMostLineHalvings = 60;        // of a line search: beyond, the step is rounding
constexpr int kMostShifts = 60;              // from 1e-3 K₁ in factors of four: 1e33 K₁

// K d = g with as small a multiple of the diagonal of K₁ added as makes K positive definite; g itself, scaled
// by K₁, where K is not finite.
Eigen::VectorXd descent_direction(const Eigen::MatrixXd& K, const Eigen::VectorXd& diagonal,
                                  const Eigen::VectorXd& g) {
    Eigen::LLT<Eigen::MatrixXd> factor(K);
    double shift = 1e-3;
    for (int i = 0; i < kMostShifts && factor.info() != Eigen::Success; ++i, shift *= 4)
        factor.compute(K + Eigen::MatrixXd((shift * diagonal).asDiagonal()));
    if (factor.info() != Eigen::Success) return g.cwiseQuotient(diagonal);
    return factor.solve(g);
}

}  // namespace

Result<ReducedEquilibrium> reduced_equilibrium(const Model& model, StvkSettings settings,
                                               const Eigen::VectorXd& f) {
    if (auto problem = method_problem(model, "stvk")) return std::move(*problem);
    settings.precision = StvkPrecision::Double;
    fill_in(model, settings);
    if (auto problem = settings_problem(model, settings)) return std::move(*problem);
    if (f.size() != model.rank)
        return InputError{"force",
                          std::to_string(f.size()) + " entries were given; the model has " +
                              std::to_string(model.rank) + " coordinates",
                          ""};
    if (!f.allFinite()) return InputError{"force", "the reduced force is not finite", ""};

    const std::vector<int>& chosen = settings.coordinates;
    Eigen::VectorXd load(static_cast<Eigen::Index>(chosen.size()));
    set_inertia(model, settings, inertial_field({}, settings.gravity), load);
    load += f(chosen);

    settings.strain_rate = 0;  // no part of a balance
    const auto coefficients = make_coefficients<double>(model, settings);
    const QuarticForm<double>& form = coefficients->energy;
    QuarticEval<double> at(form.rank), trial(form.rank);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(form.rank);
    evaluate(form, q, at);
    ReducedEquilibrium out;
    const double scale = load.norm();
    for (; scale > 0; ++out.iterations) {
        const Eigen::VectorXd g = load - at.force;
        out.residual = g.norm() / scale;
        out.converged = out.residual <= kBalanceTolerance;
        if (out.converged || out.iterations == kMostNewtonSteps) break;
        const Eigen::VectorXd d = descent_direction(at.stiffness, form.linear.diagonal(), g);
        // Halved until the energy falls (Armijo), but for rounding.
        const double energy = at.energy - load.dot(q), slope = g.dot(d);
        const double rounding = 1e-14 * (std::abs(at.energy) + std::abs(load.dot(q)));
        double s = 1;
        for (int half = 0; half < kMostLineHalvings; ++half, s *= 0.5) {
            evaluate(form, Eigen::VectorXd(q + s * d), trial);
            if (trial.energy - load.dot(q + s * d) <= energy - 1e-4 * s * slope + rounding) break;
        }
        q += s * d;
        evaluate(form, q, at);
    }
    if (scale == 0) out.converged = true;
    out.q = Eigen::VectorXd::Zero(model.rank);
    out.q(chosen) = q;
    return out;
}

namespace {

// How a vertex gives way to a force in the coordinates in use, at rest, and how the force accelerates it.
struct PointResponse {
    Eigen::Matrix3d compliance, inverse_mass;
};
PointResponse response_of(const Model& model, const StvkSettings& settings, int vertex) {
    const std::vector<int>& chosen = settings.coordinates;
    const Eigen::MatrixXd rows =
        model.surface.basis.middleRows<3>(3 * Eigen::Index(vertex))(Eigen::all, chosen);
    const Eigen::MatrixXd K = reduced_stiffness(model, settings.materials)(chosen, chosen);
    const Eigen::MatrixXd M = reduced_mass(model, settings.materials)(chosen, chosen);
    return {rows * K.ldlt().solve(rows.transpose()), rows * M.ldlt().solve(rows.transpose())};
}

}  // namespace

Result<double> suggest_pull_stiffness(const StvkBody& body, int vertex, double dt) {
    const Model& model = body.model();
    if (auto problem = pull_problem(vertex, model.surface.basis.rows() / 3, dt)) return std::move(*problem);
    const PointResponse at = response_of(model, body.settings(), vertex);
    return pull_stiffness(at.compliance, at.inverse_mass, dt);
}

Result<double> suggest_pull_stiffness(const FreeStvkBody& body, int vertex, double dt) {
    const Model& model = body.model();
    if (auto problem = pull_problem(vertex, model.surface.basis.rows() / 3, dt)) return std::move(*problem);
    PointResponse at = response_of(model, body.settings(), vertex);
    const Eigen::Matrix3d R = body.state().orientation.toRotationMatrix();
    at.compliance = R * at.compliance * R.transpose();
    at.inverse_mass = R * at.inverse_mass * R.transpose();
    // A force at the arm a from the centre accelerates its point by 1/m - [a]× I⁻¹ [a]×.
    const Eigen::Matrix3d arm = cross_matrix(body.position(vertex) - body.state().position);
    at.inverse_mass += Eigen::Matrix3d::Identity() / body.mass() -
                       arm * (R * body.inertia().inverse() * R.transpose()) * arm;
    return pull_stiffness(at.compliance, at.inverse_mass, dt);
}

}  // namespace limber
