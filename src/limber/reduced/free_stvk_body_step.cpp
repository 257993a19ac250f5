// SPDX-License-Identifier: Apache-2.0
// Steps of a free body, and what contact asks of them. Equation numbers: docs/math/free_bodies.md.
#include "limber/reduced/free_stvk_body_impl.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/LU>
#include <cmath>

namespace limber {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// A step that turns the body farther than this is made in parts, rad, as that of a rigid body.
constexpr double kLargestFreeAngle = 1.0;
constexpr int kMostFreeParts = 256;
constexpr int kMostHalvings = 4;

}  // namespace

StepReport FreeStvkBody::step(double dt) {
    const StepReport report = trial(dt);
    commit();
    return report;
}

// Forces act where the body is halfway through the step, as its velocities at the start lead.           (3)
void FreeStvkBody::Data::set_impulse(double dt, const VectorXd* given) {
    const ModelSurface& surface = model().surface;
    Matrix3d R;
    if (!forces.empty()) R = (motion.orientation * exp_rotation(0.5 * dt * spin())).toRotationMatrix();
    whole.force = dt * equation.mass() * settings->gravity;
    whole.torque.setZero();
    for (Index i = 0; i < size(); ++i)
        whole.reduced[i] = dt * reduced_forces[coordinate(i)];
    for (const VertexForce& f : forces) {
        const auto rows = surface.basis.middleRows<3>(3 * Index(f.vertex));
        Vector3d y = surface.vertices[std::size_t(f.vertex)] - equation.inertia().centre;
        for (Index i = 0; i < size(); ++i)
            y += (motion.q[i] + 0.5 * dt * motion.v[i]) * rows.col(coordinate(i));
        const Vector3d in_body = dt * (R.transpose() * f.force);
        whole.force += dt * f.force;
        whole.torque += R * y.cross(in_body);
        for (Index i = 0; i < size(); ++i)
            whole.reduced[i] += rows.col(coordinate(i)).dot(in_body);
    }
    if (!given) return;
    whole.force += given->head<3>();
    whole.torque += given->segment<3>(3);
    whole.reduced += given->tail(size());
}

StepReport FreeStvkBody::Data::attempt(double dt, int parts) {
    share.force = whole.force / parts;
    share.torque = whole.torque / parts;
    share.reduced = whole.reduced / parts;
    StepReport report;
    from = motion;
    for (int k = 0; k < parts; ++k) {
        if (k > 0) std::swap(from, next);
        const StepReport part = equation.step(from, share, dt / parts, settings->tolerance, next);
        report.iterations = std::max(report.iterations, part.iterations);
        report.residual = part.residual;
        report.converged = part.converged;
        report.problem = part.problem;
        if (!part.converged) break;
    }
    if (!report.converged || parts == 1) return report;
    // The sums of the parts, without their rounding.
    next.momentum = motion.momentum + whole.force;
    next.angular_momentum = motion.angular_momentum + whole.torque;
    next.position = motion.position + dt / (2 * equation.mass()) * (motion.momentum + next.momentum);
    return report;
}

StepReport FreeStvkBody::Data::trial(double dt, const VectorXd* impulse) {
    StepReport report;
    has_trial = blew_up = false;
    trial_dt = dt;
    if (!(dt > 0) || !std::isfinite(dt)) {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
        return report;
    }
    set_impulse(dt, impulse);
    const Vector3d spin_now = spin();
    const double fastest =
        std::max(motion.angular_momentum.norm(), (motion.angular_momentum + whole.torque).norm()) *
        equation.shape().inertia.inverse().norm();
    const double angle = dt * std::max(spin_now.norm(), fastest);
    report.converged = angle <= kLargestFreeAngle * kMostFreeParts;
    report.problem = StepProblem::NotSolved;
    if (!report.converged) return report;
    const int fewest = std::max(1, int(std::ceil(angle / kLargestFreeAngle)));
    const int most = std::max(fewest, std::min(fewest << kMostHalvings, kMostFreeParts));
    for (int parts = fewest; parts <= most; parts *= 2) {
        const StepReport earlier = report;
        report = attempt(dt, parts);
        report.iterations = std::max(report.iterations, earlier.iterations);
        if (report.converged) break;
    }
    if (!report.converged) return report;
    next.time = motion.time + dt;
    bool contained = is_contained(next);
    for (Index i = 0; contained && i < size(); ++i)
        contained = std::abs(next.q[i] - motion.q[i]) <= step_limit;
    if (!contained) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
        blew_up = true;
    }
    has_trial = report.converged;
    return report;
}

