// SPDX-License-Identifier: Apache-2.0
// glTF 2.0: the triangles of all nodes of the scene, in world space. Vertices stay as in the file, also along
// seams. Skinned meshes come in their bind pose and morph targets at rest.
#include "build/mesh_files/files.h"
#include "build/mesh_files/gltf_scene.h"

#include <limber/model/glb.h>

namespace limber::build {

SurfaceMesh read_glb(std::string_view bytes, const std::string& name) {
    const Result<GlbChunks> split = split_glb(bytes, name);
    if (!split.ok()) throw split.error();
    const GlbChunks& chunks = split.value();
    GltfDocument gltf(chunks.json, chunks.binary, name, {});
    return read_gltf_scene(gltf, name).mesh;
}

SurfaceMesh read_gltf(std::string_view bytes, const std::string& name, const std::filesystem::path& folder) {
    GltfDocument gltf(bytes, std::nullopt, name, folder);
    return read_gltf_scene(gltf, name).mesh;
}

}  // namespace limber::build
