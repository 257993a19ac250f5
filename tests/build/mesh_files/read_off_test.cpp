// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>

namespace limber::build::read_off_test {
namespace {

const std::string kSquare = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

SurfaceMesh read(const std::string& text) {
    return read_off(text, "a.off");
}

TEST(ReadOff, PolygonsAndTriangles) {
    const auto mesh = read("OFF\n4 2 0\n" + kSquare + "4 0 1 2 3\n3 0 1 2\n");
    EXPECT_EQ(mesh.vertices[2], Vertex(1, 1, 0));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
}

TEST(ReadOff, HeaderTakesItsCountsOnAnyLine) {
    for (const char* head : {"OFF\n4 1 0\n", "OFF 4 1 0\n", "OFF4 1 0\n", "OFF\n4 1\n",
                             "# made by hand\n\nOFF # yes\n# counts\n4 1 0 # here\n"})
        EXPECT_EQ(read(head + kSquare + "3 0 1 2\n").triangles, (std::vector<Triangle>{{0, 1, 2}})) << head;
}

TEST(ReadOff, ColoursNormalsAndTextureCoordinatesArePassedOver) {
    const auto file = [](const std::string& keyword, const std::string& extra) {
        std::string out = keyword + "\n3 1 0\n";
        for (const char* v : {"0 0 0", "1 0 0", "0 1 0"})
            out += v + extra + "\n";
        return out + "3 0 1 2 0.5 0.5 0.5 # red\n";
    };
    const auto expected = read(file("OFF", ""));
    for (const auto& [keyword, extra] : {std::pair{"COFF", " 1 0 0 1"},
                                         {"NOFF", " 0 0 1"},
                                         {"STOFF", " 0.5 0.5"},
                                         {"CNOFF", " 0 0 1 255 0 0"},
                                         {"STCNOFF", " 0 0 1 1 1 1 1 0 0"},
                                         {"OFF", " 255 0 0"}}) {
        const auto mesh = read(file(keyword, extra));
        EXPECT_EQ(mesh.vertices, expected.vertices) << keyword;
        EXPECT_EQ(mesh.triangles, expected.triangles) << keyword;
    }
}

TEST(ReadOff, TruncatedFilesAreRefused) {
    const std::string whole = "OFF\n4 2 0\n" + kSquare + "3 0 1 2\n3 0 2 3";
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_TRUE(is_refused([&] { read(whole.substr(0, n)); })) << n;
}

TEST(ReadOff, BadInputIsRefusedWithItsLine) {
    const std::string head = "OFF\n4 1 0\n" + kSquare;
    const auto refused = [](const std::string& text, const std::string& where, const std::string& problem) {
        expect_refused([&] { read(text); }, where, problem);
    };
    refused("OFF\n4294967295 1 0\n" + kSquare, "a.off:2", "4294967295");
    refused("OFF\n4 4294967295 0\n" + kSquare, "a.off:2", "4294967295");
    refused("OFF\n-4 1 0\n" + kSquare, "a.off:2", "-4");
    refused("OFF\nfour 1 0\n" + kSquare, "a.off:2", "four");
    refused(head + "3 0 1 4\n", "a.off:7", "vertex 4, but the file has 4");
    refused(head + "3 0 -1 2\n", "a.off:7", "vertex -1");
    refused(head + "4000000000 0 1 2\n", "a.off:7", "4000000000");
    refused(head + "-3 0 1 2\n", "a.off:7", "-3");
    refused(head + "2 0 1\n", "a.off:7", "2 corners");
    refused(head + "0\n", "a.off:7", "0 corners");
    refused("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "a.off:4", "nan");
    refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 -inf 0\n3 0 1 2\n", "a.off:5", "inf");
    refused("OFF BINARY\n3 1 0\n", "a.off:1", "binary");
    refused("4OFF\n4 1 0\n", "a.off:1", "three coordinates");
    refused("nOFF\n3\n4 1 0\n", "a.off:1", "three coordinates");
    refused("OFFICE\n4 1 0\n", "a.off:1", "unknown kind");
    refused("solid\n", "a.off:1", "does not start with 'OFF'");
}

TEST(ReadOff, EmptyMeshesAreRefused) {
    expect_refused([&] { read(""); }, "a.off", "'OFF'");
    expect_refused([&] { read("OFF\n0 0 0\n"); }, "a.off", "no faces");
    expect_refused([&] { read("OFF\n4 0 0\n" + kSquare); }, "a.off", "no faces (4 vertices)");
}

}  // namespace
}  // namespace limber::build::read_off_test
