// SPDX-License-Identifier: Apache-2.0
// A recorded scene as one glTF file: each body is a node in its place, all move by one animation.
#pragma once
#include "build/scene/simulate.h"

#include <string>
#include <vector>

namespace limber::build {

struct SceneBytes {
    std::string bytes;  // .glb
    std::vector<std::string> warnings;
};

// A scene of one nonlinear body keeps its whole model: limber reads the file again. Others keep what is
// shown.
SceneBytes scene_gltf(const Scene& scene, const Recording& recording, const std::string& where);

}  // namespace limber::build
