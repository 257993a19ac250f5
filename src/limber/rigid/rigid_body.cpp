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

struct RigidBody::Data {
    std::shared_ptr<const SharedRigid> shared;
    RigidSettings settings;
    Matrix3d inertia, inverse_inertia;
    RigidState state, next;
    bool has_trial = false;
    Vector3d drifted_position = Vector3d::Zero();  // of the centre
    Eigen::Quaterniond drifted_orientation = Eigen::Quaterniond::Identity();
    Eigen::VectorXd contact_impulse = Eigen::VectorXd::Zero(6);  // world axes
    std::vector<VertexForce> forces;
};

RigidBody::RigidBody(std::shared_ptr<const SharedRigid> shared, const RigidSettings& settings)
    : data_(std::make_unique<Data>()) {
    data_->shared = std::move(shared);
    data_->settings = settings;
    data_->inertia = settings.density * data_->shared->of_unit_density.inertia;
    data_->inverse_inertia = data_->inertia.inverse();
    data_->state.position = data_->shared->of_unit_density.centre;
}
RigidBody::RigidBody(std::unique_ptr<Data> data) : data_(std::move(data)) {}
RigidBody::~RigidBody() = default;
RigidBody::RigidBody(RigidBody&&) noexcept = default;
RigidBody& RigidBody::operator=(RigidBody&&) noexcept = default;

RigidBody RigidBody::clone() const {
    return RigidBody(std::make_unique<Data>(*data_));
}

const Model& RigidBody::model() const {
    return *data_->shared->model;
}
const RigidSettings& RigidBody::settings() const {
    return data_->settings;
}
const Matrix3d& RigidBody::inertia() const {
    return data_->inertia;
}
const RigidState& RigidBody::state() const {
    return data_->state;
}
Vector3d RigidBody::velocity() const {
    return data_->state.momentum / mass();
}
void RigidBody::clear_forces() {
    data_->forces.clear();
}

double RigidBody::mass() const {
    return data_->settings.density * data_->shared->of_unit_density.volume;
}

Status RigidBody::set(const RigidSettings& settings) {
    if (auto problem = rigid_settings_problem(settings)) return std::move(*problem);
    const double factor = settings.density / data_->settings.density;
    data_->settings = settings;
    data_->inertia = settings.density * data_->shared->of_unit_density.inertia;
    data_->inverse_inertia = data_->inertia.inverse();
    data_->state.momentum *= factor;
    data_->state.angular_momentum *= factor;
    return {};
}

Status RigidBody::set_state(const RigidState& state) {
    if (!is_sound(state)) return InputError{"state", "it is not finite", ""};
    if (auto problem = pose_problem({state.position, state.orientation})) {
        problem->where = "state";
        return std::move(*problem);
    }
    const Vector3d omega = data_->inverse_inertia * (state.orientation.conjugate() * state.angular_momentum);
    if (!(state.position.norm() <= kFarthestPlace && state.momentum.norm() <= kFarthestPlace * mass() &&
          omega.norm() <= kFastestSpin))
        return InputError{"state", "it is farther than 1e12 m, faster than 1e12 m/s or 1e9 rad/s", ""};
    data_->state = state;
    data_->state.orientation.normalize();
    return {};
}

Pose RigidBody::pose() const {
    return {data_->state.position - data_->state.orientation * data_->shared->of_unit_density.centre,
            data_->state.orientation};
}

Vector3d RigidBody::angular_velocity() const {
    return data_->state.orientation *
           (data_->inverse_inertia * (data_->state.orientation.conjugate() * data_->state.angular_momentum));
}

Status RigidBody::place(const Pose& pose, const Vector3d& velocity, const Vector3d& angular_velocity) {
    const Eigen::Quaterniond& R = pose.orientation;
    return set_state({data_->state.time, pose * data_->shared->of_unit_density.centre, R, mass() * velocity,
                      R * (data_->inertia * (R.conjugate() * angular_velocity))});
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
    data_->forces.push_back(force);
    return {};
}

StepReport RigidBody::step(double dt) {
    const StepReport report = trial(dt);
    commit();
    return report;
}

