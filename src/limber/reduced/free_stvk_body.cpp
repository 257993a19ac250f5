// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/free_bodies.md.
#include "limber/reduced/free_stvk_body.h"

#include "limber/reduced/free_stvk_body_impl.h"
#include "limber/reduced/stvk_settings.h"

#include <cmath>
#include <string>
#include <utility>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// As of rigid bodies.
constexpr double kFarthestFlight = 1e12, kFastestFlightSpin = 1e9;  // m and m/s, rad/s
// Densities have one common factor to this, relative.
constexpr double kSameFactor = 1e-9;

// The factor of all densities over those as built.
Result<double> density_factor(const Model& model, const std::vector<Material>& materials) {
    const double factor = materials[0].density / model.groups[0].material.density;
    for (std::size_t g = 1; g < materials.size(); ++g) {
        const double other = materials[g].density / model.groups[g].material.density;
        if (!(std::abs(other - factor) <= kSameFactor * factor))
            return InputError{"materials",
                              "the density of \"" + model.groups[0].name + "\" changes by a factor of " +
                                  number(factor) + ", that of \"" + model.groups[g].name + "\" by " +
                                  number(other) +
                                  "; a free body takes one factor for all, or its basis would no longer be "
                                  "orthogonal to the rigid motions",
                              "one factor, or build the model anew with these densities"};
    }
    return factor;
}

bool all_of_basis(const Model& model, const StvkSettings& settings) {
    return settings.coordinates == first_coordinates(model.rank);
}

FreeDamping damping_of(const StvkSettings& s) {
    return {s.alpha, s.beta, s.strain_rate};
}

}  // namespace

Result<std::shared_ptr<const SharedFree>> share_free(std::shared_ptr<const SharedStvk> stvk) {
    if (!stvk) return InputError{"model", "there is none", ""};
    const Model& model = *stvk->model;
    auto inertia = free_inertia(model, first_coordinates(model.rank));
    if (!inertia.ok()) return inertia.error();
    return std::make_shared<const SharedFree>(
        SharedFree{std::move(stvk), std::make_shared<const FreeInertia>(std::move(inertia).value())});
}

std::optional<InputError> free_settings_problem(const StvkSettings& settings) {
    if (settings.integrator != StvkIntegrator::EnergyPreserving)
        return InputError{
            "integrator",
            std::string(word_of(settings.integrator)) +
                " cannot step a free body: its momenta and energy are kept by a step of its own",
            "leave it out, or \"energy\""};
    if (settings.newton != 0)
        return InputError{"newton",
                          std::to_string(settings.newton) +
                              " iterations are fixed, but the step of a free body goes on to its tolerance",
                          "leave it out, or 0"};
    if (settings.precision != StvkPrecision::Double)
        return InputError{"precision", "a free body keeps its energy in doubles only", "double"};
    return std::nullopt;
}

Result<StvkSettings> free_settings(StvkSettings settings) {
    const StvkSettings defaults;
    if (settings.integrator == defaults.integrator) settings.integrator = StvkIntegrator::EnergyPreserving;
    if (settings.newton == defaults.newton) settings.newton = 0;
    if (auto problem = free_settings_problem(settings)) return std::move(*problem);
    return settings;
}

bool FreeStvkBody::Data::is_contained(const FreeState& s) const {
    bool fine = std::isfinite(s.time) && s.orientation.coeffs().allFinite() &&
                s.angular_momentum.allFinite() && s.v.allFinite() && s.position.norm() <= kFarthestFlight &&
                s.momentum.norm() <= kFarthestFlight * equation.mass();
    for (Index i = 0; fine && i < size(); ++i)
        fine = std::abs(s.q[i]) <= kFreeStateLengths * shared->stvk->lengths[coordinate(i)];
    if (!fine) return false;
    const std::optional<Vector3d> spin = equation.spin_of(s);
    return spin && spin->norm() <= kFastestFlightSpin;
}

std::optional<InputError> FreeStvkBody::Data::motion_problem(const FreeState& s) const {
    if (is_contained(s)) return std::nullopt;
    for (Index i = 0; i < size(); ++i)
        if (const double limit = kFreeStateLengths * shared->stvk->lengths[coordinate(i)];
            std::isfinite(s.q[i]) && !(std::abs(s.q[i]) <= limit))
            return InputError{"state q",
                              "coordinate " + std::to_string(coordinate(i)) + " is " + number(s.q[i]) +
                                  " m·√kg, which moves the surface a thousand times as far as the body is "
                                  "long",
                              "at most " + number(limit)};
    return InputError{
        "state",
        "it is not finite, or farther than 1e12 m, faster than 1e12 m/s or 1e9 rad/s, or a shape "
        "without extent",
        ""};
}

Vector3d FreeStvkBody::Data::angular_momentum(const FreeState& s, const Vector3d& spin) const {
    if (!equation.spin_of(s)) return s.angular_momentum;
    const FreeShapeInertia& shape = equation.shape();
    return s.orientation * Vector3d(shape.inertia * spin + shape.H().transpose() * s.v);
}

