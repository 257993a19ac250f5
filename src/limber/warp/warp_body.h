// SPDX-License-Identifier: Apache-2.0
// A body of linear modes whose shape is warped by the modes' own rotations: large bending and twisting at the
// price of linear modes, stable whatever the step.
//     q̈ + (α + βΛ) q̇ + Λq = Φᵀ R(Ψq)ᵀ F,   u = R̃(Ψq) (Φq + Γ z(q))       docs/math/warping.md (8), (25)
// Displacements are in the frame of the rigid support on which the body hangs; forces, gravity and the motion
// of that frame are in world axes.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/vertex_force.h>
#include <limber/model/warp_model.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/warp/constraints.h>
#include <limber/warp/oscillators.h>
#include <limber/warp/warping.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace limber {

// The force of the rotating local frames (footnote 2 of the paper), by the velocity at the start of the step.
enum class LocalCoriolis { Off, On };

struct WarpSettings {
    Warping warping = Warping::Warped;
    OscillatorStep step = OscillatorStep::SemiImplicit;
    double alpha = 0, beta = 0;                         // Rayleigh damping αM + βK, 1/s and s
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s², world axes
    LocalCoriolis coriolis = LocalCoriolis::Off;
    // All of Young's moduli and all densities, times those of the model: from 1e-9 to 1e9. Shape and velocity
    // stay.
    double young_scale = 1, density_scale = 1;
};

// All that a step depends on besides settings, frame, forces and constraints. set_state(state()) goes on bit
// by bit, constraints held or not.
struct WarpState {
    double time = 0;       // s
    Eigen::VectorXd q, v;  // m entries
    // What held loads brought in beyond their work and was not taken back yet, J by the scale of the density;
    // negative: what they brought too little.                                                       (28)
    double surplus = 0;
    // q a step ago, whose rotations PositionMethod::Previous shows; empty: q.
    Eigen::VectorXd previous_q{};
    // Rotation vectors of the orientation targets in the last step, rad, one for each constraint: whole turns
    // are followed from them. Empty: those nearest to q.
    std::vector<Eigen::Vector3d> rotations{};
};

struct SharedWarp;  // what all bodies of one model share; limber/warp/shared_warp.h

// A moved-from body may only be destroyed or assigned to. Functions that are const share scratch memory: one
// thread at a time.
class WarpBody {
 public:
    ~WarpBody();
    WarpBody(WarpBody&&) noexcept;
    WarpBody& operator=(WarpBody&&) noexcept;
    // A second body of the model in the same state under the same settings, forces and constraints; shares
    // all that does not move.
    WarpBody clone() const;

    const WarpModel& model() const;
    const WarpSettings& settings() const;
    Status set(const WarpSettings& settings);  // on an error nothing changes

    const WarpState& state() const;
    // On an error nothing changes: entries must be finite, the body within 10¹² m and rad of rest, and
    // `rotations` empty or one for each orientation constraint.
    Status set_state(const WarpState& state);

    // How the support stands and moves in the next steps until it is changed. On an error nothing changes.
    const FrameMotion& frame() const;
    Status set_frame(const FrameMotion& frame);

    // Forces that act in the next steps until they are changed; on top of gravity and inertia. Take memory
    // only for more forces than ever before. On an error (no such vertex, not finite) nothing is added.
    void clear_forces();
    Status add_force(const VertexForce& force);
    Status add_modal_force(const Eigen::VectorXd& force);  // m entries
    // The force of a spring in the next step, of dt, from a vertex to the end of the displacement `target`,
    // m, frame; N/m. It is the gradient of ½ stiffness |u(q) - target|², so it does no work along a closed
    // path, where vertex forces do.                                                                 (29)
    Status add_spring(int vertex, const Eigen::Vector3d& target, double stiffness, double dt);

