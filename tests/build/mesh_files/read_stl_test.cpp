// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace limber::build::read_stl_test {
namespace {

SurfaceMesh read(const std::string& bytes) {
    return read_stl(bytes, "a.stl");
}

using Corners = std::vector<std::array<float, 9>>;  // nine coordinates per triangle
const Corners kTwo = {{0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 0, 0, 1, 1, 0, 0, 1, 0}};

std::string binary(const Corners& triangles, std::string header = "made by hand") {
    header.resize(80);
    const auto count = static_cast<std::uint32_t>(triangles.size());
    header.append(reinterpret_cast<const char*>(&count), 4);
    for (const auto& t : triangles) {
        header.append(12, '\0');
        header.append(reinterpret_cast<const char*>(t.data()), 36);
        header.append(2, '\0');
    }
    return header;
}

std::string facet(const std::string& a, const std::string& b, const std::string& c) {
    return "facet normal 0 0 1\n outer loop\n  vertex " + a + "\n  vertex " + b + "\n  vertex " + c +
           "\n endloop\nendfacet\n";
}

TEST(ReadStl, BinaryCornersAtOnePlaceBecomeOneVertex) {
    const auto mesh = read(binary(kTwo));
    EXPECT_EQ(mesh.vertices, (std::vector<Vertex>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(ReadStl, BinaryFileThatOpensWithSolidIsStillBinary) {
    EXPECT_EQ(read(binary(kTwo, "solid made by a CAD program")).triangles.size(), 2u);
    EXPECT_EQ(read(binary(kTwo, "solid with bytes after the end") + "xyz").triangles.size(), 2u);
}

TEST(ReadStl, AsciiEqualsBinary) {
    const auto mesh = read("solid\n" + facet("0 0 0", "1 0 0", "1 1 0") +
                           facet("0.0 -0 0", "1e0 1 0", "0 1 0") + "endsolid\n");
    EXPECT_EQ(mesh.vertices, read(binary(kTwo)).vertices);
    EXPECT_EQ(mesh.triangles, read(binary(kTwo)).triangles);
}

TEST(ReadStl, PlusAndMinusZeroAreOnePlace) {
    EXPECT_EQ(
        read(binary({{0, 0, 0, 1, 0, 0, 1, 1, 0}, {-0.0f, 0, -0.0f, 1, 1, 0, 0, 1, 0}})).vertices.size(), 4u);
}

TEST(ReadStl, NeighbouringFloatsStayApart) {
    const float next = std::nextafter(1.0f, 2.0f);
    EXPECT_EQ(read(binary({{0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 0, 0, next, 0, 0, 1, 1, 0}})).vertices.size(),
              4u);
}

TEST(ReadStl, CapitalsAndNanNormalsAreTaken) {
    const auto mesh = read(
        "SOLID x\nFACET NORMAL nan nan -nan(ind)\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 "
        "0\nENDLOOP\nENDFACET\nENDSOLID\n");
    EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(ReadStl, NamedSolidsAreGroups) {
    const std::string f = facet("0 0 0", "1 0 0", "1 1 0");
    const auto groups = read("solid left part\n" + f + f + "endsolid left part\nsolid right\n" + f +
                             "endsolid\nsolid left part\n" + f + "endsolid\n")
                            .triangle_groups;
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].name, "left part");
    EXPECT_EQ(groups[0].ids, (std::vector<int>{0, 1, 3}));
    EXPECT_EQ(groups[1].ids, (std::vector<int>{2}));
}

TEST(ReadStl, TruncatedFilesAreRefused) {
    const std::string b = binary(kTwo), solid = binary(kTwo, "solid x");
    for (std::size_t n = 0; n < b.size(); ++n) {
        EXPECT_TRUE(is_refused([&] { read(b.substr(0, n)); })) << n;
        EXPECT_TRUE(is_refused([&] { read(solid.substr(0, n)); })) << n;
    }
    const std::string a = "solid cut\n" + facet("0 0 0", "1 0 0", "1 1 0") + "endsolid";
    for (std::size_t n = 0; n < a.size(); ++n)
        EXPECT_TRUE(is_refused([&] { read(a.substr(0, n)); })) << n;
}

TEST(ReadStl, BadInputIsRefusedWithItsPlace) {
    std::string wrong_count = binary(kTwo);
    const std::uint32_t four_billion = 0xffffffff;
    std::memcpy(wrong_count.data() + 80, &four_billion, 4);
    expect_refused([&] { read(wrong_count); }, "a.stl: byte 80",
                   "4294967295 triangles, but its 184 bytes hold 2");

    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    expect_refused(
        [&] {
            read(binary({{0, 0, 0, 1, nan, 0, 1, 1, 0}}));
        },
        "a.stl: byte 108", "triangle 0 is (1, nan, 0)");
    expect_refused(
        [&] {
            read(binary({kTwo[0], {0, 0, 0, 1, 0, 0, 1, 1, -inf}}));
        },
        "a.stl: byte 170", "-inf");
    expect_refused([&] { read("solid\n" + facet("0 0 0", "1 nan 0", "1 1 0") + "endsolid"); }, "a.stl:5",
                   "nan");
    expect_refused([&] { read("solid\n" + facet("0 0 0", "1 1e999 0", "1 1 0") + "endsolid"); }, "a.stl:5",
                   "inf");
    expect_refused([&] { read("solid\n" + facet("0 0 0", "1 0", "1 1 0") + "endsolid"); }, "a.stl:6",
                   "found 'vertex'");
    expect_refused([&] { read("solid\nface\nendsolid"); }, "a.stl:2", "found 'face'");
    expect_refused([&] { read("solid\n" + facet("0 0 0", "1 0 0", "1 1 0\nvertex 0 1 0") + "endsolid"); },
                   "a.stl:7", "expected 'endloop'");
}

TEST(ReadStl, EmptyMeshesAreRefused) {
    expect_refused([&] { read(""); }, "a.stl", "0 bytes");
    expect_refused([&] { read(binary({})); }, "a.stl", "no triangles");
    expect_refused([&] { read("solid nothing\nendsolid nothing\n"); }, "a.stl", "no triangles");
}

}  // namespace
}  // namespace limber::build::read_stl_test
