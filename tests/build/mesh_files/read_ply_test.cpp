// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace limber::build::read_ply_test {
namespace {

SurfaceMesh read(const std::string& bytes) {
    return read_ply(bytes, "a.ply");
}

const std::string kHead = "ply\nformat ascii 1.0\n";
const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";
const std::string kCorners = "property list uchar int vertex_indices\n";
const std::string kSquare = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

std::string ascii_square(const std::string& faces, int count) {
    return kHead + "element vertex 4\n" + kXyz + "element face " + std::to_string(count) + "\n" + kCorners +
           "end_header\n" + kSquare + faces;
}

// Appends numbers in the byte order of the file, whatever the order of this machine.
struct Binary {
    std::string bytes;
    bool big;
    template <class T>
    Binary& operator<<(T value) {
        auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (big == (std::endian::native == std::endian::little)) std::reverse(raw.begin(), raw.end());
        bytes.append(raw.data(), raw.size());
        return *this;
    }
};

// Every type of PLY somewhere, lists before and after the wanted ones, a foreign element between.
std::string binary_square(bool big) {
    Binary out{std::string("ply\nformat binary_") + (big ? "big" : "little") +
                   "_endian 1.0\ncomment a b c\nobj_info x\n" +
                   "element vertex 4\nproperty uchar red\nproperty double y\nproperty list ushort double "
                   "w\nproperty short x\nproperty float z\n" +
                   "element material 1\nproperty uint id\nproperty char c\n" +
                   "element face 1\nproperty ushort flags\nproperty list int uint vertex_index\nproperty "
                   "list uchar int8 more\nend_header\n",
               big};
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        out << std::uint8_t{200} << double(y) << std::uint16_t{2} << 0.5 << 0.25 << std::int16_t(x) << 7.0f;
    out << std::uint32_t{12} << std::int8_t{-1};
    out << std::uint16_t{65535} << std::int32_t{4};
    for (std::uint32_t i = 0; i < 4; ++i)
        out << i;
    out << std::uint8_t{0};
    return out.bytes;
}

TEST(ReadPly, AsciiPolygon) {
    const auto mesh = read(ascii_square("4 0 1 2 3\n", 1));
    EXPECT_EQ(mesh.vertices[2], Vertex(1, 1, 0));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(ReadPly, BinaryOfBothByteOrdersWithForeignProperties) {
    for (bool big : {false, true}) {
        const auto mesh = read(binary_square(big));
        EXPECT_EQ(mesh.vertices, (std::vector<Vertex>{{0, 0, 7}, {1, 0, 7}, {1, 1, 7}, {0, 1, 7}}));
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    }
}

TEST(ReadPly, WindowsLineEndsAndForeignElementsInText) {
    std::string text = kHead + "element vertex 3\nproperty list uchar int junk\n" + kXyz +
                       "element edge 2\nproperty int a\nproperty int b\n" +
                       "element face 1\nproperty uchar red\n" + kCorners +
                       "end_header\n2 8 9 0 0 0\n0 1 0 0\n1 5 0 1 0\n0 1\n1 2\n255 3 2 1 0\n";
    std::string windows;
    for (char c : text)
        windows += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& file : {text, windows})
        EXPECT_EQ(read(file).triangles, (std::vector<Triangle>{{2, 1, 0}}));
}

TEST(ReadPly, TheCommentOfBlender24NeedsNoKeyword) {
    std::string text = ascii_square("4 0 1 2 3\n", 1);
    text.insert(kHead.size(), "Created by Blender3D 247 - www.blender.org, source file: \n");
    EXPECT_EQ(read(text).triangles.size(), 2U);
}

TEST(ReadPly, TruncatedFilesAreRefused) {
    for (const std::string& whole : {ascii_square("4 0 1 2 3", 1), binary_square(false), binary_square(true)})
        for (std::size_t n = 0; n < whole.size(); ++n)
            EXPECT_TRUE(is_refused([&] { read(whole.substr(0, n)); })) << n;
}

TEST(ReadPly, CountsThatTheFileCannotHoldAreRefusedBeforeMemoryIsTaken) {
    for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        const std::string head = "ply\nformat " + format + " 1.0\n";
        expect_refused([&] { read(head + "element vertex 4294967295\n" + kXyz + "end_header\n" + kSquare); },
                       "vertex", "4294967295");
        expect_refused(
            [&] { read(head + "element x 9223372036854775807\nproperty uchar a\nend_header\n" + kSquare); },
            "x 0", "9223372036854775807");
        expect_refused(
            [&] {
                read(head + "element vertex 0\n" + kXyz + "element face 4000000000\n" + kCorners +
                     "end_header\n");
            },
            "face", "4000000000");
    }
    expect_refused([&] { read(ascii_square("4000000000 0 1 2 3\n", 1)); }, "a.ply:14: face 0", "4000000000");
    Binary list{
        "ply\nformat binary_little_endian 1.0\nelement junk 1\nproperty list uint double a\nend_header\n",
        false};
    list << 0xffffffffu << 1.0;
    expect_refused([&] { read(list.bytes); }, "junk 0", "4294967295");
    // Elements without properties take no bytes: any number of them is nothing, and takes no time.
    expect_refused([&] { read(kHead + "element nothing 9000000000000000000\nend_header\n"); }, "a.ply",
                   "no faces");
}