    // Constraints of the next steps, instead of those before; an empty list lets go. The same vertices,
    // constrained in the same way, get new targets; others begin with q as previous_q and with the rotation
    // vectors nearest to q. On an error nothing changes. Moving a target, by its number in its list,
    // allocates nothing.
    Status set_constraints(const Constraints& constraints);
    Status set_position_target(int position, const Eigen::Vector3d& displacement);
    Status set_orientation_target(int orientation, const Eigen::Quaterniond& target);
    const Constraints* constraints() const;             // null: none
    const ConstraintReport& constraint_report() const;  // of the last step

    // Computes the end of a step from the present state, which stays; may be asked again, under other forces.
    // Allocates nothing. converged = false: the body would not move. That happens for a dt that is not
    // positive or too large to square, and when a force would carry the body farther than 10¹² m or rad.
    // impulse: on the modes, all through the step, in the frame, m entries, N s/√kg; null: none.
    StepReport trial(double dt, const Eigen::VectorXd* impulse = nullptr);
    // Takes the end of the last trial, once; time moves on. After a trial that left the bounds (BlowUp) the
    // body stays where it is and is stopped, v = 0. Setting state, settings or constraints discards a trial;
    // without one nothing happens.
    void commit();
    StepReport step(double dt);  // trial and commit

    // Of the linear modes, J; with the scales of the settings.
    double kinetic_energy() const;  // ½ |v|²
    double elastic_energy() const;  // ½ qᵀΛq

    // Of one vertex, in double precision.
    Eigen::Vector3d displacement(int vertex) const;  // R̃(w) (Φq + Γz), m
    Eigen::Vector3d velocity(int vertex) const;      // its rate, at the shape of q, m/s
    Eigen::Vector3d rotation(int vertex) const;      // w = Ψq, rad
    // q and the amplitudes z of the companions, m + k entries, for whoever computes the shape elsewhere.
    // Where the settings leave the companions out, z = 0.
    void shape_coordinates(Eigen::VectorXd& out) const;
    // The q whose rotations the shape has: with PositionMethod::Previous that of the step before.
    const Eigen::VectorXd& shape_rotations() const;
    // Of the whole surface, 3s entries each, in the frame's axes: R̃(Φq + Γz) and the normals R N⁰, or Φq and
    // the normals of that linear shape. No normals in the model: none come out. Allocates nothing once the
    // outputs have their sizes.
    void surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const;

    // What contact asks for (docs/math/contact.md, section 5), of semi-implicit steps; one in closed form has
    // no A. The velocities are those of the modes.
    Eigen::Index velocity_size() const;
    void start_velocity(Eigen::VectorXd& out) const;
    // At the end of the last trial, and how an impulse changes it.
    void trial_velocity(Eigen::VectorXd& out) const;
    void trial_matrix(Eigen::MatrixXd& out);
    // Keeps the shape that the present velocities lead to in that time.
    void drift(double seconds);
    const Eigen::VectorXd& drifted_q() const;           // m entries
    const Eigen::VectorXd& drifted_amplitudes() const;  // z of the companions; none where they are left out
    // out += weight · axes · ∂u/∂q of a vertex there; the rows of axes are directions in the frame.
    void add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                  Eigen::Ref<Eigen::Matrix3Xd> out) const;
    // A trial under an impulse on these velocities.
    StepReport trial_touching(double dt, const Eigen::VectorXd& impulse);
    void halt();  // no velocity any more

 private:
    friend Result<WarpBody> make_warp_body(std::shared_ptr<const SharedWarp> shared,
                                           const WarpSettings& settings);
    struct Impl;
    explicit WarpBody(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Derives from a model, once, what its bodies share.
Result<std::shared_ptr<const SharedWarp>> share_warp(std::shared_ptr<const WarpModel> model);

// A body at rest. Bodies of one model share it best; from a model, the body derives its own.
Result<WarpBody> make_warp_body(std::shared_ptr<const SharedWarp> shared, const WarpSettings& settings = {});
Result<WarpBody> make_warp_body(std::shared_ptr<const WarpModel> model, const WarpSettings& settings = {});

}  // namespace limber
