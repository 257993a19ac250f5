// SPDX-License-Identifier: Apache-2.0
#include "run_limber.h"

namespace limber::test {
namespace {

using ModelCommands = InFolder;

TEST_F(ModelCommands, ListShowsEveryModelOfThePaperWithAValidHold) {
    const auto models = result_of({"models", "list"})["models"];
    std::vector<std::string> names;
    for (const auto& model : models) {
        names.push_back(model["name"]);
        for (const char* key : {"description", "fix", "young", "poisson", "density", "resolution"})
            EXPECT_TRUE(model.contains(key)) << key;
    }
    for (const char* name : {"bar", "spoon", "bridge", "tower", "heart"})
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    const Ran ran = run_limber({"models", "list"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.out.find("spoon"), std::string::npos);
}

TEST_F(ModelCommands, MakeBarTakesCellsSizeAndTets) {
    const auto bricks = result_of(
        {"models", "make", "bar", "--cells", "4,3,2", "--size", "0.8,0.3,0.2", "-o", path("bar.vtu")});
    EXPECT_EQ(bricks["bricks"], 24);
    EXPECT_EQ(bricks["vertices"], 5 * 4 * 3);
    const auto info = result_of({"mesh", "info", path("bar.vtu")});
    EXPECT_EQ(info["bounds"][1][0], 0.8);
    EXPECT_NEAR(info["volume"].get<double>(), 0.8 * 0.3 * 0.2, 1e-15);  // rounding
    const auto tets =
        result_of({"models", "make", "bar", "--cells", "4,3,2", "--tets", "-o", path("tets.vtu")});
    EXPECT_EQ(tets["tets"], 6 * 24);
    EXPECT_EQ(result_of({"mesh", "info", path("tets.vtu")})["inverted"], 0);
    EXPECT_EQ(result_of({"models", "make", "bar", "-o", path("default.msh")})["bricks"], 20 * 4 * 4);
}

TEST_F(ModelCommands, MakeSpoonWritesASurface) {
    const auto spoon = result_of({"models", "make", "spoon", "-o", path("spoon.obj")});
    EXPECT_GT(spoon["triangles"].get<int>(), 3000);  // paper 1's has 6.6k
    EXPECT_EQ(result_of({"mesh", "info", path("spoon.obj")})["triangles"], spoon["triangles"]);
}

TEST_F(ModelCommands, BadBarsAreRefused) {
    for (const char* cells :
         {"0,1,1", "1,1", "1,1,1,1", "1.5,1,1", "-1,1,1", "a,b,c", "100000,100000,100000", "nan,1,1"})
        EXPECT_EQ(error_of({"models", "make", "bar", "--cells", cells, "-o", path("b.vtu")})["where"],
                  "--cells")
            << cells;
    for (const char* size : {"0,1,1", "1,-1,1", "inf,1,1", "1 1"})
        EXPECT_EQ(error_of({"models", "make", "bar", "--size", size, "-o", path("b.vtu")})["where"], "--size")
            << size;
    error_of({"models", "make", "spoon", "--cells", "1,1,1", "-o", path("s.obj")});
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace limber::test
