// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/constraint_solver.h"

#include "limber/warp/rotation.h"
#include "limber/warp/tiles.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Damping of the two tasks, relative to the trace of A Aᵀ. The second is larger by far, so that what the
// first damping leaves open is not taken for freedom.
constexpr std::array<double, 2> kTaskDamping = {1e-12, 1e-6};
constexpr double kBrakeDamping = 1e-9, kForceDamping = 1e-9;
// Of R̃, which is singular at θ = 2π.
constexpr double kRotationDamping = 1e-2;

// Rows of one vertex times q.
Vector3d rows_times(const WarpRows& rows, int vertex, const VectorXd& q) {
    Vector3d sum;
    for (int c = 0; c < 3; ++c)
        sum[c] = rows.row(3 * Eigen::Index(vertex) + c).dot(q);
    return sum;
}

}  // namespace

ConstraintSolver::ConstraintSolver(std::shared_ptr<const WarpModel> of_model,
                                   std::shared_ptr<const Companions> companions, Constraints constraints,
                                   Warping warping)
    : model_(std::move(of_model)),
      companions_(std::move(companions), model_->modes()),
      constraints_(std::move(constraints)),
      warping_(warping) {
    const WarpModel& model = *model_;
    const Eigen::Index m = model.modes(), k = companions_.count();
    predicted_z_.setZero(k);
    predicted_q_.setZero(m);
    offset_.setZero(m);
    predicted_error_.setZero(3 * Eigen::Index(constraints_.positions.size()));
    const std::vector<int>& exercised = constraints_.exercised;
    force_rows_.resize(3 * Eigen::Index(exercised.size()), m);
    for (std::size_t i = 0; i < exercised.size(); ++i)
        force_rows_.middleRows<3>(3 * Eigen::Index(i)) =
            model.surface_modes.middleRows<3>(3 * Eigen::Index(exercised[i]));
    B_.setZero(m, force_rows_.rows());
    force_gram_.setIdentity(force_rows_.rows(), force_rows_.rows());
    force_llt_.compute(force_gram_);
    root_.setZero(m);
    force_.setZero(exercised.empty() ? m : force_rows_.rows());
    free_.setZero(m);
    best_.setZero(m);
    dq_.setZero(m);
    trial_.setZero(m);

    tasks_[0].position = constraints_.priority == TaskPriority::PositionFirst;
    if (constraints_.positions.empty() || constraints_.orientations.empty())
        tasks_[0].position = !constraints_.positions.empty();
    tasks_[1].position = !tasks_[0].position;
    for (Task& task : tasks_) {
        const Eigen::Index rows = 3 * Eigen::Index(task.position ? constraints_.positions.size()
                                                                 : constraints_.orientations.size());
        task.J.setZero(rows, m);
        task.A.setZero(rows, force_.size());
        task.free_A = task.A;
        task.gram.setIdentity(rows, rows);
        task.llt.compute(task.gram);
        task.r.setZero(rows);
        task.y.setZero(rows);
    }
    set(warping);
    mean_.resize(constraints_.positions.size());
    mean_inverse_.resize(constraints_.positions.size());
    rotation_targets_.resize(constraints_.orientations.size());
    cross_.setZero(tasks_[1].r.size(), tasks_[0].r.size());
    solved_.setZero(tasks_[0].r.size(), force_.size());
    const Eigen::Index rows = tasks_[0].r.size() + tasks_[1].r.size();
    jacobian_.setZero(rows, m);
    impulse_A_.setZero(rows, force_.size());
    impulse_gram_.setIdentity(rows, rows);
    impulse_llt_.compute(impulse_gram_);
    velocity_.setZero(rows);
}

// Positions move with Φ unless Newton's method says otherwise, orientations with Ψ, whatever q.
void ConstraintSolver::set(Warping warping) {
    warping_ = warping;
    companions_.move_to_rest();
    for (Task& task : tasks_)
        for (Eigen::Index i = 0; i < task.r.size() / 3; ++i)
            task.J.middleRows<3>(3 * i) =
                task.position
                    ? model_->surface_modes.middleRows<3>(3 * constraints_.positions[std::size_t(i)].vertex)
                    : model_->surface_rotations.middleRows<3>(
                          3 * constraints_.orientations[std::size_t(i)].vertex);
}

void ConstraintSolver::set_position(std::size_t position, const Vector3d& displacement) {
    constraints_.positions[position].displacement = displacement;
}

void ConstraintSolver::set_orientation(std::size_t orientation, const Eigen::Quaterniond& target) {
    constraints_.orientations[orientation].orientation = target.normalized();
}

