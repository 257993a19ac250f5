// SPDX-License-Identifier: Apache-2.0
// The signed distance of a closed mesh on a grid. docs/math/contact.md, section 2.
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber {

struct DistanceFieldOptions {
    // Cells along the longest side of the mesh; fewer where its sides would make more than 64 of them cubed.
    int cells = 64;
};

// Values at the corners of cubic cells, linear along the axes in between: within `error` of the true
// distance, and exact for planes. Frozen. (16)
class DistanceField {
 public:
    double distance(const Eigen::Vector3d& x) const;
    // With its gradient, of unit length.
    double distance(const Eigen::Vector3d& x, Eigen::Vector3d& gradient) const;

    double cell() const { return cell_; }                        // m
    double error() const { return 0.8660254037844387 * cell_; }  // √3/2 cells, m
    const Eigen::AlignedBox3d& mesh_bounds() const { return mesh_bounds_; }
    // Of the mesh: area² over what one patch of it can have; 4 cells at least.
    double patch() const { return 4 * cell_; }

 private:
    friend Result<std::shared_ptr<const DistanceField>> make_distance_field(
        const std::vector<Eigen::Vector3d>&, const std::vector<std::array<std::int32_t, 3>>&,
        const DistanceFieldOptions&, const std::string&);
    float at(int i, int j, int k) const {
        return values_[static_cast<std::size_t>((k * count_[1] + j)) * static_cast<std::size_t>(count_[0]) +
                       static_cast<std::size_t>(i)];
    }

    Eigen::AlignedBox3d mesh_bounds_;
    Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
    double cell_ = 0;
    std::array<int, 3> count_{};  // of corners
    std::vector<float> values_;
};

// Errors: no triangles, ids out of range, numbers that are not finite, an edge that does not have two
// triangles of opposite directions (open, or turned inside out), no volume. Vertices in one place count as
// one. Takes about a second for 100,000 triangles.
Result<std::shared_ptr<const DistanceField>> make_distance_field(
    const std::vector<Eigen::Vector3d>& vertices, const std::vector<std::array<std::int32_t, 3>>& triangles,
    const DistanceFieldOptions& options = {}, const std::string& where = "the mesh");

}  // namespace limber
