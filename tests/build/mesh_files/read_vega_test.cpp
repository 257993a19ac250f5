// SPDX-License-Identifier: Apache-2.0
#include "tests/build/mesh_files/volume_samples.h"

namespace limber::build::read_vega_test {
namespace {

const std::string kFile = R"(# two tets
*VERTICES
5 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0 0 -1

*ELEMENTS
TET
2 4 0
1 1 2 3 4
2 1 3 2 5

*MATERIAL rubber
ENU, 1000, 1e6, 0.45

*MATERIAL steel
ENU, 7800, 2e11, 0.3

*REGION
allElements, rubber

*REGION
lower, steel

*SET lower
2,
*SET both
1, 2, 2
)";

VolumeMesh volume(std::string_view text) {
    return read_vega(text, "m.veg");
}

TEST(ReadVega, SetsRegionsAndMaterials) {
    const VolumeMesh mesh = volume(kFile);
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}}));
    expect_same_groups({{"lower", {1}}, {"both", {0, 1}}}, mesh.element_groups);
    ASSERT_EQ(mesh.materials.size(), 2u);
    EXPECT_EQ(mesh.materials[0].first, "");  // all elements
    EXPECT_EQ(mesh.materials[0].second.young, 1e6);
    EXPECT_EQ(mesh.materials[1].first, "lower");
    EXPECT_EQ(mesh.materials[1].second.young, 2e11);
    EXPECT_EQ(mesh.materials[1].second.poisson, 0.3);
    EXPECT_EQ(mesh.materials[1].second.density, 7800);
}

TEST(ReadVega, CubesFromZeroAndALoneMaterialServesAll) {
    const VolumeMesh mesh = volume(
        "*VERTICES\n8 3 0 0\n0 0 0 0\n1 1 0 0\n2 1 1 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 1 1 1\n7 0 1 1\n"
        "*ELEMENTS\nCUBIC\n1 8 0\n0 0 1 2 3 4 5 6 7\n*SET s\n0\n*MATERIAL m\nENU, 1, 2, 0.25\n");
    EXPECT_EQ(mesh.bricks, (std::vector<Brick>{{0, 1, 2, 3, 4, 5, 6, 7}}));
    expect_same_groups({{"s", {0}}}, mesh.element_groups);
    ASSERT_EQ(mesh.materials.size(), 1u);
    EXPECT_EQ(mesh.materials[0].first, "");
    EXPECT_EQ(mesh.materials[0].second.poisson, 0.25);
}

TEST(ReadVega, NeverFollowsIncludes) {
    EXPECT_COMPLAINT(volume("*INCLUDE /etc/passwd\n" + kFile), "*INCLUDE is not followed");
}

TEST(ReadVega, RefusesBadInput) {
    EXPECT_COMPLAINT(volume(""), "no elements");
    EXPECT_COMPLAINT(volume("hello"), "expected a section");
    EXPECT_COMPLAINT(volume("*VERTICES\n0 3 0 0\n"), "no vertices");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 3 0 0", "4 3 0 0")), "expected a section such as *ELEMENTS");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 3 0 0", "6 3 0 0")), "m.veg:");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 3 0 0", "4294967296 3 0 0")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kFile, "2 4 0", "4294967296 4 0")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kFile, "2 4 0", "2 10 0")), "elements with 10 vertices");
    EXPECT_COMPLAINT(volume(replaced(kFile, "TET", "PRISM")), "element type 'PRISM'");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1 1 2 3 4", "1 1 2 3 6")), "vertex 6 is not among 1 to 5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1 1 2 3 4", "1 0 2 3 4")), "vertex 0 is not among 1 to 5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 0 0 -1", "5 0 nan -1")), "is nan");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 0 0 -1", "5 0 inf -1")), "is inf");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5 0 0 -1", "6 0 0 -1")), "expected number 5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1, 2, 2", "1, 3")), "element 3 is not among 1 to 2");
    EXPECT_COMPLAINT(volume(replaced(kFile, "lower, steel", "upper, steel")), "there is no set 'upper'");
    EXPECT_COMPLAINT(volume(replaced(kFile, "lower, steel", "lower, iron")), "there is no material 'iron'");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1e6, 0.45", "1e6, 0.5")), "Poisson's ratio is 0.5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1e6, 0.45", "1e6, -1")), "Poisson's ratio is -1");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1e6, 0.45", "0, 0.45")), "Young's modulus is 0");
    EXPECT_COMPLAINT(volume(replaced(kFile, "ENU, 1000", "ENU, -1")), "the density is -1");
    EXPECT_COMPLAINT(volume(replaced(kFile, "ENU, 1000", "MOONEYRIVLIN, 1000")), "of type 'MOONEYRIVLIN'");
    EXPECT_COMPLAINT(volume(kFile.substr(0, kFile.find("2 1 3 2 5"))), "m.veg:");
}

}  // namespace
}  // namespace limber::build::read_vega_test
