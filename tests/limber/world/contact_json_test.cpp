// SPDX-License-Identifier: Apache-2.0
// Contact through JSON inputs, recordings and replays.
#include "limber/world/obstacle_json.h"
#include "limber/world/session.h"

#include "tests/limber/world/contact_scene.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace limber {
namespace {

using Json = nlohmann::json;

struct BoxSession {
    Session session{{.gravity = test::kDown}};

    BoxSession() {
        session.add_model("box", test::box_model({0.2, 0.2, 0.1}));
        apply(Json::parse(R"({"add": {"name": "box", "model": "box", "method": "rigid", "friction": 0.4,
                                      "layer": 3, "position": [0, 0, 0.2], "angular_velocity": [3, 1, 0]}})"));
        apply(Json::parse(R"({"contact": {"dissipation": 0.5, "stiffness": "auto", "sleep": false},
                              "add_obstacle": {"name": "floor", "friction": 0.9,
                                               "shape": {"plane": {"normal": [0.1, 0, 1], "offset": 0}}}})"));
    }
    void apply(const Json& input) {
        const Status done = session.apply(input);
        ASSERT_TRUE(done.ok()) << done.error().where << ": " << done.error().problem;
    }
    std::string refused(const std::string& input) {
        const Status done = session.apply(Json::parse(input));
        EXPECT_FALSE(done.ok()) << input;
        return done.ok() ? "" : done.error().where + ": " + done.error().problem;
    }
};

TEST(ContactJson, ObstaclesAndSettingsAreRead) {
    BoxSession box;
    const World& world = box.session.world();
    ASSERT_EQ(world.obstacles().size(), 1u);
    EXPECT_EQ(world.obstacles()[0].friction(), 0.9);
    EXPECT_EQ(world.bodies()[0].touch().friction, 0.4);
    EXPECT_EQ(world.bodies()[0].touch().layers, 3u);
    EXPECT_EQ(world.contact_settings()->dissipation, 0.5);
    EXPECT_FALSE(world.contact_settings()->stiffness);
    box.apply(Json::parse(R"({"body": "box", "set": {"friction": 0.2, "density": 500}})"));
    EXPECT_EQ(world.bodies()[0].touch().friction, 0.2);
    box.apply(
        Json::parse(R"({"obstacle": "floor", "place": {"position": [0, 0, -1], "velocity": [0.1, 0, 0]}})"));
    EXPECT_EQ(world.obstacles()[0].motion().velocity.x(), 0.1);
    for (const char* shape : {R"({"sphere": {"radius": 1}})", R"({"capsule": {"radius": 1, "length": 2}})",
                              R"({"box": {"size": [1, 2, 3]}})",
                              R"({"cylinder": {"radius": 1, "length": 2}})", R"({"mesh": "box"})"})
        box.apply({{"add_obstacle", {{"shape", Json::parse(shape)}}}});
    EXPECT_EQ(world.obstacles().size(), 6u);
    box.apply(Json::parse(R"({"obstacle": "floor", "remove": true})"));
    EXPECT_EQ(world.obstacles().size(), 5u);
    box.apply(Json::parse(R"({"contact": null})"));
    EXPECT_FALSE(world.contact_settings());
}

TEST(ContactJson, BadInputIsRefusedWithItsPlace) {
    BoxSession box;
    const auto says = [&](const char* input, const char* expected) {
        const std::string problem = box.refused(input);
        EXPECT_NE(problem.find(expected), std::string::npos) << input << " -> " << problem;
    };
    says(R"({"add_obstacle": {"shape": {"sphere": {"radius": 0}}}})", "radius");
    says(R"({"add_obstacle": {"shape": {"ball": {"radius": 1}}}})", "ball");
    says(R"({"add_obstacle": {"shape": {}}})", "one of plane");
    says(R"({"add_obstacle": {"shape": "plane"}})", "one of plane");
    says(R"({"add_obstacle": {"shape": {"mesh": "none"}}})", "none");
    says(R"({"add_obstacle": {"shape": {"plane": {"normal": [0, 0, 0]}}}})", "normal");
    says(R"({"contact": {"stiffness": 0}})", "stiffness");
    says(R"({"contact": {"stiffness": "soft"}})", "stiffness");
    says(R"({"contact": {"friction": -1}})", "friction");
    says(R"({"obstacle": "wall", "remove": true})", "wall");
    says(R"({"obstacle": "floor", "set": {}})", "set");
    says(R"({"body": "box", "set": {"friction": -1}})", "friction");
    says(R"({"body": "box", "set": {"layer": -1}})", "layer");
}

