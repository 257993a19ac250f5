// SPDX-License-Identifier: Apache-2.0
// Colours of numbers, and the two scales of light: linear, in which light adds up, and sRGB, which files
// hold.
#pragma once
#include <Eigen/Core>

namespace limber::build {

// 0..1 -> linear RGB. The colours of viridis (S. van der Walt, N. Smith 2015): dark violet over green to
// yellow; lightness rises evenly, so it reads the same in grey and to colour-blind eyes.
Eigen::Vector3d map_color(double t);

double linear_from_srgb(double srgb);  // both 0..1
double srgb_from_linear(double linear);

}  // namespace limber::build
