// SPDX-License-Identifier: Apache-2.0
// Letters drawn with a round pen: a stroke font of our own, any size, smooth edges.
#pragma once
#include "build/picture/draw.h"

#include <Eigen/Core>
#include <string_view>

namespace limber::build {

// `size` is the height of capitals in pixels. Text is UTF-8: ASCII and µ ² ³ ° · × −; any other character
// shows as a box.
double text_width(std::string_view text, double size);
// The baseline starts at (x, y), pixels from the top left corner. color: sRGB, 0..1.
void draw_text(Image& image, double x, double y, double size, std::string_view text,
               const Eigen::Vector3d& color);

}  // namespace limber::build
