// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/rigid_bodies.md.
#include "limber/rigid/rigid_body.h"

#include "limber/model/surface_normals.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <utility>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kMostNewton = 20;
// A step that turns the body farther than this is made in parts, rad: Newton's method starts from the present
// spin, which is near enough then.
constexpr double kLargestTurn = 1.0;
constexpr int kMostParts = 256;
// Farther than any scene: beyond, positions have no digits left for a body.
constexpr double kFarthestPlace = 1e12, kFastestSpin = 1e9;  // m and m/s, rad/s

bool is_sound(const RigidState& s) {
    return std::isfinite(s.time) && s.position.allFinite() && s.orientation.coeffs().allFinite() &&
           s.momentum.allFinite() && s.angular_momentum.allFinite();
}

struct Spin {
    Vector3d omega;  // at the end, body axes
    Vector3d mean;   // of start and end
    int iterations = 0;
    bool converged = false;
};

// Solves I Ω⁺ = exp(−h Ω̄) RᵀL⁺, Ω̄ = (Ω + Ω⁺)/2, by Newton's method.                                      (4)
Spin spin_after(const Matrix3d& inertia, const Vector3d& omega, const Vector3d& momentum, double h) {
    Spin out{omega, omega};
    for (; out.iterations < kMostNewton; ++out.iterations) {
        out.mean = 0.5 * (omega + out.omega);
        const Vector3d turned = exp_rotation(-h * out.mean) * momentum;
        const Vector3d residual = inertia * out.omega - turned;
        out.converged = residual.norm() <= 1e-14 * (momentum.norm() + 1e-300);
        if (out.converged) break;
        const Matrix3d tangent = inertia - 0.5 * h * cross_matrix(turned);
        const Vector3d correction = tangent.partialPivLu().solve(residual);
        out.omega -= correction;
        // Rounding of the residual may stay above the tolerance.
        if (correction.norm() <= 1e-15 * out.omega.norm()) {
            out.mean = 0.5 * (omega + out.omega);
            out.converged = true;
            break;
        }
    }
    return out;
}

}  // namespace

std::optional<InputError> rigid_settings_problem(const RigidSettings& s) {
    if (!(s.density > 0 && s.density <= 1e9))
        return InputError{"density", number(s.density) + " kg/m^3 is not above 0 and up to 1e9",
                          "1000 for water, 7800 for steel"};
    if (!s.gravity.allFinite()) return InputError{"gravity", "it is not finite", ""};
    return std::nullopt;
}

Result<std::shared_ptr<const SharedRigid>> share_rigid(std::shared_ptr<const Model> model) {
    if (!model) return InputError{"model", "there is none", ""};
    auto found = mass_properties(model->surface);
    if (!found.ok()) return found.error();
    const std::vector<Vector3d> at_rest = SurfaceNormals(model->surface).at_rest();
    Eigen::VectorXf normals(3 * Eigen::Index(at_rest.size()));
    for (std::size_t i = 0; i < at_rest.size(); ++i)
        normals.segment<3>(3 * Eigen::Index(i)) = at_rest[i].cast<float>();
    return std::make_shared<const SharedRigid>(
        SharedRigid{std::move(model), found.value(), std::move(normals)});
}

Result<RigidBody> make_rigid_body(std::shared_ptr<const SharedRigid> shared, const RigidSettings& settings) {
    if (!shared) return InputError{"model", "there is none", ""};
    if (auto problem = rigid_settings_problem(settings)) return std::move(*problem);
    return RigidBody(std::move(shared), settings);
}

Result<RigidBody> make_rigid_body(std::shared_ptr<const Model> model, const RigidSettings& settings) {
    auto shared = share_rigid(std::move(model));
    if (!shared.ok()) return shared.error();
    return make_rigid_body(std::move(shared).value(), settings);
}

RigidBody::RigidBody(std::shared_ptr<const SharedRigid> shared, const RigidSettings& settings)
    : shared_(std::move(shared)), settings_(settings) {
    inertia_ = settings.density * shared_->of_unit_density.inertia;
    inverse_inertia_ = inertia_.inverse();
    state_.position = shared_->of_unit_density.centre;
}

double RigidBody::mass() const {
    return settings_.density * shared_->of_unit_density.volume;
}

Status RigidBody::set(const RigidSettings& settings) {
    if (auto problem = rigid_settings_problem(settings)) return std::move(*problem);
    const double factor = settings.density / settings_.density;
    settings_ = settings;
    inertia_ = settings.density * shared_->of_unit_density.inertia;
    inverse_inertia_ = inertia_.inverse();
    state_.momentum *= factor;
    state_.angular_momentum *= factor;
    return {};
}

