// SPDX-License-Identifier: Apache-2.0
// A rigid body in free flight: mass and inertia of a closed surface, moved by forces.
//     ṗ = F,  L̇ = N,  c' = p/m,  R' = R [Ω]×,  IΩ = RᵀL                       docs/math/rigid_bodies.md
// The state holds the momenta, so they change by impulses only; steps keep the energy (equation (4)).
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/rigid/mass_properties.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace limber {

struct RigidSettings {
    double density = 1000;                              // kg/m³
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s², world axes
};

// All of it in world axes.
struct RigidState {
    double time = 0;                                                  // s
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               // of the centre of mass, m
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // world_from_body
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();               // kg m/s
    Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();       // about the centre of mass, kg m²/s
};

// What bodies of one surface share: frozen.
struct SharedRigid {
    std::shared_ptr<const Model> model;
    MassProperties of_unit_density;
    Eigen::VectorXf normals;  // of the surface, of unit length, 3 entries a vertex
};
Result<std::shared_ptr<const SharedRigid>> share_rigid(std::shared_ptr<const Model> model);

class RigidBody {
 public:
    // A body at rest where the model stands; settings without a problem.
    RigidBody(std::shared_ptr<const SharedRigid> shared, const RigidSettings& settings);
    ~RigidBody();
    RigidBody(RigidBody&&) noexcept;
    RigidBody& operator=(RigidBody&&) noexcept;
    RigidBody clone() const;

    const Model& model() const;
    const RigidSettings& settings() const;
    // The velocities stay where the density changes. On an error nothing changes.
    Status set(const RigidSettings& settings);

    double mass() const;                     // kg
    const Eigen::Matrix3d& inertia() const;  // in body axes, about the centre, kg m²

    const RigidState& state() const;
    const RigidState& rigid_state() const { return state(); }
    Status set_state(const RigidState& state);  // on an error nothing changes
    Pose pose() const;                          // world from the model's coordinates
    Eigen::Vector3d velocity() const;           // of the centre, m/s
    Eigen::Vector3d angular_velocity() const;   // rad/s, world axes
    // Where the model's origin stands, the velocity of the centre of mass and the spin, world axes. On an
    // error nothing changes.
    Status place(const Pose& pose, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular_velocity);

    // Forces that act in the next steps until they are changed; on top of gravity.
    void clear_forces();
    Status add_force(const VertexForce& force);

    // One step: trial() and commit(). Allocates nothing. converged = false: nothing moved and time stands.
    StepReport step(double dt);
    // The end of a step from the present state, under an impulse (N s) and an angular impulse about the
    // centre (N m s) in world axes, six entries; null: none. The state stays.
    StepReport trial(double dt, const Eigen::VectorXd* impulse = nullptr);
    void commit();

    double kinetic_energy() const;  // J
    double elastic_energy() const { return 0; }
    // In body axes: no displacement, and the normals of the rest surface.
    void surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const;
    Eigen::Vector3d position(int vertex) const;        // in the world, m
    Eigen::Vector3d point_velocity(int vertex) const;  // in the world, m/s

    // What contact asks for (docs/math/contact.md, section 5). Six velocities: of the centre in world axes,
    // and the spin in body axes.
    Eigen::Index velocity_size() const { return 6; }
    void start_velocity(Eigen::VectorXd& out) const;
    // At the end of the last trial, which must have converged, and A there.
    void trial_velocity(Eigen::VectorXd& out) const;
    void trial_matrix(Eigen::MatrixXd& out);
    // Keeps the pose that the present velocities lead to in that time.
    void drift(double seconds);
    Pose drifted_pose() const;  // world from the model's coordinates
    // out += weight · axes · ∂x/∂v of a vertex there; the rows of axes are directions in the world.
    void add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                  Eigen::Ref<Eigen::Matrix3Xd> out) const;
    // A trial under an impulse on these velocities: N s, and N m s in the axes of the drifted body.
    StepReport trial_touching(double dt, const Eigen::VectorXd& impulse);
    void halt();  // no velocity any more

 private:
    struct Data;  // behind a pointer: most bodies of a world are soft
    explicit RigidBody(std::unique_ptr<Data> data);
    Eigen::Vector3d arm(int vertex) const;  // from the centre, body axes

    std::unique_ptr<Data> data_;
};

std::optional<InputError> rigid_settings_problem(const RigidSettings& settings);
Result<RigidBody> make_rigid_body(std::shared_ptr<const SharedRigid> shared,
                                  const RigidSettings& settings = {});
Result<RigidBody> make_rigid_body(std::shared_ptr<const Model> model, const RigidSettings& settings = {});

}  // namespace limber
