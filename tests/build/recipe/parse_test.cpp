// SPDX-License-Identifier: Apache-2.0
// The words of --basis, --rank and --material.
#include "build/recipe/recipe.h"

#include "models/models.h"

#include <gtest/gtest.h>

namespace limber::test {
namespace {

using namespace build;

TEST(ParseBasis, KnowsAllKinds) {
    EXPECT_TRUE(std::holds_alternative<ModalDerivatives>(parse_basis("modal-derivatives")));
    EXPECT_TRUE(std::holds_alternative<LinearModes>(parse_basis("modes")));
    EXPECT_EQ(std::get<PickedModes>(parse_basis("pick:4,9")).modes, (std::vector<int>{4, 9}));
    EXPECT_EQ(std::get<GivenShapes>(parse_basis("file:a,b.npy")).file, "a,b.npy");
    EXPECT_EQ(std::get<Sketched>(parse_basis("sketch:a.json,b.json")).files.size(), 2u);
}

TEST(ParseBasis, RefusesTheRest) {
    for (const char* bad : {"", "mode", "pick:", "pick:0", "pick:-1", "pick:1,", "pick:a", "pick:1.5",
                            "file:", "sketch:", "sketch:a,", "pick:99999999999"})
        EXPECT_THROW(parse_basis(bad), InputError) << bad;
}

TEST(ParseRank, IsANumberOrAShareOfTheSpectrum) {
    EXPECT_EQ(parse_rank("12").rank, 12);
    EXPECT_FALSE(parse_rank("12").auto_fraction);
    EXPECT_DOUBLE_EQ(*parse_rank("auto:1%").auto_fraction, 0.01);
    EXPECT_DOUBLE_EQ(*parse_rank("auto:0.002").auto_fraction, 0.002);
    for (const char* bad : {"", "0", "-3", "201", "3.5", "auto", "auto:", "auto:%", "auto:0%", "auto:100%",
                            "auto:-1%", "auto:nan", "1%"})
        EXPECT_THROW(parse_rank(bad), InputError) << bad;
}

TEST(MaterialRecipe, ConstantsGoFromGeneralToParticular) {
    const VolumeMesh bar = models::bar({4, 1, 1}, {1, 0.2, 0.2}, models::BarElements::Bricks);
    MaterialRecipe recipe;
    recipe.base = {.young = 5, .poisson = 0.1, .density = 7};
    recipe.density = 9;
    recipe.choices = {"x>0.5: young=6", "x>0.75: poisson=0.2"};
    const MaterialMap map = assign_materials(bar, recipe);
    EXPECT_EQ(map.of(0).young, 5);
    EXPECT_EQ(map.of(0).density, 9);
    EXPECT_EQ(map.of(2).young, 6);
    EXPECT_EQ(map.of(2).poisson, 0.1);
    EXPECT_EQ(map.of(3).young, 5);  // the later choice starts from the general one
    EXPECT_EQ(map.of(3).poisson, 0.2);
}

}  // namespace
}  // namespace limber::test