Status FreeStvkBody::Data::use(const FreeState& s) {
    if (auto problem = motion_problem(s)) return std::move(*problem);
    motion = s;
    motion.orientation.normalize();
    store();
    return {};
}

FreeStvkBody::FreeStvkBody(std::unique_ptr<Data> data) : data_(std::move(data)) {}
FreeStvkBody::~FreeStvkBody() = default;
FreeStvkBody::FreeStvkBody(FreeStvkBody&&) noexcept = default;
FreeStvkBody& FreeStvkBody::operator=(FreeStvkBody&&) noexcept = default;

FreeStvkBody FreeStvkBody::clone() const {
    return FreeStvkBody(std::make_unique<Data>(*data_));
}

namespace {

// The equations of filled-in settings without a problem.
Result<FreeEquation> equation_of(const SharedStvk& stvk, std::shared_ptr<const FreeInertia> inertia,
                                 const StvkSettings& settings) {
    const Model& model = *stvk.model;
    const Result<double> factor = density_factor(model, settings.materials);
    if (!factor.ok()) return factor.error();
    if (!all_of_basis(model, settings)) {
        auto chosen = free_inertia(model, settings.coordinates);
        if (!chosen.ok()) return chosen.error();
        inertia = std::make_shared<const FreeInertia>(std::move(chosen).value());
    }
    StvkSettings as_built;
    fill_in(model, as_built);
    bool built = settings.strain_rate == 0 && settings.coordinates == as_built.coordinates;
    for (std::size_t g = 0; built && g < settings.materials.size(); ++g)
        built = settings.materials[g].young == as_built.materials[g].young &&
                settings.materials[g].poisson == as_built.materials[g].poisson;
    return FreeEquation(std::move(inertia), built ? stvk.built : make_coefficients<double>(model, settings),
                        factor.value(), damping_of(settings));
}

}  // namespace

Result<FreeStvkBody> make_free_stvk_body(std::shared_ptr<const SharedFree> shared, StvkSettings settings) {
    if (!shared) return InputError{"model", "there is none", ""};
    const Model& model = *shared->stvk->model;
    auto free = free_settings(std::move(settings));
    if (!free.ok()) return free.error();
    StvkSettings with = std::move(free).value();
    fill_in(model, with);
    if (auto problem = settings_problem(model, with)) return std::move(*problem);
    auto equation = equation_of(*shared->stvk, shared->inertia, with);
    if (!equation.ok()) return equation.error();
    return FreeStvkBody(std::make_unique<FreeStvkBody::Data>(std::move(shared), std::move(with),
                                                             std::move(equation).value()));
}

Result<FreeStvkBody> make_free_stvk_body(std::shared_ptr<const Model> model, StvkSettings settings) {
    auto stvk = share_stvk(std::move(model));
    if (!stvk.ok()) return stvk.error();
    auto shared = share_free(std::move(stvk).value());
    if (!shared.ok()) return shared.error();
    return make_free_stvk_body(std::move(shared).value(), std::move(settings));
}

const Model& FreeStvkBody::model() const {
    return data_->model();
}
const StvkSettings& FreeStvkBody::settings() const {
    return *data_->settings;
}
const FreeState& FreeStvkBody::state() const {
    return data_->state;
}
double FreeStvkBody::mass() const {
    return data_->equation.mass();
}
Matrix3d FreeStvkBody::inertia() const {
    data_->equation.spin_of(data_->motion);
    return data_->equation.shape().inertia;
}
void FreeStvkBody::clear_forces() {
    data_->forces.clear();
    data_->reduced_forces.setZero();
}

Status FreeStvkBody::set(StvkSettings settings) {
    Data& in = *data_;
    auto free = free_settings(std::move(settings));
    if (!free.ok()) return free.error();
    StvkSettings with = std::move(free).value();
    fill_in(in.model(), with);
    if (auto problem = settings_problem(in.model(), with)) return std::move(*problem);
    const StvkSettings& old = *in.settings;
    bool only_gravity = with.coordinates == old.coordinates && with.alpha == old.alpha &&
                        with.beta == old.beta && with.strain_rate == old.strain_rate;
    for (std::size_t g = 0; only_gravity && g < with.materials.size(); ++g)
        only_gravity = with.materials[g].young == old.materials[g].young &&
                       with.materials[g].poisson == old.materials[g].poisson &&
                       with.materials[g].density == old.materials[g].density;
    if (!only_gravity) {
        auto equation = equation_of(*in.shared->stvk, in.shared->inertia, with);
        if (!equation.ok()) return equation.error();
        const double factor = equation.value().density_factor() / in.equation.density_factor();
        const Vector3d spin = in.spin();
        in.equation = std::move(equation).value();
        const bool other_coordinates = with.coordinates != old.coordinates;
        in.settings = std::make_shared<const StvkSettings>(std::move(with));
        in.state.momentum *= factor;
        in.state.angular_momentum *= factor;
        if (other_coordinates) {
            in.resize();
            in.motion.angular_momentum = in.angular_momentum(in.motion, spin);
            in.store();
        } else {
            in.load();
        }
        return {};
    }
    in.settings = std::make_shared<const StvkSettings>(std::move(with));
    return {};
}

