// SPDX-License-Identifier: Apache-2.0
// Trees that fly, lose domains and stand in the wind, in worlds and recordings.
#include "branching.h"

#include <limber/domains/subtree.h>
#include <limber/settings/read_settings.h>
#include <limber/world/session.h>
#include <limber/world/world.h>

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace limber::build::test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Json = nlohmann::json;

std::shared_ptr<const Model> tree_of_branches() {
    static const std::shared_ptr<const Model> model = built_tree(branching(), 6).built.model;
    return model;
}

// The same of which nothing is fixed.
std::shared_ptr<const Model> loose_branches() {
    static const std::shared_ptr<const Model> model = [] {
        CutMesh cut = branching();
        cut.fixed.clear();
        return built_tree(std::move(cut), 6).built.model;
    }();
    return model;
}

Session session_of(const Json& body, const Json& more = Json::object()) {
    Session session;
    session.add_model("tree", tree_of_branches());
    session.add_model("loose", loose_branches());
    Json scene = {{"dt", 0.005}, {"gravity", {0, 0, -9.81}}, {"bodies", {body}}};
    scene.update(more);
    const Status begun = session.start_replay(scene);
    EXPECT_TRUE(begun.ok()) << (begun.ok() ? "" : begun.error().where + ": " + begun.error().problem);
    session.stop_replay();
    return session;
}

const WorldBody& body_of(const Session& session, const std::string& name) {
    const auto id = session.world().find(name);
    EXPECT_TRUE(id) << name;
    return *session.world().body(*id);
}

void apply(Session& session, const Json& input) {
    const Status done = session.apply(input);
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().where + ": " + done.error().problem);
}

struct Momenta {
    double mass = 0;
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();  // about the world's origin
};

Momenta momenta_of(const World& world) {
    Momenta out;
    for (const WorldBody& body : world.bodies()) {
        const RigidState s = *body.rigid_state();
        out.mass += body.flight()->mass;
        out.linear += s.momentum;
        out.angular += s.angular_momentum + s.position.cross(s.momentum);
    }
    return out;
}

TEST(TreeInWorld, ItIsFreeWhereNothingIsFixedElseFixed) {
    EXPECT_EQ(mount_of(Method::Domains, *tree_of_branches(), {}).value(), Mount::Fixed);
    EXPECT_EQ(mount_of(Method::Domains, *loose_branches(), {}).value(), Mount::Free);
    EXPECT_EQ(mount_of(Method::Domains, *tree_of_branches(), Mount::Free).value(), Mount::Free);
    EXPECT_FALSE(mount_of(Method::Domains, *loose_branches(), Mount::Moved).ok());
}

// A thrown tree: its centre is on the parabola, the angular momentum about it stays.
TEST(TreeInWorld, AFreeTreeFliesOnAParabola) {
    Session session = session_of({{"name", "a"},
                                  {"model", "loose"},
                                  {"position", {1, 2, 3}},
                                  {"velocity", {2, 0, 5}},
                                  {"angular_velocity", {0.5, 1, -0.7}}});
    const WorldBody& body = body_of(session, "a");
    ASSERT_TRUE(body.flies());
    EXPECT_EQ(body.mount(), Mount::Free);
    EXPECT_LE((body.pose().position - Vector3d(1, 2, 3)).norm(), 1e-15);
    EXPECT_LE((body.flight()->velocity - Vector3d(2, 0, 5)).norm(), 1e-12);
    EXPECT_LE((body.flight()->angular_velocity - Vector3d(0.5, 1, -0.7)).norm(), 1e-12);
    // A point of a rigidly turning body.
    const Vector3d arm = body.position(7) - body.rigid_state()->position;
    EXPECT_LE((body.velocity(7) - Vector3d(2, 0, 5) - Vector3d(0.5, 1, -0.7).cross(arm)).norm(), 1e-10);
    const RigidState start = *body.rigid_state();
    const double mass = body.flight()->mass;
    EXPECT_NEAR(mass, 320 * 1e-3 * 1000, 1e-6);  // 320 cubes of 0.1 m
    session.step(100);
    const RigidState end = *body.rigid_state();
    const Vector3d g(0, 0, -9.81);
    EXPECT_LE((end.momentum - start.momentum - 0.5 * mass * g).norm(), 1e-9 * end.momentum.norm());
    EXPECT_LE((end.position - start.position - Vector3d(1, 0, 2.5) - 0.125 * g).norm(), 1e-9);
    EXPECT_LE((end.angular_momentum - start.angular_momentum).norm(), 1e-9 * start.angular_momentum.norm());
    EXPECT_GT(body.q().norm(), 0);
}