void ConstraintSolver::prepare(const Eigen::ArrayXd& compliance) {
    B_.noalias() = compliance.matrix().asDiagonal() * force_rows_.transpose();
    if (!uses_own_forces()) {
        // The forces in coordinates in which |f|² is the energy that they bring, fᵀ Φ_x diag(η) Φ_xᵀ f: of
        // those that meet the targets the gentlest are chosen.
        set_product(force_rows_, B_, force_gram_);
        force_gram_.diagonal().array() += kForceDamping * force_gram_.trace() + 1e-300;
        force_llt_.compute(force_gram_);
        for (Eigen::Index i = 0; i < B_.rows(); i += kTile) {
            auto rows = B_.middleRows(i, std::min(kTile, B_.rows() - i));
            force_llt_.matrixU().solveInPlace<Eigen::OnTheRight>(rows);
        }
    }
    root_ = compliance.sqrt().matrix();
    factorise();
}

// A = J B, and the damped factors of both tasks.                                            (15), (16)
void ConstraintSolver::factorise() {
    for (std::size_t i = 0; i < 2; ++i) {
        Task& task = tasks_[i];
        if (task.r.size() == 0) continue;
        if (uses_own_forces())
            task.A = task.J * root_.asDiagonal();
        else
            set_product(task.J, B_, task.A);
        task.free_A = task.A;
        if (i == 1 && tasks_[0].r.size() > 0) {  // A₂ (1 - A₁†A₁)
            solved_ = tasks_[0].A;
            for (Eigen::Index j = 0; j < solved_.cols(); j += kTile) {
                auto columns = solved_.middleCols(j, std::min(kTile, solved_.cols() - j));
                tasks_[0].llt.solveInPlace(columns);
            }
            set_product(task.A, tasks_[0].A.transpose(), cross_);
            add_product(-1, cross_, solved_, task.free_A);
        }
        set_product(task.free_A, task.free_A.transpose(), task.gram);
        const double scale = task.A.squaredNorm();
        task.gram.diagonal().array() += kTaskDamping[i] * scale + 1e-300;
        task.llt.compute(task.gram);
    }
}

void ConstraintSolver::factorise(const VectorXd& q) {
    for (Task& task : tasks_)
        write_jacobian(task, q, task.J);
    factorise();
}

bool ConstraintSolver::uses_newton() const {
    return method() == PositionMethod::Newton && !constraints_.positions.empty();
}

// Linear modes are not rotated at all: the rotations before the step would be as good.
PositionMethod ConstraintSolver::method() const {
    return warping_ == Warping::Linear ? PositionMethod::Previous : constraints_.positions_by;
}

Vector3d ConstraintSolver::unrotated(int vertex, const VectorXd& q, const VectorXd& z) const {
    const Vector3d linear = rows_times(model_->surface_modes, vertex, q);
    if (z.size() == 0) return linear;  // there may be no rows either
    return linear + rows_times(model_->surface_companions, vertex, z);
}

const VectorXd& ConstraintSolver::amplitudes(const VectorXd& q) const {
    if (warping_ == Warping::Warped) companions_.move_to(q);
    return companions_.z();
}

// Of the shape that is shown: with method Previous its R̃ and its companions are those of before the step.
Vector3d ConstraintSolver::error(const Task& task, std::size_t which, const VectorXd& q) const {
    if (task.position) {
        const PositionConstraint& c = constraints_.positions[which];
        if (method() == PositionMethod::Previous)
            return c.displacement - mean_[which] * unrotated(c.vertex, q, predicted_z_);
        return c.displacement - mean_rotation(rows_times(model_->surface_rotations, c.vertex, q)) *
                                    unrotated(c.vertex, q, amplitudes(q));
    }
    return rotation_targets_[which] -
           rows_times(model_->surface_rotations, constraints_.orientations[which].vertex, q);
}

// Companions change as fast as rotations do, so what is predicted of a shape with them is its tangent.
bool ConstraintSolver::predicts_tangent() const {
    return method() == PositionMethod::Predicted && warping_ == Warping::Warped && companions_.count() > 0;
}

void ConstraintSolver::set_residual(Task& task, const VectorXd& q) {
    if (task.position && predicts_tangent()) {
        offset_ = q - predicted_q_;
        task.r = predicted_error_;
        task.r.noalias() -= task.J * offset_;
        return;
    }
    for (std::size_t i = 0; i < std::size_t(task.r.size() / 3); ++i) {
        auto r = task.r.segment<3>(3 * Eigen::Index(i));
        if (task.position && method() != PositionMethod::Newton) {
            const PositionConstraint& c = constraints_.positions[i];
            r = mean_inverse_[i] * (c.displacement - mean_[i] * unrotated(c.vertex, q, predicted_z_));
        } else {
            r = error(task, i, q);
        }
    }
}

