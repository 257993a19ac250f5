// SPDX-License-Identifier: Apache-2.0
// Warped bodies, moving supports, constraints and recordings in time: against bodies that are stepped by
// hand, inertia, and rigid motion.
#include "build/scene/simulate.h"

#include "tests/build/recipe/tiny_model.h"

#include <gtest/gtest.h>

namespace limber::test {
namespace {

using namespace build;
using Eigen::Vector3d;

std::shared_ptr<const Model> bar() {
    static const std::shared_ptr<const Model> model = tiny_model();
    return model;
}

Scene bar_scene(Method method) {
    Scene scene;
    scene.bodies.resize(1);
    scene.bodies[0].name = "bar";
    scene.bodies[0].model = bar();
    scene.bodies[0].method = method;
    scene.dt = 0.005;
    scene.duration = 0.5;
    return scene;
}

std::vector<int> tip() {
    return select_on_model("tip", "x>0.999", *bar());
}
int corner() {
    return select_on_model("corner", "near:1,0,0", *bar())[0];
}

Guide path(const std::function<Pose(double)>& pose, double dt, double end,
           Interpolation interpolation = Interpolation::Linear) {
    std::vector<double> times, positions, rotations;
    for (int i = 0; i * dt <= end + dt / 2; ++i) {
        const Pose at = pose(i * dt);
        times.push_back(i * dt);
        positions.insert(positions.end(), at.position.begin(), at.position.end());
        rotations.insert(rotations.end(), at.orientation.coeffs().begin(), at.orientation.coeffs().end());
    }
    const auto list = [](std::vector<double> values) {
        return std::make_shared<const std::vector<double>>(std::move(values));
    };
    AnimatedNode node;
    node.moves = Keyframes{interpolation, list(times), list(positions)};
    node.turns = Keyframes{interpolation, list(times), list(rotations)};
    return {{{std::make_shared<const NodeTree>(NodeTree{{node}, ""}), 0}}};
}

Guide standing_at(const Vector3d& position) {
    return path([&](double) { return Pose{position, Eigen::Quaterniond::Identity()}; }, 1, 0);
}

TEST(WarpedSimulate, AWarpedBodyMovesAsOneThatIsSteppedByHand) {
    Scene scene = bar_scene(Method::Warp);
    scene.gravity = {0, 0, -9.81};
    scene.bodies[0].settings = WarpSettings{.beta = 0.002};
    scene.forces = {{0, {{corner()}, {0, 3, 0}}, 0, 0.2}};
    scene.probes = {{"tip", 0, {corner()}}};
    const Recording recording = simulate(scene);

    WarpSettings settings;
    settings.beta = 0.002;
    settings.gravity = scene.gravity;
    WarpBody body = make_warp_body(bar()->warp, settings).value();
    ASSERT_TRUE(body.add_force({corner(), Vector3d(0, 3, 0)}).ok());
    for (int i = 1; i <= 100; ++i) {
        if (i == 41) body.clear_forces();
        body.step(scene.dt);
        ASSERT_EQ(recording.bodies[0].q.col(i), body.state().q) << i;  // the same operations
        ASSERT_EQ(recording.probes[0].col(i), body.displacement(corner()));
    }
    EXPECT_GT(recording.bodies[0].q.norm(), 0);
    EXPECT_EQ(recording.bodies[0].turned_by, recording.bodies[0].q);
}

TEST(WarpedSimulate, LinearModesAreNotTurned) {
    Scene scene = bar_scene(Method::Warp);
    scene.gravity = {0, 0, -9.81};
    scene.bodies[0].method = Method::Linear;
    scene.probes = {{"tip", 0, {corner()}}};
    const Recording recording = simulate(scene);
    EXPECT_EQ(recording.bodies[0].turned_by.norm(), 0);
    const Eigen::Vector3d linear =
        bar()->warp->surface_modes.middleRows<3>(3 * corner()) * recording.bodies[0].q.col(60);
    EXPECT_LE((recording.probes[0].col(60) - linear).norm(), 1e-14);
}

// In a frame that accelerates by a, a body moves as in one at rest under gravity -a. The poses are exact at
// the steps, and so are their second differences but for rounding: 1e-16 m / dt² = 4e-12 m/s².
TEST(WarpedSimulate, AnAcceleratedSupportActsAsGravity) {
    const Vector3d a(1, 2, -3);
    for (const Method method : {Method::Stvk, Method::Warp}) {
        Scene pulled = bar_scene(method), fallen = bar_scene(method);
        pulled.bodies[0].support = path(
            [&](double t) {
                return Pose{0.5 * a * t * t + Vector3d(1, 0, 0) * t, Eigen::Quaterniond::Identity()};
            },
            pulled.dt, 1);
        fallen.gravity = -a;
        const Recording one = simulate(pulled), other = simulate(fallen);
        EXPECT_GT(other.bodies[0].q.norm(), 0);
        EXPECT_LE((one.bodies[0].q - other.bodies[0].q).norm(), 1e-9 * other.bodies[0].q.norm());
        ASSERT_EQ(one.bodies[0].poses.size(), one.times.size());
        EXPECT_LE((one.bodies[0].poses[100].position - Vector3d(0.125 + 0.5, 0.25, -0.375)).norm(), 1e-12);
    }
}

// The body begins at rest in its frame, however fast that moves: nothing pushes it.
TEST(WarpedSimulate, ASupportThatMovesEvenlyFromTheStartPushesNobody) {
    for (const Method method : {Method::Stvk, Method::Warp}) {
        Scene scene = bar_scene(method);
        scene.bodies[0].support = path(
            [](double t) {
                return Pose{Vector3d(3, -2, 1) * t, Eigen::Quaterniond::Identity()};
            },
            1, 2);
        // Rounding of positions of 3 m: 4e-16 / dt² = 2e-11 m/s² on a body that gives 0.1 m to 10 m/s².
        EXPECT_LE(simulate(scene).bodies[0].q.cwiseAbs().maxCoeff(), 1e-9);
    }
}

// Both methods answer alike to a slow turn in the field of gravity: the body sags towards the same side.
TEST(WarpedSimulate, ATurningSupportTurnsGravityInTheBody) {
    for (const Method method : {Method::Stvk, Method::Warp}) {
        Scene scene = bar_scene(method);
        scene.dt = 0.01;
        scene.duration = 6;
        scene.gravity = {0, 0, -1};
        if (method == Method::Stvk)
            scene.bodies[0].settings = StvkSettings{.alpha = 20};
        else
            scene.bodies[0].settings = WarpSettings{.alpha = 20};
        scene.probes = {{"tip", 0, tip()}};
        scene.bodies[0].support = path(
            [](double t) {
                const double angle = std::min(t, 4.0) / 4 * M_PI / 2;  // a quarter turn about the bar's axis
                return Pose{Vector3d::Zero(),
                            Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitX()))};
            },
            scene.dt, 7);
        const Recording recording = simulate(scene);
        // In the world the tip hangs down all the time; in the frame, along -y at the end (0, 0, -1 turned
        // back).
        const Vector3d end = recording.probes[0].col(600);
        EXPECT_LT(end.z(), -0.005);
        EXPECT_LT(std::abs(end.y()), 0.05 * std::abs(end.z()));  // the last of the swing
    }
}