TEST(TreeInWorld, ASupportCannotCarryAFreeTreeAndAVelocityNeedsFlight) {
    Session session = session_of({{"name", "a"}, {"model", "loose"}});
    EXPECT_FALSE(session.apply({{"body", "a"}, {"support", {{"position", {0, 0, 1}}}}}).ok());
    Session fixed = session_of({{"name", "a"}, {"model", "tree"}});
    EXPECT_FALSE(fixed.apply({{"body", "a"}, {"place", {{"velocity", {1, 0, 0}}}}}).ok());
    // Settings do not change how it is mounted.
    apply(session, {{"body", "a"}, {"set", {{"damping", {{"beta", 0.01}}}}}});
    EXPECT_TRUE(body_of(session, "a").flies());
    ASSERT_TRUE(session.world().apply(SetSettings{body_of(session, "a").id(), DomainsSettings{}}).ok());
    EXPECT_TRUE(body_of(session, "a").flies());
}

const Json kWind = {{"velocity", {6, 1, 0}}, {"drag", 1.1}, {"gusts", 0.4}, {"seed", 5}};

TEST(TreeInWorld, RestoredAndClonedWorldsGoOnBitByBit) {
    Session session =
        session_of({{"name", "a"}, {"model", "loose"}, {"angular_velocity", {0, 1, 0}}}, {{"wind", kWind}});
    session.step(20);
    apply(session, {{"body", "a"}, {"set", {{"domains", {{"domain4", {{"detach", true}}}}}}}});
    session.step(5);
    World& world = session.world();
    const WorldState saved = world.save();
    World twin = world.clone();
    const auto run = [](World& of) {
        for (int k = 0; k < 20; ++k)
            of.step(0.005);
        std::vector<double> out;
        for (const WorldBody& body : of.bodies()) {
            out.insert(out.end(), body.q().begin(), body.q().end());
            const Pose pose = body.pose();
            out.insert(out.end(), pose.position.begin(), pose.position.end());
        }
        return out;
    };
    const auto once = run(world);
    EXPECT_EQ(run(twin), once);
    ASSERT_TRUE(world.restore(saved).ok());
    EXPECT_EQ(run(world), once);
}

TEST(TreeInWorld, WindActsAndIsRecorded) {
    Session still = session_of({{"name", "a"}, {"model", "tree"}}),
            blown = session_of({{"name", "a"}, {"model", "tree"}}, {{"wind", kWind}});
    EXPECT_EQ(still.world().wind(), nullptr);
    ASSERT_NE(blown.world().wind(), nullptr);
    EXPECT_EQ(blown.world().wind()->seed, 5);
    still.step(40);
    blown.step(40);
    EXPECT_GT((still.world().bodies()[0].q() - blown.world().bodies()[0].q()).norm(), 0);
    apply(blown, {{"wind", nullptr}});
    EXPECT_EQ(blown.world().wind(), nullptr);
    for (const Json& bad : {Json{{"velocity", {2000, 0, 0}}}, Json{{"drag", -1}}, Json{{"seed", 0.5}},
                            Json{{"gust", 0.1}}, Json{{"elapsed", -1}}})
        EXPECT_FALSE(blown.apply({{"wind", bad}}).ok()) << bad.dump();
}

