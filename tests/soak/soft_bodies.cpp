// SPDX-License-Identifier: Apache-2.0
#include "tests/soak/soft_bodies.h"

#include "build/recipe/recipe.h"
#include "models/models.h"

#include <array>
#include <string>
#include <utility>

namespace limber::soak {
namespace {

using Eigen::Vector3d;

build::VolumeMesh bricks(const std::array<int, 3>& cells, const Vector3d& size) {
    build::VolumeMesh mesh = models::bar(cells, size, models::BarElements::Bricks);
    for (Vector3d& x : mesh.vertices)
        x -= size / 2;
    return mesh;
}

// A cube of bricks, each of its shells blown up to a sphere.
build::VolumeMesh ball(int cells, double radius) {
    build::VolumeMesh mesh = bricks({cells, cells, cells}, {2, 2, 2});
    for (Vector3d& x : mesh.vertices) {
        const double shell = x.cwiseAbs().maxCoeff();
        if (shell > 0) x = radius * shell * (0.3 * x / shell + 0.7 * x.normalized());
    }
    return mesh;
}

std::shared_ptr<const Model> soft(build::VolumeMesh mesh, int rank, const std::string& name,
                                  build::Recipe recipe = {}) {
    if (!recipe.method) recipe.method = build::MethodChoice::Stvk;
    recipe.materials.young = 2e5;
    recipe.materials.poisson = 0.35;
    recipe.materials.density = 1000;
    recipe.modes = rank;
    recipe.rank = build::RankChoice{rank};
    recipe.up = UpAxis::Z;
    return build::build_model({std::move(mesh), name, {}}, recipe).model;
}

}  // namespace

std::vector<SmallBody> small_bodies(int rank) {
    std::vector<SmallBody> out;
    out.push_back({soft(bricks({3, 3, 3}, {0.06, 0.06, 0.06}), rank, "cube")});
    out.push_back({soft(bricks({6, 2, 2}, {0.12, 0.04, 0.04}), rank, "bar")});
    out.push_back({soft(bricks({5, 5, 1}, {0.1, 0.1, 0.02}), rank, "plate")});
    out.push_back({soft(ball(4, 0.04), rank, "ball")});
    out.push_back({soft(bricks({2, 2, 2}, {0.05, 0.05, 0.05}), 1, "box"), Method::Rigid});
    return out;
}

std::shared_ptr<const Model> held_beam(int rank) {
    build::Recipe recipe;
    recipe.fix = {"x<1e-6"};
    recipe.method = build::MethodChoice::Both;
    return soft(models::bar({10, 2, 2}, {0.3, 0.05, 0.05}, models::BarElements::Bricks), rank, "beam",
                recipe);
}

BodyDef free_body(const SmallBody& body, const Pose& pose, const Vector3d& velocity,
                  const Vector3d& angular_velocity) {
    BodyDef def;
    def.model = body.model;
    def.method = body.method;
    def.mount = Mount::Free;
    def.pose = pose;
    def.velocity = velocity;
    def.angular_velocity = angular_velocity;
    if (body.method == Method::Rigid) {
        def.settings = RigidSettings{.density = 1000};
    } else {
        StvkSettings settings;
        settings.beta = 0.002;
        def.settings = settings;
    }
    return def;
}

Eigen::AlignedBox3d bounds_of(const WorldBody& body) {
    Eigen::AlignedBox3d box;
    for (int v = 0; v < static_cast<int>(body.model()->surface.vertices.size()); ++v)
        box.extend(body.position(v));
    return box;
}

}  // namespace limber::soak
