// SPDX-License-Identifier: Apache-2.0
// The glTF of a surface that moves, while it is made: one node, one mesh, its morph targets and animations.
#pragma once
#include <limber/model/gltf_buffer.h>
#include <limber/model/model_file.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber {

// Arrays of the extension whose bytes are a buffer view that glTF uses: name -> view.
using SharedViews = std::map<std::string, std::size_t>;

struct GltfSurface {
    nlohmann::json document = nlohmann::json::object();
    GltfBuffer buffer;
    SharedViews views;
    std::vector<std::string> warnings;
};

// The mesh of a surface with its morph targets, for "meshes"; `views` takes the arrays that share its bytes.
nlohmann::json gltf_mesh(const MovingSurface& shown, const ModelFileOptions& options, GltfBuffer& buffer,
                         SharedViews& views);

// Nothing, or what is wrong with a motion.
Status add_gltf_surface(const MovingSurface& shown, const std::vector<RecordedMotion>& motions,
                        const ModelFileOptions& options, const std::string& where, GltfSurface& out);

// The file, unless it is too large.
Result<ModelBytes> glb_of(GltfSurface surface, const std::string& where);

}  // namespace limber
