// SPDX-License-Identifier: Apache-2.0
// The inside of a body; for the sources of this folder only.
#pragma once
#include "limber/reduced/stvk_body.h"
#include "limber/reduced/stvk_settings.h"
#include "limber/reduced/surface_shape.h"

#include <limber/integrate/average_vector_field.h>
#include <limber/integrate/central_differences.h>
#include <limber/integrate/implicit_step.h>

#include <variant>

namespace limber {

struct StvkBody::Impl {
    using System = std::variant<ReducedSystem<double>, ReducedSystem<float>>;

    // Frozen, shared with other bodies.
    std::shared_ptr<const Model> model;
    std::shared_ptr<const SurfaceShape> surface;

    StvkSettings settings;  // materials and coordinates filled in
    System system;
    Eigen::VectorXd inertia;  // the force of gravity and of the frame's motion, r' entries
    Eigen::VectorXd lengths;  // coordinate_lengths, r
    double step_limit = 0;    // on the way of a coordinate in one step

    StvkState state;  // r entries
    Motion motion;    // the same, the r' coordinates in use
    FrameMotion frame;
    Eigen::VectorXd forces;          // in the frame, r entries
    Eigen::VectorXd reduced_forces;  // those of them that were given so
    // r x 9: Σ U_iᵀe_a f_b over the forces on vertices in column a + 3b, which turns with any frame.
    Eigen::Matrix<double, Eigen::Dynamic, 9> world_forces;

    // Scratch.
    Eigen::VectorXd load;     // inertia and forces, r'
    Eigen::VectorXf q_float;  // r'
    ImplicitWork implicit_work;
    CentralWork central_work;
    AverageWork average_work;

    // All of filled-in settings without a problem.
    Impl(std::shared_ptr<const Model> of_model, StvkSettings with);
    static System make_system(const Model& model, const StvkSettings& settings);
    // The same polynomials as `old`, if the settings say so.
    System remake_system(const StvkSettings& with) const;
    void use(StvkSettings with);
    void use_frame(const FrameMotion& with);

    Eigen::Index size() const { return static_cast<Eigen::Index>(settings.coordinates.size()); }
    void load_motion();   // state -> motion
    void store_motion();  // motion -> state
    void clear_unused();  // load_motion, and zeros in what is not in use
    void set_load();
    StepReport advance(double dt);  // motion
    StepReport step(double dt);
};

}  // namespace limber
