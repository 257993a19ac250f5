// SPDX-License-Identifier: Apache-2.0
// What decomposing by labels and by partition share; for the sources of this folder only.
#pragma once
#include "build/domains/decompose.h"

#include <utility>
#include <vector>

namespace limber::build {

// Elements on both sides of each inner face, with its area, m².
struct InnerFace {
    int a, b;
    double area;
    std::vector<int> vertices;
};
std::vector<InnerFace> inner_faces(const VolumeMesh& mesh);

// Calls visit(vertex) for the corners of an element.
template <class Visit>
void for_each_corner(const VolumeMesh& mesh, std::size_t element, Visit&& visit) {
    if (element < mesh.tets.size())
        for (const int v : mesh.tets[element])
            visit(v);
    else
        for (const int v : mesh.bricks[element - mesh.tets.size()])
            visit(v);
}

// All pairs of domains that share a vertex, ordered by (a, b). domain_of_element: 0 … count − 1.
std::vector<DomainBorder> borders_of(const VolumeMesh& mesh, const std::vector<InnerFace>& faces,
                                     const std::vector<int>& domain_of_element);

// Numbers of the pieces (joined by faces) of each domain, one per element.
std::vector<int> pieces_of(std::size_t elements, const std::vector<InnerFace>& faces,
                           const std::vector<int>& domain_of_element);

}  // namespace limber::build
