// SPDX-License-Identifier: Apache-2.0
// What is written is the glTF that docs/model_file.md promises to other programs.
#include "tests/limber/model/open_glb.h"
#include "tests/limber/model/sample_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace limber {
namespace {

using Json = nlohmann::json;

std::vector<float> floats_of_accessor(const OpenGlb& glb, std::size_t accessor) {
    const Json& a = glb.json["accessors"][accessor];
    const Json& view = glb.json["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<float> out(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(out.data(), glb.binary.data() + view["byteOffset"].get<std::size_t>(), 4 * out.size());
    return out;
}

// A person who opens it elsewhere sees it upright; limber's own coordinates stay.
TEST(ModelGltf, TheNodeTurnsUpToGltfsY) {
    Model model = sample_model();
    const auto positions = [&] {
        const OpenGlb glb = open_glb(file_bytes(model));
        const Json& accessor = glb.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
        return floats_of_accessor(glb, accessor.get<std::size_t>());
    };
    const std::vector<float> at_z = positions();
    for (const char* up : {"x", "y", "z", "-x", "-y", "-z"}) {
        model.up = *parse_up(up);
        EXPECT_EQ(positions(), at_z) << up;
        const OpenGlb glb = open_glb(file_bytes(model));
        EXPECT_EQ(glb.json["asset"]["extras"]["up"], up);
        const Json& node = glb.json["nodes"][0];
        Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
        EXPECT_EQ(node.contains("rotation"), model.up != UpAxis::Y);
        if (node.contains("rotation"))
            turn = Eigen::Quaterniond(node["rotation"].get<std::vector<double>>().data());
        EXPECT_NEAR((turn * up_vector(model.up) - Eigen::Vector3d::UnitY()).norm(), 0, 1e-15) << up;
    }
}

TEST(ModelGltf, AMorphTargetIsTheScaledBasisVectorAndMovesATenthOfTheDiagonal) {
    const Model model = sample_model({.cells = 4, .rank = 4});
    const OpenGlb glb = open_glb(file_bytes(model));
    const Json& targets = glb.json["meshes"][0]["primitives"][0]["targets"];
    ASSERT_EQ(targets.size(), 4u);
    EXPECT_EQ(glb.json["meshes"][0]["extras"]["targetNames"], Json({"q0", "q1", "q2", "q3"}));
    const double diagonal = Eigen::Vector3d(0.4, 0.1, 0.1).norm();
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(targets[i].contains("NORMAL"));
        const std::vector<float> moved = floats_of_accessor(glb, targets[i]["POSITION"].get<std::size_t>());
        ASSERT_EQ(moved.size(), 3 * model.surface.vertices.size());
        double largest = 0;
        for (std::size_t k = 0; k < moved.size(); ++k)
            EXPECT_EQ(moved[k], static_cast<float>(model.target_scale[i] * model.surface.basis(k, i)));
        for (std::size_t v = 0; v < moved.size(); v += 3)
            largest = std::max(largest, Eigen::Vector3d(moved[v], moved[v + 1], moved[v + 2]).norm());
        EXPECT_NEAR(largest, 0.1 * diagonal, 1e-6 * diagonal);  // floats
    }
}

TEST(ModelGltf, BoundsOfAccessorsAreTheSmallestAndLargestFloats) {
    const OpenGlb glb = open_glb(file_bytes(sample_model(), {sample_motion(sample_model(), 5, 2)}));
    int bounded = 0;
    for (std::size_t a = 0; a < glb.json["accessors"].size(); ++a) {
        const Json& accessor = glb.json["accessors"][a];
        if (!accessor.contains("min")) continue;
        ++bounded;
        const std::vector<float> values = floats_of_accessor(glb, a);
        const std::size_t n = accessor["min"].size();
        for (std::size_t c = 0; c < n; ++c) {
            float low = values[c], high = values[c];
            for (std::size_t i = c; i < values.size(); i += n) {
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
            EXPECT_EQ(accessor["min"][c].get<float>(), low);
            EXPECT_EQ(accessor["max"][c].get<float>(), high);
        }
    }
    EXPECT_EQ(bounded, 1 + 3 + 1);  // positions, three targets, times
}

TEST(ModelGltf, DoublesLieAtMultiplesOfEightBytesOfTheFile) {
    const std::string bytes = file_bytes(sample_model());
    OpenGlb glb = open_glb(bytes);
    const std::size_t binary_at = bytes.size() - glb.binary.size();
    EXPECT_EQ(binary_at % 8, 0u);
    EXPECT_EQ(bytes.size() % 4, 0u);
    for (const Json& view : glb.json["bufferViews"])
        EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 8, 0u);
    EXPECT_EQ(glb.json["extensionsUsed"], Json({"LIMBER_model"}));
    EXPECT_FALSE(glb.json.contains("extensionsRequired"));
}

TEST(ModelGltf, AMotionIsALinearAnimationOfTheWeights) {
    const Model model = sample_model();
    const RecordedMotion motion = sample_motion(model, 7, 9);
    const auto file = write_model(model, {motion});
    EXPECT_TRUE(file.value().warnings.empty());
    const OpenGlb glb = open_glb(file.value().bytes);
    const Json& animation = glb.json["animations"][0];
    EXPECT_EQ(animation["name"], "swing");
    EXPECT_EQ(animation["channels"][0]["target"], Json({{"node", 0}, {"path", "weights"}}));
    EXPECT_EQ(animation["samplers"][0]["interpolation"], "LINEAR");
    const auto times = floats_of_accessor(glb, animation["samplers"][0]["input"].get<std::size_t>());
    const auto weights = floats_of_accessor(glb, animation["samplers"][0]["output"].get<std::size_t>());
    ASSERT_EQ(times.size(), 7u);
    ASSERT_EQ(weights.size(), 21u);
    for (int f = 0; f < 7; ++f) {
        EXPECT_EQ(times[f], static_cast<float>(motion.times[f]));
        for (int i = 0; i < 3; ++i)
            EXPECT_FLOAT_EQ(weights[3 * f + i], static_cast<float>(motion.q(i, f) / model.target_scale[i]));
    }
}

TEST(ModelGltf, AWeightBeyondTenIsWarnedAbout) {
    const Model model = sample_model();
    RecordedMotion motion = sample_motion(model, 7, 9);
    motion.q(2, 4) = -12.5 * model.target_scale[2];
    const auto file = write_model(model, {motion});
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(file.value().warnings.size(), 1u);
    for (const char* word : {"swing", "weight 2", "12.5", "0.166667 s"})  // frame 4 is at 4/24 s
        EXPECT_NE(file.value().warnings[0].find(word), std::string::npos) << file.value().warnings[0];
}

TEST(ModelGltf, FramesThatFloatsCannotTellApartAreLeftOut) {
    const Model model = sample_model();
    RecordedMotion motion = sample_motion(model, 4, 1);
    motion.times = {1000, 1000 + 1e-6, 1000 + 2e-6, 1001};  // floats near 1000 are 6e-5 apart
    const auto file = write_model(model, {motion});
    ASSERT_EQ(file.value().warnings.size(), 1u);
    EXPECT_NE(file.value().warnings[0].find("2 frames"), std::string::npos);
    const OpenGlb glb = open_glb(file.value().bytes);
    EXPECT_EQ(floats_of_accessor(glb, glb.json["animations"][0]["samplers"][0]["input"].get<std::size_t>()),
              (std::vector<float>{1000, 1001}));
}

TEST(ModelGltf, MotionsThatDoNotFitAreRefused) {
    const Model model = sample_model();
    const auto refused = [&](auto change, const std::string& problem) {
        RecordedMotion motion = sample_motion(model, 4, 1);
        change(motion);
        const auto file = write_model(model, {motion}, {}, "out.glb");
        EXPECT_FALSE(file.ok()) << problem;
        EXPECT_NE(file.error().where.find("out.glb: motion 'swing'"), std::string::npos)
            << file.error().where;
        EXPECT_NE(file.error().problem.find(problem), std::string::npos) << file.error().problem;
    };
    refused([](RecordedMotion& m) { m.times.pop_back(); }, "3 times and 4 frames");
    refused([](RecordedMotion& m) { m = {.name = "swing", .times = {}, .q = {}}; }, "0 times");
    refused([](RecordedMotion& m) { m.q.conservativeResize(2, 4); }, "the rank is 3");
    refused([](RecordedMotion& m) { m.times[2] = m.times[1]; }, "frame 2");
    refused([](RecordedMotion& m) { m.times[0] = -1; }, "frame 0 is at -1 s");
    refused([](RecordedMotion& m) { m.times[3] = std::numeric_limits<double>::infinity(); }, "frame 3");
    refused([](RecordedMotion& m) { m.q(1, 2) = std::nan(""); }, "coordinate 1 of frame 2");
}

// The normal of a morph target is the derivative of the unit normal, against a central difference.
TEST(ModelGltf, NormalTargetsTurnTheNormalsAsTheShapeDoes) {
    Model model = sample_model({.cells = 4, .rank = 4});
    const auto normals_at = [&](int target, double weight) {
        Model moved = model;
        for (std::size_t v = 0; v < moved.surface.vertices.size(); ++v)
            moved.surface.vertices[v] +=
                weight * model.target_scale[target] * model.surface.basis.block<3, 1>(3 * v, target);
        const OpenGlb glb = open_glb(file_bytes(moved));
        return floats_of_accessor(
            glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<std::size_t>());
    };
    const OpenGlb glb = open_glb(file_bytes(model, {}, {.morph_normals = true}));
    double turned = 0;
    for (int i = 0; i < 4; ++i) {
        const std::size_t accessor =
            glb.json["meshes"][0]["primitives"][0]["targets"][i]["NORMAL"].get<std::size_t>();
        const std::vector<float> derivative = floats_of_accessor(glb, accessor);
        const double h = 1e-2;
        const std::vector<float> ahead = normals_at(i, h), behind = normals_at(i, -h);
        for (std::size_t k = 0; k < derivative.size(); ++k) {
            // Truncation h² and the floats' 1e-7 / h.
            EXPECT_NEAR(derivative[k], (ahead[k] - behind[k]) / (2 * h), 1e-3) << "target " << i;
            turned = std::max<double>(turned, std::abs(derivative[k]));
        }
    }
    EXPECT_GT(turned, 0.1);
}

TEST(ModelGltf, NormalsAreUnitVectorsAlsoWhereTrianglesHaveNoArea) {
    Model model = sample_model();
    model.surface.vertices.push_back({5, 5, 5});  // no triangle uses it
    model.surface.input_vertex.push_back(100);
    Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(model.surface.basis.rows() + 3, 3);
    basis.topRows(model.surface.basis.rows()) = model.surface.basis;
    model.surface.basis = basis;
    const OpenGlb glb = open_glb(file_bytes(model, {}, {.morph_normals = true}));
    const auto normals = floats_of_accessor(
        glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<std::size_t>());
    for (std::size_t v = 0; v < normals.size(); v += 3)
        EXPECT_NEAR(Eigen::Vector3f(normals[v], normals[v + 1], normals[v + 2]).norm(), 1, 1e-6);  // floats
}

TEST(ModelGltf, VerticesSplitByASeamShareTheirNormal) {
    const Model model = textured(sample_model());
    const OpenGlb glb = open_glb(file_bytes(model));
    const auto normals = floats_of_accessor(
        glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<std::size_t>());
    const std::size_t first_new = model.surface.vertices.size() - 4;
    for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_EQ(normals[3 * v + c], normals[3 * (first_new + v) + c]);
    // The normal of a corner of a box leans outward, away from the box's middle.
    EXPECT_LT(normals[0], 0);
    EXPECT_LT(normals[1], 0);
    EXPECT_LT(normals[2], 0);
}

// A square in the xy plane seen from +z, with the picture upright on it: u along x, v down along -y.
TEST(ModelGltf, TangentsForNormalMapsFollowThePicture) {
    Model model = lean(sample_model({.rank = 1}));
    model.surface = {};
    model.surface.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    model.surface.triangles = {{0, 1, 2}, {0, 2, 3}};
    model.surface.input_vertex = {0, 1, 2, 3};
    model.surface.basis = Eigen::MatrixXd::Zero(12, 1);
    Appearance& look = model.surface.appearance;
    look.texture_coordinates = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
    look.images = {{"bumps", ImageType::Png, sample_png()}};
    look.textures = {{}};
    look.materials.resize(1);
    look.materials[0].normal_texture = {0, 0};
    look.parts = {{0, 2, 0}};
    const auto tangents = [&] {
        const OpenGlb glb = open_glb(file_bytes(model));
        return floats_of_accessor(
            glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"].get<std::size_t>());
    };
    // normal × tangent = z × x = y: up in the picture, so w = 1.
    const std::vector<float> upright = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    EXPECT_EQ(tangents(), upright);
    for (TextureCoordinate& uv : look.texture_coordinates[0])
        uv[0] = 1 - uv[0];  // mirrored: u along -x, up is still y
    const std::vector<float> mirrored = {-1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1};
    EXPECT_EQ(tangents(), mirrored);
}

}  // namespace
}  // namespace limber
