// SPDX-License-Identifier: Apache-2.0
// What is written can be read, bit for bit, and is the glTF that docs/model_file.md promises.
#include "tests/limber/model/open_glb.h"
#include "tests/limber/model/sample_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace limber {
namespace {

using Json = nlohmann::json;

ModelResult round_trip(const Model& model, const ModelFileOptions& options = {}) {
    const ModelBytes file = write_model(model, {}, options);
    EXPECT_TRUE(file) << file.error.where << ": " << file.error.problem;
    ModelResult result = read_model(file.bytes, "a.glb");
    EXPECT_TRUE(result) << result.error.where << ": " << result.error.problem;
    return result;
}

// Bits, not values: -0 differs from 0.
template <class Matrix>
void expect_same_bits(const Matrix& a, const Matrix& b, const char* what) {
    ASSERT_EQ(a.rows(), b.rows()) << what;
    ASSERT_EQ(a.cols(), b.cols()) << what;
    if (a.size() > 0) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * a.size()), 0) << what;
    }
}

void expect_same_points(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        expect_same_bits(a[i], b[i], "a vertex");
}

void expect_same_look(const Appearance& a, const Appearance& b) {
    EXPECT_EQ(a.texture_coordinates, b.texture_coordinates);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        EXPECT_EQ(a.parts[i].first_triangle, b.parts[i].first_triangle);
        EXPECT_EQ(a.parts[i].triangle_count, b.parts[i].triangle_count);
        EXPECT_EQ(a.parts[i].material, b.parts[i].material);
    }
    ASSERT_EQ(a.images.size(), b.images.size());
    for (std::size_t i = 0; i < a.images.size(); ++i) {
        EXPECT_EQ(a.images[i].name, b.images[i].name);
        EXPECT_EQ(a.images[i].bytes, b.images[i].bytes);
        EXPECT_EQ(a.images[i].type, b.images[i].type);
    }
    ASSERT_EQ(a.textures.size(), b.textures.size());
    for (std::size_t i = 0; i < a.textures.size(); ++i) {
        EXPECT_EQ(a.textures[i].image, b.textures[i].image);
        EXPECT_EQ(a.textures[i].mag_filter, b.textures[i].mag_filter);
        EXPECT_EQ(a.textures[i].min_filter, b.textures[i].min_filter);
        EXPECT_EQ(a.textures[i].wrap_s, b.textures[i].wrap_s);
        EXPECT_EQ(a.textures[i].wrap_t, b.textures[i].wrap_t);
    }
    ASSERT_EQ(a.materials.size(), b.materials.size());
    for (std::size_t i = 0; i < a.materials.size(); ++i) {
        const SurfaceMaterial &x = a.materials[i], &y = b.materials[i];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.base_color, y.base_color);
        EXPECT_EQ(x.emissive, y.emissive);
        EXPECT_EQ(x.metallic, y.metallic);
        EXPECT_EQ(x.roughness, y.roughness);
        EXPECT_EQ(x.normal_scale, y.normal_scale);
        EXPECT_EQ(x.occlusion_strength, y.occlusion_strength);
        EXPECT_EQ(x.alpha_mode, y.alpha_mode);
        EXPECT_EQ(x.alpha_cutoff, y.alpha_cutoff);
        EXPECT_EQ(x.double_sided, y.double_sided);
        for (const auto use : {&SurfaceMaterial::base_color_texture,
                               &SurfaceMaterial::metallic_roughness_texture, &SurfaceMaterial::normal_texture,
                               &SurfaceMaterial::occlusion_texture, &SurfaceMaterial::emissive_texture}) {
            EXPECT_EQ((x.*use).texture, (y.*use).texture);
            EXPECT_EQ((x.*use).set, (y.*use).set);
            EXPECT_EQ((x.*use).transform, (y.*use).transform);
        }
        EXPECT_EQ(x.extensions, y.extensions);
    }
    EXPECT_EQ(a.colors, b.colors);
}

