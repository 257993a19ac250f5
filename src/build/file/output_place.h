// SPDX-License-Identifier: Apache-2.0
// Where the bytes for a name go, and whether they may.
#pragma once
#include <sys/stat.h>

#include <filesystem>
#include <optional>

namespace limber::build {

struct OutputPlace {
    std::filesystem::path file;         // links are followed, also to a file that is not there yet
    std::optional<struct stat> before;  // of the file that is there already
    bool special = false;               // a device or a pipe
    std::filesystem::path folder() const;
};

// Throws InputError if nothing can be written there: a folder, a file that is write-protected or another
// user's, a folder that does not exist or may not be written, a loop of links, a name that is too long.
OutputPlace output_place(const std::filesystem::path& name);

}  // namespace limber::build
