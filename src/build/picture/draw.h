// SPDX-License-Identifier: Apache-2.0
// A picture of a mesh without a window: a small rasteriser with soft shading, written as PNG.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace limber::build {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // 3·width·height, rows from the top
};

// One surface in the picture.
struct DrawnSurface {
    SurfaceMesh mesh;                         // already displaced
    Eigen::Vector3d color{0.80, 0.55, 0.30};  // linear RGB, 0..1
    std::vector<double> value;  // per vertex, optional: coloured by `legend` from least to largest;
                                // a value that is not finite is grey
    double opacity = 1;         // < 1: a ghost of the rest shape
    bool edges = false;         // draw the triangle edges
};

struct DrawOptions {
    int width = 1200, height = 800;
    // Where the camera stands, seen from the middle; none: chosen so that the longest side lies across.
    std::optional<Eigen::Vector3d> view_from;
    Eigen::Vector3d up{0, 0, 1};
    std::string legend;  // what `value` is, with its unit; drawn beside the colour bar
};

// Ghosts are laid over the solid surfaces in the order given. What cannot be drawn is left out: triangles
// with vertices that are not finite, and triangles without area; nothing to draw gives the bare background.
// The colour bar needs at least 240 x 160 pixels. The same input gives the same bytes.
// Throws InputError for sizes outside 1..8192 pixels, directions, colours, opacities and values that make no
// sense.
Image draw(const std::vector<DrawnSurface>& surfaces, const DrawOptions& options = {});

// Where draw() stands, in m: tells which vertex is at which pixel.
struct Camera;
Camera camera_for(const std::vector<DrawnSurface>& surfaces, const DrawOptions& options = {});

// The bytes of a PNG file; `name` is for messages.
std::string encode_png(const Image& image, const std::string& name);
// Throws InputError if the file cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace limber::build
