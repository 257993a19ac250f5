// SPDX-License-Identifier: Apache-2.0
// A scene: soft bodies, what pulls on them, what changes while they move. JSON; docs/scene_file.md.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/body.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::build {

// What "materials", "damping", "rank" ... say of a body, at the start or in an event; the rest stays.
struct BodyChange {
    struct Constants {
        std::optional<double> young, poisson, density;
    };
    std::map<std::string, Constants> materials;  // by the name of the group
    std::optional<double> alpha, beta, strain_rate;
    std::optional<int> rank;  // the first basis vectors
    std::optional<BodyIntegrator> integrator;
    std::optional<int> newton;  // 0: until the tolerance is met
};

struct VertexPull {
    std::vector<int> vertices;  // of the model's surface; they share the force equally
    Eigen::Vector3d force;      // N, of the world
};

struct SceneBody {
    std::string name;
    std::filesystem::path model_file;
    std::shared_ptr<const Model> model;
    BodyChange settings;
    Eigen::Vector3d position{0, 0, 0};                             // m
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // world from body
    std::optional<Eigen::VectorXd> q, v;                           // r, at the start; none: rest
    std::vector<VertexPull> release;  // starts in balance under these and gravity, lets them go at t = 0
};

struct SceneForce {
    std::size_t body = 0;
    VertexPull pull;
    double from = 0, to = 0;  // s; acts in the steps that end in (from, to]
};

struct SceneEvent {
    double time = 0;  // s; before the first step that ends after it
    std::size_t body = 0;
    BodyChange set;
};

struct SceneProbe {
    std::string name;
    std::size_t body = 0;
    std::vector<int> vertices;  // their mean displacement
};

struct Scene {
    double duration = 1, dt = 0.001;   // s
    Eigen::Vector3d gravity{0, 0, 0};  // m/s^2, of the world
    std::vector<SceneBody> bodies;
    std::vector<SceneForce> forces;
    std::vector<SceneEvent> events;  // by time
    std::vector<SceneProbe> probes;
    int every = 1;  // steps from one recorded frame to the next

    long long steps() const;
};

// Models are read from beside the scene file. Throws InputError{"scene.json: bodies[0].rank", ...} for what
// is missing, unknown (naming the nearest key), of the wrong type or out of range.
Scene read_scene(const std::filesystem::path& path);
// `name` is for messages; model files are relative to `folder`.
Scene read_scene(std::string_view json, const std::string& name, const std::filesystem::path& folder);

// Reads a model, throwing what it returns.
std::shared_ptr<const Model> load_model(const std::filesystem::path& path);

// SELECT on the surface of a model. Ids are those of the user's mesh. Vertices that a seam split count once.
std::vector<int> select_on_model(const std::string& where, const std::string& text, const Model& model);

// The settings after a change. Throws InputError{where, ...} for groups that the model has not, and for what
// the model cannot do.
BodySettings changed(BodySettings settings, const BodyChange& change, const Model& model,
                     const std::string& where);

}  // namespace limber::build
