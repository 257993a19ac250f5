// SPDX-License-Identifier: Apache-2.0
// By itself, so that a new commit compiles these lines and nothing else.
#include "cli/version.h"

#include <limber/version.h>

namespace limber::cli {

std::string version_text() {
    const std::string commit = LIMBER_COMMIT;
    return "limber " LIMBER_VERSION_TEXT + (commit.empty() ? "" : " (commit " + commit + ")");
}

}  // namespace limber::cli
