// SPDX-License-Identifier: Apache-2.0
// How the modes' own rotations shape a body. docs/math/warping.md, sections 2 and 7.
#pragma once

namespace limber {

enum class Warping {
    Warped,  // vertices turn by what the modes say
    Linear,  // plain linear modes, R = R̃ = 1: to compare, and for bodies that hardly turn
};

}  // namespace limber
