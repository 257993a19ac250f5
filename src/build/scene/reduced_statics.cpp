// SPDX-License-Identifier: Apache-2.0
#include "build/scene/reduced_statics.h"

#include <limber/reduced/strain_form.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>
#include <numeric>

namespace limber::build {
namespace {

constexpr int kMostIterations = 500;
constexpr double kTolerance = 1e-10;  // on the residual

// K d = g with as small a multiple of the diagonal of K₁ added as makes K positive definite.
Eigen::VectorXd downhill(const Eigen::MatrixXd& K, const Eigen::VectorXd& diagonal,
                         const Eigen::VectorXd& g) {
    Eigen::LLT<Eigen::MatrixXd> factor(K);
    for (double shift = 1e-3; factor.info() != Eigen::Success; shift *= 4)
        factor.compute(K + Eigen::MatrixXd((shift * diagonal).asDiagonal()));
    return factor.solve(g);
}

}  // namespace

ReducedEquilibrium reduced_equilibrium(const Model& model, const StvkSettings& settings,
                                       const Eigen::VectorXd& f) {
    std::vector<Material> materials = settings.materials;
    if (materials.empty())
        for (const ModelGroup& group : model.groups)
            materials.push_back(group.material);
    std::vector<int> chosen = settings.coordinates;
    if (chosen.empty()) {
        chosen.resize(static_cast<std::size_t>(model.rank));
        std::iota(chosen.begin(), chosen.end(), 0);
    }
    Eigen::VectorXd all = f;
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        all += materials[g].density * (model.stvk->groups[g].weight * settings.gravity);
    const Eigen::VectorXd load = all(chosen);

    const auto form =
        symmetrize<double>(restrict_strain_form(weighted_strain_form(model, materials), model.rank, chosen),
                           static_cast<Eigen::Index>(chosen.size()));
    QuarticEval<double> at(form.rank), trial(form.rank);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(form.rank);
    evaluate(form, q, at);
    ReducedEquilibrium out;
    const double scale = load.norm();
    for (; scale > 0; ++out.iterations) {
        const Eigen::VectorXd g = load - at.force;
        out.residual = g.norm() / scale;
        out.converged = out.residual <= kTolerance;
        if (out.converged || out.iterations == kMostIterations) break;
        const Eigen::VectorXd d = downhill(at.stiffness, form.linear.diagonal(), g);
        // Halved until the energy falls (Armijo), but for rounding.
        const double energy = at.energy - load.dot(q), slope = g.dot(d);
        const double rounding = 1e-14 * (std::abs(at.energy) + std::abs(load.dot(q)));
        double s = 1;
        for (int half = 0; half < 60; ++half, s *= 0.5) {
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

}  // namespace limber::build
