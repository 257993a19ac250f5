// SPDX-License-Identifier: Apache-2.0
// The scenes as limber plays them.
#include "benchmarks/bullet_scenes.h"

#include "build/recipe/recipe.h"
#include "models/models.h"

#include <limber/world/world.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace limber::bench {

using Eigen::Vector3d;

namespace {

constexpr double kStep = 1e-3;  // s

double energy_of(const World& world) {
    double sum = 0;
    for (const WorldBody& body : world.bodies())
        sum += body.kinetic_energy() + body.elastic_energy() -
               body.flight()->mass * world.gravity().dot(body.rigid_state()->position);
    return sum;
}

Player player_of(std::shared_ptr<World> world) {
    Player out;
    out.step = [world](double dt) { world->step(dt); };
    out.energy = [world] { return energy_of(*world); };
    out.lowest = [world] { return world->report().contact.depth; };
    out.places = [world] {
        std::vector<Vector3d> places;
        for (const WorldBody& body : world->bodies())
            places.push_back(body.rigid_state()->position);
        return places;
    };
    return out;
}

std::shared_ptr<World> world_with_floor(const Vector3d& gravity, double friction) {
    ContactSettings contact;
    contact.friction = friction;
    contact.sleep = Sleeping::Off;  // Bullet's bodies do not sleep here either
    auto world = std::make_shared<World>(WorldDef{.gravity = gravity, .contact = contact});
    ObstacleDef floor;
    floor.shape = PlaneShape{};
    world->add(floor).value();
    return world;
}

std::shared_ptr<const Model> model_of(const build::VolumeMesh& mesh, const SoftBlock& block, int rank) {
    build::Recipe recipe;
    recipe.materials.young = block.young;
    recipe.materials.poisson = block.poisson;
    recipe.materials.density = block.density;
    recipe.modes = rank;
    recipe.rank = build::RankChoice{rank};
    recipe.method = build::MethodChoice::Stvk;
    recipe.up = UpAxis::Z;
    return build::build_model({mesh, "block", {}}, recipe).model;
}

}  // namespace

SoftBlock soft_block() {
    SoftBlock block;
    const Vector3d size(0.3, 0.2, 0.1);
    block.mesh = models::bar({6, 4, 2}, size, models::BarElements::Tets);
    for (Vector3d& x : block.mesh.vertices)
        x -= size / 2;
    return block;
}

Outcome play(const Player& player, double seconds, double lost) {
    using Clock = std::chrono::steady_clock;
    Outcome out;
    const int steps = static_cast<int>(seconds / kStep), last = static_cast<int>(2 / kStep);
    const double start = player.energy();
    std::vector<Vector3d> before;
    std::chrono::duration<double, std::micro> time{0};
    for (int i = 0; i < steps; ++i) {
        const auto begin = Clock::now();
        player.step(kStep);
        time += Clock::now() - begin;
        out.deepest = std::max(out.deepest, player.lowest());
        out.energy_gain = std::max(out.energy_gain, (player.energy() - start) / lost);
        if (i == steps - last) before = player.places();
    }
    out.step_us = time.count() / steps;
    out.at_rest = player.lowest();
    const std::vector<Vector3d> after = player.places();
    for (std::size_t i = 0; i < after.size(); ++i)
        out.creep = std::max(out.creep, (after[i] - before[i]).norm() / 2);
    return out;
}

Player limber_block(const SoftBlock& block) {
    const auto world = world_with_floor(block.gravity, block.friction);
    StvkSettings settings;
    settings.alpha = block.alpha;
    settings.beta = block.beta;
    BodyDef def;
    def.model = model_of(block.mesh, block, block.modes);
    def.mount = Mount::Free;
    def.settings = settings;
    def.pose.position = {0, 0, block.height};
    world->add(def).value();
    return player_of(world);
}

Player limber_stack(const BoxStack& stack) {
    const auto world = world_with_floor({0, 0, -9.81}, stack.friction);
    build::VolumeMesh mesh = models::bar({4, 4, 2}, stack.size, models::BarElements::Bricks);
    for (Vector3d& x : mesh.vertices)
        x -= stack.size / 2;
    const std::shared_ptr<const Model> model = model_of(mesh, {}, 1);
    for (int i = 0; i < stack.count; ++i) {
        BodyDef def;
        def.model = model;
        def.method = Method::Rigid;
        def.settings = RigidSettings{.density = stack.density * (i + 1 == stack.count ? stack.heavy : 1)};
        def.pose.position = {0, 0, (i + 0.5) * stack.size.z() + (i + 1) * stack.apart};
        world->add(def).value();
    }
    return player_of(world);
}

}  // namespace limber::bench
