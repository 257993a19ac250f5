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

// Throws InputError if files cannot be written into a folder of this name without touching others: it is a
// file, it is not empty, or it may not be written. A folder that is not there is made later; then the nearest
// one above it counts.
void check_output_folder(const std::filesystem::path& name);

}  // namespace limber::build
