// SPDX-License-Identifier: Apache-2.0
// One body of a scene in time, by whichever method.
#pragma once
#include "build/scene/scene.h"

#include <string>
#include <variant>
#include <vector>

namespace limber::build {

// Vectors are those of the world unless said otherwise. All throw InputError for what the body refuses.
class RunningBody {
 public:
    // As the scene says: at rest, with its q and v, or in balance under what it is released from.
    RunningBody(const SceneBody& placed, const Eigen::Vector3d& gravity);
    // What went wrong at the start: no balance was found. Empty: nothing.
    const std::string& start_problem() const { return start_problem_; }

    void change(const BodyChange& change, const std::string& where);
    void set_gravity(const Eigen::Vector3d& gravity);
    void set_frame(const FrameMotion& frame);
    void clear_forces();
    void add_force(int vertex, const Eigen::Vector3d& force);
    // Do vertices turn?
    bool is_warped() const;
    // Of a warped body, in the frame. Targets are told by their numbers in the lists of the last
    // constraints.
    void set_constraints(const Constraints& constraints);
    // Of the last step; nothing where no vertex is held.
    std::optional<ConstraintReport> constraint_report() const;

    void set_acceleration_from_forces();
    StepReport step(double dt);

    const Eigen::VectorXd& q() const;
    // The q whose turns the shape has: q; that of the step before, if constraints are met so; 0 of linear
    // modes. Empty for a nonlinear body.
    const Eigen::VectorXd& turned_by() const { return turned_by_; }
    // The amplitudes of a warped body's companions; none are shown where they are 0. Empty for others.
    Eigen::VectorXd companions() const;
    Eigen::Vector3d displacement(int vertex) const;  // m, in the frame
    // The position as springs take it (docs/recording.md), m, in the frame.
    Eigen::Vector3d position(int vertex) const;
    double kinetic_energy() const;
    double elastic_energy() const;

 private:
    WarpBody* warp() { return std::get_if<WarpBody>(&body_); }
    void start_stvk(const Eigen::Vector3d& gravity);
    void start_warp(const Eigen::Vector3d& gravity);
    Eigen::Vector3d own_axes(const Eigen::Vector3d& world) const;
    void note_turns(const Eigen::VectorXd& q);

    const SceneBody* placed_;
    std::variant<std::monostate, StvkBody, WarpBody> body_;
    Eigen::VectorXd turned_by_;
    bool is_held_ = false;      // some vertex
    bool a_step_late_ = false;  // the turns that are shown
    std::string start_problem_;
};

}  // namespace limber::build