Status FreeStvkBody::set_state(const FreeState& state) {
    Data& in = *data_;
    const Index r = in.model().rank;
    if (state.q.size() != r || state.v.size() != r)
        return InputError{"state",
                          std::to_string(state.q.size()) + " and " + std::to_string(state.v.size()) +
                              " entries of q and v were given; the model has " + std::to_string(r) +
                              " coordinates",
                          ""};
    if (auto problem = pose_problem({state.position, state.orientation})) {
        problem->where = "state";
        return std::move(*problem);
    }
    FreeState s = in.motion;
    static_cast<RigidState&>(s) = state;
    for (Index i = 0; i < in.size(); ++i) {
        s.q[i] = state.q[in.coordinate(i)];
        s.v[i] = state.v[in.coordinate(i)];
    }
    return in.use(s);
}

Status FreeStvkBody::set_shape(const VectorXd& q, const VectorXd& v) {
    Data& in = *data_;
    FreeState s = in.state;
    s.q = q;
    s.v = v;
    const FreeState before = in.state;
    const Vector3d spin = in.spin();
    if (Status set = set_state(s); !set.ok()) return set;
    in.motion.angular_momentum = in.angular_momentum(in.motion, spin);
    if (Status turned = in.use(in.motion); !turned.ok()) {
        const Status back = set_state(before);
        return back.ok() ? turned : back;
    }
    return {};
}

Pose FreeStvkBody::pose() const {
    const FreeState& s = data_->state;
    return {s.position - s.orientation * data_->equation.inertia().centre, s.orientation};
}

Vector3d FreeStvkBody::velocity() const {
    return data_->state.momentum / mass();
}

Vector3d FreeStvkBody::angular_velocity() const {
    return data_->state.orientation * data_->spin();
}

Status FreeStvkBody::place(const Pose& pose, const Vector3d& velocity, const Vector3d& angular_velocity) {
    if (auto problem = pose_problem(pose)) return std::move(*problem);
    Data& in = *data_;
    FreeState s = in.motion;
    s.orientation = pose.orientation.normalized();
    s.position = pose.position + s.orientation * in.equation.inertia().centre;
    s.momentum = mass() * velocity;
    s.angular_momentum = in.angular_momentum(s, s.orientation.conjugate() * angular_velocity);
    return in.use(s);
}

Status FreeStvkBody::add_force(const VertexForce& force) {
    const std::size_t vertices = model().surface.vertices.size();
    if (force.vertex < 0 || std::size_t(force.vertex) >= vertices)
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; the model has " +
                              std::to_string(vertices) + ", numbered from 0",
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    data_->forces.push_back(force);
    return {};
}

Status FreeStvkBody::add_reduced_force(const VectorXd& force) {
    if (force.size() != data_->reduced_forces.size())
        return InputError{"force",
                          std::to_string(force.size()) + " entries were given; the model has " +
                              std::to_string(data_->reduced_forces.size()) + " coordinates",
                          ""};
    if (!force.allFinite()) return InputError{"force", "the reduced force is not finite", ""};
    data_->reduced_forces += force;
    return {};
}

double FreeStvkBody::kinetic_energy() const {
    return data_->equation.kinetic_energy(data_->motion);
}

double FreeStvkBody::elastic_energy() const {
    return data_->equation.elastic_energy(data_->motion);
}

Vector3d FreeStvkBody::displacement(int vertex) const {
    return model().surface.basis.middleRows<3>(3 * Index(vertex)) * data_->state.q;
}

Vector3d FreeStvkBody::velocity(int vertex) const {
    return model().surface.basis.middleRows<3>(3 * Index(vertex)) * data_->state.v;
}

Vector3d FreeStvkBody::position(int vertex) const {
    return data_->motion.position + data_->motion.orientation * arm(vertex, data_->motion.q);
}

Vector3d FreeStvkBody::point_velocity(int vertex) const {
    const Vector3d in_body = data_->spin().cross(arm(vertex, data_->motion.q)) + velocity(vertex);
    return velocity() + data_->motion.orientation * in_body;
}

void FreeStvkBody::surface_displacement(Eigen::VectorXf& out) const {
    data_->q_float = data_->motion.q.cast<float>();
    data_->shared->stvk->surface.displacement(data_->settings->coordinates, data_->q_float, out);
}

void FreeStvkBody::surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const {
    data_->shared->stvk->surface.normals(displacement, out);
}

}  // namespace limber
