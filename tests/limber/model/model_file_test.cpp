// SPDX-License-Identifier: Apache-2.0
// What is written can be read, bit for bit; files of earlier formats are read.
#include "tests/limber/model/open_glb.h"
#include "tests/limber/model/same_model.h"
#include "tests/limber/model/sample_model.h"
#include "tests/paths.h"

#include <gtest/gtest.h>
#include <limber/model/surface_tree.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace limber {
namespace {

using Json = nlohmann::json;

std::shared_ptr<const Model> round_trip(const Model& model, const ModelFileOptions& options = {}) {
    const auto result = read_model(file_bytes(model, {}, options), "a.glb");
    EXPECT_TRUE(result.ok()) << result.error().where << ": " << result.error().problem;
    return result.value();
}

TEST(ModelFile, EveryBitOfAModelOfBricksComesBack) {
    Model model = sample_model();
    StvkModel& stvk = own_stvk(model);
    stvk.groups[0].bulk[0] = -0.0;
    stvk.groups[1].shear[1] = 5e-324;  // the smallest denormal
    model.surface.basis(0, 0) = std::nextafter(1.0, 2.0);
    model.free_body = model.lumped_mass = true;
    model.quadrature = BrickQuadrature::Exact;
    expect_same(model, *round_trip(model));
}

TEST(ModelFile, EveryBitOfAModelOfTetsComesBack) {
    Model model = sample_model({.cells = 2, .rank = 5, .groups = 3, .elements = SampleElements::Tets});
    model.quadrature = BrickQuadrature::Selective;
    expect_same(model, *round_trip(model, {.morph_normals = true}));
}

TEST(ModelFile, ModesToWarpComeBackWithTheNormalsOfTheSurface) {
    const Model model = warped(textured(sample_model()));
    const auto result = round_trip(model);
    expect_same(model, *result);
    // A vertex of a flat face: its triangles have one normal. Length 1 everywhere.
    const auto& normals = result->warp->normals;
    ASSERT_EQ(normals.size(), model.surface.vertices.size());
    for (const Eigen::Vector3d& normal : normals)
        EXPECT_NEAR(normal.norm(), 1, 1e-12);
    EXPECT_EQ(methods_of(*result), (std::vector<std::string>{"stvk", "warp"}));
}

TEST(ModelFile, AModelForWarpingAloneHasNoEnergy) {
    Model model = warped(sample_model());
    model.stvk = nullptr;
    const auto result = round_trip(model);
    expect_same(model, *result);
    EXPECT_EQ(methods_of(*result), (std::vector<std::string>{"warp"}));
}

// The surface of a rigid body: no basis, so no morph targets; its groups have an inertia.
TEST(ModelFile, AModelWithoutABasisComesBack) {
    const Model model = without_basis(textured(sample_model()));
    const std::string bytes = file_bytes(model);
    const auto result = round_trip(model);
    expect_same(model, *result);
    EXPECT_TRUE(methods_of(*result).empty());
    OpenGlb glb = open_glb(bytes);
    const Json& mesh = glb.json["meshes"][0];
    EXPECT_FALSE(mesh.contains("weights"));
    EXPECT_FALSE(mesh["primitives"][0].contains("targets"));
    EXPECT_EQ(glb.extension()["version"], 5);
    RecordedMotion motion{"none", {0}, Eigen::MatrixXd(0, 1)};
    EXPECT_FALSE(write_model(model, {motion}).ok());
}

std::string data_file(const std::string& name) {
    std::ifstream in(test::test_data_dir() + "/model_files/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Written by an earlier limber.
TEST(ModelFile, AFileOfFormatFourIsReadAndWrittenAgainByteForByte) {
    const std::string bytes = data_file("bar_version_4.glb");
    const auto result = read_model(bytes, "a.glb");
    ASSERT_TRUE(result.ok()) << result.error().problem;
    expect_same(warped(sample_model()), *result.value());
    EXPECT_TRUE(file_bytes(*result.value()) == bytes);
}

// Written by an earlier limber, which kept masses but no energy.
TEST(ModelFile, AFileOfFormatFourForWarpingAloneHasNoEnergy) {
    const auto result = read_model(data_file("warp_alone_version_4.glb"), "a.glb");
    ASSERT_TRUE(result.ok()) << result.error().problem;
    Model expected = warped(sample_model());
    expected.stvk = nullptr;
    expect_same(expected, *result.value());
}

TEST(ModelFile, InertiaTensorsComeBackInFormatSix) {
    const Model model = with_tensors(sample_model());
    expect_same(model, *round_trip(model));
    EXPECT_EQ(open_glb(file_bytes(model)).extension()["version"], 6);
    EXPECT_EQ(open_glb(file_bytes(sample_model())).extension()["version"], 4);
    EXPECT_FALSE(round_trip(sample_model())->stvk->has_tensors());
}

TEST(ModelFile, FilesOfFormatOneAreRead) {
    Model model = sample_model();
    for (StvkGroup& group : own_stvk(model).groups)
        group.moment.resize(0, 0);
    OpenGlb glb = open_glb(file_bytes(model));
    glb.extension()["version"] = 1;
    const auto result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result.ok()) << result.error().problem;
    expect_same(model, *result.value());
}

TEST(ModelFile, FilesOfFormatTwoHaveNoCompanions) {
    Model model = warped(sample_model());
    auto warp = std::make_shared<WarpModel>(*model.warp);
    warp->companion_forms.resize(0, 0);
    warp->surface_companions.resize(warp->surface_modes.rows(), 0);
    model.warp = std::move(warp);
    OpenGlb glb = open_glb(file_bytes(model));
    glb.extension()["version"] = 2;
    const auto result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result.ok()) << result.error().problem;
    EXPECT_EQ(result.value()->warp->companions(), 0);
}

TEST(ModelFile, UpComesBack) {
    Model model = sample_model();
    for (const char* up : {"x", "y", "z", "-x", "-y", "-z"}) {
        model.up = *parse_up(up);
        EXPECT_STREQ(up_text(round_trip(model)->up), up);
    }
}

TEST(ModelFile, FilesOfFormatThreeAreZUp) {
    Model model = sample_model();
    OpenGlb glb = open_glb(file_bytes(model));
    glb.extension()["version"] = 3;
    glb.extension().erase("up");
    const auto result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result.ok()) << result.error().problem;
    EXPECT_EQ(result.value()->up, UpAxis::Z);
    expect_same(model, *result.value());
}

