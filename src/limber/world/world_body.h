// SPDX-License-Identifier: Apache-2.0
// One body of a world, of whichever kind, as everybody sees it who does not step it.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/warp/constraint_motion.h>
#include <limber/world/body_settings.h>
#include <limber/world/contact_report.h>
#include <limber/world/input.h>

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace limber {

using AnyBody = std::variant<StvkBody, WarpBody, RigidBody, FreeStvkBody, DomainsBody>;

class WorldBody {
 public:
    BodyId id() const { return id_; }
    const std::string& name() const { return name_; }
    Method method() const { return method_; }
    const std::shared_ptr<const Model>& model() const { return model_; }
    // Of a domain that was detached: the model of the tree that it came from, and its name. Of a tree of
    // which a domain was replaced: the model before that, and no name. Else null and empty.
    const std::shared_ptr<const Model>& whole_model() const { return whole_; }
    const std::string& subtree() const { return subtree_; }
    BodySettings settings() const;
    const StepReport& report() const { return report_; }  // of the last step
    double time() const;                                  // s, of the steps that the body made

    // World from body, at the end of the last step.
    Pose pose() const;
    Mount mount() const { return mount_; }
    bool flies() const { return mount_ == Mount::Free; }
    // The support that carries the body, and how the body stands on it: pose() = support pose · mounted().
    struct Support {
        Pose pose;           // world from support
        FrameMotion motion;  // of the support, world axes
        std::optional<SupportPath> path;
        Pose path_start;          // world from support when the path began
        double path_elapsed = 0;  // s
    };
    const Support& support() const { return support_; }
    const Pose& mounted() const { return pose_; }

    // q and q̇; none of a rigid body.
    const Eigen::VectorXd& q() const;
    const Eigen::VectorXd& v() const;
    // What the shape is computed from, for whoever does that elsewhere: q, and behind it the amplitudes of a
    // warped body's companions.
    void shape_coordinates(Eigen::VectorXd& out) const;
    // The q whose rotations a warped shape has: that of the step before with PositionMethod::Previous.
    const Eigen::VectorXd& shape_rotations() const;

    // Of a vertex of the surface.
    Eigen::Vector3d displacement(int vertex) const;  // from rest, in the body's frame, m
    Eigen::Vector3d position(int vertex) const;      // in the world, m
    Eigen::Vector3d velocity(int vertex) const;      // in the world, m/s
    Eigen::Vector3d rotation(int vertex) const;      // of a warped body, rad; zero of others
    // Of the whole surface in the body's frame, 3 entries a vertex: displacement, m, and unit normals.
    void surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const;

    double kinetic_energy() const;  // J; of a body that flies with that of its flight
    double elastic_energy() const;  // J
    // Of a body that flies: the centre of mass, its momentum, and the angular momentum about it; none of
    // others.
    std::optional<RigidState> rigid_state() const;
    struct Flight {
        double mass = 0;                             // kg
        Eigen::Vector3d velocity, angular_velocity;  // of the centre of mass, m/s, and rad/s, world axes
    };
    std::optional<Flight> flight() const;  // none of a body that does not fly

    const std::vector<VertexForce>& forces() const { return forces_; }
    const Eigen::VectorXd& reduced_force() const { return reduced_force_; }
    const std::vector<Spring>& springs() const { return springs_; }
    Eigen::Vector3d spring_force(std::size_t which) const;  // at the present positions, N, world axes
    // Of a body that is constrained, after its last step; null of others.
    const ConstraintReport* constraint_report() const;
    const Constraints* constraints() const;  // with the targets of the last step
    // Constraint targets on their way, with their time constant, s; null: they stand.
    struct Targets {
        ConstraintMotion motion;
        double smoothing = 0;
    };
    const Targets* targets() const { return targets_.get(); }

    const Touch& touch() const { return touch_; }
    const BodyContacts& contacts() const { return contacts_; }  // of the last step
    // At rest with all that it touches: it is not stepped until something wakes it.
    bool asleep() const { return sleep_group_ != 0; }

    // A stiffness for pulling at a vertex by a spring, N/m (integrate/pull_stiffness.h); 0: it cannot move.
    // Errors: no such vertex, a dt that is not positive.
    Result<double> suggest_pull_stiffness(int vertex, double dt) const;

    // What the kind itself offers beyond this.
    const AnyBody& kind() const { return body_; }

 private:
    friend class World;
    friend struct ContactStage;
    explicit WorldBody(AnyBody body) : body_(std::move(body)) {}
    WorldBody clone() const;
    Status put_frame();
    Status use_support(const Support& support);
    Status set_forces(const std::vector<VertexForce>& forces, const Eigen::VectorXd& reduced);
    // For a step of dt; 0: as the body is now.
    Status put_forces(double dt = 0);
    Status put_spring(const Spring& spring, double dt);
    Eigen::Vector3d stretch_to(const Spring& spring, const Eigen::Vector3d& x) const;
    void before_step(double dt);
    FrameMotion frame_motion() const;  // of a body on a support
    void use_model(const DomainsBody& tree);
    void wake() {
        sleep_group_ = 0;
        still_time_ = 0;
    }

    AnyBody body_;
    BodyId id_;
    std::string name_;
    Method method_ = Method::Stvk;
    Mount mount_ = Mount::Fixed;
    std::shared_ptr<const Model> model_, whole_;
    std::string subtree_;
    Pose pose_;  // support from body
    Support support_;
    std::vector<VertexForce> forces_;
    Eigen::VectorXd reduced_force_;
    std::vector<Spring> springs_;
    std::unique_ptr<Targets> targets_;
    bool begins_ = false;  // its acceleration is taken from the forces before the next step
    StepReport report_;
    Touch touch_;
    BodyContacts contacts_;
    double still_time_ = 0;          // s, for which it has hardly moved
    std::uint32_t sleep_group_ = 0;  // who fell asleep together wakes together; 0: awake
};

}  // namespace limber
