// SPDX-License-Identifier: Apache-2.0
// A closed mesh at rest and the signed distance to it, by the nearest triangle. For distance_field.cpp.
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace limber {

class ClosedMesh {
 public:
    // Errors: as make_distance_field().
    static Result<ClosedMesh> make(const std::vector<Eigen::Vector3d>& vertices,
                                   const std::vector<std::array<std::int32_t, 3>>& triangles,
                                   const std::string& where);

    const Eigen::AlignedBox3d& bounds() const { return boxes_[0]; }
    struct Nearest {
        double distance = 0;         // negative inside
        std::int32_t triangle = -1;  // none within `most`
    };
    Nearest nearest(const Eigen::Vector3d& x, double most) const;
    // To a triangle's nearest point, not negative.
    double distance_to(std::int32_t triangle, const Eigen::Vector3d& x) const;
    std::int32_t triangles() const { return static_cast<std::int32_t>(triangles_.size()); }
    Eigen::AlignedBox3d box_of(std::int32_t triangle) const;

 private:
    void make_normals();
    void make_tree();
    std::array<Eigen::Vector3d, 3> corners_of(std::int32_t triangle) const;

    std::vector<Eigen::Vector3d> vertices_;
    std::vector<std::array<std::int32_t, 3>> triangles_;
    std::vector<std::array<std::int32_t, 3>> across_;  // the triangle beyond edge k, from corner k to k + 1
    // Of the nearest feature, which decides the sign (Bærentzen & Aanæs 2005): not of unit length.
    std::vector<Eigen::Vector3d> face_normal_, vertex_normal_;
    struct Node {
        std::int32_t first, count, second_child;
    };
    std::vector<Node> nodes_;
    std::vector<Eigen::AlignedBox3d> boxes_;
};

}  // namespace limber
