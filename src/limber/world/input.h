// SPDX-License-Identifier: Apache-2.0
// Everything that can happen to a world between two steps. Scenes, recordings, Python, C and the page make
// these; what they do is written once, in world.cpp. As JSON: input_json.h.
#pragma once
#include <limber/contact/contact_settings.h>
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/rigid/frame.h>
#include <limber/rigid/support_path.h>
#include <limber/warp/constraints.h>
#include <limber/world/body_settings.h>
#include <limber/world/device.h>
#include <limber/world/mount.h>
#include <limber/world/obstacle.h>

#include <Eigen/Core>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace limber {

// Of one world; never used again after the body is gone.
struct BodyId {
    std::uint32_t world = 0;   // 0: no body
    std::uint32_t number = 0;  // ascending in the order in which bodies were added

    friend auto operator<=>(const BodyId&, const BodyId&) = default;  // NOLINT: takes 0 for a pointer
};

// What the acceleration of a body is before its first step.
enum class StartAcceleration {
    FromForces,  // as the forces give it: a motion that is under way
    Zero,        // at rest until the first step
};

// How a body takes part in contact.
struct Touch {
    std::optional<double> friction{};   // µ; none: that of the contact settings
    std::uint32_t layers = kAllLayers;  // touches whatever has a common bit; 0: nothing
};

struct BodyDef {
    std::string name{};  // not that of another body; empty: "body1", "body2", …
    std::shared_ptr<const Model> model{};
    // Of a model that subtree_model() made: what it was made of, for recordings.
    std::shared_ptr<const Model> whole{};
    std::string subtree{};  // the domain's name
    Method method = Method::Stvk;
    std::optional<Mount> mount{};  // none: mount_of() says which
    BodySettings settings{};       // of the method; gravity is the world's
    // World from body: where the model's origin stands. Of a body on a support: support from body.
    Pose pose{};
    Eigen::VectorXd q{}, v{};  // coordinates and velocities; empty: zero
    StartAcceleration start = StartAcceleration::FromForces;
    // A soft body starts in balance under these and gravity, and is let go. With q: refused.
    std::vector<VertexForce> release{};
    // Of a body that flies: of its centre of mass, m/s, and rad/s, world axes.
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), angular_velocity = Eigen::Vector3d::Zero();
    Touch touch{};
};

struct RemoveBody {
    BodyId body;
};

struct SetGravity {
    Eigen::Vector3d gravity;  // m/s²
};

// The air of all the world; none: there is none. Its gusts are `elapsed` s old at the start of the next step.
struct SetWind {
    std::optional<WindSettings> settings;
    double elapsed = 0;
};

// Settings of the body's method, all of them; gravity is the world's. Domains of a tree that are detached by
// them become bodies of their own, named "TREE.DOMAIN".
struct SetSettings {
    BodyId body;
    BodySettings settings;
};

// The shape of a soft body and its velocity, in its own coordinates; empty: zero. Its next step begins anew.
// A free body keeps its place, the velocity of its centre and its spin.
struct SetState {
    BodyId body;
    Eigen::VectorXd q, v;
    StartAcceleration start = StartAcceleration::FromForces;
};

// The whole state of a body, as its kind keeps it, with its time: a motion goes on bit by bit. Of another
// kind: refused.
struct RestoreState {
    BodyId body;
    std::variant<StvkState, WarpState, RigidState, FreeState, TreeState> state;
};

// Where the body stands: BodyDef::pose. Velocities are for bodies that fly: of the centre of mass, m/s, and
// rad/s, world axes.
struct PlaceBody {
    BodyId body;
    Pose pose;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), angular_velocity = Eigen::Vector3d::Zero();
};

// Forces on a body until the next input of this kind, in place of those before.
struct SetForces {
    BodyId body;
    std::vector<VertexForce> forces;
    Eigen::VectorXd reduced;  // on the coordinates, in the body's frame, N/√kg; empty: none
};

// A spring from a vertex to a point: the force is stiffness (target − x), held for each step,
// with x where that keeps the energy (docs/world.md).
struct Spring {
    enum class Space { World, Frame };  // whose coordinates the target has: those of the body's frame move

    int vertex = 0;                                    // of the surface
    Eigen::Vector3d target = Eigen::Vector3d::Zero();  // m
    double stiffness = 0;                              // N/m
    Space space = Space::World;
};
// In place of those before; an empty list lets go.
struct SetSprings {
    BodyId body;
    std::vector<Spring> springs;
};

// Constraints of a warped body in place of those before; without any vertices they end. Targets are
// approached smoothly with a time constant, s; 0: at once.
struct SetConstraints {
    BodyId body;
    Constraints constraints;
    double smoothing = 0;
};

// The rigid support of a body stands and moves like this in the next steps, until it is changed.
struct SetSupport {
    BodyId body;
    Pose pose;           // world from support
    FrameMotion motion;  // its orientation is that of the pose, as far as bodies go
};

// The support moves along a path from the next step on, and stands still at its end.
struct FollowPath {
    BodyId body;
    SupportPath path;
    double elapsed = 0;  // s, of the path, at the start of the next step
};

struct SetTouch {
    BodyId body;
    Touch touch;
};

// Contact of all the world, from the next step on; none: there is no contact. What touches begins anew:
// nothing sticks yet, and nobody sleeps.
struct SetContact {
    std::optional<ContactSettings> settings;
};

using Input = std::variant<BodyDef, RemoveBody, SetGravity, SetSettings, SetState, RestoreState, PlaceBody,
                           SetForces, SetSprings, SetConstraints, SetSupport, FollowPath, SetTouch,
                           SetContact, SetWind, ObstacleDef, RemoveObstacle, MoveObstacle, FollowObstacle,
                           DeviceDef, RemoveDevice, SetDevice, MoveDevice, PlaceDevice>;

}  // namespace limber
