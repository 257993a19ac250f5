// SPDX-License-Identifier: Apache-2.0
#include "build/scene/warped_statics.h"

#include <cmath>

namespace limber::build {

// A semi-implicit step that is long against every period is the iteration q <- Λ⁻¹ Φᵀ R(Ψq)ᵀ F itself. Half
// of it is taken, since the load follows the shape: where the body turns far, whole ones swing about the
// answer.
WarpedEquilibrium warped_equilibrium(std::shared_ptr<const WarpModel> model, WarpSettings settings,
                                     const std::vector<VertexForce>& forces) {
    constexpr int kMostIterations = 1000;
    constexpr double kTolerance = 1e-11, kShare = 0.5, kPeriods = 1e8;
    settings.step = OscillatorStep::SemiImplicit;
    settings.alpha = settings.beta = 0;
    settings.coriolis = LocalCoriolis::Off;
    const double slowest =
        std::sqrt(settings.young_scale / settings.density_scale * model->eigenvalues.minCoeff());
    Result<WarpBody> made = make_warp_body(std::move(model), settings);
    if (!made.ok()) throw made.error();
    WarpBody& body = made.value();
    for (const VertexForce& force : forces)
        if (const Status error = body.add_force(force); !error.ok()) throw error.error();

    WarpedEquilibrium out;
    out.q = body.state().q;
    while (out.iterations < kMostIterations && !out.converged) {
        if (!body.step(kPeriods / slowest).converged) break;
        const Eigen::VectorXd next = body.state().q;
        const double size = next.norm();
        out.change = size > 0 ? (next - out.q).norm() / size : 0;
        ++out.iterations;
        out.converged = out.change <= kTolerance;
        out.q = out.converged ? next : Eigen::VectorXd(out.q + kShare * (next - out.q));
        if (const Status error = body.set_state({0, out.q, Eigen::VectorXd::Zero(out.q.size())}); !error.ok())
            throw error.error();
    }
    return out;
}

}  // namespace limber::build
