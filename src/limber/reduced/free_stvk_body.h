// SPDX-License-Identifier: Apache-2.0
// A soft body in free flight: its rigid motion and its deformation act on each other.
//     x = c + R (X − X_c + Uq),   Π = I(q)Ω + H(q)q̇ = RᵀL                          docs/math/free_bodies.md
// The state holds the momenta, so they change by impulses only; steps keep the energy (section 4 there).
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/reduced/free_state.h>
#include <limber/reduced/stvk_body.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

// What bodies of one model share: frozen. Refused: a model without inertia tensors (files before format 6), a
// basis that is not mass-orthogonal to the rigid motions.
struct SharedFree;
Result<std::shared_ptr<const SharedFree>> share_free(std::shared_ptr<const SharedStvk> stvk);

// Where contact looks for the body in a step: halfway, as the velocities at its start carry it.
struct HalfDrift {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  // world_from_body
    Eigen::VectorXd q;                                // the coordinates in use
};

// A moved-from body may only be destroyed or assigned to. Bodies share nothing that changes. Settings are
// those of an StVK body, but for the integrator: the energy-momentum step, always iterated to the tolerance.
class FreeStvkBody {
 public:
    ~FreeStvkBody();
    FreeStvkBody(FreeStvkBody&&) noexcept;
    FreeStvkBody& operator=(FreeStvkBody&&) noexcept;
    FreeStvkBody clone() const;

    const Model& model() const;
    const StvkSettings& settings() const;  // filled in: integrator EnergyPreserving, newton 0
    // Velocities stay where densities change: all of them by one factor, else the basis would no longer be
    // orthogonal to the rigid motions. On an error nothing changes.
    Status set(StvkSettings settings);

    double mass() const;              // kg
    Eigen::Matrix3d inertia() const;  // I(q) of the present shape, body axes, about the centre, kg m²
    const FreeState& state() const;
    const RigidState& rigid_state() const { return state(); }
    Status set_state(const FreeState& state);  // on an error nothing changes
    // Shape and its velocity, r entries; the place, the velocity of the centre and the spin stay.
    Status set_shape(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
    Pose pose() const;                         // world from the model's coordinates
    Eigen::Vector3d velocity() const;          // of the centre, m/s
    Eigen::Vector3d angular_velocity() const;  // rad/s, world axes
    // Where the model's origin stands, the velocity of the centre of mass and the spin, world axes; the shape
    // and its velocity stay. On an error nothing changes.
    Status place(const Pose& pose, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular_velocity);

    // Forces that act in the next steps until they are changed; on top of gravity, which moves the centre.
    void clear_forces();
    Status add_force(const VertexForce& force);              // world axes, on the motion and the shape
    Status add_reduced_force(const Eigen::VectorXd& force);  // r entries, body axes

    // One step: trial() and commit(). Allocates nothing. converged = false: nothing moved and time stands;
    // after a blow-up the deformation was stopped as well (q̇ = 0).
    StepReport step(double dt);
    // The end of a step from the present state, under an impulse that acts all through it, velocity_size()
    // entries: force (N s) and torque about the centre (N m s) in world axes, then that on the coordinates in
    // use (N s/√kg); null: none. The state stays, so it can be asked again. Allocates nothing. A step in
    // which Newton's method fails is made in 2, 4, 8 or 16 parts, the impulses spread evenly.
    StepReport trial(double dt, const Eigen::VectorXd* impulse = nullptr);
    void commit();

    // For contact. Velocities are (v_c in world axes, Ω in body axes, q̇ of the coordinates in use).
    Eigen::Index velocity_size() const;  // 6 + coordinates in use
    // At the present state, and at the end of the last trial, which must have converged. Set out to
    // velocity_size() entries.
    void start_velocity(Eigen::VectorXd& out) const;
    void trial_velocity(Eigen::VectorXd& out) const;
    // Symmetric and positive definite, of the last trial, which must have converged: how an impulse changes
    // the velocity at the end,
    //     A = diag(m 1, [I H; Hᵀ M + ½h D + ¼h² K₊]),  K₊ positive semidefinite.                       (14)
    // Sets out to velocity_size() squared.
    void system_matrix(Eigen::MatrixXd& out) const;
    void half_drift(double dt, HalfDrift& out) const;
    // The place of a vertex of the surface then, m, world axes.
    Eigen::Vector3d position(const HalfDrift& at, int vertex) const;
    // Adds weight J, the velocity of a vertex there by the body's velocities: J = [1, −R[y]×, RU]; 3 rows,
    // velocity_size() columns. An impulse λ on the vertex is Jᵀλ; its second part is the torque in body axes,
    // trial() takes R times that.
    void add_jacobian(const HalfDrift& at, int vertex, double weight, Eigen::Ref<Eigen::MatrixXd> out) const;

    // The same as the world asks every kind of body for it (TouchingKind).
    void trial_matrix(Eigen::MatrixXd& out);
    void drift(double seconds);                // keeps where it is then
    Pose drifted_pose() const;                 // world from the model's coordinates
    const Eigen::VectorXd& drifted_q() const;  // r entries
    // out += weight · axes · J; the rows of axes are directions in the world.
    void add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                  Eigen::Ref<Eigen::Matrix3Xd> out) const;
    // A trial under an impulse Jᵀλ: its torque is in the axes of the drifted body.
    StepReport trial_touching(double dt, const Eigen::VectorXd& impulse);
    void halt();  // no velocity any more

    double kinetic_energy() const;  // J, with the rigid motion
    double elastic_energy() const;  // J

    // Of one vertex of the surface in body axes: Uq, m, and U q̇, m/s.
    Eigen::Vector3d displacement(int vertex) const;
    Eigen::Vector3d velocity(int vertex) const;
    Eigen::Vector3d position(int vertex) const;        // in the world, m
    Eigen::Vector3d point_velocity(int vertex) const;  // in the world, m/s
    // As of StvkBody, in body axes.
    void surface_displacement(Eigen::VectorXf& out) const;
    void surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const;

 private:
    friend Result<FreeStvkBody> make_free_stvk_body(std::shared_ptr<const SharedFree> shared,
                                                    StvkSettings settings);
    struct Data;
    explicit FreeStvkBody(std::unique_ptr<Data> data);
    Eigen::Vector3d arm(int vertex, const Eigen::VectorXd& q) const;  // from the centre, body axes
    std::unique_ptr<Data> data_;
};

// A body at rest where the model stands. Settings that name another integrator than the default or
// EnergyPreserving, a fixed number of Newton iterations other than the default, or floats are refused.
Result<FreeStvkBody> make_free_stvk_body(std::shared_ptr<const SharedFree> shared,
                                         StvkSettings settings = {});
Result<FreeStvkBody> make_free_stvk_body(std::shared_ptr<const Model> model, StvkSettings settings = {});

// The same settings with the integrator of free bodies in place of the default one. Refused: others.
Result<StvkSettings> free_settings(StvkSettings settings);
// What is wrong with settings that were made for a free body: anything but EnergyPreserving, newton 0,
// doubles.
std::optional<InputError> free_settings_problem(const StvkSettings& settings);

}  // namespace limber