// Recorded from the middle of a flight in gusts, with a domain that is gone and one that goes meanwhile.
TEST(TreeInSession, ReplaysAreTheRecordingBitByBit) {
    Session session =
        session_of({{"name", "a"}, {"model", "loose"}, {"angular_velocity", {0.3, 1, 0}}}, {{"wind", kWind}});
    session.step(17);
    apply(session, {{"body", "a"}, {"set", {{"domains", {{"domain7", {{"detach", true}}}}}}}});
    session.step(3);
    const Status begun = session.start_recording();
    ASSERT_TRUE(begun.ok()) << begun.error().where << begun.error().problem;
    session.step(10);
    apply(session, {{"body", "a"}, {"set", {{"domains", {{"domain3", {{"detach", true}}}}}}}});
    session.step(10);
    apply(session,
          {{"body", "a.domain3"}, {"pull", {{"vertex", 5}, {"target", {0, 0, 9}}, {"stiffness", 50}}}});
    session.step(10);
    const Json recording = session.stop_recording();
    Session other;
    other.add_model("tree", tree_of_branches());
    other.add_model("loose", loose_branches());
    const Status started = other.start_replay(recording);
    ASSERT_TRUE(started.ok()) << started.error().where << started.error().problem;
    EXPECT_EQ(other.step(30), 30);
    ASSERT_FALSE(other.replay_problem()) << other.replay_problem()->problem;
    ASSERT_EQ(session.world().bodies().size(), 3u);
    ASSERT_EQ(other.world().bodies().size(), 3u);
    for (const WorldBody& body : session.world().bodies()) {
        const WorldBody& same = body_of(other, body.name());
        EXPECT_EQ(body.q(), same.q()) << body.name();
        EXPECT_EQ(body.pose().position, same.pose().position) << body.name();
        EXPECT_EQ(body.flight()->velocity, same.flight()->velocity) << body.name();
    }
}

