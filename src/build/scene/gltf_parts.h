// SPDX-License-Identifier: Apache-2.0
// Files of bodies as parts of one glTF file.
#pragma once
#include "build/scene/simulate.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace limber::build {

struct Gltf {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    nlohmann::json document;
    std::string binary;  // of its one buffer
};

Gltf split_gltf(const std::string& glb, const std::string& where);
std::string glb_of(const Gltf& gltf);

// A node above the roots where the body is, named `name`. With poses (one per time) it moves, in the file's
// first animation.
void put_in_place(Gltf& gltf, const std::string& name, const Pose& pose, const std::vector<double>& times,
                  const std::vector<Pose>& poses);

// A root above all others that turns the scene's up to glTF's +Y.
void turn_up(Gltf& gltf, UpAxis up);

// One file of all; all their animations as one, so that the bodies move together. Data that only extensions
// use are left out.
Gltf joined(std::vector<Gltf> parts);

}  // namespace limber::build