TEST(ContactJson, ARecordingOfContactReplaysBitByBit) {
    BoxSession live;
    live.session.step(150);  // in the middle of things
    ASSERT_TRUE(live.session.start_recording().ok());
    live.session.step(100);
    live.apply(Json::parse(R"({"obstacle": "floor", "place": {"velocity": [0.3, 0, 0]}})"));
    int touched = 0;
    for (int i = 0; i < 200; ++i) {
        live.session.step(1);
        touched += live.session.world().report().contact.touching > 0 ? 1 : 0;
    }
    const Json recording = live.session.stop_recording();
    ASSERT_GT(touched, 10);

    Session again;
    again.add_model("box", test::box_model({0.2, 0.2, 0.1}));
    const Status begun = again.start_replay(recording);
    ASSERT_TRUE(begun.ok()) << begun.error().where << begun.error().problem;
    EXPECT_EQ(again.step(1000), 300);
    EXPECT_FALSE(again.replay_problem());
    EXPECT_EQ(again.world().body(*again.world().find("box"))->rigid_state()->position,
              live.session.world().bodies()[0].rigid_state()->position);
}

// A replay gives new ids: 1, 2, … in place of those that a removal left.
TEST(ContactJson, ARecordingAfterARemovalReplaysBitByBit) {
    Session live{{.gravity = test::kDown}};
    live.add_model("box", test::box_model({0.2, 0.2, 0.1}));
    const auto apply = [](Session& to, const Json& input) {
        const Status done = to.apply(input);
        ASSERT_TRUE(done.ok()) << done.error().where << ": " << done.error().problem;
    };
    apply(live, Json::parse(R"({"contact": {"sleep": false},
                                "add_obstacle": {"name": "ramp", "shape": {"plane": {"normal": [1, 0, 1]}},
                                                 "position": [0, 0, -9]}})"));
    apply(live, Json::parse(R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}}})"));
    for (int i = 0; i < 4; ++i)
        apply(live, {{"add",
                      {{"name", "box" + std::to_string(i)},
                       {"model", "box"},
                       {"method", "rigid"},
                       {"position", {0.03 * i, 0.02 * i, 0.2 + 0.25 * i}},
                       {"angular_velocity", {1.0 - i, 2, 0.5}}}}});
    apply(live, Json::parse(R"({"body": "box0", "remove": true})"));
    apply(live, Json::parse(R"({"obstacle": "ramp", "remove": true})"));
    ASSERT_TRUE(live.start_recording().ok());
    int pairs = 0;
    for (int i = 0; i < 600; ++i) {
        live.step(1);
        for (const WorldContact& contact : live.world().contacts())
            pairs += contact.b.number != 0 ? 1 : 0;
    }
    const Json recording = live.stop_recording();
    ASSERT_GT(pairs, 100);
    const auto expect_same = [&](Session& again) {
        const Status begun = again.start_replay(recording);
        ASSERT_TRUE(begun.ok()) << begun.error().where << begun.error().problem;
        EXPECT_EQ(again.step(1000), 600);
        for (std::size_t i = 0; i < 3; ++i) {
            const RigidState here = *again.world().bodies()[i].rigid_state(),
                             there = *live.world().bodies()[i].rigid_state();
            EXPECT_EQ(here.position, there.position);
            EXPECT_EQ(here.orientation.coeffs(), there.orientation.coeffs());
            EXPECT_EQ(here.momentum, there.momentum);
            EXPECT_EQ(here.angular_momentum, there.angular_momentum);
        }
    };
    Session fresh, used;
    for (Session* session : {&fresh, &used})
        session->add_model("box", test::box_model({0.2, 0.2, 0.1}));
    expect_same(fresh);
    for (int i = 0; i < 7; ++i)
        apply(used, {{"add", {{"model", "box"}, {"method", "rigid"}}}});
    expect_same(used);
}

}  // namespace
}  // namespace limber
