// SPDX-License-Identifier: Apache-2.0
// Pairs of soft bodies: collisions, bodies that begin in one another, and grips that must not creep. Equation
// numbers: docs/math/contact.md.
#include "tests/limber/world/soft_models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace limber::test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const Vector3d kSize{0.2, 0.2, 0.1};
constexpr double kMass = 4;  // kg

// Coarse, middle and fine: 2, 4 and 8 bricks along its length.
const ModelPtr& block(int fineness) {
    static const std::array<ModelPtr, 3> models = {
        soft_block(kSize, {}, {2, 2, 1}), soft_block(kSize, {}, {4, 4, 2}), soft_block(kSize, {}, {8, 8, 4})};
    return models[std::size_t(fineness)];
}

struct Collision {
    int lower, upper;  // fineness
    double speed;      // m/s, of each
    Vector3d offset;
    double tilt;  // rad
};
void PrintTo(const Collision& c, std::ostream* out) {
    *out << c.lower << " under " << c.upper << " at " << c.speed << " m/s, offset " << c.offset.x()
         << " m, tilted by " << c.tilt;
}

class SoftPair : public testing::TestWithParam<Collision> {};

constexpr double kDeepest = 0.0125;  // m: an eighth of their thickness

// Fast towards each other, then apart. The law lets a flat hit sink in by v √(m/2kA), 3.5 mm at 2 × 2.5 m/s;
// a corner or an edge has less area.
TEST_P(SoftPair, CollidesAndSeparates) {
    const Collision& c = GetParam();
    World world({.contact = soft_settings()});
    const BodyId lower = added(world, {.model = block(c.lower), .velocity = {0, 0, c.speed}});
    const double height = 0.06 + (c.tilt > 0 ? 0.05 * std::cos(c.tilt) + 0.145 * std::sin(c.tilt) : 0.05);
    const BodyId upper =
        added(world, {.model = block(c.upper),
                      .pose = {c.offset + Vector3d(0, 0, height),
                               Quaterniond(AngleAxisd(c.tilt, Vector3d(1, 0.5, 0).normalized()))},
                      .velocity = {0, 0, -c.speed}});
    const Momenta start = momenta_of(world, {lower, upper});
    const WorldBody &one = *world.body(lower), &two = *world.body(upper);
    double deepest = 0, told = 0, nearest = 1;
    bool touched = false;
    for (int i = 0; i < 400; ++i) {
        world.step(1e-3);
        ASSERT_EQ(world.report().not_converged, 0) << i;
        touched |= world.report().contact.touching > 0;
        told = std::max(told, world.report().contact.depth);
        nearest = std::min(nearest, (two.rigid_state()->position - one.rigid_state()->position).norm());
        if (i % 4 == 0 && nearest < 0.3) deepest = std::max(deepest, overlap(one, two));
    }
    EXPECT_TRUE(touched);
    EXPECT_LE(deepest, kDeepest);
    EXPECT_LE(told, kDeepest);
    EXPECT_GT(nearest, 0.08);  // their thickness is 0.1
    if (c.offset.isZero()) {   // the others turn round each other
        EXPECT_GT(two.rigid_state()->position.z(), one.rigid_state()->position.z());
        EXPECT_GT(two.flight()->velocity.z(), one.flight()->velocity.z());
    }
    const Momenta end = momenta_of(world, {lower, upper});
    EXPECT_LE((end.linear - start.linear).norm(), 1e-10 * kMass * c.speed);
    EXPECT_LE((end.angular - start.angular).norm(), 1e-10 * kMass * c.speed * kSize.x());
}

std::vector<Collision> collisions() {
    std::vector<Collision> out;
    for (const double speed : {0.5, 1.0, 2.5})
        for (const Vector3d& offset : {Vector3d(0, 0, 0), Vector3d(0.05, 0.03, 0), Vector3d(0.13, 0.11, 0)})
            for (const double tilt : {0.0, 0.3, 0.9})
                for (const auto& [lower, upper] : {std::pair{1, 1}, {2, 0}, {0, 2}})
                    out.push_back({lower, upper, speed, offset, tilt});
    return out;
}
INSTANTIATE_TEST_SUITE_P(Blocks, SoftPair, testing::ValuesIn(collisions()));

StvkSettings damped() {
    StvkSettings settings;
    settings.alpha = 1;
    settings.beta = 0.005;
    return settings;
}

// (32)
TEST(SoftPairs, ThatBeginHalfInOneAnotherLeaveNoFasterThanTheDissipationAllows) {
    const Quaterniond tilted(AngleAxisd(0.4, Vector3d(1, 2, 0.5).normalized()));
    struct Start {
        int lower, upper;
        Pose pose;
    };
    for (const double dissipation : {0.5, 1.0, 2.0})
        for (const Start& start : {Start{1, 1, {{0, 0, 0.05}, Quaterniond::Identity()}},
                                   {1, 1, {{0.03, 0.05, 0.05}, Quaterniond::Identity()}},
                                   {2, 0, {{0.03, 0.05, 0.05}, Quaterniond::Identity()}},
                                   {1, 1, {{0.03, 0.05, 0.06}, tilted}}}) {
            World world({.contact = soft_settings(dissipation)});
            const BodyId lower = added(world, {.model = block(start.lower), .settings = damped()});
            const BodyId upper =
                added(world, {.model = block(start.upper), .settings = damped(), .pose = start.pose});
            ASSERT_GT(overlap(*world.body(lower), *world.body(upper)), 0.02);
            double fastest = 0;
            for (int i = 0; i < 600; ++i) {
                converged_steps(world, 1);
                fastest = std::max(
                    fastest,
                    (world.body(upper)->flight()->velocity - world.body(lower)->flight()->velocity).norm());
            }
            EXPECT_LE(fastest, 1.2 / dissipation);
            EXPECT_EQ(world.report().contact.touching, 0);
            EXPECT_EQ(overlap(*world.body(lower), *world.body(upper)), 0);
            EXPECT_GT(world.body(upper)->rigid_state()->position.z(),
                      world.body(lower)->rigid_state()->position.z() + 0.05);
        }
}

