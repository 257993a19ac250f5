// SPDX-License-Identifier: Apache-2.0
// Whatever JSON comes in: settings that a body may be given, or an error that says where and what and leaves
// everything as it was.
#include "tests/limber/settings/random_json.h"

#include "tests/limber/model/sample_model.h"

#include <limber/settings/read_settings.h>

#include <gtest/gtest.h>

namespace limber::test {
namespace {

template <class Settings>
void try_settings(const Model& model, const nlohmann::json& json, int& accepted) {
    Settings settings;
    const nlohmann::json before = write_settings(model, settings);
    const Status status = read_settings(json, "s", model, settings);
    const nlohmann::json after = write_settings(model, settings);
    if (!status.ok()) {
        EXPECT_FALSE(status.error().where.empty() || status.error().problem.empty());
        EXPECT_EQ(after, before) << json_text_of(json);
        return;
    }
    ++accepted;
    Settings again;
    const Status same = read_settings(after, "s", model, again);
    ASSERT_TRUE(same.ok()) << json_text_of(after) << same.error().where << same.error().problem;
    EXPECT_EQ(write_settings(model, again), after);
}

TEST(RandomJson, GivesSettingsThatCanBeWrittenAndReadOrAnErrorThatChangesNothing) {
    const Model model = warped(sample_model());
    RandomJson random(1);
    int stvk = 0, warp = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
        const nlohmann::json json = i % 8 == 0 ? random.value(3) : random.object(3);
        try_settings<StvkSettings>(model, json, stvk);
        try_settings<WarpSettings>(model, json, warp);
        std::optional<InputError> problem;
        const JsonCursor at(json, "s", problem);
        read_constraints(at, 5);
        if (problem) ++refused;
        problem.reset();
        read_frame(at);
        read_pose(at);
        read_method(at, model);
        problem.reset();
        read_vertex_forces(at, 5);
        if (problem) ++refused;
    }
    // Both happen often enough to mean something: an eighth of the objects is empty.
    EXPECT_GT(stvk, 3000);
    EXPECT_GT(warp, 3000);
    EXPECT_GT(refused, 20000);
}

TEST(RandomJson, OfAnyTextIsReadOrRefused) {
    const Model model = warped(sample_model());
    RandomJson random(2);
    std::mt19937 engine(3);
    for (int i = 0; i < 5000; ++i) {
        std::string text = json_text_of(random.object(3));
        for (unsigned k = engine() % 3; k > 0 && !text.empty(); --k)
            text[engine() % text.size()] = char(engine() % 256);
        StvkSettings stvk;
        WarpSettings warp;
        for (const Status& status :
             {read_settings_text(text, "s", model, stvk), read_settings_text(text, "s", model, warp)})
            EXPECT_TRUE(status.ok() || !status.error().problem.empty()) << text;
    }
}

}  // namespace
}  // namespace limber::test
