// SPDX-License-Identifier: Apache-2.0
// Which coordinates geometry can work with.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <limber/model/number_limits.h>
#include <limber/select/select.h>

#include <Eigen/Geometry>
#include <vector>

namespace limber::build {

// Beyond this, products of three lengths overflow a double; m.
inline constexpr double kLargestCoordinate = kLargestNumber;

// False for NaN and infinities too.
inline bool is_usable(const Vertex& vertex) {
    return (vertex.array().abs() <= kLargestCoordinate).all();
}

// Of the usable vertices; empty if there are none.
inline Eigen::AlignedBox3d bounds_of(const std::vector<Vertex>& vertices) {
    return usable_bounds(vertices);
}

// Do all corners name a vertex?
template <class Element>
bool in_range(const Element& element, std::size_t vertex_count) {
    for (const int v : element)
        if (v < 0 || static_cast<std::size_t>(v) >= vertex_count) return false;
    return true;
}

template <class Element>
bool has_repeated_corner(const Element& element) {
    for (std::size_t i = 0; i < element.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (element[i] == element[j]) return true;
    return false;
}

}  // namespace limber::build
