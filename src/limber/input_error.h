// SPDX-License-Identifier: Apache-2.0
// The one type for bad input: a file, an option, a mesh, a message.
// The run-time library returns it, the offline library and the programs throw it.
#pragma once
#include <cstdio>
#include <string>

namespace limber {

struct InputError {
    std::string where;     // the file and line, the option, or the part of the mesh: "bracket.msh:1842"
    std::string problem;   // what is wrong, with the number and its unit
    std::string try_this;  // the next command or edit; empty if there is nothing to suggest
};

// A number as messages show it, without locale or streams: 1e+06, 0.45.
inline std::string number(double value, int digits = 9) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

}  // namespace limber