void expect_same_warp(const WarpModel& a, const WarpModel& b) {
    expect_same_bits(a.eigenvalues, b.eigenvalues, "eigenvalues");
    expect_same_bits(a.node_mass, b.node_mass, "node_mass");
    expect_same_points(a.node_moment, b.node_moment);
    expect_same_bits(a.node_modes, b.node_modes, "node_modes");
    expect_same_bits(a.node_rotations, b.node_rotations, "node_rotations");
    expect_same_bits(a.surface_modes, b.surface_modes, "surface_modes");
    expect_same_bits(a.surface_rotations, b.surface_rotations, "surface_rotations");
    expect_same_bits(a.surface_companions, b.surface_companions, "surface_companions");
    expect_same_bits(a.companion_forms, b.companion_forms, "companion_forms");
}

void expect_same(const Model& a, const Model& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.up, b.up);
    EXPECT_EQ(a.rank, b.rank);
    EXPECT_EQ(a.modes, b.modes);
    EXPECT_EQ(a.basis_kind, b.basis_kind);
    EXPECT_EQ(a.command, b.command);
    EXPECT_EQ(a.volume_vertices, b.volume_vertices);
    EXPECT_EQ(a.volume_elements, b.volume_elements);
    EXPECT_EQ(a.free_body, b.free_body);
    EXPECT_EQ(a.lumped_mass, b.lumped_mass);
    EXPECT_EQ(a.exact_quadrature, b.exact_quadrature);
    expect_same_bits(a.target_scale, b.target_scale, "target_scale");
    expect_same_bits(a.frequencies_hz, b.frequencies_hz, "frequencies_hz");
    expect_same_bits(a.spectrum, b.spectrum, "spectrum");

    expect_same_points(a.surface.vertices, b.surface.vertices);
    EXPECT_EQ(a.surface.triangles, b.surface.triangles);
    EXPECT_EQ(a.surface.input_vertex, b.surface.input_vertex);
    EXPECT_EQ(a.surface.kept_as, b.surface.kept_as);
    expect_same_bits(a.surface.basis, b.surface.basis, "surface.basis");
    expect_same_look(a.surface.appearance, b.surface.appearance);

    expect_same_points(a.volume.vertices, b.volume.vertices);
    EXPECT_EQ(a.volume.tets, b.volume.tets);
    EXPECT_EQ(a.volume.bricks, b.volume.bricks);
    EXPECT_EQ(a.volume.group_of_element, b.volume.group_of_element);
    EXPECT_EQ(a.volume.fraction, b.volume.fraction);
    EXPECT_EQ(a.volume.fixed_vertices, b.volume.fixed_vertices);
    expect_same_bits(a.volume.basis, b.volume.basis, "volume.basis");

    ASSERT_EQ(a.warp == nullptr, b.warp == nullptr);
    if (a.warp) expect_same_warp(*a.warp, *b.warp);

    ASSERT_EQ(a.groups.size(), b.groups.size());
    for (std::size_t g = 0; g < a.groups.size(); ++g) {
        const ModelGroup &x = a.groups[g], &y = b.groups[g];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.material.young, y.material.young);
        EXPECT_EQ(x.material.poisson, y.material.poisson);
        EXPECT_EQ(x.material.density, y.material.density);
        EXPECT_EQ(x.volume, y.volume);
        expect_same_bits(x.bulk, y.bulk, "bulk");
        expect_same_bits(x.shear, y.shear, "shear");
        expect_same_bits(x.mass, y.mass, "mass");
        expect_same_bits(x.weight, y.weight, "weight");
        expect_same_bits(x.moment, y.moment, "moment");
        expect_same_bits(x.first_moment, y.first_moment, "first_moment");
        expect_same_bits(x.second_moment, y.second_moment, "second_moment");
    }
}