TEST(WarpedSimulate, ASupportThatJumpsLeavesNoNaN) {
    for (const Method method : {Method::Stvk, Method::Warp}) {
        Scene scene = bar_scene(method);
        scene.bodies[0].support = path(
            [](double t) {
                return Pose{Vector3d(t > 0.15 ? 1e4 : 0, 0, 0),
                            Eigen::Quaterniond(Eigen::AngleAxisd(t > 0.15 ? 3 : 0, Vector3d::UnitY()))};
            },
            0.1, 0.5, Interpolation::Step);
        const Recording recording = simulate(scene);
        EXPECT_TRUE(recording.bodies[0].q.allFinite());
    }
}

TEST(WarpedSimulate, AConstraintIsMetInTheWorldWhileTheSupportMoves) {
    // Three modes could not bring the tip to any place; twelve can.
    Recipe recipe = tiny_recipe();
    recipe.modes = 12;
    recipe.rank = RankChoice{.rank = 12, .auto_fraction = {}};
    Scene scene = bar_scene(Method::Warp);
    scene.bodies[0].model = build_model(tiny_bar(), recipe).model;
    scene.gravity = {0, 0, -9.81};
    scene.bodies[0].constraint_settings.positions_by = PositionMethod::Newton;
    scene.bodies[0].pose.position = {0, 0, 2};
    scene.bodies[0].support = path(
        [](double t) {
            return Pose{Vector3d(0, 0.1 * t * t, 0),
                        Eigen::Quaterniond(Eigen::AngleAxisd(0.2 * t * t, Vector3d::UnitZ()))};
        },
        scene.dt, 1);
    scene.probes = {{"tip", 0, {corner()}}};
    SceneConstraint constraint;
    constraint.vertices = {corner()};
    constraint.target = standing_at({0.95, 0.05, 2.1});
    constraint.from = 0.1;
    constraint.to = 0.4;
    scene.constraints = {constraint};
    const Recording recording = simulate(scene);
    const RecordedBody& body = recording.bodies[0];
    for (int i = 21; i <= 80; ++i) {  // the steps that end in (0.1, 0.4]
        const Vector3d rest = body.poses[static_cast<std::size_t>(i)] * Vector3d(1, 0, 0);
        EXPECT_LE((rest + recording.probes[0].col(i) - Vector3d(0.95, 0.05, 2.1)).norm(), 1e-6) << i;
    }
    // Before and after, it is not held.
    for (const int i : {20, 84}) {
        const Vector3d rest = body.poses[static_cast<std::size_t>(i)] * Vector3d(1, 0, 0);
        EXPECT_GT((rest + recording.probes[0].col(i) - Vector3d(0.95, 0.05, 2.1)).norm(), 1e-3) << i;
    }
    ASSERT_TRUE(body.missed);
    EXPECT_LE(body.missed->position, 1e-6);
}