// What was read is what was written: no vertex moves by a bit, and nothing is kept twice.
TEST(ModelFile, TheBasisOfTheSurfaceStandsOnceAsTheMorphTargets) {
    const Model model = in_floats(textured(sample_model({.cells = 5, .rank = 4})));
    expect_same(model, *round_trip(model, {.morph_normals = true}));
    OpenGlb glb = open_glb(file_bytes(model));
    EXPECT_FALSE(glb.extension()["arrays"].contains("surface.basis"));
    const Json& targets = glb.json["meshes"][0]["primitives"][0]["targets"];
    for (std::size_t i = 0; i < 4; ++i) {
        const auto accessor = targets[i]["POSITION"].get<std::size_t>();
        EXPECT_EQ(glb.array("surface.target." + std::to_string(i))["bufferView"],
                  glb.json["accessors"][accessor]["bufferView"]);
    }
    Model doubles = model;
    doubles.surface.kept_as = SurfaceBasis::Double;
    // Eight bytes for each number of the basis; a few hundred for the texts.
    const auto numbers = static_cast<std::size_t>(model.surface.basis.size());
    EXPECT_NEAR(static_cast<double>(file_bytes(doubles).size() - file_bytes(model).size()),
                8.0 * static_cast<double>(numbers), 500);
    expect_same(doubles, *round_trip(doubles));
}

TEST(ModelFile, RoundingTheBasisIsWhatAFileDoesAndDoingItTwiceChangesNothing) {
    Model model = sample_model({.cells = 4, .rank = 5});
    model.surface.basis(7, 2) = 1e-30;  // a float all the same, once it is scaled
    model.surface.kept_as = SurfaceBasis::Float;
    const Model rounded = in_floats(model);
    EXPECT_GT((rounded.surface.basis - model.surface.basis).cwiseAbs().maxCoeff(), 0);
    // Half a unit in the last of 24 binary digits.
    EXPECT_LE(
        ((rounded.surface.basis - model.surface.basis).array() / model.surface.basis.array())
            .isNaN()
            .select(0, (rounded.surface.basis - model.surface.basis).array() / model.surface.basis.array())
            .abs()
            .maxCoeff(),
        std::ldexp(1.0, -24));
    expect_same(rounded, *round_trip(model));
    EXPECT_EQ(rounded.surface.basis, in_floats(rounded).surface.basis);
    const std::string bytes = file_bytes(model);
    EXPECT_EQ(bytes, file_bytes(*read_model(bytes, "a.glb").value()));
}

TEST(ModelFile, FilledFractionsComeBack) {
    Model model = sample_model();
    for (std::size_t e = 0; e < model.volume.group_of_element.size(); ++e)
        model.volume.fraction.push_back(1.0f / static_cast<float>(e + 1));
    expect_same(model, *round_trip(model));
    for (const float bad : {0.0f, -1.0f, 1.5f, std::numeric_limits<float>::quiet_NaN()}) {
        model.volume.fraction[1] = bad;
        const auto file = write_model(model, {}, {}, "out.glb");
        EXPECT_FALSE(file.ok());
        EXPECT_EQ(file.error().where, "out.glb: volume.fraction");
    }
    model.volume.fraction.resize(1);
    EXPECT_EQ(write_model(model, {}, {}, "out.glb").error().where, "out.glb: volume.fraction");
}

TEST(ModelFile, TheOrderOfTheTreeComesBackAndIsCheckedToHaveEveryTriangleOnce) {
    Model model = sample_model({.rank = 2});
    model.surface.tree_order = order_triangles(model.surface);
    ASSERT_FALSE(model.surface.tree_order.empty());
    const auto read = read_model(file_bytes(model), "tree");
    ASSERT_TRUE(read.ok()) << read.error().problem;
    EXPECT_EQ(read.value()->surface.tree_order, model.surface.tree_order);
    model.surface.tree_order[0] = model.surface.tree_order[1];
    const auto twice = write_model(model);
    ASSERT_FALSE(twice.ok());
    EXPECT_NE(twice.error().where.find("surface.tree_order"), std::string::npos);
    model.surface.tree_order.pop_back();
    EXPECT_FALSE(write_model(model).ok());
}

