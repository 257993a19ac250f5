// SPDX-License-Identifier: Apache-2.0
// Free bodies in a world: how they are mounted, what acts on them, states and recordings.
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/free_points.h"
#include "tests/limber/world/test_world.h"

#include <limber/world/session.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace limber {
namespace {

using namespace test;
using Eigen::Vector3d;
using Json = nlohmann::json;

const Pose kTurned{{1, 2, 3}, Eigen::Quaterniond(0.8, 0, 0.6, 0)};

ModelPtr old_points() {
    Model model = free_points(6, 1);
    for (StvkGroup& group : own_stvk(model).groups) {
        group.first_tensor.resize(0, 0);
        group.second_tensor.resize(0, 0);
    }
    return std::make_shared<const Model>(std::move(model));
}

TEST(FreeInWorld, TheDefaultMountIsFixedWhereSomethingIsFixedElseFree) {
    World world;
    const ModelPtr loose = free_points_ptr(), held = soft_model(), box = box_model({1, 1, 1});
    const auto mount = [&](const BodyDef& def) { return world.body(added(world, def))->mount(); };
    EXPECT_EQ(mount({.model = loose}), Mount::Free);
    EXPECT_EQ(mount({.model = loose, .mount = Mount::Fixed}), Mount::Fixed);
    EXPECT_EQ(mount({.model = held}), Mount::Fixed);
    EXPECT_EQ(mount({.model = held, .mount = Mount::Moved}), Mount::Moved);
    EXPECT_EQ(mount({.model = held, .method = Method::Warp}), Mount::Fixed);
    EXPECT_EQ(mount({.model = box, .method = Method::Rigid}), Mount::Free);
    EXPECT_EQ(mount({.model = box, .method = Method::Rigid, .mount = Mount::Free}), Mount::Free);
    EXPECT_EQ(mount({.model = old_points(), .mount = Mount::Fixed}), Mount::Fixed);
}

TEST(FreeInWorld, MountsThatNoBodyCanHaveAreRefusedWithTheReason) {
    World world;
    const ModelPtr loose = free_points_ptr(), held = soft_model(), box = box_model({1, 1, 1});
    const auto refused = [&](BodyDef def) {
        def.name = "a";
        const Result<BodyId> made = world.add(std::move(def));
        EXPECT_FALSE(made.ok());
        EXPECT_TRUE(world.bodies().empty());
        return made.ok() ? InputError{} : made.error();
    };
    EXPECT_NE(refused({.model = held, .method = Method::Warp, .mount = Mount::Free}).problem.find("warped"),
              std::string::npos);
    EXPECT_EQ(refused({.model = loose, .mount = Mount::Moved}).where, "body a: mount");
    EXPECT_EQ(refused({.model = box, .method = Method::Rigid, .mount = Mount::Fixed}).where, "body a: mount");
    // The command that builds it anew.
    EXPECT_NE(refused({.model = old_points()}).try_this.find("limber build points.obj -o points.glb"),
              std::string::npos);
    EXPECT_EQ(refused({.model = held, .mount = Mount::Free}).where, "body a: mount");  // no tensors either
    EXPECT_EQ(refused({.model = loose, .settings = StvkSettings{.integrator = StvkIntegrator::BackwardEuler}})
                  .where,
              "body a: integrator");
    EXPECT_EQ(refused({.model = loose, .settings = StvkSettings{.newton = 4}}).where, "body a: newton");
    EXPECT_EQ(refused({.model = loose, .mount = Mount::Fixed, .velocity = {1, 0, 0}}).where,
              "body a: velocity");
    EXPECT_EQ(refused({.model = loose, .release = {{3, {1, 0, 0}}}}).where, "body a: release");
}

// A soft and a rigid body swing on a spring, hundreds of times. With w the inverse mass of the vertex, s = k
// h² w is 0.04: the energy of the leapfrog method is off by s/4, 1%, and does not drift; a force from the
// start of the step would make it e^s/2 times as large in every step.
TEST(FreeInWorld, ASpringKeepsTheEnergyOfWhatItPulls) {
    constexpr double kDt = 2e-3;
    for (const bool soft : {true, false}) {
        World world;
        BodyDef def{.model = soft ? free_points_ptr() : test::box_model({0.3, 0.2, 0.1})};
        def.mount = Mount::Free;
        if (!soft) def.method = Method::Rigid;
        const BodyId id = added(world, def);
        const double k = 0.16 * world.body(id)->suggest_pull_stiffness(3, kDt).value();  // of s = 0.25
        const Vector3d target = world.body(id)->position(3) + Vector3d(0.05, 0.02, -0.1);
        test::applied(world, SetSprings{id, {{3, target, k}}});
        const auto energy = [&] {
            const WorldBody& body = *world.body(id);
            return body.kinetic_energy() + body.elastic_energy() +
                   0.5 * k * (body.position(3) - target).squaredNorm();
        };
        const double start = energy();
        double most = 0, least = start;
        for (int i = 0; i < 12600; ++i) {
            ASSERT_EQ(world.step(kDt).not_converged, 0) << i;
            most = std::max(most, energy());
            least = std::min(least, energy());
        }
        EXPECT_LE(most, 1.02 * start) << (soft ? "soft" : "rigid");
        EXPECT_GE(least, 0.98 * start) << (soft ? "soft" : "rigid");
    }
}

TEST(FreeInWorld, ABodyFliesFallsAndIsPulled) {
    const Vector3d g(0, 0, -2);
    World world({.gravity = g});
    const ModelPtr model = free_points_ptr();
    const BodyId id = added(world, {.name = "a",
                                    .model = model,
                                    .pose = kTurned,
                                    .q = 0.1 * random_vector(6, 3),
                                    .v = 0.2 * random_vector(6, 4),
                                    .velocity = {1, 0, 0},
                                    .angular_velocity = {0.2, 1, 0}});
    const WorldBody* body = world.body(id);
    EXPECT_LE((body->pose().position - kTurned.position).norm(), 1e-14);
    ASSERT_TRUE(body->flight().has_value());
    EXPECT_LE((body->flight()->angular_velocity - Vector3d(0.2, 1, 0)).norm(), 1e-13);
    const RigidState start = *body->rigid_state();
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(world.step(0.01).not_converged, 0);
    const RigidState now = *world.body(id)->rigid_state();
    EXPECT_LE((now.position - (start.position + Vector3d(1, 0, 0) + 0.5 * g)).norm(), 1e-12);
    EXPECT_EQ(now.angular_momentum, start.angular_momentum);
    // The surface says the same as the shape in its pose.
    Eigen::VectorXf u, normals;
    world.body(id)->surface_shape(u, normals);
    for (const int v : {0, 17}) {
        const Vector3d in_body = model->surface.vertices[std::size_t(v)] + u.segment<3>(3 * v).cast<double>();
        EXPECT_LE((world.body(id)->pose() * in_body - world.body(id)->position(v)).norm(), 1e-6);
    }
    // A spring pulls the vertex to its target; the momentum grows by its force halfway through the step.
    const Vector3d target = world.body(id)->position(17) + Vector3d(0, 3, 0);
    test::applied(world, SetGravity{Vector3d::Zero()});
    test::applied(world, SetSprings{id, {{17, target, 5}}});
    const Vector3d force = world.body(id)->spring_force(0) - 5 * 0.005 * world.body(id)->velocity(17);
    const Vector3d before = world.body(id)->rigid_state()->momentum;
    world.step(0.01);
    EXPECT_LE((world.body(id)->rigid_state()->momentum - before - 0.01 * force).norm(), 1e-12);
    EXPECT_GT(world.body(id)->suggest_pull_stiffness(17, 0.01).value(), 0);
    // Placed anew; the shape stays. Nothing carries it.
    const Eigen::VectorXd q = world.body(id)->q();
    test::applied(world, PlaceBody{id, {}, {0, 1, 0}, {0, 0, 2}});
    EXPECT_EQ(world.body(id)->q(), q);
    EXPECT_LE((world.body(id)->flight()->velocity - Vector3d(0, 1, 0)).norm(), 1e-14);
    EXPECT_FALSE(world.apply(SetSupport{id, kTurned, {}}).ok());
    EXPECT_FALSE(world.apply(FollowPath{id, Shake{Vector3d::UnitY(), 0.1, 2, 5}}).ok());
    EXPECT_FALSE(world.apply(SetConstraints{id, {}, 0}).ok());
    test::applied(world, SetState{id, {}, {}});
    EXPECT_TRUE(world.body(id)->q().isZero(0));
    EXPECT_LE((world.body(id)->flight()->angular_velocity - Vector3d(0, 0, 2)).norm(), 1e-12);
    // One group's density alone cannot change.
    auto settings = std::get<StvkSettings>(world.body(id)->settings());
    settings.materials[0].density *= 2;
    EXPECT_FALSE(world.apply(SetSettings{id, settings}).ok());
    settings.materials[1].density *= 2;
    test::applied(world, SetSettings{id, settings});
    EXPECT_LE((world.body(id)->flight()->velocity - Vector3d(0, 1, 0)).norm(), 1e-13);
}

void disturb(World& world, BodyId id, int i) {
    if (i % 50 == 10) test::applied(world, SetSprings{id, {{3, {1, 0.01 * i, 2}, 2}}});
    if (i % 50 == 30) test::applied(world, SetGravity{{0, 0.001 * i, -0.5}});
    if (i % 100 == 70) {
        auto settings = std::get<StvkSettings>(world.body(id)->settings());
        settings.materials[0].young *= 1.1;
        settings.beta = 0.001;
        test::applied(world, SetSettings{id, settings});
    }
    world.step(i % 7 == 0 ? 2e-2 : 1e-2);
}

TEST(FreeInWorld, RestoredAndClonedWorldsGoOnBitByBit) {
    World world({.gravity = {0, 0, -1}});
    const ModelPtr model = free_points_ptr();
    const BodyId id = added(world, {.name = "a", .model = model, .angular_velocity = {1, 2, 0}});
    added(world, {.name = "b", .model = model, .pose = kTurned, .velocity = {1, 0, 0}});
    for (int i = 0; i < 30; ++i)
        world.step(0.01);
    const WorldState saved = world.save();
    World other = world.clone();
    for (int i = 0; i < 300; ++i)
        disturb(world, id, i);
    const std::vector<double> first = numbers_of(world);
    ASSERT_TRUE(world.restore(saved).ok());
    for (int i = 0; i < 300; ++i)
        disturb(world, id, i);
    EXPECT_EQ(numbers_of(world), first);
    for (int i = 0; i < 300; ++i)
        disturb(other, other.bodies()[0].id(), i);
    EXPECT_EQ(numbers_of(other), first);
    // The state of one body, as its kind keeps it.
    const auto& kind = std::get<FreeStvkBody>(world.body(id)->kind());
    const FreeState state = kind.state();
    world.step(0.01);
    const std::vector<double> once = numbers_of(world);
    test::applied(world, RestoreState{id, state});
    EXPECT_EQ(world.body(id)->q(), state.q);
    EXPECT_FALSE(world.apply(RestoreState{id, RigidState{}}).ok());
}

TEST(FreeInWorld, AWarmStepAllocatesNothing) {
    World world({.gravity = {0, 0, -1}});
    const BodyId id = added(world, {.model = free_points_ptr(), .angular_velocity = {1, 2, 0}});
    test::applied(world, SetSprings{id, {{3, {1, 0, 2}, 2}}});
    for (int i = 0; i < 3; ++i)
        world.step(0.01);
    const long before = allocations_so_far();
    for (int i = 0; i < 10; ++i)
        world.step(0.01);
    EXPECT_EQ(allocations_so_far(), before);
}

Session session_of_points() {
    Session session;
    session.add_model("points.glb", free_points_ptr());
    return session;
}

TEST(FreeInSession, JsonSaysHowItIsMounted) {
    Session session = session_of_points();
    ASSERT_TRUE(session
                    .apply({{"add",
                             {{"name", "a"},
                              {"model", "points.glb"},
                              {"mount", "free"},
                              {"integrator", "energy"},
                              {"newton", 0},
                              {"velocity", {1, 0, 0}},
                              {"angular_velocity", {0, 5, 0}}}}})
                    .ok());
    ASSERT_TRUE(session.apply({{"add", {{"name", "b"}, {"model", "points.glb"}, {"mount", "fixed"}}}}).ok());
    EXPECT_TRUE(session.world().bodies()[0].flies());
    EXPECT_FALSE(session.world().bodies()[1].flies());
    const auto problem = [&](const Json& input) {
        const Status done = session.apply(input, "");
        EXPECT_FALSE(done.ok()) << input;
        return done.ok() ? std::string() : done.error().where;
    };
    const auto add = [](const char* key, const Json& value) {
        return Json{{"add", {{"model", "points.glb"}, {key, value}}}};
    };
    EXPECT_EQ(problem(add("mount", "loose")), "add: mount");
    EXPECT_EQ(problem(add("mount", "moved")), "add: mount");
    EXPECT_EQ(problem(add("integrator", "newmark")), "add: integrator");
    EXPECT_EQ(problem(add("newton", 1)), "add: newton");
    EXPECT_EQ(problem(add("precision", "float")), "add: precision");
    EXPECT_EQ(problem({{"body", "a"}, {"set", {{"integrator", "newmark"}}}}), "set: integrator");
    EXPECT_EQ(problem({{"body", "a"}, {"set", {{"newton", 2}}}}), "set: newton");
    EXPECT_EQ(problem({{"add", {{"model", "points.glb"}, {"mount", "fixed"}, {"velocity", {1, 0, 0}}}}}),
              "add: velocity");
    EXPECT_TRUE(session.apply({{"body", "a"}, {"set", {{"damping", {{"beta", 0.01}}}}}}).ok());
    // Without a name of a body a support is for those that can be carried.
    EXPECT_TRUE(session.apply({{"support", {{"position", {0, 0, 1}}}}}).ok());
    EXPECT_FALSE(session.apply({{"body", "a"}, {"support", {{"position", {0, 0, 1}}}}}).ok());
}

TEST(FreeInSession, ReplaysAreTheRecordingBitByBit) {
    Session session = session_of_points();
    for (const char* name : {"a", "b"})
        ASSERT_TRUE(session
                        .apply({{"add",
                                 {{"name", name},
                                  {"model", "points.glb"},
                                  {"position", {1, 2, 3}},
                                  {"velocity", {1, 0, 0}},
                                  {"angular_velocity", {0, 1, 0.5}}}}})
                        .ok());
    ASSERT_TRUE(session.set_dt(0.01).ok());
    ASSERT_TRUE(session.apply({{"gravity", {0, 0, -1}}}).ok());
    ASSERT_TRUE(
        session.apply({{"body", "a"}, {"pull", {{"vertex", 3}, {"target", {0, 0, 0}}, {"stiffness", 3}}}})
            .ok());
    session.step(37);  // bent, turned and in motion
    ASSERT_TRUE(session.start_recording().ok());
    session.step(20);
    ASSERT_TRUE(
        session.apply({{"body", "b"}, {"place", {{"position", {0, 0, 1}}, {"velocity", {0, 1, 0}}}}}).ok());
    session.step(20);
    const std::vector<double> live = numbers_of(session.world());
    const Json scene = session.stop_recording();
    EXPECT_EQ(scene["bodies"][0]["mount"], "free");
    Session again = session_of_points();
    ASSERT_TRUE(again.start_replay(scene).ok());
    EXPECT_EQ(again.step(1000), 40);
    std::vector<double> replayed = numbers_of(again.world());
    // Times and step numbers count from the start of each world.
    const auto q_of = [](const World& world, int b) { return world.bodies()[std::size_t(b)].q(); };
    for (const int b : {0, 1}) {
        EXPECT_EQ(q_of(again.world(), b), q_of(session.world(), b));
        EXPECT_EQ(again.world().bodies()[std::size_t(b)].pose().position,
                  session.world().bodies()[std::size_t(b)].pose().position);
        EXPECT_EQ(again.world().bodies()[std::size_t(b)].rigid_state()->angular_momentum,
                  session.world().bodies()[std::size_t(b)].rigid_state()->angular_momentum);
    }
}

TEST(FreeInSession, BodiesOfOlderRecordingsStayWhereTheyAre) {
    for (const int version : {1, 2}) {
        const Json old = {
            {"dt", 0.01},
            {"gravity", {0, 0, -1}},
            {"bodies", {{{"name", "a"}, {"model", "points.glb"}, {"method", "stvk"}, {"newton", 1}}}},
            {"recording", {{"version", version}, {"steps", 10}, {"inputs", Json::array()}}}};
        Session session = session_of_points();
        ASSERT_TRUE(session.start_replay(old).ok());
        EXPECT_EQ(session.step(100), 10);
        EXPECT_EQ(session.world().bodies()[0].mount(), Mount::Fixed);
        EXPECT_TRUE(session.world().bodies()[0].pose().position.isZero(0));
    }
    // Those of version 3 say what they are.
    const Json now = {{"bodies", {{{"name", "a"}, {"model", "points.glb"}}}},
                      {"recording", {{"version", 3}, {"steps", 10}, {"inputs", Json::array()}}}};
    Session session = session_of_points();
    ASSERT_TRUE(session.start_replay(now).ok());
    EXPECT_TRUE(session.world().bodies()[0].flies());
}

}  // namespace
}  // namespace limber
