// SPDX-License-Identifier: Apache-2.0
#include "studio/cache_quota.h"

#include "studio/api_error.h"
#include "studio/tidy_cache.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::studio {
namespace {

std::string megabytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

std::uint64_t CacheQuota::tidy_to(std::uint64_t bytes) {
    const CacheLimits limits{.bytes = bytes};
    const auto now = std::filesystem::file_time_type::clock::now();
    const Tidied tidied = tidy_cache(store_.root(), now, limits, queue_.in_use());
    if (tidied.removed > 0)
        log_(fmt::format("cache: removed {} files and folders, {}", tidied.removed, megabytes(tidied.bytes)));
    return tidied.left;
}

std::uint64_t CacheQuota::tidy() {
    const std::lock_guard lock(store_.tidying());
    return tidy_to(most_bytes_ - reserved_);
}

CacheQuota::Room::Room(CacheQuota& quota, std::uint64_t bytes) : quota_(quota), bytes_(bytes) {
    const std::lock_guard lock(quota_.store_.tidying());
    const std::uint64_t free = quota_.most_bytes_ - quota_.reserved_;
    const std::uint64_t left = quota_.tidy_to(free - std::min(free, bytes_));
    if (left > free || free - left < bytes_)
        throw ApiError{507,
                       {"cache",
                        fmt::format("the cache folder is full: {} of {}{}",
                                    megabytes(left + quota_.reserved_), megabytes(quota_.most_bytes_),
                                    bytes_ == 0 ? "" : ", and this needs " + megabytes(bytes_)),
                        "remove models in the gallery, or limber studio --cache-limit"}};
    quota_.reserved_ += bytes_;
}

CacheQuota::Room::~Room() {
    const std::lock_guard lock(quota_.store_.tidying());
    quota_.reserved_ -= bytes_;
}

}  // namespace limber::studio
