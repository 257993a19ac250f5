// SPDX-License-Identifier: Apache-2.0
// The pieces below the model file: checks of a model, checksums, the container.
#include "tests/limber/model/sample_model.h"

#include <gtest/gtest.h>
#include <limber/model/crc32c.h>
#include <limber/model/glb.h>
#include <limber/reduced/stvk_body.h>
#include <limber/warp/warp_body.h>

#include <cmath>
#include <functional>

namespace limber {
namespace {

TEST(Crc32c, AgreesWithTheExamplesOfRfc3720) {  // appendix B.4, and the catalogues' check value
    EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
    EXPECT_EQ(crc32c(""), 0u);
}

TEST(Glb, ChunksComeBackWithTheirPadding) {
    for (std::size_t json = 0; json < 9; ++json)
        for (std::size_t binary = 0; binary < 5; ++binary) {
            const std::string text(json, 'j'), data(binary, 'b');
            const std::string file = join_glb(text, data);
            EXPECT_EQ(file.size(), glb_size(json, binary));
            const Result<GlbChunks> split = split_glb(file, "a.glb");
            ASSERT_TRUE(split.ok());
            const GlbChunks& chunks = split.value();
            EXPECT_EQ(chunks.json.substr(0, json), text);
            EXPECT_EQ(chunks.json.find_first_not_of(' ', json), std::string_view::npos);
            ASSERT_TRUE(chunks.binary);
            EXPECT_EQ(chunks.binary->substr(0, binary), data);
            EXPECT_EQ(chunks.binary->size() % 4, 0u);
            EXPECT_EQ((chunks.binary->data() - file.data()) % 8, 0);
        }
}

TEST(Glb, AChunkLongerThanTheFileIsRefused) {
    std::string file = join_glb("{}", "1234");
    file[15] = '\x7f';
    const Result<GlbChunks> split = split_glb(file, "a.glb");
    ASSERT_FALSE(split.ok());
    EXPECT_EQ(split.error().where, "a.glb: byte 12");
}

TEST(ModelProblem, ASoundModelHasNone) {
    EXPECT_FALSE(model_problem(sample_model()));
    EXPECT_FALSE(model_problem(lean(sample_model())));
    EXPECT_FALSE(model_problem(textured(sample_model())));
    EXPECT_FALSE(model_problem(warped(sample_model())));
    Model bare = lean(sample_model());
    bare.surface = {};
    bare.target_scale.resize(0);
    EXPECT_FALSE(model_problem(bare));
    EXPECT_FALSE(model_problem(without_basis(sample_model())));
    Model volume_kept = without_basis(sample_model());
    volume_kept.volume = sample_model().volume;
    volume_kept.volume.basis.resize(0, 0);
    EXPECT_FALSE(model_problem(volume_kept));
}

TEST(ModelProblem, WithoutABasisASurfaceIsNeededAndNoSoftBodyIsMade) {
    Model model = without_basis(sample_model());
    const auto method = method_problem(model, "stvk");
    ASSERT_TRUE(method);
    EXPECT_EQ(method->problem, "the model has no basis, so its bodies are rigid: stvk needs one");
    EXPECT_FALSE(method_problem(sample_model(), "stvk"));
    EXPECT_EQ(method_problem(sample_model(), "warp")->problem,
              "the model was built for stvk only and cannot run as warp");
    const auto body = make_stvk_body(std::make_shared<const Model>(model));
    ASSERT_FALSE(body.ok());
    EXPECT_EQ(body.error().problem, method->problem);
    EXPECT_FALSE(make_warp_body(model.warp).ok());
    Model warp = warped(model);
    EXPECT_EQ(model_problem(warp, "m")->where, "m: rank");
    model.surface = {};
    EXPECT_EQ(model_problem(model, "m")->problem, "there is neither a surface nor a basis");
}

TEST(ModelProblem, EveryPartThatDoesNotFitIsNamed) {
    const auto problem = [](const std::function<void(Model&)>& change) {
        Model model = with_tensors(warped(textured(sample_model())));
        change(model);
        const auto found = model_problem(model, "m");
        return found ? found->where + ": " + found->problem : std::string("none");
    };
    EXPECT_EQ(problem([](Model& m) { m.rank = 0; }), "m: rank: it is 0; it must lie between 1 and 1000");
    EXPECT_EQ(problem([](Model& m) { m.groups.clear(); }), "m: groups: there is no material group");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[1].bulk.conservativeResize(44); }),
              "m: groups[1].bulk: it is 44 x 1; it must be 45 x 1");  // r = 3: m = 9, m(m+1)/2 = 45
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].mass.resize(3, 2); }),
              "m: groups[0].mass: it is 3 x 2; it must be 3 x 3");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].weight(0, 0) = std::nan(""); }),
              "m: groups[0].weight: a number is not finite or larger than 1e100");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].mass(0, 0) = -1; }),
              "m: groups.mass: the mass matrix is not symmetric and positive definite");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].mass(0, 1) += 1; }),
              "m: groups.mass: the mass matrix is not symmetric and positive definite");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].bulk[0] = -100; }),
              "m: groups.bulk and shear: the stiffness at rest is indefinite: the body would fly apart");
    EXPECT_EQ(problem([](Model& m) { m.groups[0].material.young = 1e30; }),
              "m: groups[0]: Young's modulus is 1e+30 Pa; it must lie between 1e-20 and 1e20 Pa");
    EXPECT_EQ(problem([](Model& m) { m.groups[0].material.density = 1e-30; }),
              "m: groups[0]: the density is 1e-30 kg/m^3; it must lie between 1e-20 and 1e20");
    EXPECT_EQ(problem([](Model& m) {
                  for (Eigen::Vector3d& x : m.surface.vertices)
                      x.setOnes();
              }),
              "m: surface.vertices: all vertices are in one place");
    EXPECT_EQ(problem([](Model& m) { m.surface.basis.col(1).setConstant(1e-100); }),
              "m: surface.basis: vector 1 moves no vertex by more than 1.73205081e-100 1/√kg: nothing of it "
              "can be shown");
    EXPECT_EQ(problem([](Model& m) { m.frequencies_hz[1] = -1; }), "m: frequencies_hz: a number is negative");
    EXPECT_EQ(problem([](Model& m) {
                  auto warp = std::make_shared<WarpModel>(*m.warp);
                  warp->surface_modes.col(1).setZero();
                  warp->node_modes.col(1).setZero();
                  m.warp = warp;
              }),
              "m: warp: mode 1 moves nothing");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[1].moment.resize(3, 3); }),
              "m: groups[1].moment: it is 3 x 3; it must be 3 x 9");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[1].second_tensor.resize(3, 3); }),
              "m: groups[1].second_tensor: it is 3 x 3; it must be 12 x 12");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[1].first_tensor.resize(0, 0); }),
              "m: groups[1].first_tensor: it is 0 x 0; it must be 3 x 4");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].second_tensor(2, 7) += 1; }),
              "m: groups[0].second_tensor: it is not symmetric");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].first_tensor *= 10; }),
              "m: groups[0].first_tensor and second_tensor: the inertia is not positive");
    EXPECT_EQ(problem([](Model& m) { own_stvk(m).groups[0].second_tensor *= 1.1; }),
              "m: groups[0].second_tensor: it does not fit the mass");
    EXPECT_EQ(problem([](Model& m) {
                  m.warp = nullptr;
                  m.stvk = nullptr;
              }),
              "m: groups: there are neither coefficients of the energy nor modes to warp");
    EXPECT_EQ(problem([](Model& m) {
                  auto warp = std::make_shared<WarpModel>(*m.warp);
                  warp->surface_modes.conservativeResize(57, 2);
                  warp->surface_rotations.conservativeResize(57, 2);
                  warp->surface_companions.conservativeResize(57, 1);
                  m.warp = warp;
              }),
              "m: warp.surface_modes: there are 19 entries; there must be 20");
    EXPECT_EQ(problem([](Model& m) { m.groups[0].volume = -1; }), "m: groups[0].volume: it must be positive");
    EXPECT_EQ(problem([](Model& m) { m.groups[0].material.density = 0; }),
              "m: groups[0]: the density is 0 kg/m^3; it must be positive");
    EXPECT_EQ(problem([](Model& m) { m.surface.triangles[0][1] = 20; }),
              "m: surface.triangles: entry 1 is 20; it must lie between 0 and 20, the end excluded");
    EXPECT_EQ(problem([](Model& m) { m.surface.input_vertex.pop_back(); }),
              "m: surface.input_vertex: there are 19 entries; there must be 20");
    EXPECT_EQ(problem([](Model& m) { m.volume_vertices = 5; }),
              "m: volume.vertices: there are 16 entries; there must be 5");
    EXPECT_EQ(problem([](Model& m) { m.volume.group_of_element[0] = 2; }),
              "m: volume.group_of_element: entry 0 is 2; it must lie between 0 and 2, the end excluded");
    EXPECT_EQ(problem([](Model& m) { m.target_scale[0] = 0; }), "m: target_scale: a scale is not positive");
    EXPECT_EQ(problem([](Model& m) { m.target_scale[0] = 1e-40; }),
              "m: target_scale: a scale does not lie between 1e-30 and 1e30");
    EXPECT_EQ(problem([](Model& m) { m.target_scale[0] = 1e60; }),
              "m: target_scale: a morph target is larger than a 32-bit float");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.materials.pop_back(); }),
              "m: part 0 of the surface: it uses material 1, but there are 1");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.materials[0].base_color_texture.set = 1; }),
              "m: material 0: it uses set 1 of texture coordinates, but there are 1");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.materials[0].roughness = 1.5; }),
              "m: material 0: metallic, roughness or occlusion is not between 0 and 1");
    EXPECT_NE(problem([](Model& m) { m.surface.appearance.colors.resize(1); }), "");
    EXPECT_NE(problem([](Model& m) {
                  m.surface.appearance.colors.assign(m.surface.vertices.size(), VertexColor{2, 0, 0, 1});
              }),
              "");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.textures[0].image = 1; }),
              "m: texture 0: its image, filter or wrap is unknown");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.images[0].bytes = "GIF89a"; }),
              "m: image 0: the bytes are not of its type, PNG or JPEG");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.texture_coordinates[0].pop_back(); }),
              "m: texture coordinates: there are 19 for 20 vertices");
    EXPECT_EQ(problem([](Model& m) { m.surface.appearance.parts.pop_back(); }),
              "m: the parts of the surface: they cover 2 of 28 triangles");
}

}  // namespace
}  // namespace limber