// As well as can be: between the two.
TEST(WarpedSimulate, ContradictoryTargetsAreMetHalfwayAndReported) {
    Scene scene = bar_scene(Method::Warp);
    scene.bodies[0].settings = WarpSettings{.alpha = 5};
    SceneConstraint up, down;
    up.vertices = down.vertices = {corner()};
    up.to = down.to = scene.duration;
    up.target = standing_at({1, 0, 0.02});
    down.target = standing_at({1, 0, -0.02});
    scene.constraints = {up, down};
    scene.probes = {{"tip", 0, {corner()}}};
    const Recording recording = simulate(scene);
    EXPECT_TRUE(recording.bodies[0].q.allFinite());
    EXPECT_LE(recording.probes[0].col(100).norm(), 1e-4);
    EXPECT_NEAR(recording.bodies[0].missed->position, 0.02, 1e-4);
}

TEST(WarpedSimulate, ReleasedUnderGravityAloneAWarpedBodyStaysInBalance) {
    Scene scene = bar_scene(Method::Warp);
    scene.gravity = {0, 0, -9.81};
    add_forces({tip(), Vector3d::Zero()}, scene.bodies[0].release);
    const Recording recording = simulate(scene);
    EXPECT_EQ(recording.not_converged, 0);
    const Eigen::MatrixXd& q = recording.bodies[0].q;
    EXPECT_GT(q.col(0).norm(), 0);
    EXPECT_LE((q.rightCols(1) - q.col(0)).norm(), 1e-8 * q.col(0).norm());  // the tolerance of the balance
}

