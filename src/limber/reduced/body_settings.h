// SPDX-License-Identifier: Apache-2.0
// What settings and states a body accepts, and the polynomials that settings make of a model.
#pragma once
#include <limber/reduced/body.h>
#include <limber/reduced/reduced_system.h>

#include <memory>
#include <optional>

namespace limber {

// Materials and coordinates, where they are empty.
void fill_in(const Model& model, BodySettings& settings);

std::optional<InputError> settings_problem(const Model& model, const BodySettings& settings);

// limit: the largest |q_i| for each coordinate.
std::optional<InputError> state_problem(const BodyState& state, const Eigen::VectorXd& limit);

// Filled-in settings without a problem.
template <class Scalar>
std::shared_ptr<const ReducedCoefficients<Scalar>> make_coefficients(const Model& model,
                                                                     const BodySettings& settings);

// The force of gravity in the coordinates in use.
Eigen::VectorXd gravity_force(const Model& model, const BodySettings& settings);

// For each of r coordinates: q_i that moves the surface by as much as it is long; infinite without a surface.
Eigen::VectorXd coordinate_lengths(const ModelSurface& surface, int rank);

}  // namespace limber