// Orientations: Ψ. Positions: R̃ Φ with the R̃ of before; else, with y = Φq + Γz,
// d(R̃(Ψq) y)/dq = R̃ (Φ + Γ dz/dq) + (dR̃/dw y) Ψ.                                                  (17)
void ConstraintSolver::write_jacobian(const Task& task, const VectorXd& q, Eigen::Ref<MatrixXd> out) const {
    const bool companions = task.position && task.r.size() > 0 && warping_ == Warping::Warped &&
                            method() != PositionMethod::Previous && companions_.count() > 0;
    if (companions) amplitudes(q);
    for (std::size_t i = 0; i < std::size_t(task.r.size() / 3); ++i) {
        const int vertex =
            task.position ? constraints_.positions[i].vertex : constraints_.orientations[i].vertex;
        const auto phi = model_->surface_modes.middleRows<3>(3 * Eigen::Index(vertex));
        const auto psi = model_->surface_rotations.middleRows<3>(3 * Eigen::Index(vertex));
        auto J = out.middleRows<3>(3 * Eigen::Index(i));
        if (!task.position) {
            J = psi;
            continue;
        }
        Matrix3d R = mean_[i], slope = Matrix3d::Zero();
        if (method() != PositionMethod::Previous) {
            const Vector3d w = rows_times(model_->surface_rotations, vertex, q);
            R = mean_rotation(w);
            slope = mean_rotation_jacobian(w, unrotated(vertex, q, amplitudes(q)));
        }
        J = phi;
        if (companions)
            J.noalias() +=
                model_->surface_companions.middleRows<3>(3 * Eigen::Index(vertex)) * companions_.slopes();
        for (Eigen::Index k = 0; k < q.size(); ++k)
            J.col(k) = R * Vector3d(J.col(k)) + slope * Vector3d(psi.col(k));
    }
}

// f = A₁†r₁ + (A₂(1 - A₁†A₁))† (r₂ - A₂A₁†r₁), dq = B f.                                           (16)
void ConstraintSolver::correct(std::size_t count, VectorXd& out_dq) {
    force_.setZero();
    for (std::size_t i = 0; i < count; ++i) {
        Task& task = tasks_[i];
        if (task.r.size() == 0) continue;
        task.y = task.r;
        task.y.noalias() -= task.A * force_;
        task.llt.solveInPlace(task.y);
        force_.noalias() += task.free_A.transpose() * task.y;
    }
    if (uses_own_forces())
        out_dq = root_.cwiseProduct(force_);
    else
        out_dq.noalias() = B_ * force_;
}

double ConstraintSolver::largest_error(const Task& task, const VectorXd& q) const {
    double most = 0;
    for (std::size_t i = 0; i < std::size_t(task.r.size() / 3); ++i)
        most = std::max(most, error(task, i, q).norm());
    return most;
}

void ConstraintSolver::predict(const VectorXd& at) {
    predicted_z_ = amplitudes(at);
    if (predicts_tangent()) {
        Task& task = position_task();
        predicted_q_ = at;
        for (std::size_t i = 0; i < constraints_.positions.size(); ++i)
            predicted_error_.segment<3>(3 * Eigen::Index(i)) = error(task, i, at);
        write_jacobian(task, at, task.J);
        factorise();
        return;
    }
    for (std::size_t i = 0; i < constraints_.positions.size(); ++i) {
        Matrix3d& R = mean_[i];
        R.setIdentity();
        if (warping_ != Warping::Linear)
            R = mean_rotation(rows_times(model_->surface_rotations, constraints_.positions[i].vertex, at));
        mean_inverse_[i] =
            (R.transpose() * R + kRotationDamping * Matrix3d::Identity()).inverse() * R.transpose();
    }
}

void ConstraintSolver::brake(const VectorXd& start, const VectorXd& q, double dt, VectorXd& v) {
    Eigen::Index at = 0;
    for (const Task& task : tasks_) {
        write_jacobian(task, q, jacobian_.middleRows(at, task.r.size()));
        for (std::size_t i = 0; i < std::size_t(task.r.size() / 3); ++i, at += 3)
            velocity_.segment<3>(at) = (error(task, i, start) - error(task, i, q)) / dt;
    }
    velocity_.noalias() -= jacobian_ * v;
    if (uses_own_forces())
        impulse_A_ = jacobian_;
    else
        set_product(jacobian_, force_rows_.transpose(), impulse_A_);
    set_product(impulse_A_, impulse_A_.transpose(), impulse_gram_);
    impulse_gram_.diagonal().array() += kBrakeDamping * impulse_A_.squaredNorm() + 1e-300;
    impulse_llt_.compute(impulse_gram_);
    impulse_llt_.solveInPlace(velocity_);
    if (uses_own_forces()) {
        v.noalias() += jacobian_.transpose() * velocity_;
    } else {
        force_.noalias() = impulse_A_.transpose() * velocity_;
        v.noalias() += force_rows_.transpose() * force_;
    }
}

ConstraintReport ConstraintSolver::report(const VectorXd& q) const {
    ConstraintReport report;
    for (const Task& task : tasks_)
        if (task.position) report.position_error = largest_error(task, q);
    for (const OrientationConstraint& c : constraints_.orientations) {
        const Vector3d w = rows_times(model_->surface_rotations, c.vertex, q);
        const Eigen::Quaterniond rotated(Eigen::AngleAxisd(w.norm(), w.stableNormalized()));
        report.orientation_error = std::max(report.orientation_error, rotated.angularDistance(c.orientation));
    }
    return report;
}

}  // namespace limber
