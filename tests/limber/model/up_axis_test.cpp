// SPDX-License-Identifier: Apache-2.0
#include <limber/model/gltf_up.h>
#include <limber/model/up_axis.h>

#include <gtest/gtest.h>

#include <string>

namespace limber {
namespace {

constexpr UpAxis kAll[] = {UpAxis::X, UpAxis::Y, UpAxis::Z, UpAxis::MinusX, UpAxis::MinusY, UpAxis::MinusZ};

TEST(UpAxis, TheTextOfEachIsReadAgain) {
    for (const UpAxis up : kAll)
        EXPECT_EQ(parse_up(up_text(up)), up);
    for (const char* odd : {"", "Z", "+z", "w", "-", "zz", "--z"})
        EXPECT_FALSE(parse_up(odd)) << odd;
}

TEST(UpAxis, TheVectorIsWhatTheTextSays) {
    EXPECT_EQ(up_vector(UpAxis::Z), Eigen::Vector3d(0, 0, 1));
    EXPECT_EQ(up_vector(UpAxis::MinusX), Eigen::Vector3d(-1, 0, 0));
    for (const UpAxis up : kAll) {
        const std::string text = up_text(up);
        EXPECT_EQ(up_vector(up)[text.back() - 'x'], text.size() == 2 ? -1 : 1) << text;
        EXPECT_EQ(up_vector(up).norm(), 1) << text;
    }
}

TEST(UpAxis, TheRotationTurnsUpToY) {
    for (const UpAxis up : kAll) {
        const Eigen::Quaterniond turn = gltf_from_model(up);
        EXPECT_NEAR(turn.norm(), 1, 1e-15);
        EXPECT_NEAR((turn * up_vector(up) - Eigen::Vector3d::UnitY()).norm(), 0, 1e-15) << up_text(up);
    }
    EXPECT_NEAR((gltf_from_model(UpAxis::Z) * Eigen::Vector3d(1, 2, 3) - Eigen::Vector3d(1, 3, -2)).norm(), 0,
                1e-14);
}

TEST(GltfUp, WhatLimberWroteIsToldApart) {
    for (const UpAxis up : kAll) {
        nlohmann::json document = {{"asset", gltf_asset(up)}};
        EXPECT_EQ(recorded_gltf_up(document), up);
        document["asset"]["generator"] = "another program";  // it turns the coordinates as it likes
        EXPECT_FALSE(recorded_gltf_up(document));
    }
    for (const char* odd : {"{}", R"({"asset": 3})", R"({"asset": {"generator": "limber"}})",
                            R"({"asset": {"generator": "limber", "extras": {"up": 2}}})",
                            R"({"asset": {"generator": "limber", "extras": {"up": "q"}}})"})
        EXPECT_FALSE(recorded_gltf_up(nlohmann::json::parse(odd))) << odd;
}

TEST(GltfUp, TheTurnIsTakenBackExactly) {
    for (const UpAxis up : kAll) {
        const Eigen::Quaterniond turn = gltf_from_model(up);
        EXPECT_EQ(without_gltf_turn(turn, up).coeffs(), Eigen::Quaterniond::Identity().coeffs());
        EXPECT_EQ(without_gltf_turn(turn.cast<float>().cast<double>(), up).coeffs(),
                  Eigen::Quaterniond::Identity().coeffs());
        // A root that somebody turned further keeps that.
        const Eigen::Quaterniond further(Eigen::AngleAxisd(0.3, Eigen::Vector3d(1, 2, 3).normalized()));
        EXPECT_NEAR(without_gltf_turn(turn * further, up).angularDistance(further), 0, 1e-12);
    }
}

}  // namespace
}  // namespace limber
