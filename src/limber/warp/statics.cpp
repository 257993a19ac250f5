// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/statics.h"

#include "limber/integrate/pull_stiffness.h"
#include "limber/warp/rotation.h"
#include "limber/warp/warp_nodes.h"

#include <utility>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kMostWarpedIterations = 1000;
constexpr double kWarpedTolerance = 1e-11;  // on the change
// The load follows the shape: where the body turns far, whole iterations oscillate about the answer.
constexpr double kIterationShare = 0.5;

}  // namespace

// The iteration q <- Λ⁻¹ Φᵀ R(Ψq)ᵀ F, damped. (8)  NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<WarpedEquilibrium> warped_equilibrium(std::shared_ptr<const WarpModel> model,
                                             const WarpSettings& settings,
                                             const std::vector<VertexForce>& forces) {
    // A body checks what it is given.
    Result<WarpBody> checked = make_warp_body(model, settings);
    if (!checked.ok()) return checked.error();
    for (const VertexForce& force : forces)
        if (const Status status = checked.value().add_force(force); !status.ok()) return status.error();

    const WarpNodes nodes(*model);
    const InertialField field = inertial_field({}, settings.gravity);
    const bool weighs = !nodes.empty() && !field.uniform.isZero(0);
    const VectorXd stiffness = settings.young_scale * model->eigenvalues;
    const VectorXd zero = VectorXd::Zero(model->modes());
    VectorXd work = VectorXd::Zero(nodes.work_size()), load(model->modes());

    WarpedEquilibrium out;
    out.q = zero;
    while (out.iterations < kMostWarpedIterations && !out.converged) {
        const VectorXd& turned_by = settings.warping == Warping::Linear ? zero : out.q;
        load.setZero();
        if (weighs) nodes.add_inertia(field, turned_by, work, load);
        load *= settings.density_scale;
        for (const VertexForce& f : forces) {
            const Vector3d w = model->surface_rotations.middleRows<3>(3 * f.vertex) * turned_by;
            load += model->surface_modes.middleRows<3>(3 * f.vertex).transpose() * rotate_back(w, f.force);
        }
        const VectorXd next = load.cwiseQuotient(stiffness);
        if (!next.allFinite()) break;
        const double size = next.norm();
        out.change = size > 0 ? (next - out.q).norm() / size : 0;
        ++out.iterations;
        out.converged = out.change <= kWarpedTolerance;
        out.q = out.converged ? next : VectorXd(out.q + kIterationShare * (next - out.q));
    }
    return out;
}

Result<double> suggest_pull_stiffness(const WarpBody& body, int vertex, double dt) {
    const WarpModel& model = body.model();
    if (auto problem = pull_problem(vertex, model.vertices(), dt)) return std::move(*problem);
    const Eigen::MatrixXd rows = model.surface_modes.middleRows<3>(3 * Eigen::Index(vertex));
    const WarpSettings& s = body.settings();
    return pull_stiffness(
        rows * model.eigenvalues.cwiseInverse().asDiagonal() * rows.transpose() / s.young_scale,
        rows * rows.transpose() / s.density_scale, dt);
}

}  // namespace limber
