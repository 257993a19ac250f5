// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/stvk_settings.h"

#include "limber/reduced/strain_form.h"
#include "limber/shown_name.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace limber {
namespace {

// M̃ of the coordinates in use.
Eigen::MatrixXd mass_of(const Model& model, const StvkSettings& settings) {
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(model.rank, model.rank);
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        mass += settings.materials[g].density * model.stvk->groups[g].mass;
    return mass(settings.coordinates, settings.coordinates);
}

std::optional<InputError> damping_problem(const StvkSettings& s) {
    const auto fine = [](double value) { return std::isfinite(value) && value >= 0; };
    if (fine(s.alpha) && fine(s.beta) && fine(s.strain_rate)) return std::nullopt;
    return InputError{"damping",
                      "alpha = " + number(s.alpha) + " 1/s, beta = " + number(s.beta) +
                          " s, strain_rate = " + number(s.strain_rate) + " s; none may be negative",
                      "0 for no damping"};
}

std::optional<InputError> coordinates_problem(const std::vector<int>& coordinates, int rank) {
    std::vector<bool> seen(static_cast<std::size_t>(rank), false);
    for (const int i : coordinates) {
        if (i < 0 || i >= rank)
            return InputError{
                "coordinates",
                "basis vector " + std::to_string(i) + " was asked for; the model has " +
                    std::to_string(rank) + ", numbered from 0",
                "at most " + std::to_string(rank) + " coordinates, or build with a larger rank"};
        if (seen[static_cast<std::size_t>(i)])
            return InputError{"coordinates", "basis vector " + std::to_string(i) + " was asked for twice",
                              ""};
        seen[static_cast<std::size_t>(i)] = true;
    }
    return std::nullopt;
}

// Floats end at 3e38. Coefficients, and the terms of the energy of a body that is bent by its own length, of
// which there are r⁴/8 at most, stay far below.
std::optional<InputError> float_problem(const Model& model, const std::vector<Material>& materials) {
    constexpr double kLargestCoefficient = 1e37, kLargestTerm = 1e28;
    const Eigen::VectorXd W = weighted_strain_form(model, materials);
    Eigen::VectorXd z = coordinate_lengths(model.surface, model.rank);
    for (double& length : z)
        if (!std::isfinite(length)) length = 1;
    z.conservativeResize(strain_terms(model.rank));
    for (Eigen::Index i = 0; i < model.rank; ++i)
        for (Eigen::Index j = i; j < model.rank; ++j)
            z[product_index(model.rank, i, j)] = z[i] * z[j];
    const double* w = W.data();
    for (Eigen::Index b = 0; b < z.size(); ++b)
        for (Eigen::Index a = 0; a <= b; ++a, ++w)
            if (!(std::abs(*w) <= kLargestCoefficient && std::abs(*w) * z[a] * z[b] <= kLargestTerm))
                return InputError{"precision", "the energy of this model is too large for 32-bit floats",
                                  "double precision"};
    return std::nullopt;
}

}  // namespace

std::vector<int> first_coordinates(int count) {
    std::vector<int> first(static_cast<std::size_t>(std::max(count, 0)));
    std::iota(first.begin(), first.end(), 0);
    return first;
}

void fill_in(const Model& model, StvkSettings& settings) {
    if (settings.materials.empty())
        for (const ModelGroup& group : model.groups)
            settings.materials.push_back(group.material);
    if (settings.coordinates.empty()) settings.coordinates = first_coordinates(model.rank);
}

std::optional<InputError> settings_problem(const Model& model, const StvkSettings& s) {
    if (s.materials.size() != model.groups.size())
        return InputError{"materials",
                          std::to_string(s.materials.size()) + " materials were given; the model has " +
                              std::to_string(model.groups.size()) + " groups",
                          "one for each group, or none to keep those the model was built with"};
    for (std::size_t g = 0; g < s.materials.size(); ++g)
        if (auto problem =
                material_problem(s.materials[g], "material \"" + shown_name(model.groups[g].name) + "\""))
            return problem;
    if (auto problem = coordinates_problem(s.coordinates, model.rank)) return problem;
    if (auto problem = damping_problem(s)) return problem;
    if (s.newton < 0)
        return InputError{"newton", std::to_string(s.newton) + " corrections cannot be made",
                          "1 as a rule, 0 to go on until the tolerance is met"};
    if (!(std::isfinite(s.tolerance) && s.tolerance > 0))
        return InputError{"tolerance", number(s.tolerance) + " is not a positive number", "1e-8"};
    if (!s.gravity.allFinite())
        return InputError{"gravity",
                          "(" + number(s.gravity.x()) + ", " + number(s.gravity.y()) + ", " +
                              number(s.gravity.z()) + ") m/s^2 is not finite",
                          "0 -9.81 0"};
    const Eigen::MatrixXd mass = mass_of(model, s);
    if (!SmallCholesky<double>(mass.rows()).factorize(mass))
        return InputError{"model", "the mass matrix of the coordinates in use is not positive definite",
                          "build the model again"};
    if (s.precision == StvkPrecision::Float) return float_problem(model, s.materials);
    return std::nullopt;
}

