// SPDX-License-Identifier: Apache-2.0
// STL, ASCII and binary. The file is a soup of corners; corners at the same place become one vertex.
// The normals are not used: the order of the corners says where outside is.
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/named_groups.h"
#include "build/mesh_files/scalar_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace limber::build {
namespace {

constexpr std::size_t kHeaderBytes = 84;    // 80 of text, then the number of triangles
constexpr std::size_t kTriangleBytes = 50;  // normal, three corners, 16 bits that nobody agrees about
constexpr std::size_t kMostCorners = std::numeric_limits<int>::max();

std::uint64_t binary_triangle_count(std::string_view bytes) {
    return load_number<std::uint32_t>(bytes.data() + 80, std::endian::little);
}

// "solid" opens an ASCII file, but the free text of many binary files as well: where the length is just
// what the binary count asks for it is binary, and ASCII has a keyword near its top.
bool is_binary(std::string_view bytes) {
    if (bytes.size() >= kHeaderBytes &&
        bytes.size() == kHeaderBytes + kTriangleBytes * binary_triangle_count(bytes))
        return true;
    const std::size_t start = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    const std::string_view top = bytes.substr(start, 1000);
    const bool solid = top.starts_with("solid") || top.starts_with("SOLID") || top.starts_with("Solid");
    return !solid || top.find('\0') != std::string_view::npos;
}

// Gives equal corners one vertex; vertices are numbered in the order of their first corner. Sorting takes
// O(n log n) for any input; a hash table can be made to take O(n²).
SurfaceMesh weld(const std::vector<Vertex>& corners) {
    const auto before = [&](int a, int b) {
        const Vertex &p = corners[a], &q = corners[b];
        if (p.x() != q.x()) return p.x() < q.x();
        if (p.y() != q.y()) return p.y() < q.y();
        if (p.z() != q.z()) return p.z() < q.z();
        return a < b;
    };
    std::vector<int> order(corners.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), before);

    std::vector<int> first_equal(corners.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && corners[order[i]] == corners[order[i - 1]];
        first_equal[order[i]] = same ? first_equal[order[i - 1]] : order[i];
    }

    SurfaceMesh mesh;
    std::vector<int> vertex_of(corners.size());
    for (std::size_t c = 0; c < corners.size(); ++c) {
        if (first_equal[c] == static_cast<int>(c)) {
            vertex_of[c] = static_cast<int>(mesh.vertices.size());
            mesh.vertices.push_back(corners[c]);
        } else {
            vertex_of[c] = vertex_of[first_equal[c]];
        }
    }
    mesh.triangles.reserve(corners.size() / 3);
    for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
        mesh.triangles.push_back({vertex_of[c], vertex_of[c + 1], vertex_of[c + 2]});
    return mesh;
}

SurfaceMesh read_binary(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHeaderBytes)
        throw InputError{name, fmt::format("{} bytes are too few for an STL file", bytes.size()),
                         "ASCII STL starts with 'solid', binary STL has at least 84 bytes"};
    const std::uint64_t count = binary_triangle_count(bytes);
    if (count > (bytes.size() - kHeaderBytes) / kTriangleBytes)
        throw InputError{fmt::format("{}: byte 80", name),
                         fmt::format("the file says that it has {} triangles, but its {} bytes hold {}",
                                     count, bytes.size(), (bytes.size() - kHeaderBytes) / kTriangleBytes),
                         "the file is truncated or no STL file; copy or export it again"};
    if (count > kMostCorners / 3)
        throw InputError{name, fmt::format("more than {} triangles", kMostCorners / 3), ""};
    if (count == 0) throw InputError{name, "the file has no triangles", "check the export"};

    std::vector<Vertex> corners;
    corners.reserve(3 * count);
    for (std::uint64_t t = 0; t < count; ++t) {
        for (int c = 0; c < 3; ++c) {
            const std::size_t at = kHeaderBytes + kTriangleBytes * t + 12 + 12 * c;
            Vertex corner;
            for (int i = 0; i < 3; ++i)
                corner[i] = load_number<float>(bytes.data() + at + 4 * i, std::endian::little);
            if (!corner.allFinite())
                throw InputError{fmt::format("{}: byte {}", name, at),
                                 fmt::format("a corner of triangle {} is ({}, {}, {})", t, corner.x(),
                                             corner.y(), corner.z()),
                                 "every coordinate must be a finite number"};
            corners.push_back(corner);
        }
    }
    return weld(corners);
}

// Keywords in any case, as CAD programs write them.
bool is_word(std::string_view token, std::string_view word) {
    return std::equal(token.begin(), token.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

void expect(TextScanner& scan, std::string_view word) {
    const auto token = scan.token();
    if (is_word(token, word)) return;
    if (token.empty())
        scan.fail(fmt::format("expected '{}', but the file ends here", word),
                  "the file is truncated; export it again");
    scan.fail(fmt::format("expected '{}', found '{}'", word, printable(token)));
}

// facet normal . . .  outer loop  (vertex x y z) three times  endloop  endfacet; the word facet is behind us.
void read_facet(TextScanner& scan, std::vector<Vertex>& corners) {
    expect(scan, "normal");
    for (int i = 0; i < 3; ++i)
        scan.token();  // "nan" where a triangle has no area
    expect(scan, "outer");
    expect(scan, "loop");
    for (int c = 0; c < 3; ++c) {
        expect(scan, "vertex");
        Vertex corner;
        for (double& x : corner)
            x = scan.finite_number("a coordinate");
        corners.push_back(corner);
    }
    expect(scan, "endloop");
    expect(scan, "endfacet");
    if (corners.size() > kMostCorners - 3) scan.fail(fmt::format("more than {} triangles", kMostCorners / 3));
}

// One or more of: solid NAME, facets, endsolid NAME. Each name makes a group.
SurfaceMesh read_ascii(std::string_view bytes, const std::string& name) {
    TextScanner scan(bytes, name);
    std::vector<Vertex> corners;
    NamedGroups groups;
    while (!scan.at_end()) {
        expect(scan, "solid");
        const std::string solid(scan.rest_of_line());
        const std::size_t first = corners.size() / 3;
        for (auto token = scan.token(); !is_word(token, "endsolid"); token = scan.token()) {
            if (token.empty())
                scan.fail("the file ends before 'endsolid'", "the file is truncated; export it again");
            if (!is_word(token, "facet"))
                scan.fail(fmt::format("expected 'facet', found '{}'", printable(token)));
            read_facet(scan, corners);
        }
        scan.skip_line();
        if (solid.empty() || corners.size() / 3 == first) continue;
        const std::size_t group = groups.index_of(solid);
        for (std::size_t t = first; t < corners.size() / 3; ++t)
            groups.add(group, static_cast<int>(t));
    }
    if (corners.empty()) throw InputError{name, "the file has no triangles", "check the export"};
    SurfaceMesh mesh = weld(corners);
    mesh.triangle_groups = groups.take();
    return mesh;
}

}  // namespace

SurfaceMesh read_stl(std::string_view bytes, const std::string& name) {
    return is_binary(bytes) ? read_binary(bytes, name) : read_ascii(bytes, name);
}

}  // namespace limber::build