TEST(ModelFile, ALeanModelKeepsItsCountsAndNothingElseOfItsVolume) {
    const Model model = lean(sample_model());
    const auto result = round_trip(model);
    expect_same(model, *result);
    EXPECT_EQ(result->volume_elements, 3);
    EXPECT_TRUE(result->volume.vertices.empty());
    EXPECT_LT(file_bytes(model).size(), file_bytes(sample_model()).size());
}

TEST(ModelFile, MaterialsTexturesAndSeamsComeBack) {
    Model model = textured(sample_model());
    Appearance& look = model.surface.appearance;
    look.texture_coordinates.push_back(look.texture_coordinates[0]);
    look.textures.push_back({.image = 0, .wrap_s = 33071, .wrap_t = 33648});
    SurfaceMaterial all{
        .name = "all", .emissive = {0.1, 0.2, 0.3}, .normal_scale = -2, .occlusion_strength = 0.5};
    all.alpha_mode = AlphaMode::Mask;
    all.alpha_cutoff = 0.125;
    all.metallic_roughness_texture = {0, 1};
    all.normal_texture = {1, 0};
    all.occlusion_texture = {1, 1};
    all.emissive_texture = {0, 0};
    look.materials.push_back(all);
    look.parts[1].material = 2;
    expect_same(model, *round_trip(model));
}

TEST(ModelFile, VertexColoursAndExtensionsOfMaterialsComeBack) {
    Model model = textured(sample_model());
    Appearance& look = model.surface.appearance;
    for (std::size_t v = 0; v < model.surface.vertices.size(); ++v)
        look.colors.push_back({0.25f, static_cast<float>(v % 2), 1, 0.5f});
    look.materials[0].base_color_texture.transform = {{0.5, 0}, {2, 2}, 0.25};
    look.materials[0].extensions =
        R"({"KHR_materials_clearcoat":{"clearcoatFactor":0.5,"clearcoatTexture":{"index":0}}})";
    expect_same(model, *round_trip(model));
    const OpenGlb glb = open_glb(file_bytes(model));
    EXPECT_EQ(glb.json["extensionsUsed"],
              (nlohmann::json{"LIMBER_model", "KHR_materials_clearcoat", "KHR_texture_transform"}));
    const auto color = glb.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"].get<std::size_t>();
    EXPECT_EQ(glb.json["accessors"][color]["type"], "VEC4");

    // A texture whose picture is gone leaves the extension, too.
    look.images.clear();
    look.textures.clear();
    for (SurfaceMaterial& material : look.materials)
        material.base_color_texture = {};
    const auto read = round_trip(model);
    EXPECT_EQ(read->surface.appearance.materials[0].extensions,
              R"({"KHR_materials_clearcoat":{"clearcoatFactor":0.5}})");
}

TEST(ModelFile, NamesInAnyScriptComeBack) {
    Model model = sample_model();
    model.name = "Löffel \"勺\" \\ \n";
    model.groups[0].name = "гриб";
    expect_same(model, *round_trip(model));
    model.name = "\xff\xfe is no UTF-8";
    EXPECT_EQ(round_trip(model)->name, "\xef\xbf\xbd\xef\xbf\xbd is no UTF-8");
}

TEST(ModelFile, TheSameModelGivesTheSameBytes) {
    const Model model = textured(sample_model());
    const auto motion = sample_motion(model, 10, 3);
    const std::string bytes = file_bytes(model, {motion});
    EXPECT_EQ(bytes, file_bytes(model, {motion}));
    // And reading and writing again changes nothing.
    EXPECT_EQ(bytes, file_bytes(*read_model(bytes, "a.glb").value(), {motion}));
}

TEST(ModelFile, ABasisVectorThatDoesNotMoveTheSurfaceHasScaleOne) {
    Model model = sample_model();
    model.surface.basis.col(1).setZero();
    choose_target_scale(model);
    EXPECT_EQ(model.target_scale[1], 1);
    expect_same(model, *round_trip(model));
}

TEST(ModelFile, AScaleThatWasNotChosenIsChosen) {
    Model model = sample_model();
    const Eigen::VectorXd scale = model.target_scale;
    model.target_scale.resize(0);
    EXPECT_EQ(round_trip(model)->target_scale, scale);
}

TEST(ModelFile, AModelThatIsNotSoundIsNotWritten) {
    Model model = sample_model();
    model.surface.basis(2, 1) = std::nan("");
    const auto file = write_model(model, {}, {}, "out.glb");
    EXPECT_FALSE(file.ok());
    EXPECT_EQ(file.error().where, "out.glb: surface.basis");
    model = sample_model();
    model.surface = {};
    EXPECT_NE(write_model(model).error().problem.find("no surface"), std::string::npos);
}

}  // namespace
}  // namespace limber
