// SPDX-License-Identifier: Apache-2.0
// A world with a body of every kind, made of numbers alone.
#pragma once
#include "tests/limber/reduced/test_model.h"
#include "tests/limber/rigid/box_surface.h"
#include "tests/limber/warp/random_warp_model.h"

#include <limber/world/world.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace limber::test {

// Runs as stvk, warp and linear.
inline ModelPtr soft_model(int rank = 6, unsigned seed = 1) {
    Model model = random_body(rank, seed);
    model.warp = std::make_shared<const WarpModel>(
        random_warp_model(5, 12, static_cast<int>(model.surface.vertices.size()), 4));
    return std::make_shared<const Model>(std::move(model));
}

inline BodyId added(World& world, BodyDef def) {
    Result<BodyId> made = world.add(std::move(def));
    if (!made.ok()) ADD_FAILURE() << made.error().where << ": " << made.error().problem;
    return made.ok() ? made.value() : BodyId{};
}

inline void applied(World& world, const Input& input) {
    const Status done = world.apply(input);
    ASSERT_TRUE(done.ok()) << done.error().where << ": " << done.error().problem;
}

struct BodiesOfEveryKind {
    ModelPtr soft = soft_model(), box = box_model({0.3, 0.2, 0.1});
    BodyId stvk, twin, warp, linear, rigid;

    explicit BodiesOfEveryKind(World& world) {
        const Pose turned{{1, 2, 3}, Eigen::Quaterniond(0.8, 0, 0.6, 0)};
        stvk = added(world, {.name = "stvk", .model = soft, .pose = turned});
        twin = added(world, {.name = "twin", .model = soft});
        warp = added(world, {.name = "warp", .model = soft, .method = Method::Warp, .pose = turned});
        linear = added(world, {.name = "linear", .model = soft, .method = Method::Linear});
        rigid = added(world, {.name = "rigid",
                              .model = box,
                              .method = Method::Rigid,
                              .pose = turned,
                              .velocity = {1, 0, 0},
                              .angular_velocity = {1, 9, 0.2}});
    }
    std::vector<BodyId> all() const { return {stvk, twin, warp, linear, rigid}; }
};

// Every number of every body.
inline std::vector<double> numbers_of(const World& world) {
    std::vector<double> out = {world.time(), double(world.steps())};
    for (const WorldBody& body : world.bodies()) {
        out.insert(out.end(), body.q().begin(), body.q().end());
        out.insert(out.end(), body.v().begin(), body.v().end());
        Eigen::VectorXd shape;
        body.shape_coordinates(shape);
        out.insert(out.end(), shape.begin(), shape.end());
        out.push_back(body.kinetic_energy());
        out.push_back(body.elastic_energy());
        out.push_back(body.time());
        for (const Eigen::Vector3d& x : {body.position(3), body.velocity(3), body.pose().position})
            out.insert(out.end(), x.begin(), x.end());
    }
    return out;
}

}  // namespace limber::test
