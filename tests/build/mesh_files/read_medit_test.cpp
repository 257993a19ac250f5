// SPDX-License-Identifier: Apache-2.0
#include "tests/build/mesh_files/volume_samples.h"

namespace limber::build::read_medit_test {
namespace {

const std::string kFile = R"(# a comment
MeshVersionFormatted 2
Dimension
3
Vertices
5
0 0 0 0
1 0 0 2
0 1 0 2   # clamped
0 0 1 0
0 0 -1 0
Edges
1
1 2 5
Tetrahedra
2
1 2 3 4 1
1 3 2 5 4
Triangles
1
1 2 3 9
Normals
1
0 0 1
End
)";

VolumeMesh volume(std::string_view text) {
    return std::get<VolumeMesh>(read_medit(text, "m.mesh"));
}

TEST(ReadMedit, ReferencesBecomeGroups) {
    const VolumeMesh mesh = volume(kFile);
    ASSERT_EQ(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.vertices[4], Vertex(0, 0, -1));
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}}));
    expect_same_groups({{"reference_1", {0}}, {"reference_4", {1}}}, mesh.element_groups);
    expect_same_groups({{"reference_9", {0, 1, 2}}, {"vertex_reference_2", {1, 2}}}, mesh.vertex_groups);
}

TEST(ReadMedit, WithoutVolumeCellsGivesASurface) {
    const std::string text =
        "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0\n"
        "Triangles 1\n1 2 3 7\nQuadrilaterals 1\n1 2 3 4 8\nEnd\n";
    const auto mesh = std::get<SurfaceMesh>(read_medit(text, "m.mesh"));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
    expect_same_groups({{"reference_7", {0}}, {"reference_8", {1, 2}}}, mesh.triangle_groups);
}

TEST(ReadMedit, RefusesBadInput) {
    EXPECT_COMPLAINT(volume(""), "expected 'MeshVersionFormatted'");
    EXPECT_COMPLAINT(volume(std::string("\1\0\0\0\2\0\0\0", 8)), "save .meshb files as .mesh");
    EXPECT_COMPLAINT(volume(replaced(kFile, "Dimension\n3", "Dimension\n2")), "the dimension is 2");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5\n0 0 0", "4\n0 0 0")),
                     "expected a keyword such as Tetrahedra");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5\n0 0 0", "6\n0 0 0")), "m.mesh:12");
    EXPECT_COMPLAINT(volume(replaced(kFile, "5\n0 0 0", "4294967296\n0 0 0")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1 2 3 4 1", "1 2 3 6 1")), "vertex 6 is not among 1 to 5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "1 2 3 4 1", "0 2 3 4 1")), "vertex 0 is not among 1 to 5");
    EXPECT_COMPLAINT(volume(replaced(kFile, "0 0 -1 0", "0 nan -1 0")), "is nan");
    EXPECT_COMPLAINT(volume(replaced(kFile, "0 0 -1 0", "inf 0 -1 0")), "is inf");
    EXPECT_COMPLAINT(volume(kFile.substr(0, kFile.find("3 4 1"))), "m.mesh:");
    EXPECT_COMPLAINT(volume(replaced(kFile, "Edges", "Pyramids")), "Pyramids are not supported");
    EXPECT_COMPLAINT(volume("MeshVersionFormatted 2\nDimension 3\nEnd\n"), "no list of vertices");
    EXPECT_COMPLAINT(volume("MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nEnd\n"),
                     "holds no triangles");
    EXPECT_COMPLAINT(volume("MeshVersionFormatted 2\nTetrahedra 1\n1 2 3 4 0\n"), "come before the vertices");
}

}  // namespace
}  // namespace limber::build::read_medit_test
