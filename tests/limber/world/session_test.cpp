// SPDX-License-Identifier: Apache-2.0
#include "limber/world/session.h"

#include "tests/limber/world/test_world.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace limber {
namespace {

using namespace test;
using Json = nlohmann::json;

Session session_with_models() {
    Session session;
    session.add_model("soft.glb", soft_model());
    session.add_model("box.glb", box_model({0.3, 0.2, 0.1}));
    return session;
}

void applied(Session& session, const Json& input) {
    const Status done = session.apply(input);
    ASSERT_TRUE(done.ok()) << input << ": " << done.error().where << ": " << done.error().problem;
}

void add_bodies(Session& session) {
    applied(session, {{"gravity", {0, 0, -0.5}}});
    applied(session, {{"add", {{"name", "a"}, {"model", "soft.glb"}, {"damping", {{"alpha", 0.1}}}}}});
    applied(session,
            {{"add", {{"name", "b"}, {"model", "soft.glb"}, {"method", "warp"}, {"position", {1, 2, 3}}}}});
    applied(session, {{"add", {{"name", "c"}, {"model", "soft.glb"}, {"method", "linear"}}}});
    applied(session, {{"add",
                       {{"name", "d"},
                        {"model", "box.glb"},
                        {"method", "rigid"},
                        {"density", 500},
                        {"angular_velocity", {0, 5, 0.1}}}}});
}

// Everything that can be said, while it runs.
void play_with(Session& session) {
    applied(session, {{"body", "a"}, {"pull", {{"vertex", 3}, {"target", {0.5, 0, 1}}, {"stiffness", 4}}}});
    session.step(7);
    applied(session, {{"body", "b"},
                      {"constraints",
                       {{"positions", {{{"vertex", 7}, {"displacement", {0.1, 0, 0}}}}},
                        {"positions_by", "newton"},
                        {"smoothing", 0.05}}}});
    applied(session, {{"body", "a"}, {"set", {{"materials", {{"soft", {{"young", 2e3}}}}}}}});
    session.step(5);
    EXPECT_TRUE(session.set_dt(2e-3).ok());
    applied(session, {{"body", "d"}, {"pull", {{"vertex", 0}, {"target", {1, 1, 1}}, {"stiffness", 0.3}}}});
    applied(session, {{"body", "c"}, {"shake", {{"direction", {0, 1, 0}}, {"amplitude", 0.05}, {"hz", 3}}}});
    session.step(30);
    applied(session, {{"pull", nullptr}});
    applied(session, {{"gravity", {0, 0.2, 0}}});
    applied(session, {{"body", "c"}, {"remove", true}});
    applied(session, {{"add", {{"name", "e"}, {"model", "soft.glb"}}}});
    session.step(10);
}

TEST(Session, AReplayRepeatsTheRecordingBitByBit) {
    Session session = session_with_models();
    add_bodies(session);
    EXPECT_TRUE(session.set_dt(5e-3).ok());
    applied(session, {{"body", "c"}, {"shake", {{"direction", {1, 0, 0}}, {"amplitude", 0.05}, {"hz", 3}}}});
    applied(session,
            {{"body", "b"},
             {"constraints",
              {{"positions", {{{"vertex", 9}, {"displacement", {0.1, 0.1, 0}}}}}, {"smoothing", 0.1}}}});
    session.step(20);  // under way when the recording begins
    const Status started = session.start_recording();
    ASSERT_TRUE(started.ok()) << started.error().problem;
    play_with(session);
    const Json recorded = session.stop_recording();
    std::vector<double> live = numbers_of(session.world());
    const std::string text = recorded.dump();  // numbers keep all their digits

    Session again = session_with_models();
    const Status replays = again.start_replay(Json::parse(text));
    ASSERT_TRUE(replays.ok()) << replays.error().where << ": " << replays.error().problem;
    EXPECT_EQ(again.step(1000), 52);
    EXPECT_FALSE(again.replay_problem().has_value());
    EXPECT_FALSE(again.replay().has_value());
    ASSERT_EQ(again.world().bodies().size(), session.world().bodies().size());
    for (std::size_t i = 0; i < again.world().bodies().size(); ++i) {
        const WorldBody &a = again.world().bodies()[i], &b = session.world().bodies()[i];
        EXPECT_EQ(a.name(), b.name());
        EXPECT_EQ(a.q(), b.q()) << a.name();
        EXPECT_EQ(a.v(), b.v()) << a.name();
        EXPECT_EQ(a.position(3), b.position(3)) << a.name();
    }
}

TEST(Session, AnInputThatIsRefusedChangesNothing) {
    Session session = session_with_models();
    add_bodies(session);
    session.step(3);
    const std::vector<double> before = numbers_of(session.world());
    const std::vector<Json> refused = {
        Json::parse("[]"),
        Json::parse("3"),
        {{"pul", nullptr}},
        {{"body", "z"}, {"pull", nullptr}},
        {{"body", 3}, {"pull", nullptr}},
        {{"body", "a"}, {"pull", {{"vertex", 30}, {"target", {0, 0, 0}}, {"stiffness", 1}}}},
        {{"body", "a"}, {"pull", {{"vertex", 3}, {"target", {0, 0}}, {"stiffness", 1}}}},
        {{"body", "a"}, {"pull", {{"vertex", 3}, {"target", {0, 0, 0}}, {"stiffness", -1}}}},
        {{"body", "a"}, {"pull", {{"vertex", 3}, {"target", {0, 0, 0}}}}},
        {{"body", "a"}, {"constraints", {{"positions", {{{"vertex", 7}, {"displacement", {0.1, 0, 0}}}}}}}},
        {{"body", "a"}, {"set", {{"young_scale", 2}}}},
        {{"body", "a"}, {"set", {{"rank", 99}}}},
        {{"body", "b"}, {"set", {{"damping", {{"strain_rate", 1}}}}}},
        {{"body", "d"}, {"set", {{"density", -1}}}},
        {{"body", "d"}, {"support", nullptr}},
        {{"body", "d"}, {"state", {{"q", {1}}}}},
        {{"body", "b"}, {"shake", {{"direction", {2, 0, 0}}, {"amplitude", 1}, {"hz", 1}}}},
        {{"body", "b"}, {"follow", {{"rate", 10}, {"positions", {1, 2}}, {"orientations", {0, 0, 0, 1}}}}},
        {{"add", {{"name", "a"}, {"model", "soft.glb"}}}},
        {{"add", {{"model", "none.glb"}}}},
        {{"add", {{"name", "x"}}}},
        {{"gravity", {0, 1}}},
        // The first half could be done: none is.
        {{"gravity", {9, 9, 9}}, {"body", "a"}, {"state", {{"q", {1e300, 0, 0, 0, 0, 0}}}}}};
    for (const Json& input : refused) {
        const Status done = session.apply(input);
        EXPECT_FALSE(done.ok()) << input;
        EXPECT_EQ(numbers_of(session.world()), before) << input;
    }
    EXPECT_EQ(session.world().gravity(), Eigen::Vector3d(0, 0, -0.5));
    EXPECT_FALSE(session.set_dt(0).ok());
}

TEST(Session, AnInputForABodyThatIsGoneNamesThoseThatAreThere) {
    Session session(WorldDef{});
    session.add_model("soft.glb", soft_model());
    for (const char* name : {"a", "b"})
        ASSERT_TRUE(session.apply({{"add", {{"name", name}, {"model", "soft.glb"}}}}).ok());
    const auto problem_of_a = [&] {
        const Status done = session.apply({{"body", "a"}, {"pull", nullptr}});
        return done.ok() ? "" : done.error().problem;
    };
    ASSERT_EQ(problem_of_a(), "");
    ASSERT_TRUE(session.apply({{"body", "a"}, {"remove", true}}).ok());
    EXPECT_EQ(problem_of_a(), "'a' is none of b");
    ASSERT_TRUE(session.apply({{"body", "b"}, {"remove", true}}).ok());
    EXPECT_EQ(problem_of_a(), "the world has none");
}

// Version 1: one pull on every body, in its frame; pins; frame.
TEST(Session, RecordingsOfVersionOneAreTranslated) {
    const Json old = Json::parse(R"({ "duration": 0.1, "dt": 0.005, "gravity": [0, 0, -0.5],
        "bodies": [ { "name": "stvk", "model": "soft.glb", "method": "stvk", "newton": 1 },
                    { "name": "warped", "model": "soft.glb", "method": "warp", "rotation": [0, 0, 0.6, 0.8] } ],
        "recording": { "version": 1, "steps": 30, "inputs": [
            { "step": 0, "pull": { "vertex": 3, "target": [0.5, 0, 1], "stiffness": 4 } },
            { "step": 4, "frame": { "acceleration": [0.1, 0, 0], "orientation": [0, 0.6, 0, 0.8] } },
            { "step": 5, "pins": { "positions": [ { "vertex": 7, "displacement": [0.1, 0, 0] } ], "method": "newton" } },
            { "step": 8, "body": "stvk", "set": { "damping": { "alpha": 1 } } },
            { "step": 9, "dt": 0.002, "gravity": [0, 0, 0] },
            { "step": 12, "pull": null, "pins": null } ] } })");
    Session session = session_with_models();
    ASSERT_TRUE(session.start_replay(old).ok());
    EXPECT_EQ(session.step(1000), 30);
    EXPECT_FALSE(session.replay_problem().has_value());