TEST(ReadPly, BadIndicesAreRefused) {
    expect_refused([&] { read(ascii_square("3 0 1 4\n", 1)); }, "a.ply:14: face 0",
                   "vertex 4, but the file has 4");
    expect_refused([&] { read(ascii_square("3 0 1 2\n3 0 -1 2\n", 2)); }, "face 1", "vertex -1");
    expect_refused([&] { read(ascii_square("3 0 1 1.5\n", 1)); }, "face 0", "vertex 1.5");
    expect_refused([&] { read(ascii_square("3 0 1 nan\n", 1)); }, "face 0", "vertex nan");
    expect_refused([&] { read(ascii_square("2 0 1\n", 1)); }, "face 0", "2 corners");
    expect_refused([&] { read(ascii_square("-3 0 1 2\n", 1)); }, "face 0", "length -3");
}

TEST(ReadPly, CoordinatesThatAreNotFiniteAreRefused) {
    const auto file = [](const std::string& v) {
        return kHead + "element vertex 1\n" + kXyz + "element face 0\n" + kCorners + "end_header\n" + v;
    };
    expect_refused([&] { read(file("0 nan 0\n")); }, "a.ply:10: vertex 0", "y is nan");
    expect_refused([&] { read(file("0 0 -inf\n")); }, "vertex 0", "z is -inf");
    expect_refused([&] { read(file("1e999 0 0\n")); }, "vertex 0", "x is inf");
    Binary nan{"ply\nformat binary_big_endian 1.0\nelement vertex 1\n" + kXyz + "end_header\n", true};
    nan << 0.0f << std::numeric_limits<float>::quiet_NaN() << 0.0f;
    expect_refused([&] { read(nan.bytes); }, "a.ply: vertex 0", "y is nan");
}

TEST(ReadPly, BadHeadersAreRefused) {
    expect_refused([&] { read("plx\n"); }, "a.ply:1", "does not start with 'ply'");
    expect_refused([&] { read("ply\nformat utf8 1.0\nend_header\n"); }, "a.ply:2", "unknown format 'utf8'");
    expect_refused([&] { read("ply\nelement vertex 0\nend_header\n"); }, "a.ply", "no 'format' line");
    expect_refused([&] { read(kHead + "property float x\n"); }, "a.ply:3", "before the first element");
    expect_refused([&] { read(kHead + "element vertex -1\n"); }, "a.ply:3", "-1");
    expect_refused([&] { read(kHead + "element vertex 1\nproperty quad x\n"); }, "a.ply:4",
                   "'quad' is no type");
    expect_refused([&] { read(kHead + "element face 1\nproperty list float int vertex_indices\n"); },
                   "a.ply:4", "whole numbers");
    expect_refused([&] { read(kHead + "elephant\n"); }, "a.ply:3", "elephant");
    expect_refused(
        [&] { read(kHead + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n"); },
        "vertex", "x, y and z");
    expect_refused(
        [&] { read(kHead + "element vertex 1\n" + kXyz + "property float x\nend_header\n0 0 0 0\n"); },
        "vertex", "x, y and z");
    expect_refused(
        [&] {
            read(kHead + "element face 1\n" + kCorners + "element vertex 3\n" + kXyz +
                 "end_header\n3 0 1 2\n");
        },
        "face", "before the vertices");
    expect_refused(
        [&] {
            read(kHead + "element vertex 1\n" + kXyz +
                 "element face 1\nproperty int a\nend_header\n0 0 0\n1\n");
        },
        "face", "vertex_indices");
    const auto strips = expect_refused(
        [&] {
            read(kHead + "element vertex 3\n" + kXyz + "element tristrips 1\n" + kCorners + "end_header\n" +
                 kSquare);
        },
        "tristrips", "triangle strips");
    EXPECT_NE(strips.try_this.find("faces"), std::string::npos);
}

TEST(ReadPly, EmptyMeshesAreRefused) {
    expect_refused([&] { read(""); }, "a.ply:1", "'ply'");
    expect_refused([&] { read(ascii_square("", 0)); }, "a.ply", "no faces (4 vertices)");
    expect_refused([&] { read(kHead + "end_header\n"); }, "a.ply", "no faces");
}

}  // namespace
}  // namespace limber::build::read_ply_test
