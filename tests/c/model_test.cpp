// SPDX-License-Identifier: Apache-2.0
// Models and their numerics in C: what the interface does equals what the library does, to the last bit.
#include "tests/c/c_models.h"

#include <limber/reduced/linear_statics.h>
#include <limber/reduced/modes.h>
#include <limber/select/select_on_model.h>

namespace limber::test {
namespace {

TEST(CModel, OneBodyHasNoDomains) {
    const OpenModel soft(soft_bytes());
    const OpenWorld world;
    run_in_c(world);
    const char* text = nullptr;
    ASSERT_EQ(limber_model_tree(soft.handle, &text), LIMBER_OK);
    EXPECT_STREQ(text, "null");
    for (const auto which : {LIMBER_PART_POSITIONS, LIMBER_PART_BASES}) {
        std::size_t count = 1;
        ASSERT_EQ(limber_model_floats_count(soft.handle, which, &count), LIMBER_OK);
        EXPECT_EQ(count, 0u);
    }
    std::size_t count = 1;
    ASSERT_EQ(limber_model_ints_count(soft.handle, LIMBER_SHARED_VERTICES, &count), LIMBER_OK);
    EXPECT_EQ(count, 0u);
    EXPECT_TRUE(world.numbers(1, LIMBER_DOMAIN_POSES).empty());
}

TEST(CModel, NumericsAreThoseOfTheLibrary) {
    const ModelPtr model = model_of_bytes(soft_bytes());
    const OpenModel soft(soft_bytes());
    const ReducedModes modes = reduced_modes(*model);
    Eigen::VectorXd frequencies(6), derivative(6);
    Eigen::MatrixXd shapes(6, 6);
    ASSERT_EQ(limber_model_modes(soft.handle, nullptr, 0, frequencies.data(), 6, shapes.data(), 36),
              LIMBER_OK);
    EXPECT_EQ(frequencies, modes.frequencies_hz);
    EXPECT_EQ(shapes, modes.shapes);
    ASSERT_EQ(limber_model_modal_derivative(soft.handle, nullptr, 0, 1, 2, derivative.data(), 6), LIMBER_OK);
    EXPECT_EQ(derivative, modal_derivative(*model, modes, 1, 2).value());
    double hz = 0;
    ASSERT_EQ(limber_model_rayleigh_frequency(soft.handle, nullptr, 0, shapes.data(), 6, &hz), LIMBER_OK);
    EXPECT_NEAR(hz, frequencies[0], 1e-9 * hz);

    std::vector<std::int32_t> ids(30);
    std::size_t found = 0;
    ASSERT_EQ(limber_model_select(soft.handle, "x>0", 3, ids.data(), ids.size(), &found), LIMBER_OK);
    ids.resize(found);
    EXPECT_EQ(ids, select_on_model("x>0", *model).value());

    limber_statics* statics = nullptr;
    ASSERT_EQ(limber_statics_create(soft.handle, &statics), LIMBER_OK);
    const LinearStatics expected = make_linear_statics(model).value();
    limber_statics_numbers numbers{};
    ASSERT_EQ(limber_statics_info(statics, &numbers), LIMBER_OK);
    EXPECT_EQ(numbers.rank, expected.rank());
    EXPECT_EQ(numbers.softest_vertex, expected.softest_vertex());
    const std::int32_t vertex = 4;
    const Eigen::Vector3d force(1, -2, 0.5);
    Eigen::VectorXd q(expected.rank());
    ASSERT_EQ(limber_statics_coordinates(statics, &vertex, force.data(), 1, q.data(), std::size_t(q.size())),
              LIMBER_OK);
    EXPECT_EQ(q, expected.coordinates({{4, force}}).value());
    Eigen::Vector3d pulled;
    std::int32_t is_fixed = -1;
    ASSERT_EQ(limber_statics_spring_force(statics, 4, force.data(), pulled.data(), &is_fixed), LIMBER_OK);
    EXPECT_EQ(pulled, *expected.spring_force(4, force));
    EXPECT_EQ(is_fixed, 0);
    EXPECT_EQ(limber_statics_free(statics), LIMBER_OK);
}

TEST(CModel, ArraysHaveTheCountsThatAreSaid) {
    const ModelPtr model = model_of_bytes(soft_bytes());
    const OpenModel soft(soft_bytes());
    for (std::int32_t which = LIMBER_REST_POSITIONS; which <= LIMBER_MESH_BASIS; ++which) {
        std::size_t count = 0;
        ASSERT_EQ(limber_model_floats_count(soft.handle, which, &count), LIMBER_OK);
        std::vector<float> out(count);
        EXPECT_EQ(limber_model_floats(soft.handle, which, out.data(), count), LIMBER_OK) << which;
    }
    std::vector<float> modes(std::size_t(model->warp->surface_modes.size()));
    ASSERT_EQ(limber_model_floats(soft.handle, LIMBER_WARP_MODES, modes.data(), modes.size()), LIMBER_OK);
    EXPECT_EQ(modes[90 + 4], float(model->warp->surface_modes(4, 1)));
    std::vector<std::int32_t> triangles(3 * model->surface.triangles.size());
    ASSERT_EQ(limber_model_ints(soft.handle, LIMBER_TRIANGLES, triangles.data(), triangles.size()),
              LIMBER_OK);
    EXPECT_EQ(triangles[4], model->surface.triangles[1][1]);
}

}  // namespace
}  // namespace limber::test
