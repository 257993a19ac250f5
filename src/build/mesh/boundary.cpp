// SPDX-License-Identifier: Apache-2.0
// The skin of a volume mesh: match the faces of all elements, keep those without a partner.
#include "build/mesh/boundary.h"

#include "build/mesh/element_faces.h"
#include "build/mesh/element_shape.h"
#include "build/mesh/vertex_range.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace limber::build {
namespace {

template <class Element, class Faces>
void add_faces(const std::vector<Element>& elements, int first_element, const Faces& faces,
               std::size_t vertex_count, std::vector<FaceUse>& out) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
        if (!in_range(elements[e], vertex_count)) continue;
        for (std::size_t f = 0; f < faces.size(); ++f) {
            FaceUse use{{-1, -1, -1, -1}, first_element + static_cast<int>(e), static_cast<int>(f)};
            for (std::size_t i = 0; i < faces[f].size(); ++i)
                use.key[i] = elements[e][static_cast<std::size_t>(faces[f][i])];
            std::sort(use.key.begin(), use.key.end(), std::greater<>());
            out.push_back(use);
        }
    }
}

}  // namespace

std::vector<FaceUse> face_uses(const VolumeMesh& mesh) {
    std::vector<FaceUse> uses;
    uses.reserve(4 * mesh.tets.size() + 6 * mesh.bricks.size());
    add_faces(mesh.tets, 0, kTetFaces, mesh.vertices.size(), uses);
    add_faces(mesh.bricks, static_cast<int>(mesh.tets.size()), kBrickFaces, mesh.vertices.size(), uses);

    // Counting sort by the first vertex of the key, then a comparison sort of each short bucket.
    std::vector<std::size_t> start(mesh.vertices.size() + 1, 0);
    for (const FaceUse& use : uses)
        ++start[static_cast<std::size_t>(use.key[0]) + 1];
    for (std::size_t v = 1; v < start.size(); ++v)
        start[v] += start[v - 1];
    std::vector<FaceUse> sorted(uses.size());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const FaceUse& use : uses)
        sorted[next[static_cast<std::size_t>(use.key[0])]++] = use;
    for (std::size_t v = 0; v + 1 < start.size(); ++v)
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(start[v]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(start[v + 1]),
                  [](const FaceUse& a, const FaceUse& b) {
                      return std::tie(a.key, a.element, a.face) < std::tie(b.key, b.element, b.face);
                  });
    return sorted;
}

Boundary boundary_of(const VolumeMesh& mesh) {
    // Back to the order of the elements, which is the order of the file.
    std::vector<std::pair<int, int>> skin;
    for_each_face(face_uses(mesh), [&](const FaceUse* begin, const FaceUse* end) {
        if (end - begin == 1) skin.emplace_back(begin->element, begin->face);
    });
    std::sort(skin.begin(), skin.end());

    Boundary boundary;
    boundary.surface.up = mesh.up;
    auto& triangles = boundary.surface.triangles;
    const auto add = [&](int a, int b, int c) {
        // A face of a collapsed element may have no area.
        if (a != b && b != c && c != a) triangles.push_back({a, b, c});
    };
    for (const auto& [element, face] : skin) {
        const auto e = static_cast<std::size_t>(element);
        const auto f = static_cast<std::size_t>(face);
        if (e < mesh.tets.size()) {
            const auto corner = [&](std::size_t i) {
                return mesh.tets[e][static_cast<std::size_t>(kTetFaces[f][i])];
            };
            add(corner(0), corner(1), corner(2));
        } else {
            const Brick& brick = mesh.bricks[e - mesh.tets.size()];
            const auto corner = [&](std::size_t i) {
                return brick[static_cast<std::size_t>(kBrickFaces[f][i])];
            };
            add(corner(0), corner(1), corner(2));
            add(corner(0), corner(2), corner(3));
        }
    }

    std::vector<int> surface_vertex(mesh.vertices.size(), -1);
    for (const Triangle& t : triangles)
        for (const int v : t)
            surface_vertex[static_cast<std::size_t>(v)] = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (surface_vertex[v] < 0) continue;
        surface_vertex[v] = static_cast<int>(boundary.volume_vertex.size());
        boundary.volume_vertex.push_back(static_cast<int>(v));
        boundary.surface.vertices.push_back(mesh.vertices[v]);
    }
    for (Triangle& t : triangles)
        for (int& v : t)
            v = surface_vertex[static_cast<std::size_t>(v)];
    return boundary;
}

}  // namespace limber::build
