// SPDX-License-Identifier: Apache-2.0
#include "tests/build/mesh_files/volume_samples.h"

namespace limber::build::read_vtk_test {
namespace {

VolumeMesh volume(std::string_view bytes) {
    return std::get<VolumeMesh>(read_vtk(bytes, "m.vtk"));
}
SurfaceMesh surface(std::string_view bytes) {
    return std::get<SurfaceMesh>(read_vtk(bytes, "m.vtk"));
}

// The unit cube as a voxel and as a hexahedron, and a corner of it as a tetrahedron.
const std::string kText = R"(# vtk DataFile Version 2.0
a title
ASCII
DATASET UNSTRUCTURED_GRID
FIELD FieldData 1
TIME 1 2 double
0 1
POINTS 8 float
0 0 0 1 0 0 0 1 0 1 1 0
0 0 1 1 0 1 0 1 1 1 1 1
CELLS 4 26
8 0 1 2 3 4 5 6 7
8 0 1 3 2 4 5 7 6
4 0 1 2 4
2 0 1
CELL_TYPES 4
11 12 10
3
POINT_DATA 8
whatever follows is not read
)";

TEST(ReadVtk, VoxelsAreReorderedToHexahedra) {
    const VolumeMesh mesh = volume(kText);
    ASSERT_EQ(mesh.bricks.size(), 2u);
    EXPECT_EQ(mesh.bricks[0], mesh.bricks[1]);
    // The corners go round the unit cube as volume_mesh.h says.
    const Vertex expected[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(mesh.bricks[0][k])], expected[k]) << k;
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 4}}));
}

TEST(ReadVtk, Version51TextHasOffsetsAndMetadata) {
    const VolumeMesh mesh = volume(R"(# vtk DataFile Version 5.1
vtk output
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 1 0 0 0 1 0
0 0 1 0 0 -1

METADATA
INFORMATION 0

CELLS 3 8
OFFSETS vtktypeint64
0 4 8
CONNECTIVITY vtktypeint64
0 1 2 3 0 2 1 4
CELL_TYPES 2
10
10

CELL_DATA 2
)");
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}}));
}

std::string binary_points(std::string head) {
    for (double x : {0.1, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1. / 3})
        put(head, std::endian::big, x);
    return head;
}

TEST(ReadVtk, BinaryIsBigEndianInOldAndNewVersions) {
    std::string old =
        binary_points("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n");
    old += "\nCELLS 1 5\n";
    for (std::int32_t n : {4, 0, 1, 2, 3})
        put(old, std::endian::big, n);
    old += "\nCELL_TYPES 1\n";
    put(old, std::endian::big, std::int32_t{10});

    std::string young =
        binary_points("# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n");
    young += "\nMETADATA\nINFORMATION 0\n\nCELLS 2 4\nOFFSETS vtktypeint64\n";
    for (std::int64_t n : {0, 4})
        put(young, std::endian::big, n);
    young += "\nCONNECTIVITY vtktypeint64\n";
    for (std::int64_t n : {0, 1, 2, 3})
        put(young, std::endian::big, n);
    young += "\nCELL_TYPES 1\n";
    put(young, std::endian::big, std::int32_t{10});

    for (const std::string& bytes : {old, young}) {
        const VolumeMesh mesh = volume(bytes);
        expect_same_vertices({{0.1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1. / 3}}, mesh.vertices);
        EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
        for (std::size_t size = 0; size < bytes.size(); ++size)
            EXPECT_NE(complaint([&] { volume(bytes.substr(0, size)); }), "") << size << " bytes";
    }
}

