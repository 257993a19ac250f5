// SPDX-License-Identifier: Apache-2.0
// Which limber this is.
#pragma once
#include <string>

namespace limber::cli {

// "limber 0.1.0 (commit 20c0525a1b2c)"; without the commit where it was not built from a repository.
std::string version_text();

}  // namespace limber::cli