StepReport FreeStvkBody::trial(double dt, const VectorXd* impulse) {
    return data_->trial(dt, impulse);
}

void FreeStvkBody::commit() {
    Data& in = *data_;
    if (in.has_trial) {
        in.motion = in.next;
        in.store();
    } else if (in.blew_up) {
        in.motion.v.setZero();
        in.store();
    }
    in.has_trial = in.blew_up = false;
}

Index FreeStvkBody::velocity_size() const {
    return 6 + data_->size();
}

void FreeStvkBody::start_velocity(VectorXd& out) const {
    out.resize(velocity_size());
    out.head<3>() = data_->motion.momentum / mass();
    out.segment<3>(3) = data_->spin();
    out.tail(data_->size()) = data_->motion.v;
}

void FreeStvkBody::trial_velocity(VectorXd& out) const {
    out.resize(velocity_size());
    out.head<3>() = data_->next.momentum / mass();
    out.segment<3>(3) = data_->equation.spin_of(data_->next).value_or(Vector3d::Zero());
    out.tail(data_->size()) = data_->next.v;
}

void FreeStvkBody::system_matrix(MatrixXd& out) const {
    const Data& in = *data_;
    const Index n = in.size();
    const double h = in.trial_dt;
    const FreeEquation& equation = in.equation;
    in.equation.spin_of(in.next);
    const FreeShapeInertia& shape = equation.shape();
    // K₊: shifted by as much of the unit matrix as makes it positive.
    in.stiffness = equation.mean_stiffness();
    if (n > 0 && !in.cholesky.factorize(in.stiffness)) {
        const double scale = in.stiffness.diagonal().lpNorm<Eigen::Infinity>();
        double shift = 1e-3 * scale;
        for (int i = 0; i < 12 && !in.cholesky.factorize(in.stiffness, shift); ++i)
            shift *= 4;
        in.stiffness.diagonal().array() += shift;
    }
    const FreeDamping& damping = equation.damping();
    out.setZero(6 + n, 6 + n);
    out.topLeftCorner<3, 3>().diagonal().setConstant(equation.mass());
    out.block<3, 3>(3, 3) = shape.inertia;
    out.block(3, 6, 3, n) = shape.H().transpose();
    out.block(6, 3, n, 3) = shape.H();
    auto own = out.bottomRightCorner(n, n);
    own = (equation.density_factor() * (1 + 0.5 * h * damping.alpha)) * equation.inertia().reduced_mass +
          (0.25 * h * h + 0.5 * h * damping.beta) * in.stiffness;
    if (const MatrixXd* viscosity = equation.viscosity()) own += (0.5 * h * damping.strain_rate) * *viscosity;
}

void FreeStvkBody::half_drift(double dt, HalfDrift& out) const {
    const FreeState& s = data_->motion;
    out.centre = s.position + dt / (2 * mass()) * s.momentum;
    out.R = (s.orientation * exp_rotation(0.5 * dt * data_->spin())).toRotationMatrix();
    out.q = s.q + 0.5 * dt * s.v;
}

Vector3d FreeStvkBody::arm(int vertex, const VectorXd& q) const {
    const Data& in = *data_;
    const auto rows = model().surface.basis.middleRows<3>(3 * Index(vertex));
    Vector3d y = model().surface.vertices[std::size_t(vertex)] - in.equation.inertia().centre;
    for (Index i = 0; i < in.size(); ++i)
        y += q[i] * rows.col(in.coordinate(i));
    return y;
}

Vector3d FreeStvkBody::position(const HalfDrift& at, int vertex) const {
    return at.centre + at.R * arm(vertex, at.q);
}

void FreeStvkBody::add_jacobian(const HalfDrift& at, int vertex, double weight,
                                Eigen::Ref<MatrixXd> out) const {
    const Data& in = *data_;
    const auto rows = model().surface.basis.middleRows<3>(3 * Index(vertex));
    out.leftCols<3>().diagonal().array() += weight;
    out.middleCols<3>(3) -= weight * (at.R * cross_matrix(arm(vertex, at.q)));
    for (Index i = 0; i < in.size(); ++i)
        out.col(6 + i) += weight * (at.R * rows.col(in.coordinate(i)));
}

}  // namespace limber