    // By hand, as version 1 said: frames turn on the body's own place, springs are in the body's frame.
    const ModelPtr model = soft_model();
    const Eigen::Quaterniond B(0.8, 0, 0, 0.6), F(0.8, 0, 0.6, 0);
    const Eigen::Vector3d g(0, 0, -0.5);
    StvkBody stvk = body_of(model, {.gravity = g});
    auto made = make_warp_body(model->warp, {.gravity = B.conjugate() * g});
    ASSERT_TRUE(made.ok());
    WarpBody& warp = made.value();
    double dt = 0.005;
    for (int step = 0; step < 30; ++step) {
        if (step == 4) {
            ASSERT_TRUE(stvk.set_frame({.orientation = F, .acceleration = {0.1, 0, 0}}).ok());
            ASSERT_TRUE(warp.set_frame({.orientation = F, .acceleration = {0.1, 0, 0}}).ok());
        }
        if (step == 5) {
            Constraints pins;
            pins.positions = {{7, {0.1, 0, 0}}};
            pins.positions_by = PositionMethod::Newton;
            ASSERT_TRUE(warp.set_constraints(pins).ok());
        }
        if (step == 8) {
            StvkSettings settings = stvk.settings();
            settings.alpha = 1;
            ASSERT_TRUE(stvk.set(settings).ok());
        }
        if (step == 9) {
            dt = 0.002;
            StvkSettings settings = stvk.settings();
            settings.gravity.setZero();
            ASSERT_TRUE(stvk.set(settings).ok());
            ASSERT_TRUE(warp.set({}).ok());
        }
        if (step == 12) {
            ASSERT_TRUE(warp.set_constraints({}).ok());
        }
        stvk.clear_forces();
        warp.clear_forces();
        if (step < 12) {
            const Eigen::Vector3d& rest = model->surface.vertices[3];
            const Eigen::Quaterniond turn = step >= 4 ? F : Eigen::Quaterniond::Identity();
            const Eigen::Vector3d target(0.5, 0, 1);
            const auto pull = [&](double h) {
                stvk.clear_forces();
                const Eigen::Vector3d x = rest + stvk.spring_displacement(3, h);
                ASSERT_TRUE(stvk.add_force({3, turn * (4 * (target - x))}).ok());
            };
            if (step == 0) {
                pull(0);
                stvk.set_acceleration_from_forces();
            }
            pull(dt);
            ASSERT_TRUE(warp.add_spring(3, target - rest, 4, dt).ok());
        }
        stvk.step(dt);
        warp.step(dt);
    }
    const WorldBody &a = session.world().bodies()[0], &b = session.world().bodies()[1];
    EXPECT_LE((a.q() - stvk.state().q).norm(), 1e-12 * stvk.state().q.norm());
    EXPECT_LE((b.q() - warp.state().q).norm(), 1e-10 * warp.state().q.norm());
}

