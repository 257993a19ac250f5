// SPDX-License-Identifier: Apache-2.0
// Polygons of a file become triangles.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::build {

// Cuts the polygons of one file. A polygon that its first corner sees whole (every convex one) becomes a
// fan; another is clipped ear by ear in its best-fit plane (Meisters 1975). A polygon without area, one that
// crosses itself, and one beyond the bounds on work becomes a fan too, or ends in one. Corners are never
// dropped: n corners give n - 2 triangles that use all of them, so neighbours still share whole edges.
class PolygonCutter {
 public:
    // Ear clipping costs O(n²), in the worst case O(n³): so larger polygons are fanned, ...
    static constexpr std::size_t kMostCorners = 5000;
    // ... and so are all that come after this many point-in-triangle tests, a few seconds of work.
    static constexpr std::int64_t kMostTests = 1'000'000'000;

    // `corners`: at least 3 ids of `vertices`, counter-clockwise. Appends to `triangles`.
    void cut(const std::vector<Vertex>& vertices, std::span<const int> corners,
             std::vector<Triangle>& triangles);

 private:
    bool flatten(const std::vector<Vertex>& vertices, std::span<const int> corners);
    bool first_corner_sees_all() const;
    bool is_ear(int corner);

    std::vector<Eigen::Vector2d> points_;  // the corners in their plane, the polygon about one unit wide
    std::vector<int> next_, previous_;     // the ring of corners that are left
    std::int64_t tests_left_ = kMostTests;
};

}  // namespace limber::build
