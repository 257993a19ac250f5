// SPDX-License-Identifier: Apache-2.0
// Keeps the cache folder from growing for ever.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>

namespace limber::studio {

struct CacheLimits {
    std::chrono::hours unused = std::chrono::days(30);  // what is older goes
    std::uint64_t bytes = 4'000'000'000;                // of all: beyond this more goes, the oldest first,
    std::chrono::hours recent{1};  // but nothing that a page or another studio may be using
};

struct Tidied {
    std::size_t removed = 0;  // files and folders,
    std::uint64_t bytes = 0;  // with so much in them
    std::uint64_t left = 0;   // bytes of the whole folder after it
};

// Removes what can be made or sent again: uploads that no model was built from, meshes to look at, reports,
// what stopped builds left. Models stay, whoever made them, and so does what is `in_use` (paths of files or
// folders). Temporary files of studios that were killed go whatever their age.
Tidied tidy_cache(const std::filesystem::path& root, std::filesystem::file_time_type now,
                  const CacheLimits& limits = {}, const std::set<std::filesystem::path>& in_use = {});

}  // namespace limber::studio
