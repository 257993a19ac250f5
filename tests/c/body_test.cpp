// SPDX-License-Identifier: Apache-2.0
// Bodies in C: what the interface does equals what the library does, to the last bit.
#include "tests/c/c_models.h"

#include <limber/world/start.h>

namespace limber::test {
namespace {

using Json = nlohmann::json;

// Each body goes back by itself; a second one of the same model and method takes the state as well.
TEST(CBody, AStateOfABodyGoesOnBitByBit) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    const OpenWorld world, other;
    for (const OpenWorld* each : {&world, &other}) {
        each->add_all(soft, box);
        ASSERT_EQ(limber_world_set_dt(each->handle, 0.01), LIMBER_OK);
    }
    const auto numbers_of = [](const OpenWorld& of, std::uint32_t body) {
        std::vector<double> all;
        for (const auto which : {LIMBER_Q, LIMBER_V, LIMBER_POSE, LIMBER_ENERGIES})
            for (const double x : of.numbers(body, which))
                all.push_back(x);
        return all;
    };
    ASSERT_EQ(limber_world_step(world.handle, 20, nullptr), LIMBER_OK);
    for (const std::uint32_t body : {1u, 2u, 3u, 4u}) {
        limber_state* state = nullptr;
        ASSERT_EQ(limber_body_save(world.handle, body, &state), LIMBER_OK);
        const std::vector<double> saved = numbers_of(world, body);
        ASSERT_EQ(limber_world_step(world.handle, 15, nullptr), LIMBER_OK);
        const std::vector<double> later = numbers_of(world, body);
        EXPECT_NE(later, saved);
        for (const OpenWorld* each : {&world, &other}) {
            ASSERT_EQ(limber_body_restore(each->handle, body, state), LIMBER_OK) << limber_error();
            EXPECT_EQ(numbers_of(*each, body), saved) << body;
            ASSERT_EQ(limber_world_step(each->handle, 15, nullptr), LIMBER_OK);
            EXPECT_EQ(numbers_of(*each, body), later) << body;
        }
        EXPECT_EQ(limber_state_free(state), LIMBER_OK);
    }
}

TEST(CBody, WhatActsOnItAndHowItTouchesIsReadBackAsInputs) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    const OpenWorld world, other;
    for (const OpenWorld* each : {&world, &other})
        each->add_all(soft, box);
    const auto read = [](const OpenWorld& of, std::uint32_t body, auto call) {
        const char* text = nullptr;
        EXPECT_EQ(call(of.handle, body, &text), LIMBER_OK) << limber_error();
        return Json::parse(text);
    };
    EXPECT_EQ(read(world, 1, limber_body_inputs), Json::array());
    for (const std::string& input : kHappens)
        world.apply(input);
    other.apply(kHappens.back());  // gravity
    world.apply(R"({"body": "stvk", "shake": {"direction": [1, 0, 0], "amplitude": 0.1, "hz": 2}})");
    EXPECT_EQ(read(world, 4, limber_body_inputs), Json::parse(R"([{"body": "rigid",
        "pull": [{"vertex": 6, "target": [1.0, 1.0, 0.0], "stiffness": 20.0}]}])"));
    for (const std::uint32_t body : {1u, 2u, 3u, 4u}) {
        const Json inputs = read(world, body, limber_body_inputs);
        EXPECT_FALSE(inputs.empty());
        for (const Json& input : inputs)
            other.apply(input.dump());
        EXPECT_EQ(read(other, body, limber_body_inputs), inputs);
    }
    const Json plain = read(world, 3, limber_body_settings);
    EXPECT_FALSE(plain.contains("friction") || plain.contains("layer"));
    EXPECT_FALSE(plain.contains("gravity"));  // the world's
    world.apply(R"({"body": "linear", "set": {"friction": 0.25, "layer": 6}})");
    const Json settings = read(world, 3, limber_body_settings);
    EXPECT_EQ(settings["friction"], 0.25);
    EXPECT_EQ(settings["layer"], 6);
    other.apply(Json({{"body", "linear"}, {"set", settings}}).dump());  // settings are an input
    EXPECT_EQ(read(other, 3, limber_body_settings), settings);
}

TEST(CBody, BalanceIsThatOfTheLibrary) {
    Session session({.gravity = {0, -1, 0.2}});
    run_session(session);
    const OpenWorld world;
    run_in_c(world);
    const std::int32_t vertex = 3;
    const Eigen::Vector3d force(0.1, 0, 0.2);
    for (const WorldBody& body : session.world().bodies()) {
        if (body.method() == Method::Rigid) continue;
        Eigen::VectorXd q(body.q().size());
        limber_step_report report{};
        ASSERT_EQ(limber_body_balance(world.handle, body.id().number, &vertex, force.data(), 1, q.data(),
                                      std::size_t(q.size()), &report),
                  LIMBER_OK)
            << limber_error();
        const auto expected =
            balance_under(body.kind(), *body.model(), body.pose().orientation, {{3, force}}).value();
        EXPECT_EQ(q, expected.q) << body.name();
        EXPECT_EQ(report.converged, expected.report.converged);
    }
}

}  // namespace
}  // namespace limber::test