std::vector<float> floats_of_accessor(const OpenGlb& glb, std::size_t accessor) {
    const Json& a = glb.json["accessors"][accessor];
    const Json& view = glb.json["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<float> out(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(out.data(), glb.binary.data() + view["byteOffset"].get<std::size_t>(), 4 * out.size());
    return out;
}

TEST(ModelFile, EveryBitOfAModelOfBricksComesBack) {
    Model model = sample_model();
    model.groups[0].bulk[0] = -0.0;
    model.groups[1].shear[1] = 5e-324;  // the smallest denormal
    model.surface.basis(0, 0) = std::nextafter(1.0, 2.0);
    model.free_body = model.lumped_mass = model.exact_quadrature = true;
    expect_same(model, *round_trip(model).model);
}

TEST(ModelFile, EveryBitOfAModelOfTetsComesBack) {
    const Model model = sample_model({.cells = 2, .rank = 5, .groups = 3, .elements = SampleElements::Tets});
    expect_same(model, *round_trip(model, {.morph_normals = true}).model);
}

TEST(ModelFile, ModesToWarpComeBackWithTheNormalsOfTheSurface) {
    const Model model = warped(textured(sample_model()));
    const auto result = round_trip(model);
    expect_same(model, *result.model);
    // A vertex of a flat face: its triangles have one normal. Length 1 everywhere.
    const auto& normals = result.model->warp->normals;
    ASSERT_EQ(normals.size(), model.surface.vertices.size());
    for (const Eigen::Vector3d& normal : normals)
        EXPECT_NEAR(normal.norm(), 1, 1e-12);
    EXPECT_EQ(methods_of(*result.model), (std::vector<std::string>{"stvk", "warp"}));
}

TEST(ModelFile, AModelForWarpingAloneHasNoEnergy) {
    Model model = warped(sample_model());
    for (ModelGroup& group : model.groups)
        group.bulk = group.shear = Eigen::VectorXd();
    const auto result = round_trip(model);
    expect_same(model, *result.model);
    EXPECT_EQ(methods_of(*result.model), (std::vector<std::string>{"warp"}));
}

TEST(ModelFile, FilesOfFormatOneAreRead) {
    Model model = sample_model();
    for (ModelGroup& group : model.groups)
        group.moment.resize(0, 0);
    OpenGlb glb = open_glb(write_model(model).bytes);
    glb.extension()["version"] = 1;
    const ModelResult result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result) << result.error.problem;
    expect_same(model, *result.model);
}

TEST(ModelFile, FilesOfFormatTwoHaveNoCompanions) {
    Model model = warped(sample_model());
    auto warp = std::make_shared<WarpModel>(*model.warp);
    warp->companion_forms.resize(0, 0);
    warp->surface_companions.resize(warp->surface_modes.rows(), 0);
    model.warp = std::move(warp);
    OpenGlb glb = open_glb(write_model(model).bytes);
    glb.extension()["version"] = 2;
    const ModelResult result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result) << result.error.problem;
    EXPECT_EQ(result.model->warp->companions(), 0);
}

TEST(ModelFile, UpComesBack) {
    Model model = sample_model();
    for (const char* up : {"x", "y", "z", "-x", "-y", "-z"}) {
        model.up = *parse_up(up);
        EXPECT_STREQ(up_text(round_trip(model).model->up), up);
    }
}

TEST(ModelFile, FilesOfFormatThreeAreZUp) {
    Model model = sample_model();
    OpenGlb glb = open_glb(write_model(model).bytes);
    glb.extension()["version"] = 3;
    glb.extension().erase("up");
    const ModelResult result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result) << result.error.problem;
    EXPECT_EQ(result.model->up, UpAxis::Z);
    expect_same(model, *result.model);
}

// What was read is what was written: no vertex moves by a bit, and nothing is kept twice.
TEST(ModelFile, TheBasisOfTheSurfaceStandsOnceAsTheMorphTargets) {
    const Model model = in_floats(textured(sample_model({.cells = 5, .rank = 4})));
    expect_same(model, *round_trip(model, {.morph_normals = true}).model);
    OpenGlb glb = open_glb(write_model(model).bytes);
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
    EXPECT_NEAR(static_cast<double>(write_model(doubles).bytes.size() - write_model(model).bytes.size()),
                8.0 * static_cast<double>(numbers), 500);
    expect_same(doubles, *round_trip(doubles).model);
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
    expect_same(rounded, *round_trip(model).model);
    expect_same_bits(rounded.surface.basis, in_floats(rounded).surface.basis, "rounded twice");
    const std::string bytes = write_model(model).bytes;
    EXPECT_EQ(bytes, write_model(*read_model(bytes, "a.glb").model).bytes);
}

