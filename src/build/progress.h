// SPDX-License-Identifier: Apache-2.0
// How long work tells how far it is. The library never prints; the programs show it.
#pragma once
#include <functional>
#include <string_view>

namespace limber::build {

// stage: what is being done, in a few words; fraction: 0..1 of that stage. May be empty.
using Progress = std::function<void(std::string_view stage, double fraction)>;

inline void tell(const Progress& progress, std::string_view stage, double fraction) {
    if (progress) progress(stage, fraction);
}

}  // namespace limber::build
