// SPDX-License-Identifier: Apache-2.0
#include "cli/up.h"

namespace limber::cli {

void add_up_option(Command& command, std::string& out) {
    command.word({"--up", "axis",
                  "which axis points up: x, y or z, or --up=-x, -y, -z;\n"
                  "by format y (glTF, OBJ, PLY, OFF) or z (STL, volumes)",
                  "as the file says"},
                 {"x", "y", "z", "-x", "-y", "-z"}, out);
}

}  // namespace limber::cli