// A person who opens it elsewhere sees it upright; limber's own coordinates stay.
TEST(ModelFile, TheNodeTurnsUpToGltfsY) {
    Model model = sample_model();
    const auto positions = [&] {
        const OpenGlb glb = open_glb(write_model(model).bytes);
        const Json& accessor = glb.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
        return floats_of_accessor(glb, accessor.get<std::size_t>());
    };
    const std::vector<float> at_z = positions();
    for (const char* up : {"x", "y", "z", "-x", "-y", "-z"}) {
        model.up = *parse_up(up);
        EXPECT_EQ(positions(), at_z) << up;
        const OpenGlb glb = open_glb(write_model(model).bytes);
        EXPECT_EQ(glb.json["asset"]["extras"]["up"], up);
        const Json& node = glb.json["nodes"][0];
        Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
        EXPECT_EQ(node.contains("rotation"), model.up != UpAxis::Y);
        if (node.contains("rotation"))
            turn = Eigen::Quaterniond(node["rotation"].get<std::vector<double>>().data());
        EXPECT_NEAR((turn * up_vector(model.up) - Eigen::Vector3d::UnitY()).norm(), 0, 1e-15) << up;
    }
}

TEST(ModelFile, FilledFractionsComeBack) {
    Model model = sample_model();
    for (std::size_t e = 0; e < model.volume.group_of_element.size(); ++e)
        model.volume.fraction.push_back(1.0f / static_cast<float>(e + 1));
    expect_same(model, *round_trip(model).model);
    for (const float bad : {0.0f, -1.0f, 1.5f, std::numeric_limits<float>::quiet_NaN()}) {
        model.volume.fraction[1] = bad;
        const ModelBytes file = write_model(model, {}, {}, "out.glb");
        EXPECT_FALSE(file);
        EXPECT_EQ(file.error.where, "out.glb: volume.fraction");
    }
    model.volume.fraction.resize(1);
    EXPECT_EQ(write_model(model, {}, {}, "out.glb").error.where, "out.glb: volume.fraction");
}

TEST(ModelFile, ALeanModelKeepsItsCountsAndNothingElseOfItsVolume) {
    const Model model = lean(sample_model());
    const auto result = round_trip(model);
    expect_same(model, *result.model);
    EXPECT_EQ(result.model->volume_elements, 3);
    EXPECT_TRUE(result.model->volume.vertices.empty());
    EXPECT_LT(write_model(model).bytes.size(), write_model(sample_model()).bytes.size());
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
    expect_same(model, *round_trip(model).model);
}

TEST(ModelFile, VertexColoursAndExtensionsOfMaterialsComeBack) {
    Model model = textured(sample_model());
    Appearance& look = model.surface.appearance;
    for (std::size_t v = 0; v < model.surface.vertices.size(); ++v)
        look.colors.push_back({0.25f, static_cast<float>(v % 2), 1, 0.5f});
    look.materials[0].base_color_texture.transform = {{0.5, 0}, {2, 2}, 0.25};
    look.materials[0].extensions =
        R"({"KHR_materials_clearcoat":{"clearcoatFactor":0.5,"clearcoatTexture":{"index":0}}})";
    expect_same(model, *round_trip(model).model);
    const OpenGlb glb = open_glb(write_model(model).bytes);
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
    EXPECT_EQ(read.model->surface.appearance.materials[0].extensions,
              R"({"KHR_materials_clearcoat":{"clearcoatFactor":0.5}})");
}

TEST(ModelFile, NamesInAnyScriptComeBack) {
    Model model = sample_model();
    model.name = "Löffel \"勺\" \\ \n";
    model.groups[0].name = "гриб";
    expect_same(model, *round_trip(model).model);
    model.name = "\xff\xfe is no UTF-8";
    EXPECT_EQ(round_trip(model).model->name, "\xef\xbf\xbd\xef\xbf\xbd is no UTF-8");
}

