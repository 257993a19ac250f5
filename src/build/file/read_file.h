// SPDX-License-Identifier: Apache-2.0
// Whole files as bytes. Every reader of limber takes bytes, so that it can be fuzzed, and checks sizes
// against bytes.size() before it takes memory.
#pragma once
#include <filesystem>
#include <string>

namespace limber::build {

// Throws InputError if the file is missing, a folder, unreadable or larger than 8 GiB.
std::string read_file(const std::filesystem::path& path);

}  // namespace limber::build
