// SPDX-License-Identifier: Apache-2.0
// What settings and states a body accepts, and the polynomials that settings make of a model.
#pragma once
#include <limber/reduced/reduced_system.h>
#include <limber/reduced/stvk_body.h>

#include <memory>
#include <optional>

namespace limber {

// Materials and coordinates, where they are empty.
void fill_in(const Model& model, StvkSettings& settings);

std::optional<InputError> settings_problem(const Model& model, const StvkSettings& settings);

// limit: the largest |q_i| for each coordinate.
std::optional<InputError> state_problem(const StvkState& state, const Eigen::VectorXd& limit);

// Filled-in settings without a problem.
template <class Scalar>
std::shared_ptr<const ReducedCoefficients<Scalar>> make_coefficients(const Model& model,
                                                                     const StvkSettings& settings);

// A frame that turns needs moments; that of a free body stands still, in any orientation.
std::optional<InputError> frame_problem(const Model& model, const FrameMotion& frame);

// Sets out, of as many entries as coordinates are in use, to the force of gravity and the frame's motion:
// Σ_g ρ_g (weight_g uniform + moment_g vec(linear)).                                                  (21)
void set_inertia(const Model& model, const StvkSettings& settings, const InertialField& field,
                 Eigen::VectorXd& out);

// For each of r coordinates: q_i that moves the surface by as much as it is long; infinite without a surface.
Eigen::VectorXd coordinate_lengths(const ModelSurface& surface, int rank);

}  // namespace limber
