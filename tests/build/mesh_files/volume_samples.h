// SPDX-License-Identifier: Apache-2.0
// Small volume meshes, and what tests of mesh files need to compare and to build them.
#pragma once
#include "build/mesh_files/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace limber::build {

// Two tetrahedra on the face 1 2 3, with overlapping groups. The coordinates are hard to print: no short
// decimal, the least positive double, minus zero, large and small.
inline VolumeMesh two_tets() {
    VolumeMesh mesh;
    mesh.vertices = {
        {0.1, 1.0 / 3, -0.0}, {1, 5e-324, 1e-300}, {-1e22, 1, 0.1 + 0.2}, {0, 0, 1}, {1, 1, 123456.789e-7}};
    mesh.tets = {{0, 1, 2, 3}, {4, 2, 1, 3}};
    mesh.vertex_groups = {{"left", {0, 2}}, {"top", {3}}};
    mesh.element_groups = {{"soft", {0}}, {"all", {0, 1}}};
    return mesh;
}

// Two unit cubes in a row along x.
inline VolumeMesh two_bricks() {
    VolumeMesh mesh;
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 3; ++x)
                mesh.vertices.emplace_back(x, y, z);
    mesh.bricks = {{0, 1, 4, 3, 6, 7, 10, 9}, {1, 2, 5, 4, 7, 8, 11, 10}};
    mesh.element_groups = {{"second", {1}}};
    return mesh;
}

// A tetrahedron on the far face of the second cube: elements are numbered tets first.
inline VolumeMesh mixed() {
    VolumeMesh mesh = two_bricks();
    mesh.vertices.emplace_back(3, 0.5, 0.5);
    mesh.tets = {{2, 5, 8, 12}};
    mesh.element_groups = {{"tip", {0}}, {"cubes", {1, 2}}};
    mesh.vertex_groups = {{"end", {12}}};
    return mesh;
}

inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline void expect_same_vertices(const std::vector<Vertex>& expected, const std::vector<Vertex>& found) {
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (int k = 0; k < 3; ++k)
            EXPECT_TRUE(same_bits(expected[i][k], found[i][k]))
                << "vertex " << i << ": " << expected[i][k] << " became " << found[i][k];
}

inline void expect_same_elements(const VolumeMesh& expected, const VolumeMesh& found) {
    expect_same_vertices(expected.vertices, found.vertices);
    EXPECT_EQ(expected.tets, found.tets);
    EXPECT_EQ(expected.bricks, found.bricks);
}

inline void expect_same_groups(std::vector<Group> expected, std::vector<Group> found) {
    const auto by_name = [](const Group& a, const Group& b) { return a.name < b.name; };
    std::sort(expected.begin(), expected.end(), by_name);
    std::sort(found.begin(), found.end(), by_name);
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t g = 0; g < expected.size(); ++g) {
        EXPECT_EQ(expected[g].name, found[g].name);
        EXPECT_EQ(expected[g].ids, found[g].ids) << expected[g].name;
    }
}

// "where: problem; try_this" of the InputError that the call throws; "" if it throws none.
template <class Call>
std::string complaint(Call call) {
    try {
        call();
    } catch (const InputError& error) {
        return fmt::format("{}: {}; {}", error.where, error.problem, error.try_this);
    }
    return "";
}

#define EXPECT_COMPLAINT(call, text)                                          \
    EXPECT_NE(complaint([&] { (void)(call); }).find(text), std::string::npos) \
        << complaint([&] { (void)(call); })

// Appends a number as the bytes of a binary file.
template <class T>
void put(std::string& bytes, std::endian order, T number) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(number);
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << "the sample holds no '" << from << "'";
    if (at != std::string::npos) text.replace(at, from.size(), to);
    return text;
}

}  // namespace limber::build