TEST(ModelFile, TheSameModelGivesTheSameBytes) {
    const Model model = textured(sample_model());
    const auto motion = sample_motion(model, 10, 3);
    const std::string bytes = write_model(model, {motion}).bytes;
    EXPECT_EQ(bytes, write_model(model, {motion}).bytes);
    // And reading and writing again changes nothing.
    EXPECT_EQ(bytes, write_model(*read_model(bytes, "a.glb").model, {motion}).bytes);
}

TEST(ModelFile, AMorphTargetIsTheScaledBasisVectorAndMovesATenthOfTheDiagonal) {
    const Model model = sample_model({.cells = 4, .rank = 4});
    const OpenGlb glb = open_glb(write_model(model).bytes);
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

TEST(ModelFile, ABasisVectorThatDoesNotMoveTheSurfaceHasScaleOne) {
    Model model = sample_model();
    model.surface.basis.col(1).setZero();
    choose_target_scale(model);
    EXPECT_EQ(model.target_scale[1], 1);
    expect_same(model, *round_trip(model).model);
}

TEST(ModelFile, AScaleThatWasNotChosenIsChosen) {
    Model model = sample_model();
    const Eigen::VectorXd scale = model.target_scale;
    model.target_scale.resize(0);
    EXPECT_EQ(round_trip(model).model->target_scale, scale);
}

TEST(ModelFile, BoundsOfAccessorsAreTheSmallestAndLargestFloats) {
    const OpenGlb glb = open_glb(write_model(sample_model(), {sample_motion(sample_model(), 5, 2)}).bytes);
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

TEST(ModelFile, DoublesLieAtMultiplesOfEightBytesOfTheFile) {
    const std::string bytes = write_model(sample_model()).bytes;
    OpenGlb glb = open_glb(bytes);
    const std::size_t binary_at = bytes.size() - glb.binary.size();
    EXPECT_EQ(binary_at % 8, 0u);
    EXPECT_EQ(bytes.size() % 4, 0u);
    for (const Json& view : glb.json["bufferViews"])
        EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 8, 0u);
    EXPECT_EQ(glb.json["extensionsUsed"], Json({"LIMBER_model"}));
    EXPECT_FALSE(glb.json.contains("extensionsRequired"));
}

TEST(ModelFile, AMotionIsALinearAnimationOfTheWeights) {
    const Model model = sample_model();
    const RecordedMotion motion = sample_motion(model, 7, 9);
    const ModelBytes file = write_model(model, {motion});
    EXPECT_TRUE(file.warnings.empty());
    const OpenGlb glb = open_glb(file.bytes);
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

TEST(ModelFile, AWeightBeyondTenIsWarnedAbout) {
    const Model model = sample_model();
    RecordedMotion motion = sample_motion(model, 7, 9);
    motion.q(2, 4) = -12.5 * model.target_scale[2];
    const ModelBytes file = write_model(model, {motion});
    ASSERT_TRUE(file);
    ASSERT_EQ(file.warnings.size(), 1u);
    for (const char* word : {"swing", "weight 2", "12.5", "0.166667 s"})  // frame 4 is at 4/24 s
        EXPECT_NE(file.warnings[0].find(word), std::string::npos) << file.warnings[0];
}

TEST(ModelFile, FramesThatFloatsCannotTellApartAreLeftOut) {
    const Model model = sample_model();
    RecordedMotion motion = sample_motion(model, 4, 1);
    motion.times = {1000, 1000 + 1e-6, 1000 + 2e-6, 1001};  // floats near 1000 are 6e-5 apart
    const ModelBytes file = write_model(model, {motion});
    ASSERT_EQ(file.warnings.size(), 1u);
    EXPECT_NE(file.warnings[0].find("2 frames"), std::string::npos);
    const OpenGlb glb = open_glb(file.bytes);
    EXPECT_EQ(floats_of_accessor(glb, glb.json["animations"][0]["samplers"][0]["input"].get<std::size_t>()),
              (std::vector<float>{1000, 1001}));
}

TEST(ModelFile, MotionsThatDoNotFitAreRefused) {
    const Model model = sample_model();
    const auto refused = [&](auto change, const std::string& problem) {
        RecordedMotion motion = sample_motion(model, 4, 1);
        change(motion);
        const ModelBytes file = write_model(model, {motion}, {}, "out.glb");
        EXPECT_FALSE(file) << problem;
        EXPECT_NE(file.error.where.find("out.glb: motion 'swing'"), std::string::npos) << file.error.where;
        EXPECT_NE(file.error.problem.find(problem), std::string::npos) << file.error.problem;
    };
    refused([](RecordedMotion& m) { m.times.pop_back(); }, "3 times and 4 frames");
    refused([](RecordedMotion& m) { m = {.name = "swing", .times = {}, .q = {}}; }, "0 times");
    refused([](RecordedMotion& m) { m.q.conservativeResize(2, 4); }, "the rank is 3");
    refused([](RecordedMotion& m) { m.times[2] = m.times[1]; }, "frame 2");
    refused([](RecordedMotion& m) { m.times[0] = -1; }, "frame 0 is at -1 s");
    refused([](RecordedMotion& m) { m.times[3] = std::numeric_limits<double>::infinity(); }, "frame 3");
    refused([](RecordedMotion& m) { m.q(1, 2) = std::nan(""); }, "coordinate 1 of frame 2");
}

TEST(ModelFile, AModelThatIsNotSoundIsNotWritten) {
    Model model = sample_model();
    model.surface.basis(2, 1) = std::nan("");
    const ModelBytes file = write_model(model, {}, {}, "out.glb");
    EXPECT_FALSE(file);
    EXPECT_EQ(file.error.where, "out.glb: surface.basis");
    model = sample_model();
    model.surface = {};
    EXPECT_NE(write_model(model).error.problem.find("no surface"), std::string::npos);
}

// The normal of a morph target is the derivative of the unit normal, against a central difference.
TEST(ModelFile, NormalTargetsTurnTheNormalsAsTheShapeDoes) {
    Model model = sample_model({.cells = 4, .rank = 4});
    const auto normals_at = [&](int target, double weight) {
        Model moved = model;
        for (std::size_t v = 0; v < moved.surface.vertices.size(); ++v)
            moved.surface.vertices[v] +=
                weight * model.target_scale[target] * model.surface.basis.block<3, 1>(3 * v, target);
        const OpenGlb glb = open_glb(write_model(moved).bytes);
        return floats_of_accessor(
            glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<std::size_t>());
    };
    const OpenGlb glb = open_glb(write_model(model, {}, {.morph_normals = true}).bytes);
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

TEST(ModelFile, NormalsAreUnitVectorsAlsoWhereTrianglesHaveNoArea) {
    Model model = sample_model();
    model.surface.vertices.push_back({5, 5, 5});  // no triangle uses it
    model.surface.input_vertex.push_back(100);
    Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(model.surface.basis.rows() + 3, 3);
    basis.topRows(model.surface.basis.rows()) = model.surface.basis;
    model.surface.basis = basis;
    const OpenGlb glb = open_glb(write_model(model, {}, {.morph_normals = true}).bytes);
    const auto normals = floats_of_accessor(
        glb, glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<std::size_t>());
    for (std::size_t v = 0; v < normals.size(); v += 3)
        EXPECT_NEAR(Eigen::Vector3f(normals[v], normals[v + 1], normals[v + 2]).norm(), 1, 1e-6);  // floats
}

TEST(ModelFile, VerticesSplitByASeamShareTheirNormal) {
    const Model model = textured(sample_model());
    const OpenGlb glb = open_glb(write_model(model).bytes);
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
TEST(ModelFile, TangentsForNormalMapsFollowThePicture) {
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
        const OpenGlb glb = open_glb(write_model(model).bytes);
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
