// SPDX-License-Identifier: Apache-2.0
// The colour bar at the right of a picture.
#pragma once
#include "build/picture/draw.h"

#include <string>

namespace limber::build {

// Pixels that it takes at the right; 0 if the image is too small (under 240 x 160) to hold a legend.
int legend_width(int width, int height, const std::string& title, double least, double largest);
void draw_legend(Image& image, const std::string& title, double least, double largest);

}  // namespace limber::build