std::optional<InputError> state_problem(const StvkState& state, const Eigen::VectorXd& limit) {
    const Eigen::Index r = limit.size();
    for (const auto& [name, x] :
         {std::pair{"q", &state.q}, std::pair{"v", &state.v}, std::pair{"a", &state.a}}) {
        if (x->size() != r)
            return InputError{std::string("state ") + name,
                              std::to_string(x->size()) + " entries were given; the model has " +
                                  std::to_string(r) + " coordinates",
                              ""};
        for (Eigen::Index i = 0; i < r; ++i)
            if (!std::isfinite((*x)[i]))
                return InputError{std::string("state ") + name,
                                  "coordinate " + std::to_string(i) + " is " + number((*x)[i]), ""};
    }
    if (!std::isfinite(state.time))
        return InputError{"state time", number(state.time) + " s is not a time", ""};
    for (Eigen::Index i = 0; i < r; ++i)
        if (!(std::abs(state.q[i]) <= limit[i]))
            return InputError{
                "state q",
                "coordinate " + std::to_string(i) + " is " + number(state.q[i]) +
                    " m·√kg, which moves the surface a thousand times as far as the body is long",
                "at most " + number(limit[i])};
    return std::nullopt;
}

template <class Scalar>
std::shared_ptr<const ReducedCoefficients<Scalar>> make_coefficients(const Model& model,
                                                                     const StvkSettings& settings) {
    auto out = std::make_shared<ReducedCoefficients<Scalar>>();
    const Eigen::Index r = static_cast<Eigen::Index>(settings.coordinates.size());
    Eigen::VectorXd W = weighted_strain_form(model, settings.materials);
    if (settings.coordinates != first_coordinates(model.rank))
        W = restrict_strain_form(W, model.rank, settings.coordinates);
    out->energy = symmetrize<Scalar>(W, r);
    if (settings.strain_rate != 0) out->strain_form = std::move(W);
    const Eigen::MatrixXd mass = mass_of(model, settings);
    // As built, UᵀMU is the unit matrix but for rounding.
    if (!mass.isIdentity(1e-9)) out->mass = mass;
    return out;
}

std::optional<InputError> frame_problem(const Model& model, const FrameMotion& frame) {
    if (auto problem = frame_problem(frame)) return problem;
    const bool turns = !frame.angular_velocity.isZero(0) || !frame.angular_acceleration.isZero(0);
    if (model.free_body && (turns || !frame.acceleration.isZero(0)))
        return InputError{"frame", "the body is free: it has no support that could move",
                          "build it with --fix"};
    for (const StvkGroup& group : model.stvk->groups)
        if (turns && group.moment.size() == 0)
            return InputError{
                "frame", "it turns, but the model has no moments: its file was written before there were any",
                "build the model again, or move the frame without angular velocity and "
                "acceleration"};
    return std::nullopt;
}

void set_inertia(const Model& model, const StvkSettings& settings, const InertialField& field,
                 Eigen::VectorXd& out) {
    const bool turns = !field.linear.isZero(0);
    out.setZero();
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const StvkGroup& group = model.stvk->groups[g];
        for (Eigen::Index i = 0; i < out.size(); ++i) {
            const Eigen::Index row = settings.coordinates[static_cast<std::size_t>(i)];
            double force = group.weight.row(row).dot(field.uniform);
            if (turns) force += group.moment.row(row).dot(field.linear.reshaped());
            out[i] += settings.materials[g].density * force;
        }
    }
}

Eigen::VectorXd coordinate_lengths(const ModelSurface& surface, int rank) {
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(rank, std::numeric_limits<double>::infinity());
    if (surface.vertices.empty()) return lengths;
    Eigen::Vector3d low = surface.vertices[0], high = low;
    for (const Eigen::Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    for (int i = 0; i < rank; ++i) {
        const double farthest = std::sqrt(
            surface.basis.col(i).reshaped(3, surface.basis.rows() / 3).colwise().squaredNorm().maxCoeff());
        if (farthest > 0 && high != low) lengths[i] = (high - low).norm() / farthest;
    }
    return lengths;
}

template std::shared_ptr<const ReducedCoefficients<double>> make_coefficients<double>(const Model&,
                                                                                      const StvkSettings&);
template std::shared_ptr<const ReducedCoefficients<float>> make_coefficients<float>(const Model&,
                                                                                    const StvkSettings&);

}  // namespace limber