StepReport RigidBody::trial(double dt, const Eigen::VectorXd* impulse) {
    StepReport report;
    data_->has_trial = false;
    if (!(dt > 0) || !std::isfinite(dt)) {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
        return report;
    }
    // Impulses of the step, with the arms halfway, as the spin at its start turns them.                 (3)
    Vector3d P = dt * mass() * data_->settings.gravity, N = Vector3d::Zero();
    if (!data_->forces.empty()) {
        const Eigen::Quaterniond& R = data_->state.orientation;
        const Vector3d omega = data_->inverse_inertia * (R.conjugate() * data_->state.angular_momentum);
        const Eigen::Quaterniond halfway = R * exp_rotation(0.5 * dt * omega);
        for (const VertexForce& f : data_->forces) {
            P += dt * f.force;
            N += dt * (halfway * arm(f.vertex)).cross(f.force);
        }
    }
    if (impulse) {
        P += impulse->head<3>();
        N += impulse->tail<3>();
    }
    data_->next = data_->state;
    data_->next.momentum += P;
    data_->next.position += dt / (2 * mass()) * (data_->state.momentum + data_->next.momentum);
    data_->next.time += dt;

    // The rotation, in parts that are short enough; each brings its part of the angular impulse.
    const Vector3d L_end = data_->state.angular_momentum + N;
    const double fastest = std::max(data_->state.angular_momentum.norm(), L_end.norm()) *
                           data_->inverse_inertia.norm();  // rad/s, from above
    const double turn = dt * fastest;
    report.converged = turn <= kLargestTurn * kMostParts;
    const int parts = report.converged ? std::max(1, int(std::ceil(turn / kLargestTurn))) : 0;
    const double h = dt / std::max(parts, 1);
    for (int k = 0; k < parts && report.converged; ++k) {
        const Vector3d omega =
            data_->inverse_inertia * (data_->next.orientation.conjugate() * data_->next.angular_momentum);
        data_->next.angular_momentum = data_->state.angular_momentum + (k + 1.0) / parts * N;
        const Spin spin = spin_after(data_->inertia, omega,
                                     data_->next.orientation.conjugate() * data_->next.angular_momentum, h);
        data_->next.orientation = (data_->next.orientation * exp_rotation(h * spin.mean)).normalized();
        report.iterations = std::max(report.iterations, spin.iterations);
        report.converged = spin.converged;
    }
    const Vector3d end_omega =
        data_->inverse_inertia * (data_->next.orientation.conjugate() * data_->next.angular_momentum);
    if (!report.converged) {
        report.problem = StepProblem::NotSolved;
    } else if (!is_sound(data_->next) || !(data_->next.position.norm() <= kFarthestPlace) ||
               !(data_->next.momentum.norm() <= kFarthestPlace * mass()) ||
               !(end_omega.norm() <= kFastestSpin)) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
    }
    data_->has_trial = report.converged;
    return report;
}

void RigidBody::commit() {
    if (data_->has_trial) data_->state = data_->next;
    data_->has_trial = false;
}

double RigidBody::kinetic_energy() const {
    const Vector3d L = data_->state.orientation.conjugate() * data_->state.angular_momentum;
    return 0.5 * (data_->state.momentum.squaredNorm() / mass() + L.dot(data_->inverse_inertia * L));
}

Vector3d RigidBody::arm(int vertex) const {
    return model().surface.vertices[std::size_t(vertex)] - data_->shared->of_unit_density.centre;
}

void RigidBody::surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const {
    displacement.setZero(data_->shared->normals.size());
    normals = data_->shared->normals;
}

Vector3d RigidBody::position(int vertex) const {
    return data_->state.position + data_->state.orientation * arm(vertex);
}

Vector3d RigidBody::point_velocity(int vertex) const {
    return velocity() + angular_velocity().cross(data_->state.orientation * arm(vertex));
}

void RigidBody::start_velocity(Eigen::VectorXd& out) const {
    const RigidState& s = data_->state;
    out.resize(6);
    out.head<3>() = s.momentum / mass();
    out.tail<3>() = data_->inverse_inertia * (s.orientation.conjugate() * s.angular_momentum);
}

void RigidBody::trial_velocity(Eigen::VectorXd& out) const {
    const RigidState& s = data_->next;
    out.resize(6);
    out.head<3>() = s.momentum / mass();
    out.tail<3>() = data_->inverse_inertia * (s.orientation.conjugate() * s.angular_momentum);
}

void RigidBody::trial_matrix(Eigen::MatrixXd& out) {
    out.setZero(6, 6);
    out.diagonal().head<3>().setConstant(mass());
    out.bottomRightCorner<3, 3>() = data_->inertia;
}

void RigidBody::drift(double seconds) {
    const RigidState& s = data_->state;
    const Vector3d omega = data_->inverse_inertia * (s.orientation.conjugate() * s.angular_momentum);
    data_->drifted_position = s.position + seconds / mass() * s.momentum;
    data_->drifted_orientation = (s.orientation * exp_rotation(seconds * omega)).normalized();
}

Pose RigidBody::drifted_pose() const {
    return {data_->drifted_position - data_->drifted_orientation * data_->shared->of_unit_density.centre,
            data_->drifted_orientation};
}

// ∂x/∂(v, Ω) = [1, −R[y]×].                                                      docs/math/contact.md (48)
void RigidBody::add_rows(int vertex, double weight, const Matrix3d& axes,
                         Eigen::Ref<Eigen::Matrix3Xd> out) const {
    const Matrix3d turned = axes * data_->drifted_orientation.toRotationMatrix();
    out.leftCols<3>() += weight * axes;
    out.rightCols<3>() -= weight * turned * cross_matrix(arm(vertex));
}

StepReport RigidBody::trial_touching(double dt, const Eigen::VectorXd& impulse) {
    data_->contact_impulse.head<3>() = impulse.head<3>();
    data_->contact_impulse.tail<3>() = data_->drifted_orientation * Vector3d(impulse.tail<3>());
    return trial(dt, &data_->contact_impulse);
}

void RigidBody::halt() {
    data_->state.momentum.setZero();
    data_->state.angular_momentum.setZero();
}

}  // namespace limber
