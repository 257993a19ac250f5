// SPDX-License-Identifier: Apache-2.0
#include "limber/world/start.h"

#include "limber/reduced/statics.h"
#include "limber/warp/statics.h"

#include <string>
#include <utility>

namespace limber {
namespace {

using Eigen::VectorXd;

VectorXd or_zero(const VectorXd& given, Eigen::Index size) {
    return given.size() > 0 ? given : VectorXd(VectorXd::Zero(size));
}

StepReport report_of(bool converged, int iterations, double residual) {
    StepReport report;
    report.converged = converged;
    report.problem = converged ? StepProblem::None : StepProblem::NotSolved;
    report.iterations = iterations;
    report.residual = residual;
    return report;
}

Status set_motion_of(StvkBody& body, const VectorXd& q, const VectorXd& v) {
    const Eigen::Index r = body.model().rank;
    return body.set_state({body.state().time, or_zero(q, r), or_zero(v, r), VectorXd::Zero(r)});
}

Status set_motion_of(WarpBody& body, const VectorXd& q, const VectorXd& v) {
    const Eigen::Index m = body.model().modes();
    return body.set_state({.time = body.state().time, .q = or_zero(q, m), .v = or_zero(v, m)});
}

Status set_motion_of(DomainsBody& body, const VectorXd& q, const VectorXd& v) {
    const Eigen::Index r = body.tree().coordinates;
    return body.set_shape(or_zero(q, r), or_zero(v, r));
}

Status set_motion_of(FreeStvkBody& body, const VectorXd& q, const VectorXd& v) {
    const Eigen::Index r = body.model().rank;
    return body.set_shape(or_zero(q, r), or_zero(v, r));
}

Status set_motion_of(RigidBody&, const VectorXd& q, const VectorXd& v) {
    if (q.size() == 0 && v.size() == 0) return {};
    return InputError{"q", "a rigid body has no reduced coordinates", "a pose and velocities"};
}

Result<Balance> balance_of(const StvkBody& body, const Model& model, const Eigen::Quaterniond& orientation,
                           const std::vector<VertexForce>& forces) {
    if (model.free_body)
        return InputError{"release", "a free body has no balance under a force to be released from",
                          "build the model with --fix, or give q"};
    const Eigen::Quaterniond frame_from_world = orientation.conjugate();
    VectorXd f = VectorXd::Zero(model.rank);
    for (const VertexForce& force : forces)
        f += model.surface.basis.middleRows<3>(3 * Eigen::Index(force.vertex)).transpose() *
             (frame_from_world * force.force);
    StvkSettings settings = body.settings();
    settings.gravity = frame_from_world * settings.gravity;
    auto found = reduced_equilibrium(model, settings, f);
    if (!found.ok()) return found.error();
    const ReducedEquilibrium& e = found.value();
    return Balance{e.q, report_of(e.converged, e.iterations, e.residual)};
}

Result<Balance> balance_of(const WarpBody& body, const Model& model, const Eigen::Quaterniond& orientation,
                           const std::vector<VertexForce>& forces) {
    const Eigen::Quaterniond frame_from_world = orientation.conjugate();
    std::vector<VertexForce> in_frame = forces;
    for (VertexForce& force : in_frame)
        force.force = frame_from_world * force.force;
    WarpSettings settings = body.settings();
    settings.gravity = frame_from_world * settings.gravity;
    auto found = warped_equilibrium(model.warp, settings, in_frame);
    if (!found.ok()) return found.error();
    const WarpedEquilibrium& e = found.value();
    return Balance{e.q, report_of(e.converged, e.iterations, e.change)};
}

Result<Balance> balance_of(const DomainsBody&, const Model&, const Eigen::Quaterniond&,
                           const std::vector<VertexForce>&) {
    return InputError{"release", "the balance of a tree of domains is not computed",
                      "forces with \"damping\", then an event that takes them away"};
}

Result<Balance> balance_of(const FreeStvkBody&, const Model&, const Eigen::Quaterniond&,
                           const std::vector<VertexForce>&) {
    return InputError{"release", "a free body has no balance under a force to be released from",
                      "build the model with --fix, or give q"};
}

Result<Balance> balance_of(const RigidBody&, const Model&, const Eigen::Quaterniond&,
                           const std::vector<VertexForce>&) {
    return InputError{"release", "a rigid body does not bend", ""};
}

}  // namespace

Status set_motion(AnyBody& body, const VectorXd& q, const VectorXd& v) {
    return std::visit([&](auto& each) { return set_motion_of(each, q, v); }, body);
}

Result<Balance> balance_under(const AnyBody& body, const Model& model, const Eigen::Quaterniond& orientation,
                              const std::vector<VertexForce>& forces) {
    const auto vertices = static_cast<int>(model.surface.vertices.size());
    for (const VertexForce& force : forces)
        if (force.vertex < 0 || force.vertex >= vertices || !force.force.allFinite())
            return InputError{"release",
                              "the force on vertex " + std::to_string(force.vertex) +
                                  " is not finite, or there is no such vertex of the surface",
                              ""};
    return std::visit([&](const auto& each) { return balance_of(each, model, orientation, forces); }, body);
}

}  // namespace limber
