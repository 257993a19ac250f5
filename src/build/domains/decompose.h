// SPDX-License-Identifier: Apache-2.0
// Cutting a volume mesh into domains that form a tree. docs/math/domains.md, section 6.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <string>
#include <vector>

namespace limber::build {

// Vertices and faces that two domains share.
struct DomainBorder {
    int a = 0, b = 0;           // domains, a < b
    std::vector<int> vertices;  // ascending
    std::vector<double> area;   // of each vertex: a share of the faces round it, m²
    double total_area = 0;      // m²
};

// Domains in the order of a tree: the root first, parents before children, children side by side.
struct Decomposition {
    std::vector<std::string> names;
    std::vector<int> domain_of_element;
    std::vector<int> parent;              // -1: the root
    std::vector<DomainBorder> to_parent;  // of each domain; that of the root is empty
    int depth = 0;                        // links from the root to the farthest leaf
    double cut_area = 0;                  // m² of all borders
};

// One domain for every element group; each element must be in exactly one. Throws InputError.
std::vector<int> labels_of_groups(const VolumeMesh& mesh, std::vector<std::string>& names);
// About `count` connected domains that form a tree: METIS on the dual graph, its edges weighted by the area
// of the faces, then merged at the largest border of each cycle. Domains with fixed vertices are merged
// first, through those between them. The same mesh gives the same labels.
std::vector<int> labels_of_partition(const VolumeMesh& mesh, int count,
                                     const std::vector<int>& fixed_vertices = {});

// labels: one per element, any integers; names: one for each distinct label in ascending order, or empty.
// Throws InputError, with the place: labels of the wrong length, a domain in several pieces, domains that do
// not touch, cycles, borders of one or two vertices or of collinear ones, fixed vertices in several domains.
Decomposition decompose(const VolumeMesh& mesh, const std::vector<int>& labels,
                        const std::vector<std::string>& names, const std::vector<int>& fixed_vertices);

}  // namespace limber::build