// What flies off has the momenta that it had, and leaves the others theirs.
TEST(TreeInWorld, DetachingADomainKeepsMassMomentumAndEnergy) {
    Session session = session_of({{"name", "a"},
                                  {"model", "loose"},
                                  {"velocity", {1, 2, -1}},
                                  {"angular_velocity", {1, -2, 0.5}},
                                  {"domains", {{"domain4", {{"density_scale", 2.5}}}}}});
    session.step(60);
    const World& world = session.world();
    const auto energy = [&] {
        double sum = 0;
        for (const WorldBody& body : world.bodies())
            sum += body.kinetic_energy() + body.elastic_energy();
        return sum;
    };
    const Momenta before = momenta_of(world);
    const double energy_before = energy();
    const auto* tree = &std::get<DomainsBody>(body_of(session, "a").kind());
    const int domain = *find_domain(*loose_branches()->domains, "domain3");  // domain4 hangs on it
    const VectorXd q = tree->state().q.segment(tree->tree().domains[std::size_t(domain)].first, 6);
    apply(session, {{"body", "a"}, {"set", {{"domains", {{"domain3", {{"detach", true}}}}}}}});
    ASSERT_EQ(world.bodies().size(), 2u);
    const WorldBody& piece = body_of(session, "a.domain3");
    EXPECT_EQ(piece.mount(), Mount::Free);
    EXPECT_EQ(piece.q().size(), 12);
    EXPECT_EQ(piece.q().head(6), q);
    EXPECT_NEAR(piece.flight()->mass, 32 + 2.5 * 32, 1e-9);  // 32 cubes each
    const Momenta after = momenta_of(world);
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    EXPECT_LE((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
    EXPECT_LE((after.angular - before.angular).norm(), 1e-12 * before.angular.norm());
    EXPECT_NEAR(energy(), energy_before, 1e-12 * energy_before);
    // Both fly on, and what they have in common stays.
    session.step(40);
    const Momenta end = momenta_of(world);
    const Vector3d fallen = 0.2 * before.mass * Vector3d(0, 0, -9.81);
    EXPECT_LE((end.linear - before.linear - fallen).norm(), 1e-9 * before.linear.norm());
}

// Of a tree that stands on a support that turns: the piece has the velocity of its points.
TEST(TreeInWorld, APieceOfACarriedTreeGoesOnWithItsVelocity) {
    Session session = session_of({{"name", "a"}, {"model", "tree"}, {"position", {0.5, 0, 0}}});
    apply(session, {{"body", "a"},
                    {"support",
                     {{"position", {1, 0, 2}}, {"velocity", {0.3, 0, 0}}, {"angular_velocity", {0, 0, 2}}}}});
    session.step(30);
    const WorldBody& body = body_of(session, "a");
    const auto& domains = *tree_of_branches()->domains;
    const int domain = *find_domain(domains, "domain5");
    int first = 0;
    for (int i = 0; i < domain; ++i)
        first += int(
            domains.parts[std::size_t(domains.domains[std::size_t(i)].part)].model->surface.vertices.size());
    // One that no other domain shares: the farthest from the trunk.
    int vertex = 0;
    const auto& surface =
        domains.parts[std::size_t(domains.domains[std::size_t(domain)].part)].model->surface;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        if (surface.vertices[v].x() < surface.vertices[std::size_t(vertex)].x()) vertex = int(v);
    const Vector3d x = body.position(first + vertex), v = body.velocity(first + vertex);
    apply(session,
          {{"body", "a"},
           {"pull",
            {{"vertex", first + vertex}, {"target", {0, 0, 0}}, {"stiffness", 3}, {"space", "frame"}}}});
    apply(session, {{"body", "a"}, {"set", {{"domains", {{"domain5", {{"detach", true}}}}}}}});
    const WorldBody& piece = body_of(session, "a.domain5");
    EXPECT_LE((piece.position(vertex) - x).norm(), 1e-12);
    EXPECT_LE((piece.velocity(vertex) - v).norm(), 1e-12 * v.norm());
    // The spring goes with the piece, to the same place.
    EXPECT_TRUE(body_of(session, "a").springs().empty());
    ASSERT_EQ(piece.springs().size(), 1u);
    EXPECT_EQ(piece.springs()[0].vertex, vertex);
    // The tree shows nothing of it any more.
    Eigen::VectorXf u, n;
    body_of(session, "a").surface_shape(u, n);
    const auto& rest = tree_of_branches()->surface.vertices;
    const Vector3d a = rest[std::size_t(first)] + u.segment<3>(3 * first).cast<double>();
    const Vector3d b = rest[std::size_t(first + vertex)] + u.segment<3>(3 * (first + vertex)).cast<double>();
    EXPECT_LE((a - b).norm(), 1e-6);
    session.step(20);
    EXPECT_EQ(session.world().report().not_converged, 0);
}

TEST(TreeInWorld, WhatCannotBeDetachedIsRefusedAndNothingChanges) {
    Session session = session_of({{"name", "a"}, {"model", "tree"}});
    const std::string root = tree_of_branches()->domains->domains[0].name;
    const auto detach = [&](const std::string& domain, bool on = true) {
        return session.apply({{"body", "a"}, {"set", {{"domains", {{domain, {{"detach", on}}}}}}}});
    };
    EXPECT_FALSE(detach(root).ok());
    EXPECT_FALSE(detach("nobody").ok());
    EXPECT_EQ(session.world().bodies().size(), 1u);
    EXPECT_TRUE(detach("domain6", false).ok());
    EXPECT_EQ(session.world().bodies().size(), 1u);
    EXPECT_TRUE(detach("domain6").ok());
    EXPECT_EQ(session.world().bodies().size(), 2u);
    EXPECT_FALSE(detach("domain6", false).ok());
    EXPECT_TRUE(detach("domain6").ok());  // it is, already
    EXPECT_EQ(session.world().bodies().size(), 2u);
    // A domain at the start of a body: left out.
    Session without =
        session_of({{"name", "a"}, {"model", "tree"}, {"domains", {{"domain6", {{"detach", true}}}}}});
    EXPECT_EQ(without.world().bodies().size(), 1u);
    // One that hangs by itself.
    Session branch = session_of({{"name", "b"}, {"model", "tree"}, {"subtree", "domain3"}});
    EXPECT_EQ(branch.world().bodies()[0].q().size(), 12);
    EXPECT_TRUE(branch.world().bodies()[0].flies());
}

}  // namespace
}  // namespace limber::build::test
