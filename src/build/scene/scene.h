// SPDX-License-Identifier: Apache-2.0
// A scene: bodies, what acts on them, what changes while they move. JSON; docs/scene_file.md.
#pragma once
#include "build/scene/guide.h"

#include <limber/haptics/hand_path.h>
#include <limber/model/model.h>
#include <limber/settings/read_settings.h>
#include <limber/world/input.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::build {

struct VertexPull {
    std::vector<int> vertices;  // of the model's surface; they share the force equally
    Eigen::Vector3d force;      // N, of the world
};
// Appends the share of each vertex.
void add_forces(const VertexPull& pull, std::vector<VertexForce>& out);

// How the constraints of a warped body are met.
struct ConstraintSettings {
    TaskPriority priority = TaskPriority::PositionFirst;
    PositionMethod positions_by = PositionMethod::Predicted;
};

// BodyDef::pose is in the world or, with a support, how the body stands on the support.
struct SceneBody : BodyDef {
    std::filesystem::path model_file{};
    std::optional<Guide> support{};  // carries the body
    ConstraintSettings constraint_settings{};

    bool flies() const { return mount == Mount::Free; }
    // Entries of q: the rank, the number of modes, or none.
    Eigen::Index coordinates() const;
    // World from body, of one that does not fly; of one that does at its start.
    Pose pose_at(double time) const;
};

// DeviceDef::position is where the path begins.
struct SceneDevice : DeviceDef {
    HandPath path{};  // empty: it stays where it starts
};

// ObstacleDef::pose is in the world or, with a motion, how the obstacle stands on what moves.
struct SceneObstacle : ObstacleDef {
    std::optional<Guide> motion{};
};

struct SceneForce {
    std::size_t body = 0;
    VertexPull pull;
    double from = 0, to = 0;  // s; acts in the steps that end in (from, to]
};

struct SceneEvent {        // NOLINT(bugprone-exception-escape): moving JSON does not throw
    double time = 0;       // s; before the first step that ends after it
    nlohmann::json input;  // read_inputs() of limber/world/input_json.h takes it
    std::string where{};   // of its messages
};

// What a user did, by step number, as limber's Session takes it: docs/recording.md.
struct Replay {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    long long steps = 0;
    nlohmann::json scene;  // of the present version, with the bodies of the scene
    std::string where{};   // of its messages
};

enum class Constrained { Position, Orientation, Both };

// Vertices of a warped body that are brought to their targets at the end of each step.
struct SceneConstraint {
    std::size_t body = 0;
    std::vector<int> vertices;
    std::vector<int> exercised;  // vertices that the forces act on; empty: own forces of the constraint
    Constrained what = Constrained::Position;
    Guide target;
    // Fastened: the vertices move with the guide as if they had been fastened to it at t = 0, at rest.
    // Otherwise their mean goes where the guide is, and they turn as it is turned.
    bool fastened = false;
    double from = 0, to = 0;  // s; acts in the steps that end in (from, to]
};

struct SceneProbe {
    std::string name;
    std::size_t body = 0;
    std::vector<int> vertices;  // their mean displacement
};

struct Scene {
    double duration = 1, dt = 0.001;   // s
    Eigen::Vector3d gravity{0, 0, 0};  // m/s^2, of the world
    UpAxis up = UpAxis::Z;             // of the world
    std::vector<SceneBody> bodies;
    std::vector<SceneObstacle> obstacles;
    std::vector<SceneDevice> devices;
    std::optional<ContactSettings> contact;  // none: nothing touches
    ReadWind wind;                           // of the world
    std::vector<SceneForce> forces;
    std::vector<SceneConstraint> constraints;
    std::vector<SceneEvent> events;  // by time
    std::vector<SceneProbe> probes;
    int every = 1;                 // steps from one recorded frame to the next
    std::optional<Replay> replay;  // in place of forces, constraints, events, supports and motions
    // By the names that events and the replay call them.
    std::map<std::string, std::shared_ptr<const Model>> models;

    long long steps() const;
};

// Models and motions are read from beside the scene file. Throws InputError{"scene.json: bodies[0].rank",
// ...} for what is missing, unknown (naming the nearest key), of the wrong type or out of range.
Scene read_scene(const std::filesystem::path& path);
// `name` is for messages; model files are relative to `folder`.
Scene read_scene(std::string_view json, const std::string& name, const std::filesystem::path& folder);

// Reads a model, throwing what it returns.
std::shared_ptr<const Model> load_model(const std::filesystem::path& path);
// The surface of a rigid body: a file that limber build wrote, or any closed surface.
std::shared_ptr<const Model> load_rigid_model(const std::filesystem::path& path);

// SELECT on the surface of a model. Ids are those of the user's mesh. Vertices that a seam split count once.
std::vector<int> select_on_model(const std::string& where, const std::string& text, const Model& model);

}  // namespace limber::build