Status RigidBody::set_state(const RigidState& state) {
    if (!is_sound(state)) return InputError{"state", "it is not finite", ""};
    if (auto problem = pose_problem({state.position, state.orientation})) {
        problem->where = "state";
        return std::move(*problem);
    }
    const Vector3d omega = inverse_inertia_ * (state.orientation.conjugate() * state.angular_momentum);
    if (!(state.position.norm() <= kFarthestPlace && state.momentum.norm() <= kFarthestPlace * mass() &&
          omega.norm() <= kFastestSpin))
        return InputError{"state", "it is farther than 1e12 m, faster than 1e12 m/s or 1e9 rad/s", ""};
    state_ = state;
    state_.orientation.normalize();
    return {};
}

Pose RigidBody::pose() const {
    return {state_.position - state_.orientation * shared_->of_unit_density.centre, state_.orientation};
}

Vector3d RigidBody::angular_velocity() const {
    return state_.orientation *
           (inverse_inertia_ * (state_.orientation.conjugate() * state_.angular_momentum));
}

Status RigidBody::place(const Pose& pose, const Vector3d& velocity, const Vector3d& angular_velocity) {
    const Eigen::Quaterniond& R = pose.orientation;
    return set_state({state_.time, pose * shared_->of_unit_density.centre, R, mass() * velocity,
                      R * (inertia_ * (R.conjugate() * angular_velocity))});
}

Status RigidBody::add_force(const VertexForce& force) {
    if (force.vertex < 0 || std::size_t(force.vertex) >= model().surface.vertices.size())
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; the model has " +
                              std::to_string(model().surface.vertices.size()) + ", numbered from 0",
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    forces_.push_back(force);
    return {};
}

StepReport RigidBody::step(double dt) {
    const StepReport report = trial(dt);
    commit();
    return report;
}

StepReport RigidBody::trial(double dt, const Eigen::VectorXd* impulse) {
    StepReport report;
    has_trial_ = false;
    if (!(dt > 0) || !std::isfinite(dt)) {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
        return report;
    }
    // Impulses of the step, with the arms at its start.                                                 (3)
    Vector3d P = dt * mass() * settings_.gravity, N = Vector3d::Zero();
    for (const VertexForce& f : forces_) {
        P += dt * f.force;
        N += dt * (state_.orientation * arm(f.vertex)).cross(f.force);
    }
    if (impulse) {
        P += impulse->head<3>();
        N += impulse->tail<3>();
    }
    next_ = state_;
    next_.momentum += P;
    next_.position += dt / (2 * mass()) * (state_.momentum + next_.momentum);
    next_.time += dt;

    // The rotation, in parts that are short enough; each brings its part of the angular impulse.
    const Vector3d L_end = state_.angular_momentum + N;
    const double fastest = std::max(state_.angular_momentum.norm(), L_end.norm()) *
                           inverse_inertia_.norm();  // rad/s, from above
    const double turn = dt * fastest;
    report.converged = turn <= kLargestTurn * kMostParts;
    const int parts = report.converged ? std::max(1, int(std::ceil(turn / kLargestTurn))) : 0;
    const double h = dt / std::max(parts, 1);
    for (int k = 0; k < parts && report.converged; ++k) {
        const Vector3d omega = inverse_inertia_ * (next_.orientation.conjugate() * next_.angular_momentum);
        next_.angular_momentum = state_.angular_momentum + (k + 1.0) / parts * N;
        const Spin spin =
            spin_after(inertia_, omega, next_.orientation.conjugate() * next_.angular_momentum, h);
        next_.orientation = (next_.orientation * exp_rotation(h * spin.mean)).normalized();
        report.iterations = std::max(report.iterations, spin.iterations);
        report.converged = spin.converged;
    }
    const Vector3d end_omega = inverse_inertia_ * (next_.orientation.conjugate() * next_.angular_momentum);
    if (!report.converged) {
        report.problem = StepProblem::NotSolved;
    } else if (!is_sound(next_) || !(next_.position.norm() <= kFarthestPlace) ||
               !(next_.momentum.norm() <= kFarthestPlace * mass()) || !(end_omega.norm() <= kFastestSpin)) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
    }
    has_trial_ = report.converged;
    return report;
}

void RigidBody::commit() {
    if (has_trial_) state_ = next_;
    has_trial_ = false;
}

double RigidBody::kinetic_energy() const {
    const Vector3d L = state_.orientation.conjugate() * state_.angular_momentum;
    return 0.5 * (state_.momentum.squaredNorm() / mass() + L.dot(inverse_inertia_ * L));
}

Vector3d RigidBody::arm(int vertex) const {
    return model().surface.vertices[std::size_t(vertex)] - shared_->of_unit_density.centre;
}

void RigidBody::surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const {
    displacement.setZero(shared_->normals.size());
    normals = shared_->normals;
}

Vector3d RigidBody::position(int vertex) const {
    return state_.position + state_.orientation * arm(vertex);
}

Vector3d RigidBody::point_velocity(int vertex) const {
    return velocity() + angular_velocity().cross(state_.orientation * arm(vertex));
}

}  // namespace limber