// How far it sinks in the third second, m.
double creep(World& world, BodyId body) {
    converged_steps(world, 2000);
    const double start = world.body(body)->rigid_state()->position.z();
    converged_steps(world, 1000);
    return std::abs(world.body(body)->rigid_state()->position.z() - start);
}

TEST(SoftPairs, PinchedBetweenTwoWallsASoftBlockDoesNotCreep) {
    World world({.gravity = kDown, .contact = soft_settings(1, 0.8)});
    for (const double side : {-1.0, 1.0}) {
        ObstacleDef wall;
        wall.shape = BoxShape{{0.1, 1, 1}};
        wall.pose.position = {side * (0.05 + 0.1 - 0.002), 0, 0};
        added(world, wall);
    }
    const BodyId id = added(world, {.model = block(1), .settings = damped()});
    EXPECT_LE(creep(world, id), 1e-7);  // 0.1 µm/s
}

// Walls of rubber on supports, with other meshes than the block.
TEST(SoftPairs, PinchedBetweenTwoSoftBodiesASoftBlockDoesNotCreep) {
    World world({.gravity = kDown, .contact = soft_settings(1, 0.8)});
    const Vector3d size(0.1, 0.3, 0.3);
    added(world, {.model = soft_block(size, {"x<-0.049"}, {2, 4, 4}),
                  .settings = damped(),
                  .pose = {{-0.148, 0, 0}, Quaterniond::Identity()}});
    added(world, {.model = soft_block(size, {"x>0.049"}, {2, 4, 4}),
                  .settings = damped(),
                  .pose = {{0.148, 0.01, 0.01}, Quaterniond::Identity()}});
    const BodyId id = added(world, {.model = block(1), .settings = damped()});
    EXPECT_LE(creep(world, id), 1e-7);  // 0.1 µm/s
}

// A block of 5 x 2 x 10 bricks of 1 cm with a slot between two tines, held at its foot.
ModelPtr fork() {
    const build::VolumeMesh full = build::testing::brick_bar(5, 2, 10, {0.05, 0.02, 0.1});
    build::VolumeMesh mesh;
    std::vector<int> number(full.vertices.size(), -1);
    for (build::Brick brick : full.bricks) {
        Vector3d middle = Vector3d::Zero();
        for (const int v : brick)
            middle += full.vertices[std::size_t(v)] / 8;
        if (middle.x() > 0.02 && middle.x() < 0.03 && middle.z() > 0.02) continue;
        for (int& v : brick) {
            int& to = number[std::size_t(v)];
            if (to < 0) {
                to = static_cast<int>(mesh.vertices.size());
                mesh.vertices.push_back(full.vertices[std::size_t(v)]);
            }
            v = to;
        }
        mesh.bricks.push_back(brick);
    }
    return built(std::move(mesh), {"z<0.001"});
}

TEST(SoftPairs, TheTinesOfAForkStopWhereTheyTouch) {
    ContactSettings settings = soft_settings();
    settings.self = SelfContact::On;
    World world({.contact = settings});
    const ModelPtr model = fork();
    const BodyId id = added(world, {.model = model, .settings = damped()});
    const auto& rest = model->surface.vertices;
    // Slowly up to 2 N on each tine; they meet at 0.4 N.
    const auto press = [&](double force) {
        std::vector<VertexForce> forces;
        for (std::size_t v = 0; v < rest.size(); ++v)
            if (rest[v].z() > 0.099 && (rest[v].x() < 0.001 || rest[v].x() > 0.049))
                forces.push_back({static_cast<int>(v), {rest[v].x() < 0.025 ? force / 3 : -force / 3, 0, 0}});
        ASSERT_EQ(forces.size(), 6u);
        applied(world, Input{SetForces{id, forces, {}}});
    };
    // Vertices of the two inner faces lie opposite each other.
    const auto deepest = [&] {
        double out = -1;
        for (std::size_t v = 0; v < rest.size(); ++v)
            for (std::size_t w = 0; w < rest.size(); ++w)
                if (std::abs(rest[v].x() - 0.02) < 1e-9 &&
                    (rest[w] - rest[v] - Vector3d(0.01, 0, 0)).norm() < 1e-9 && rest[v].z() > 0.019)
                    out = std::max(
                        out, world.body(id)->position(int(v)).x() - world.body(id)->position(int(w)).x());
        return out;
    };
    double worst = -1;
    for (int i = 0; i <= 1500; ++i) {
        if (i <= 1000 && i % 10 == 0) press(2e-3 * i);
        converged_steps(world, 1);
        worst = std::max(worst, deepest());
    }
    EXPECT_GT(world.report().contact.touching, 0);
    EXPECT_LE(worst, 2e-4);
    EXPECT_GT(deepest(), -1e-4);
}

}  // namespace
}  // namespace limber::test