TEST(ReadVtk, PolygonsStripsAndQuadsBecomeTriangles) {
    const std::string head =
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n"
        "0 0 0 1 0 0 1 1 0 0 1 0 0.5 2 0\n";
    const SurfaceMesh polygons =
        surface(head + "VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\nPOLYGONS 2 10\n5 0 1 2 4 3\n3 0 1 2\n");
    EXPECT_EQ(polygons.triangles.size(), 4u);  // a pentagon is cut into three
    // Each triangle of a strip keeps the direction of the first.
    const SurfaceMesh strip = surface(head + "TRIANGLE_STRIPS 1 5\n4 0 1 3 2\n");
    EXPECT_EQ(strip.triangles, (std::vector<Triangle>{{0, 1, 3}, {3, 1, 2}}));
    // A pixel lists its corners row by row, a quad goes round.
    const SurfaceMesh quads = surface(replaced(head, "POLYDATA", "UNSTRUCTURED_GRID") +
                                      "CELLS 2 10\n4 0 1 2 3\n4 0 1 3 2\nCELL_TYPES 2\n9\n8\n");
    EXPECT_EQ(quads.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(ReadVtk, RefusesOtherCellsByName) {
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 24")), "10-node tetrahedron, second order");
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 13")), "wedge");
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 14")), "pyramid");
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 42")), "polyhedron");
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 -7")), "type -7 (unknown)");
    EXPECT_COMPLAINT(volume(replaced(kText, "11 12 10", "11 12 5")), "cell 2: a cell of type 5 has 4 points");
}

TEST(ReadVtk, RefusesBadInput) {
    EXPECT_COMPLAINT(volume(""), "expected '# vtk DataFile Version'");
    EXPECT_COMPLAINT(volume(replaced(kText, "Version 2.0", "Version 7.0")), "version 7 is not supported");
    EXPECT_COMPLAINT(volume(replaced(kText, "ASCII", "EBCDIC")), "expected ASCII or BINARY");
    EXPECT_COMPLAINT(volume(replaced(kText, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS")),
                     "'structured_points' is not supported");
    EXPECT_COMPLAINT(volume(replaced(kText, "POINTS 8", "POINTS 7")), "expected a keyword such as POINTS");
    EXPECT_COMPLAINT(volume(replaced(kText, "POINTS 8", "POINTS 9")), "m.vtk:");
    EXPECT_COMPLAINT(volume(replaced(kText, "POINTS 8", "POINTS 4294967296")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kText, "8 float", "8 quaternion")), "number type 'quaternion'");
    EXPECT_COMPLAINT(volume(replaced(kText, "CELLS 4 26", "CELLS 4294967296 26")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kText, "CELLS 4 26", "CELLS 3 26")), "of which 23 are used");
    EXPECT_COMPLAINT(volume(replaced(kText, "CELLS 4 26", "CELLS 5 26")), "does not fit");
    EXPECT_COMPLAINT(volume(replaced(kText, "4 0 1 2 4", "4 0 1 2 8")), "point 8 is not among 0 to 7");
    EXPECT_COMPLAINT(volume(replaced(kText, "4 0 1 2 4", "4 0 1 2 -4")), "point -4 is not among 0 to 7");
    EXPECT_COMPLAINT(volume(replaced(kText, "1 0 1 0 1 1", "1 nan 1 0 1 1")), "nan");
    EXPECT_COMPLAINT(volume(replaced(kText, "1 0 1 0 1 1", "1 inf 1 0 1 1")), "inf");
    EXPECT_COMPLAINT(volume(replaced(kText, "CELL_TYPES 4\n11 12 10\n3", "CELL_TYPES 3\n11 12 10")),
                     "4 CELLS but 3 CELL_TYPES");
    EXPECT_COMPLAINT(volume(kText.substr(0, kText.find("CELL_TYPES"))), "4 CELLS but 0 CELL_TYPES");
    EXPECT_COMPLAINT(volume(replaced(kText, "TIME 1 2 double", "TIME 4294967296 4294967296 double")),
                     "bytes are left");
    const std::string head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n";
    EXPECT_COMPLAINT(volume(head), "no POINTS");
    EXPECT_COMPLAINT(volume(head + "POINTS 0 float\n"), "holds no triangles");
}

TEST(ReadVtk, RefusesOffsetsThatFallOrDoNotFit) {
    const std::string head =
        "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
        "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 3 8\nOFFSETS vtktypeint64\n";
    const std::string tail = "\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1 2 3\nCELL_TYPES 2\n10 10\n";
    EXPECT_EQ(volume(head + "0 4 8" + tail).tets.size(), 2u);
    EXPECT_COMPLAINT(volume(head + "0 9 8" + tail), "do not rise from 0 to 8");
    EXPECT_COMPLAINT(volume(head + "0 4 9" + tail), "do not rise from 0 to 8");
    EXPECT_COMPLAINT(volume(head + "-4 4 8" + tail), "do not rise from 0 to 8");
}

}  // namespace
}  // namespace limber::build::read_vtk_test
