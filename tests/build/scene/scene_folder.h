// SPDX-License-Identifier: Apache-2.0
// A folder with a small model and a motion, in which scenes are read.
#pragma once
#include "build/animation/node_tree.h"
#include "build/file/atomic_file.h"
#include "build/scene/scene.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/model/model_file.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

namespace limber::test {

// One node, "hand", that goes 0.2 m along y in 1 s at an even pace and turns by 0.5 rad about x meanwhile.
inline build::NodeTree hand_motion() {
    const auto list = [](std::vector<double> values) {
        return std::make_shared<const std::vector<double>>(std::move(values));
    };
    build::AnimatedNode hand;
    hand.name = "hand";
    hand.moves = build::Keyframes{build::Interpolation::Linear, list({0, 1}), list({5, 0, 0, 5, 0.2, 0})};
    hand.turns = build::Keyframes{build::Interpolation::Linear, list({0, 1}),
                                  list({0, 0, 0, 1, std::sin(0.25), 0, 0, std::cos(0.25)})};
    build::NodeTree tree;
    tree.nodes = {hand};
    tree.animation = "reach";
    return tree;
}

class InSceneFolder : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        std::string name = (std::filesystem::temp_directory_path() / "limber_scene_XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        const Result<ModelBytes> file = write_model(*tiny_model());
        ASSERT_TRUE(file.ok()) << file.error().problem;
        build::write_file(folder / "bar.glb", file.value().bytes);
        build::write_file(folder / "hand.glb", build::write_animated_glb(hand_motion()));
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder); }

    static build::Scene read(const std::string& json) { return build::read_scene(json, "s.json", folder); }
    static InputError error_of(const std::string& json) {
        try {
            read(json);
        } catch (const InputError& error) {
            return error;
        }
        ADD_FAILURE() << "no error: " << json;
        return {};
    }
    // A scene of one bar with more in the body, and more beside it.
    static std::string scene(const std::string& in_body, const std::string& beside = "") {
        return R"({"bodies": [{"model": "bar.glb")" + (in_body.empty() ? "" : ", " + in_body) + "}]" +
               (beside.empty() ? "" : ", " + beside) + "}";
    }

    static inline std::filesystem::path folder;
};

}  // namespace limber::test
