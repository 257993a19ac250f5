// SPDX-License-Identifier: Apache-2.0
#include "build/domains/borders.h"

#include "build/mesh/disjoint_sets.h"
#include "build/mesh/element_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>

namespace limber::build {
namespace {

double face_area(const VolumeMesh& mesh, const std::vector<int>& corners) {
    const auto x = [&](std::size_t k) { return mesh.vertices[std::size_t(corners[k])]; };
    const auto triangle = [&](std::size_t i, std::size_t j, std::size_t k) {
        return 0.5 * (x(j) - x(i)).cross(x(k) - x(i)).norm();
    };
    if (corners.size() == 3) return triangle(0, 1, 2);
    // Corners come sorted by id, not round the face: half of all four triangles is the quad, whatever the
    // order.
    return 0.5 * (triangle(0, 1, 2) + triangle(0, 1, 3) + triangle(0, 2, 3) + triangle(1, 2, 3));
}

}  // namespace

std::vector<InnerFace> inner_faces(const VolumeMesh& mesh) {
    std::vector<InnerFace> out;
    const std::vector<FaceUse> uses = face_uses(mesh);
    for_each_face(uses, [&](const FaceUse* begin, const FaceUse* end) {
        if (end - begin != 2) return;
        std::vector<int> corners;
        for (const int v : begin->key)
            if (v >= 0) corners.push_back(v);
        out.push_back({begin[0].element, begin[1].element, face_area(mesh, corners), corners});
    });
    return out;
}

std::vector<DomainBorder> borders_of(const VolumeMesh& mesh, const std::vector<InnerFace>& faces,
                                     const std::vector<int>& domain_of_element) {
    std::vector<std::vector<int>> of_vertex(mesh.vertices.size());
    for (std::size_t e = 0; e < mesh.element_count(); ++e)
        for_each_corner(mesh, e, [&](int v) {
            std::vector<int>& list = of_vertex[std::size_t(v)];
            if (std::find(list.begin(), list.end(), domain_of_element[e]) == list.end())
                list.push_back(domain_of_element[e]);
        });
    std::map<std::pair<int, int>, std::map<int, double>> shared;  // pair -> vertex -> area
    for (std::size_t v = 0; v < of_vertex.size(); ++v)
        for (const int a : of_vertex[v])
            for (const int b : of_vertex[v])
                if (a < b) shared[{a, b}][int(v)] = 0;
    for (const InnerFace& face : faces) {
        const int a = domain_of_element[std::size_t(face.a)], b = domain_of_element[std::size_t(face.b)];
        if (a == b) continue;
        for (const int v : face.vertices)
            shared[std::minmax(a, b)][v] += face.area / double(face.vertices.size());
    }
    std::vector<DomainBorder> out;
    for (const auto& [pair, vertices] : shared) {
        DomainBorder& border = out.emplace_back();
        border.a = pair.first;
        border.b = pair.second;
        for (const auto& [v, area] : vertices) {
            border.vertices.push_back(v);
            border.area.push_back(area);
            border.total_area += area;
        }
    }
    return out;
}

std::vector<int> pieces_of(std::size_t elements, const std::vector<InnerFace>& faces,
                           const std::vector<int>& domain_of_element) {
    DisjointSets sets(elements);
    for (const InnerFace& face : faces)
        if (domain_of_element[std::size_t(face.a)] == domain_of_element[std::size_t(face.b)])
            sets.join(face.a, face.b);
    std::map<int, int> number_of;
    std::vector<int> out(elements);
    for (std::size_t e = 0; e < elements; ++e)
        out[e] = number_of.emplace(sets.find(int(e)), int(number_of.size())).first->second;
    return out;
}

}  // namespace limber::build
