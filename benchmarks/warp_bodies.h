// SPDX-License-Identifier: Apache-2.0
// Bodies of the sizes in Table I of Choi & Ko 2005, each with the surface that is shown and what is held.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <vector>

namespace limber::bench {

struct WarpBodyMesh {
    build::VolumeMesh volume;    // tets
    build::SurfaceMesh surface;  // triangles; two to a face where the paper's faces have four corners
    std::size_t faces;
    std::vector<int> fixed;
};

// Boxes of the paper's nodes (99, 363, 400 and 552) and about its elements (240, 1110, 1440 and 1513).
WarpBodyMesh bar_body();
WarpBodyMesh potbelly_body();
WarpBodyMesh jelly_box_body();
WarpBodyMesh flubber_body();
// models::dinosaur, and a coarse one filled by TetGen: about 1883 nodes and 5484 elements.
WarpBodyMesh dinosaur_body();

}  // namespace limber::bench
