// SPDX-License-Identifier: Apache-2.0
#include "tests/build/mesh_files/volume_samples.h"

namespace limber::build::read_gmsh_test {
namespace {

VolumeMesh volume(std::string_view bytes) {
    return std::get<VolumeMesh>(read_gmsh(bytes, "m.msh"));
}

// A tetrahedron in the physical volume 7 "soft \"inner\"...", its face in surface 3, a line and a point.
const std::string kText2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
$Elements is not a section here
$EndComments
$PhysicalNames
2
2 3 "clamped face"
3 7 "soft"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
6
1 15 2 9 1 4
2 1 2 0 1 1 2
3 2 2 3 1 1 3 2
4 4 2 7 1 1 2 3 4
5 4 2 8 1 1 2 3 4
6 4 0 1 2 3 4
$EndElements
)";

TEST(ReadGmsh, Version22TextGivesElementsAndNamedGroups) {
    const VolumeMesh mesh = volume(kText2);
    ASSERT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.vertices[3], Vertex(0, 0, 1));
    EXPECT_EQ(mesh.tets, (std::vector<Tet>(3, Tet{0, 1, 2, 3})));
    // The volume 8 has no name; the third tet has no group; the line's number 0 means no group.
    expect_same_groups({{"soft", {0}}, {"physical_8", {1}}}, mesh.element_groups);
    expect_same_groups({{"clamped face", {0, 1, 2}}, {"physical_9", {3}}}, mesh.vertex_groups);
}

// The same mesh as bytes: runs of one element type each.
std::string binary_2(std::endian order) {
    std::string bytes = "$MeshFormat\n2.2 1 8\n";
    const auto ints = [&](std::initializer_list<std::int32_t> numbers) {
        for (auto n : numbers)
            put(bytes, order, n);
    };
    ints({1});
    bytes += "\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"soft\"\n$EndPhysicalNames\n$Nodes\n4\n";
    const double xyz[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; ++i) {
        ints({10 * (i + 1)});  // sparse numbers
        for (double x : xyz[i])
            put(bytes, order, x);
    }
    bytes += "\n$EndNodes\n$Elements\n3\n";
    ints({2, 1, 2, /**/ 1, 3, 1, 10, 30, 20});
    ints({4, 2, 2, /**/ 2, 7, 1, 10, 20, 30, 40, /**/ 3, 0, 1, 20, 10, 30, 40});
    return bytes + "\n$EndElements\n";
}

TEST(ReadGmsh, Version22BinaryInBothByteOrders) {
    for (const auto order : {std::endian::little, std::endian::big}) {
        const VolumeMesh mesh = volume(binary_2(order));
        EXPECT_EQ(mesh.vertices[2], Vertex(0, 1, 0));
        EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 0, 2, 3}}));
        expect_same_groups({{"soft", {0}}}, mesh.element_groups);
        expect_same_groups({{"physical_3", {0, 1, 2}}}, mesh.vertex_groups);
    }
}

// Two volume entities; the second lies in two physical groups. Nodes in two blocks, one parametric.
const std::string kText41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
2 5 "skin"
3 1 "body"
3 2 "core"
$EndPhysicalNames
$Entities
1 0 1 2
1 0 0 0 0
1 0 0 0 1 1 0 1 5 0
1 0 0 0 1 1 1 1 1 1 -1
2 0 0 0 1 1 1 2 1 2 0
$EndEntities
$Nodes
2 9 1 9223372036854775807
2 1 1 4
1
2
3
4
0 0 0 0.5 0.5
1 0 0 0.5 0.5
1 1 0 0.5 0.5
0 1 0 0.5 0.5
3 1 0 5
100
200
300
400
9223372036854775807
0 0 1
1 0 1
1 1 1
0 1 1
0.5 0.5 2
$EndNodes
$Elements
4 5 1 5
0 1 15 1
1 1
2 1 3 1
2 1 2 3 4
3 1 5 1
3 1 2 3 4 100 200 300 400
3 2 4 2
4 100 200 300 9223372036854775807
5 100 300 400 9223372036854775807
$EndElements
)";

