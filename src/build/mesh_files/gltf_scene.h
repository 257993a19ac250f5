// SPDX-License-Identifier: Apache-2.0
// The triangles of all nodes of a glTF scene, in world space, and the primitive that each came from.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh_files/gltf_document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace limber::build {

struct GltfVertices {
    int first = 0, count = 0;  // of SurfaceMesh::vertices, in the order of the accessor
};

// Consecutive triangles of one primitive, as one node shows it.
struct GltfRun {
    std::uint64_t mesh, primitive;
    GltfVertices vertices;
    int first_triangle, triangle_count;
};

struct GltfScene {
    SurfaceMesh mesh;
    std::vector<GltfRun> runs;  // all triangles, in order
};

// Throws InputError if there are no triangles. `name` is for messages.
GltfScene read_gltf_scene(GltfDocument& gltf, const std::string& name);

// How many vertices or triangles a document may show: many nodes may show one mesh.
std::uint64_t most_instanced(const GltfDocument& gltf);

}  // namespace limber::build
