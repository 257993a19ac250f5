// SPDX-License-Identifier: Apache-2.0
// Whole files as bytes. Every reader of limber takes bytes, so that it can be fuzzed, and checks sizes
// against bytes.size() before it takes memory.
#pragma once
#include <filesystem>
#include <string>

namespace limber::build {

// A regular file, no more of it than its size. Throws InputError if the file is missing, a folder, a device,
// a pipe, unreadable or larger than 8 GiB, and WouldOverwrite if the program is about to write it.
std::string read_file(const std::filesystem::path& path);

}  // namespace limber::build
