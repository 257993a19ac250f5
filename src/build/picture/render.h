// SPDX-License-Identifier: Apache-2.0
// From a scene, a camera and a light to pixels: sixteen samples each, in bands of rows.
#pragma once
#include "build/picture/camera.h"
#include "build/picture/draw.h"
#include "build/picture/light.h"
#include "build/picture/scene.h"

namespace limber::build {

// The same bytes whatever the number of threads. `up` has length one.
Image render(const DrawnScene& scene, const std::vector<DrawnSurface>& surfaces, const Camera& camera,
             const Light& light, const Eigen::Vector3d& up, int width, int height);

}  // namespace limber::build
