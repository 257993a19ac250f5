// SPDX-License-Identifier: Apache-2.0
// How the modes' own rotations shape a body. docs/math/warping.md, sections 2 and 7.
#pragma once
#include <limber/words.h>

namespace limber {

// Farther from rest than any use, m or rad; squares and products of such numbers still fit a float.
inline constexpr double kFarthest = 1e12;

enum class Warping {
    Warped,  // vertices rotate by what the modes say, and companions keep lengths to second order
    Local,   // without the companions, each vertex by its own displacement and rotation: the paper's shape
    Linear,  // plain linear modes, R = R̃ = 1: to compare, and for bodies that hardly rotate
};
template <>
struct EnumWords<Warping> {
    static constexpr WordValue<Warping> kAll[] = {
        {"warped", Warping::Warped}, {"local", Warping::Local}, {"linear", Warping::Linear}};
};

}  // namespace limber
