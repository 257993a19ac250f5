// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace limber::build::read_obj_test {
namespace {

constexpr const char* kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

SurfaceMesh read(const std::string& text) {
    return read_obj(text, "a.obj");
}

void refused(const std::string& text, const std::string& where, const std::string& problem) {
    expect_refused([&] { read(text); }, where, problem);
}

TEST(ReadObj, VerticesAndTriangles) {
    const auto mesh = read(std::string(kSquare) + "f 1 2 3\nf 1 3 4\n");
    ASSERT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.vertices[2], Vertex(1, 1, 0));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(ReadObj, TextureAndNormalIndicesArePassedOver) {
    const auto expected = read(std::string(kSquare) + "f 1 2 3 4\n").triangles;
    for (const char* face :
         {"f 1/9 2/9 3/9 4/9", "f 1//7 2//7 3//7 4//7", "f 1/1/1 2/2/2 3/3/3 4/4/4", "f 1/ 2/ 3/ 4/"})
        EXPECT_EQ(read(std::string(kSquare) + face).triangles, expected) << face;
}

TEST(ReadObj, NegativeIndicesCountBackFromTheFace) {
    const auto mesh = read(std::string(kSquare) + "f -4 -3 -2\nv 5 5 5\nf -1 -2 -3\n");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {4, 3, 2}}));
}

TEST(ReadObj, FaceMayStandBeforeItsVertices) {
    EXPECT_EQ(read(std::string("f 1 2 3\n") + kSquare).triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(ReadObj, ColoursWeightsAndCommentsArePassedOver) {
    const auto mesh = read(
        "# made by hand\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0 1 0.2 0.3 0.4 # corner\nf 1 2 3 # face\n");
    EXPECT_EQ(mesh.vertices[1], Vertex(1, 0, 0));
    EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(ReadObj, BackslashContinuesAStatement) {
    const auto mesh = read("v 0 \\\n 0 0\nv 1 0\\\n 0\nv 1 1 0\r\nv 0 1 0\nf 1 2 \\\r\n3 4\n");
    EXPECT_EQ(mesh.vertices[1], Vertex(1, 0, 0));
    EXPECT_EQ(mesh.triangles.size(), 2u);
}

// What continues a statement that is passed over, or a list of groups, is no statement of its own; a name or
// a comment ends with its line, whatever it ends with.
TEST(ReadObj, WhatContinuesAnotherStatementIsPassedOver) {
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    for (const char* between : {"l 1 2 \\\nf 1 2 4\n", "g a \\\nf 1 2 4\n", "vn 0 0 \\\nv 9 9 9\n"}) {
        const auto mesh = read(square + between + "f 1 2 3\n");
        EXPECT_EQ(mesh.vertices.size(), 4u) << between;
        EXPECT_EQ(mesh.triangles.size(), 1u) << between;
    }
    for (const char* between : {"usemtl a\\\nf 1 2 4\n", "o a\\\nf 1 2 4\n", "# a\\\nf 1 2 4\n"})
        EXPECT_EQ(read(square + between + "f 1 2 3\n").triangles.size(), 2u) << between;
}

TEST(ReadObj, ConcavePolygonIsCutInside) {
    // An arrow head; a fan from its first corner would cover ground outside.
    const auto mesh = read("v 2 -1 0\nv 0.5 0 0\nv 2 1 0\nv 0 0 0\nf 1 2 3 4\n");
    EXPECT_EQ(mesh.triangles.size(), 2u);
    for (const Triangle& t : mesh.triangles) {
        const Vertex &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        EXPECT_GT((b - a).cross(c - a).z(), 0);
    }
}

TEST(ReadObj, ObjectsGroupsAndMaterialsNameTriangles) {
    const auto mesh =
        read(std::string("o Box\n") + kSquare +
             "usemtl wood grain\nf 1 2 3\ng left top\nf 1 2 3 4\nusemtl steel\ng\nf 2 3 4\no Box\nf 1 3 4\n");
    std::vector<std::pair<std::string, std::vector<int>>> found;
    for (const Group& group : mesh.triangle_groups)
        found.emplace_back(group.name, group.ids);
    const decltype(found) expected = {{"Box", {0, 1, 2, 3, 4}},
                                      {"wood grain", {0, 1, 2}},
                                      {"left", {1, 2}},
                                      {"top", {1, 2}},
                                      {"steel", {3, 4}}};
    EXPECT_EQ(found, expected);
}

TEST(ReadObj, NamesWithoutFacesMakeNoGroup) {
    EXPECT_TRUE(read(std::string(kSquare) + "f 1 2 3\no Empty\ng a b c\n").triangle_groups.empty());
}

TEST(ReadObj, ObjectAndMaterialOfOneNameAreOneGroup) {
    const auto groups = read(std::string("o A\nusemtl A\n") + kSquare + "f 1 2 3\n").triangle_groups;
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].ids, std::vector<int>{0});
}

TEST(ReadObj, MaterialLibraryIsNeverOpened) {
    EXPECT_EQ(read(std::string("mtllib /nowhere/../secret.mtl\n") + kSquare + "f 1 2 3\n").triangles.size(),
              1u);
}

TEST(ReadObj, BadInputIsRefusedWithItsLine) {
    const std::string square = kSquare;
    refused(square + "f 1 2 5\n", "a.obj:5", "vertex 5, but the file has 4");
    refused(square + "f 1 2 0\n", "a.obj:5", "counts from 1");
    refused(square + "f 1 2 -5\n", "a.obj:5", "only 4 stand above");
    refused(square + "f 1 2 99999999999999999999\n", "a.obj:5", "whole number");
    refused(square + "f 1 2\n", "a.obj:5", "2 corners");
    refused(square + "f\n", "a.obj:5", "0 corners");
    refused(square + "f 1 x 3\n", "a.obj:5", "found 'x'");
    refused(square + "f 1 2.5 3\n", "a.obj:5", "found '2.5'");
    refused("v 0 nan 0\n", "a.obj:1", "nan");
    refused("v 0 0 0\nv 0 inf 0\n", "a.obj:2", "inf");
    refused("v 0 1e400 0\n", "a.obj:1", "inf");
    refused("v 0 0,5 0\n", "a.obj:1", "found '0,5'");
    refused("v 0 0\nv 1 1 1\n", "a.obj:1", "the line ends here");
    refused("v 0 0", "a.obj:1", "the file ends here");
    refused(square +
                "g a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2 c3 c4 c5 c6 c7 c8 c9 d1 d2 d3 "
                "d4 d5 d6 d7\n",
            "a.obj:5", "32 names");
}

TEST(ReadObj, EmptyMeshesAreRefused) {
    refused("", "a.obj", "no faces");
    refused(kSquare, "a.obj", "no faces (4 vertices)");
    refused(std::string(1000, '\0'), "a.obj", "no faces");
    refused("\\", "a.obj", "no faces");
}

}  // namespace
}  // namespace limber::build::read_obj_test
