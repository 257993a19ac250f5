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

struct SharedStvk {
    std::shared_ptr<const Model> model;
    SurfaceShape surface;
    Eigen::VectorXd lengths;  // coordinate_lengths, r
    // Of the materials as built and all coordinates.
    std::shared_ptr<const ReducedCoefficients<double>> built;
};

// What a step needs beside the state: of a body and its clones, as long as their settings are the same.
struct StvkScratch {
    std::variant<ReducedSystem<double>, ReducedSystem<float>> system;
    ImplicitWork implicit_work;
    CentralWork central_work;
    AverageWork average_work;
    Motion present;           // the start of a step, r'
    Eigen::VectorXd load;     // inertia and forces, r'
    Eigen::VectorXf q_float;  // r'
};

struct StvkBody::Impl {
    std::shared_ptr<const SharedStvk> shared;
    std::shared_ptr<const StvkSettings> settings;  // materials and coordinates filled in
    std::shared_ptr<StvkScratch> scratch;
    Eigen::VectorXd inertia;  // the force of gravity and of the frame's motion, r' entries
    double step_limit = 0;    // on the distance of a coordinate in one step
    bool leading = true;      // the coordinates in use are the first ones, in their order
    bool all = true;          // and none is missing

    StvkState state;         // r entries
    Motion next;             // the end of the last trial, the r' coordinates in use
    double trial_dt = 0;     // s
    bool converged = false;  // the last trial
    bool blew_up = false;
    FrameMotion frame;
    Eigen::VectorXd forces;          // in the frame, r entries
    Eigen::VectorXd reduced_forces;  // those of them that were given so
    // r x 9: Σ U_iᵀe_a f_b over the forces on vertices in column a + 3b, which turns with any frame.
    Eigen::Matrix<double, Eigen::Dynamic, 9> world_forces;
    Eigen::VectorXd drifted_q, contact_impulse;  // r entries

    // All of filled-in settings without a problem.
    Impl(std::shared_ptr<const SharedStvk> of_shared, StvkSettings with);
    // Those of the present body where the settings do not change them.
    std::shared_ptr<StvkScratch> scratch_for(const StvkSettings& with) const;
    void use(StvkSettings with, std::shared_ptr<StvkScratch> with_scratch);
    void use_frame(const FrameMotion& with);

    const Model& model() const { return *shared->model; }
    Eigen::Vector3d at_vertex(int vertex, const Eigen::VectorXd& x) const;
    Eigen::Index size() const { return static_cast<Eigen::Index>(settings->coordinates.size()); }
    // The coordinates in use of r entries, and back.
    void gather(const Eigen::VectorXd& from, Eigen::VectorXd& out) const;
    void scatter(const Eigen::VectorXd& from, Eigen::VectorXd& out) const;
    // Those of the state.
    void load(Motion& out) const;
    void store(const Motion& motion);
    // The state, or its coordinates in use in scratch memory, until another body asks for its own.
    MotionView present() const;
    void clear_unused();  // zeros in what is not in use
    void set_load(const Eigen::VectorXd* impulse, double dt);
    StepReport advance(double dt);  // next
    StepReport trial(double dt, const Eigen::VectorXd* impulse);
    // What the stored acceleration, or the velocity of an explicit step, must have of an impulse.
    void take_impulse(const Eigen::VectorXd& impulse, double dt);
    void commit();
};

}  // namespace limber