TEST(ReadGmsh, Version41TextKeepsEveryGroupOfAnEntityAndTakesHugeTags) {
    const VolumeMesh mesh = volume(kText41);
    ASSERT_EQ(mesh.vertices.size(), 9u);
    EXPECT_EQ(mesh.vertices[8], Vertex(0.5, 0.5, 2));
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{4, 5, 6, 8}, {4, 6, 7, 8}}));
    EXPECT_EQ(mesh.bricks, (std::vector<Brick>{{0, 1, 2, 3, 4, 5, 6, 7}}));
    // Elements count tets first: the brick, though first in the file, is element 2.
    expect_same_groups({{"body", {0, 1, 2}}, {"core", {0, 1}}}, mesh.element_groups);
    expect_same_groups({{"skin", {0, 1, 2, 3}}}, mesh.vertex_groups);
}

template <class Size>
std::string binary_41(std::endian order) {
    std::string bytes = fmt::format("$MeshFormat\n4.1 1 {}\n", sizeof(Size));
    const auto ints = [&](std::initializer_list<std::int32_t> numbers) {
        for (auto n : numbers)
            put(bytes, order, n);
    };
    const auto sizes = [&](std::initializer_list<Size> numbers) {
        for (auto n : numbers)
            put(bytes, order, n);
    };
    const auto reals = [&](std::initializer_list<double> numbers) {
        for (auto n : numbers)
            put(bytes, order, n);
    };
    ints({1});
    bytes += "\n$EndMeshFormat\n$Entities\n";
    sizes({0, 0, 0, 1});
    ints({6});
    reals({0, 0, 0, 1, 1, 1});
    sizes({1});
    ints({11});
    sizes({1});
    ints({4});
    bytes += "\n$EndEntities\n$Nodes\n";
    sizes({1, 4, 1, 90});
    ints({3, 6, 0});
    sizes({4, /**/ 90, 3, 2, 1});
    reals({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.1});
    bytes += "\n$EndNodes\n$Elements\n";
    sizes({1, 1, 1, 1});
    ints({3, 6, 4});
    sizes({1, /**/ 1, 90, 3, 2, 1});
    return bytes + "\n$EndElements\n";
}

TEST(ReadGmsh, Version41BinaryInBothByteOrdersAndWidths) {
    for (const auto order : {std::endian::little, std::endian::big}) {
        for (const std::string& bytes : {binary_41<std::uint64_t>(order), binary_41<std::uint32_t>(order)}) {
            const VolumeMesh mesh = volume(bytes);
            expect_same_vertices({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1}}, mesh.vertices);
            EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
            expect_same_groups({{"physical_11", {0}}}, mesh.element_groups);
        }
    }
}

TEST(ReadGmsh, WithoutVolumeCellsGivesASurfaceWithTriangleGroups) {
    std::string text = replaced(kText2, "6\n1 15", "3\n1 15");
    text = replaced(text, "3 2 2 3 1 1 3 2\n4 4 2 7 1 1 2 3 4\n5 4 2 8 1 1 2 3 4\n6 4 0 1 2 3 4\n",
                    "3 3 2 3 1 1 2 3 4\n");
    const auto mesh = std::get<SurfaceMesh>(read_gmsh(text, "m.msh"));
    EXPECT_EQ(mesh.triangles.size(), 2u);  // the quadrangle
    expect_same_groups({{"clamped face", {0, 1}}}, mesh.triangle_groups);
}

TEST(ReadGmsh, GroupsOfOneNameAreJoined) {
    const VolumeMesh mesh =
        volume(replaced(replaced(kText2, "2\n2 3", "3\n3 8 \"soft\"\n2 3"), "6 4 0", "6 4 0"));
    expect_same_groups({{"soft", {0, 1}}}, mesh.element_groups);
}

TEST(ReadGmsh, RefusesOtherElementsByName) {
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 4 2 7 1 1 2 3 4", "4 11 2 7 1 1 2 3 4 1 2 3 4 1 2")),
                     "element type 11 (10-node tetrahedron) is of second order");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 4 2 7 1 1 2 3 4", "4 17 2 7 1 1")), "20-node hexahedron");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 4 2 7 1 1 2 3 4", "4 6 2 7 1 1 2 3 4 1 2")), "prism");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 4 2 7 1 1 2 3 4", "4 7 2 7 1 1 2 3 4 1")), "pyramid");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 4 2 7", "4 1234 2 7")), "element type 1234");
}

