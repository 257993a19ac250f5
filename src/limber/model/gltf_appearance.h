// SPDX-License-Identifier: Apache-2.0
// Materials and textures of a glTF document to and from limber's. They only please the eye, so what is odd
// in a file is left out or takes its default value; nothing is refused.
#pragma once
#include <limber/model/appearance.h>

#include <nlohmann/json.hpp>

namespace limber {

// Fills out.materials and out.textures, and a nameless empty image for each of the document's.
void read_gltf_materials(const nlohmann::json& document, Appearance& out);

// Removes images without bytes or that are neither PNG nor JPEG, the textures that show them, and uses of
// textures and of texture coordinates that are not there.
void remove_missing_textures(Appearance& appearance);

// Adds "materials", "textures", "samplers" and what "extensionsUsed" needs to the document; the images are
// the writer's own matter.
void write_gltf_materials(const Appearance& appearance, nlohmann::json& document);

}  // namespace limber