TEST(Session, BrokenRecordingsAreRefusedWithTheirPlace) {
    const Json fine = Json::parse(R"({ "dt": 0.005, "bodies": [ { "name": "a", "model": "soft.glb" } ],
        "recording": { "version": 2, "steps": 10, "inputs": [ { "step": 2, "body": "a", "pull": null } ] } })");
    const auto changed = [&](const char* path, const Json& value) {
        Json copy = fine;
        copy[Json::json_pointer(path)] = value;
        return copy;
    };
    const std::vector<Json> refused = {Json::array(),
                                       nullptr,
                                       changed("/recording/version", 4),
                                       changed("/recording/version", "x"),
                                       changed("/recording/steps", -1),
                                       changed("/recording/steps", 1.5),
                                       changed("/recording/inputs", 3),
                                       changed("/recording/inputs/0/step", -1),
                                       changed("/recording/inputs/0/pol", 1),
                                       changed("/recording/other", 1),
                                       changed("/dt", 0),
                                       changed("/bodies", 3),
                                       changed("/bodies/0/model", "none.glb"),
                                       changed("/bodies/0/method", "stone"),
                                       changed("/bodies/0/q", {1, 2}),
                                       changed("/gravity", {1})};
    for (const Json& scene : refused) {
        Session session = session_with_models();
        add_bodies(session);
        const std::vector<double> before = numbers_of(session.world());
        const Status done = session.start_replay(scene);
        EXPECT_FALSE(done.ok()) << scene;
        EXPECT_EQ(numbers_of(session.world()), before) << scene;
    }
    Session session = session_with_models();
    ASSERT_TRUE(session.start_replay(fine).ok());
    EXPECT_EQ(session.step(100), 10);
    // An input that no body can take ends the replay, and says so.
    ASSERT_TRUE(session.start_replay(changed("/recording/inputs/0/body", "b")).ok());
    EXPECT_EQ(session.step(100), 2);
    ASSERT_TRUE(session.replay_problem().has_value());
    EXPECT_NE(session.replay_problem()->where.find("inputs[0]"), std::string::npos);
}

}  // namespace
}  // namespace limber
