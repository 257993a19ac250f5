// SPDX-License-Identifier: Apache-2.0
// The surfaces of a picture made ready to draw: in coordinates of size one, without what cannot be drawn.
#pragma once
#include "build/picture/draw.h"

#include <Eigen/Core>
#include <array>
#include <vector>

namespace limber::build {

struct DrawnScene {
    struct Face {
        std::array<int, 3> points;
        int surface;
        Eigen::Vector3f flat_normal;             // of the triangle
        std::array<Eigen::Vector3f, 3> normals;  // at its corners, smooth
    };
    std::vector<Eigen::Vector3d> points;  // (vertex - middle) / half_size: each coordinate in -1..1
    std::vector<float> values;            // per point; NaN: has no value
    std::vector<Face> faces;  // surface by surface; none with points that are not finite or without area
    Eigen::Vector3d middle{0, 0, 0};  // of the bounding box of all faces, m
    double half_size = 1;             // half of its longest side, m
    double least_value = 0, largest_value = 0;
    bool has_values = false;
};

// Throws InputError for ids, colours, opacities and values that make no sense.
DrawnScene prepare_scene(const std::vector<DrawnSurface>& surfaces);

}  // namespace limber::build