TEST(WarpedSimulate, ATurnedWarpedBodyMovesAsTheSameBodyUnderTurnedForces) {
    Scene upright = bar_scene(Method::Warp), turned = bar_scene(Method::Warp);
    upright.gravity = {0, 0, -9.81};
    upright.probes = turned.probes = {{"tip", 0, tip()}};
    const Eigen::Quaterniond r(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
    turned.bodies[0].pose.orientation = r;
    turned.gravity = r * upright.gravity;
    const Eigen::MatrixXd expected = r.toRotationMatrix() * simulate(upright).probes[0];
    EXPECT_LE((simulate(turned).probes[0] - expected).norm(), 1e-9 * expected.norm());
}

TEST(WarpedSimulate, AnEventChangesTheStiffnessOfAllGroups) {
    Scene scene = bar_scene(Method::Warp);
    scene.bodies[0].settings = WarpSettings{.step = OscillatorStep::ClosedForm};
    scene.bodies[0].v = Eigen::VectorXd::Unit(bar()->warp->modes(), 0);
    SceneEvent event;
    event.time = 0.25;
    event.input["set"]["materials"]["default"]["young"] = 2e6;  // twice the built one
    scene.events = {event};
    const Recording recording = simulate(scene);
    const RecordedBody& body = recording.bodies[0];
    const Eigen::VectorXd energy = body.kinetic + body.elastic;
    // The closed form keeps a mode's energy; the event adds its elastic part once more.
    EXPECT_NEAR(energy[49], energy[0], 1e-12);
    EXPECT_NEAR(energy[51], energy[50] + body.elastic[50], 1e-12);
    EXPECT_NEAR(energy[100], energy[51], 1e-12);
}

// docs/recording.md, written out with bodies of its own.
TEST(WarpedSimulate, ARecordingIsReplayedStepByStep) {
    for (const Method method : {Method::Stvk, Method::Warp}) {
        Scene scene = bar_scene(method);
        scene.gravity = {0, 0, -1};
        const nlohmann::json inputs = nlohmann::json::parse(R"([
            {"step": 0, "pull": {"vertex": 0, "target": [1.1, 0.1, 0.2], "stiffness": 40}},
            {"step": 10, "frame": {"acceleration": [0, 3, 0]}, "dt": 0.002},
            {"step": 30, "pull": null, "gravity": [0, 0, 2]},
            {"step": 30, "set": {"materials": {"default": {"young": 5e5}}}}])");
        nlohmann::json recorded = {
            {"dt", scene.dt},
            {"gravity", {0, 0, -1}},
            {"bodies", {{{"name", "bar"}, {"model", "bar.glb"}, {"method", word_of(method)}}}},
            {"recording", {{"version", 1}, {"steps", 60}, {"inputs", inputs}}}};
        recorded["recording"]["inputs"][0]["pull"]["vertex"] = corner();
        scene.models["bar.glb"] = bar();
        scene.replay = Replay{60, recorded, "recording"};
        const Recording recording = simulate(scene);
        ASSERT_EQ(recording.times.size(), 61u);
        EXPECT_NEAR(recording.times[60], 10 * 0.005 + 50 * 0.002, 1e-12);

        const Vector3d target(0.1, 0.1, 0.2);  // displacement of the corner, which rests at (1, 0, 0)
        const auto by_hand = [&](auto body, auto pull, auto soften) {
            FrameMotion frame;
            double dt = 0.005;
            for (int n = 0; n < 60; ++n) {
                if (n == 10) {
                    frame.acceleration = Vector3d(0, 3, 0);
                    ASSERT_TRUE(body.set_frame(frame).ok());
                    dt = 0.002;
                }
                if (n == 30) soften(body);
                body.clear_forces();
                if constexpr (std::is_same_v<decltype(body), StvkBody>)
                    if (n == 0) {  // the spring as it is at the start
                        pull(body, 0);
                        body.set_acceleration_from_forces();
                        body.clear_forces();
                    }
                if (n < 30) pull(body, dt);
                body.step(dt);
                ASSERT_LE((recording.bodies[0].q.col(n + 1) - body.state().q).norm(),
                          1e-12 * body.state().q.norm())
                    << n;
            }
        };
        if (method == Method::Stvk) {
            StvkSettings settings;
            settings.gravity = scene.gravity;
            by_hand(
                make_stvk_body(bar(), settings).value(),
                [&](StvkBody& b, double h) {  // docs/math/newmark.md (13)
                    const Eigen::VectorXd q = b.state().q + h * b.state().v + 0.25 * h * h * b.state().a;
                    const Vector3d u = bar()->surface.basis.middleRows<3>(3 * corner()) * q;
                    ASSERT_TRUE(b.add_force({corner(), 40 * (target - u)}).ok());
                },
                [](StvkBody& b) {
                    StvkSettings s = b.settings();
                    s.gravity = {0, 0, 2};
                    for (Material& m : s.materials)
                        m.young = 5e5;
                    ASSERT_TRUE(b.set(s).ok());
                });
        } else {
            WarpSettings settings;
            settings.gravity = scene.gravity;
            by_hand(
                make_warp_body(bar()->warp, settings).value(),
                [&](WarpBody& b, double h) { ASSERT_TRUE(b.add_spring(corner(), target, 40, h).ok()); },
                [](WarpBody& b) {
                    WarpSettings s = b.settings();
                    s.gravity = {0, 0, 2};
                    s.young_scale = 0.5;
                    ASSERT_TRUE(b.set(s).ok());
                });
        }
    }
}

}  // namespace
}  // namespace limber::test
