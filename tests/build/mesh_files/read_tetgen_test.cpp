// SPDX-License-Identifier: Apache-2.0
#include "tests/build/mesh_files/volume_samples.h"

namespace limber::build::read_tetgen_test {
namespace {

const std::string kNode =
    "# made by hand\n5 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 1\n2 0 1 0 0.5 2 # a comment\n3 0 0 1 0.5 0\n4 0 0 "
    "-1 0.5 0\n";
const std::string kEle = "2 4 1\n0 0 1 2 3 7\n1 0 2 1 4 2.5\n";

VolumeMesh volume(std::string_view node, std::string_view ele) {
    return read_tetgen(node, ele, "m.ele");
}

TEST(ReadTetGen, AttributesAndMarkersBecomeGroups) {
    const VolumeMesh mesh = volume(kNode, kEle);
    EXPECT_EQ(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}}));
    expect_same_groups({{"region_7", {0}}, {"region_2.5", {1}}}, mesh.element_groups);
    expect_same_groups({{"marker_1", {0, 1}}, {"marker_2", {2}}}, mesh.vertex_groups);
}

TEST(ReadTetGen, NumbersMayStartAtOne) {
    const VolumeMesh mesh = volume("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n");
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_TRUE(mesh.element_groups.empty());
}

TEST(ReadTetGen, RefusesBadInput) {
    EXPECT_COMPLAINT(volume("", kEle), "m.node");
    EXPECT_COMPLAINT(volume(kNode, ""), "m.ele");
    EXPECT_COMPLAINT(volume("0 3 0 0\n", kEle), "no nodes");
    EXPECT_COMPLAINT(volume(kNode, "0 4 0\n"), "no tetrahedra");
    EXPECT_COMPLAINT(volume(replaced(kNode, "5 3 1 1", "5 2 1 1"), kEle), "the dimension is 2");
    EXPECT_COMPLAINT(volume(replaced(kNode, "5 3 1 1", "6 3 1 1"), kEle), "m.node");
    EXPECT_COMPLAINT(volume(replaced(kNode, "5 3 1 1", "4 3 1 1"), kEle),
                     "the count in the first line is too small");
    EXPECT_COMPLAINT(volume(replaced(kNode, "5 3 1 1", "4294967296 3 1 1"), kEle), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kNode, "0 0 -1", "0 nan -1"), kEle), "is nan");
    EXPECT_COMPLAINT(volume(replaced(kNode, "0 0 -1", "0 0 -inf"), kEle), "is -inf");
    EXPECT_COMPLAINT(volume(replaced(kNode, "4 0 0 -1", "5 0 0 -1"), kEle), "expected node 4");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "2 4 1", "4294967296 4 1")), "bytes are left");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "2 4 1", "3 4 1")), "m.ele");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "2 4 1", "1 4 1")),
                     "the count in the first line is too small");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "2 4 1", "2 10 1")), "second order");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "1 2 3 7", "1 2 5 7")), "node 5 is not among 0 to 4");
    EXPECT_COMPLAINT(volume(kNode, replaced(kEle, "1 2 3 7", "1 2 -1 7")), "node -1 is not among 0 to 4");
    EXPECT_COMPLAINT(volume(kNode, kEle.substr(0, 16)), "m.ele");
}

}  // namespace
}  // namespace limber::build::read_tetgen_test
