// SPDX-License-Identifier: Apache-2.0
// How much the cache folder may hold. Before an upload and before a job, what is not needed any more goes; if
// that is not enough, the request is refused.
#pragma once
#include "studio/job_queue.h"
#include "studio/store.h"

#include <cstdint>

namespace limber::studio {

class CacheQuota {
 public:
    CacheQuota(Store& store, const JobQueue& queue, std::uint64_t most_bytes, Log log)
        : store_(store), queue_(queue), most_bytes_(most_bytes), log_(std::move(log)) {}

    // Room for bytes that are about to come, for as long as it lives.
    class Room {
     public:
        // Throws ApiError 507 if there is none.
        Room(CacheQuota& quota, std::uint64_t bytes);
        ~Room();
        Room(const Room&) = delete;
        Room& operator=(const Room&) = delete;

     private:
        CacheQuota& quota_;
        std::uint64_t bytes_;
    };

    std::uint64_t most_bytes() const { return most_bytes_; }
    // Removes what is beyond the limit and can be; the bytes that are left.
    std::uint64_t tidy();

 private:
    std::uint64_t tidy_to(std::uint64_t bytes);  // with store.tidying() held

    Store& store_;
    const JobQueue& queue_;
    std::uint64_t most_bytes_;
    Log log_;
    std::uint64_t reserved_ = 0;  // for uploads under way; with store.tidying() held
};

}  // namespace limber::studio