TEST(ReadGmsh, RefusesOtherVersionsAndDamagedHeaders) {
    EXPECT_COMPLAINT(volume(replaced(kText2, "2.2 0 8", "4.0 0 8")), "MSH version 4 is not supported");
    EXPECT_COMPLAINT(volume(replaced(kText2, "2.2 0 8", "1 0 8")), "MSH version 1 is not supported");
    EXPECT_COMPLAINT(volume(replaced(kText2, "2.2 0 8", "2.2 2 8")), "the file type is 2");
    EXPECT_COMPLAINT(volume(replaced(kText2, "2.2 0 8", "2.2 0 4")), "the data size is 4 bytes");
    EXPECT_COMPLAINT(volume("not a mesh"), "expected '$MeshFormat'");
    std::string order = binary_2(std::endian::little);
    order[20] = 7;  // the marker that should be 1
    EXPECT_COMPLAINT(volume(order), "byte order is unknown");
}

TEST(ReadGmsh, RefusesWrongCountsAndNumbers) {
    EXPECT_COMPLAINT(volume(replaced(kText2, "4\n1 0 0 0", "3\n1 0 0 0")), "m.msh:");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4\n1 0 0 0", "5\n1 0 0 0")), "m.msh:18");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4\n1 0 0 0", "4294967296\n1 0 0 0")), "bytes are left");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4\n1 0 0 0", "-4\n1 0 0 0")), "is -4");
    EXPECT_COMPLAINT(volume(replaced(kText2, "6\n1 15", "7\n1 15")), "m.msh:");
    EXPECT_COMPLAINT(volume(replaced(kText2, "1 1 2 3 4", "1 1 2 3 5")), "node 5, which is not in the file");
    EXPECT_COMPLAINT(volume(replaced(kText2, "1 1 2 3 4", "1 1 2 3 0")), "node 0, which is not in the file");
    EXPECT_COMPLAINT(volume(replaced(kText2, "1 1 2 3 4", "1 1 2 3 -1")), "node -1");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 0 0 1\n", "3 0 0 1\n")), "two nodes have the number 3");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 0 0 1\n", "4 0 nan 1\n")), "is nan");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 0 0 1\n", "4 0 -inf 1\n")), "is -inf");
    EXPECT_COMPLAINT(volume(replaced(kText2, "4 0 0 1\n", "4 0 1e999 1\n")), "m.msh:17");
    EXPECT_COMPLAINT(volume(replaced(kText41, "2 9 1", "2 8 1")), "a block of 5 nodes");
    EXPECT_COMPLAINT(volume(replaced(kText41, "2 9 1", "2 10 1")), "9 nodes in the blocks");
    EXPECT_COMPLAINT(volume(replaced(kText41, "4 5 1 5", "4 6 1 5")), "5 elements in the blocks");
    EXPECT_COMPLAINT(volume(replaced(kText41, "3 1 0 5", "3 1 0 4611686018427387904")), "bytes are left");
}

TEST(ReadGmsh, RefusesFilesWithoutNodesElementsOrCells) {
    const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    EXPECT_COMPLAINT(volume(""), "expected '$MeshFormat'");
    EXPECT_COMPLAINT(volume(head), "no $Nodes");
    EXPECT_COMPLAINT(volume(head + "$Nodes\n0\n$EndNodes\n"), "no $Elements");
    EXPECT_COMPLAINT(volume(head + "$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n"),
                     "holds no triangles");
    EXPECT_COMPLAINT(volume(head + "$Elements\n0\n$EndElements\n"), "elements come before the nodes");
    EXPECT_COMPLAINT(volume(head + "$Periodic\n0\n"), "section $Periodic has no $EndPeriodic");
}

TEST(ReadGmsh, RefusesCutBinaryFiles) {
    const std::string whole = binary_41<std::uint64_t>(std::endian::little);
    // All but the last newline is needed.
    for (std::size_t size = 0; size + 1 < whole.size(); ++size)
        EXPECT_NE(complaint([&] { volume(whole.substr(0, size)); }), "") << size << " bytes";
}

TEST(ReadGmsh, RefusesAnEntityInHundredsOfGroups) {
    std::string groups = "1000";
    for (int i = 1; i <= 1000; ++i)
        groups += fmt::format(" {}", i);
    EXPECT_COMPLAINT(volume(replaced(kText41, "1 1 1 1 1 1 -1", "1 1 1 " + groups + " 1 -1")),
                     "physical groups");
}

}  // namespace
}  // namespace limber::build::read_gmsh_test
