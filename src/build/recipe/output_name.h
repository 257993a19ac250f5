// SPDX-License-Identifier: Apache-2.0
// What a model is called when the user does not say it.
#pragma once
#include <filesystem>

namespace limber::build {

// Beside the mesh: bunny.obj gives bunny.glb. Where that is the mesh itself, or a file that is no model of
// limber's, bunny-soft.glb, then bunny-soft-2.glb and so on: only models are written over. A built-in model
// gives its name in the working folder.
std::filesystem::path model_file_beside(const std::filesystem::path& mesh);

// A .glb file with limber's data in it, by its first part only; the rest is not checked.
bool is_model_file(const std::filesystem::path& file);

}  // namespace limber::build
