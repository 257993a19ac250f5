// SPDX-License-Identifier: Apache-2.0
// The method that a body moves by.
#pragma once
#include <limber/words.h>

namespace limber {

enum class Method {
    Stvk,     // reduced St.Venant-Kirchhoff: large deformation
    Warp,     // linear modes, warped by their own rotations
    Linear,   // plain linear modes: WarpSettings with Warping::Linear
    Rigid,    // does not deform
    Domains,  // a tree of domains, each with its own modes
};
template <>
struct EnumWords<Method> {
    static constexpr WordValue<Method> kAll[] = {{"stvk", Method::Stvk},
                                                 {"warp", Method::Warp},
                                                 {"linear", Method::Linear},
                                                 {"rigid", Method::Rigid},
                                                 {"domains", Method::Domains}};
};

}  // namespace limber
