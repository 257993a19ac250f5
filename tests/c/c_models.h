// SPDX-License-Identifier: Apache-2.0
// Models, worlds and inputs for the tests of the C interface.
#pragma once
#include "bindings/c/limber.h"
#include "tests/limber/world/test_world.h"

#include <limber/model/model_file.h>
#include <limber/world/session.h>

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber::test {

inline std::string bytes_of(const Model& model) {
    const Result<ModelBytes> written = write_model(model);
    if (!written.ok()) ADD_FAILURE() << written.error().where << ": " << written.error().problem;
    return written.ok() ? written.value().bytes : std::string();
}
inline const std::string& soft_bytes() {
    static const std::string bytes = bytes_of(*soft_model());
    return bytes;
}
inline const std::string& box_bytes() {
    static const std::string bytes = [] {
        Model box = *box_model({0.3, 0.2, 0.1});
        box.groups.emplace_back().name = "all";
        return bytes_of(box);
    }();
    return bytes;
}

inline limber_status apply_text(limber_world* world, std::string_view input) {
    return limber_world_apply(world, input.data(), input.size());
}

// Handles that end with their scope.
struct OpenModel {
    limber_model* handle = nullptr;
    explicit OpenModel(const std::string& bytes) {
        EXPECT_EQ(limber_model_load(bytes.data(), bytes.size(), &handle), LIMBER_OK) << limber_error();
    }
    ~OpenModel() {
        if (handle) limber_model_free(handle);
    }
    OpenModel(const OpenModel&) = delete;
    OpenModel& operator=(const OpenModel&) = delete;
};
struct OpenWorld {
    limber_world* handle = nullptr;
    OpenWorld() {
        const double gravity[3] = {0, -1, 0.2};
        EXPECT_EQ(limber_world_create(gravity, &handle), LIMBER_OK);
    }
    ~OpenWorld() {
        if (handle) limber_world_free(handle);
    }
    OpenWorld(const OpenWorld&) = delete;
    OpenWorld& operator=(const OpenWorld&) = delete;

    void add_models(const OpenModel& soft, const OpenModel& box) const {
        EXPECT_EQ(limber_world_add_model(handle, "soft", 4, soft.handle), LIMBER_OK);
        EXPECT_EQ(limber_world_add_model(handle, "box", 3, box.handle), LIMBER_OK);
    }
    // One body of each method.
    void add_all(const OpenModel& soft, const OpenModel& box) const;
    void apply(std::string_view input) const {
        EXPECT_EQ(apply_text(handle, input), LIMBER_OK) << input << limber_error();
    }
    std::vector<double> numbers(std::uint32_t body, std::int32_t which) const {
        std::size_t count = 0;
        EXPECT_EQ(limber_body_numbers_count(handle, body, which, &count), LIMBER_OK) << limber_error();
        std::vector<double> out(count);
        EXPECT_EQ(limber_body_numbers(handle, body, which, out.data(), count), LIMBER_OK) << limber_error();
        return out;
    }
};

// One of each method, and something that happens to each; body i + 1 is entry i of the first list.
inline const std::vector<std::string> kAddAll = {
    R"({"add": {"name": "stvk", "model": "soft", "method": "stvk", "damping": {"alpha": 0.1}}})",
    R"({"add": {"name": "warp", "model": "soft", "method": "warp", "position": [2, 0, 0]}})",
    R"({"add": {"name": "linear", "model": "soft", "method": "linear", "position": [4, 0, 0]}})",
    R"({"add": {"name": "rigid", "model": "box", "method": "rigid", "angular_velocity": [1, 9, 0.2]}})"};
inline const std::vector<std::string> kHappens = {
    R"({"body": "stvk", "forces": [{"vertex": 3, "force": [2, -1, 4]}]})",
    R"({"body": "stvk", "set": {"materials": {"soft": {"young": 2000}}}})",
    R"({"body": "warp", "constraints": {"positions": [{"vertex": 7, "displacement": [0.02, 0, 0.01]}], "smoothing": 0.1}})",
    R"({"body": "linear", "pull": {"vertex": 5, "target": [4, 1, 0], "stiffness": 2}})",
    R"({"body": "rigid", "pull": {"vertex": 6, "target": [1, 1, 0], "stiffness": 20}})",
    R"({"gravity": [0, 0, -2]})"};

inline void OpenWorld::add_all(const OpenModel& soft, const OpenModel& box) const {
    add_models(soft, box);
    for (const std::string& input : kAddAll)
        apply(input);
}

// 40 steps of one body of each method, and 40 more of what happens to them: in the library and in C.
inline ModelPtr model_of_bytes(const std::string& bytes) {
    return read_model(bytes, "test").value();
}

inline void run_session(Session& session) {
    session.add_model("soft", model_of_bytes(soft_bytes()));
    session.add_model("box", model_of_bytes(box_bytes()));
    for (const auto* list : {&kAddAll, &kHappens}) {
        for (const std::string& input : *list)
            ASSERT_TRUE(session.apply(nlohmann::json::parse(input)).ok()) << input;
        ASSERT_TRUE(session.set_dt(0.01).ok());
        ASSERT_EQ(session.step(40), 40);
    }
}

inline void run_in_c(const OpenWorld& world) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    world.add_models(soft, box);
    for (const auto* list : {&kAddAll, &kHappens}) {
        for (const std::string& input : *list)
            world.apply(input);
        ASSERT_EQ(limber_world_set_dt(world.handle, 0.01), LIMBER_OK);
        limber_steps steps{};
        ASSERT_EQ(limber_world_step(world.handle, 40, &steps), LIMBER_OK);
        ASSERT_EQ(steps.steps, 40);
        ASSERT_EQ(steps.not_converged, 0);
    }
}

}  // namespace limber::test
