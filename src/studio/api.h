// SPDX-License-Identifier: Apache-2.0
// The addresses of the studio: docs/studio_server.md.
#pragma once
#include "studio/cache_quota.h"
#include "studio/gallery.h"
#include "studio/http_server.h"
#include "studio/job_queue.h"
#include "studio/page_files.h"
#include "studio/store.h"

#include <atomic>

namespace limber::studio {

// What the handlers work with; all of it outlives the server.
struct ApiContext {
    Store& store;
    JobQueue& queue;
    CacheQuota& quota;
    Gallery& gallery;
    const PageFiles& page;
    std::uint64_t most_upload_bytes;
    Log log;
    std::atomic<int> uploads{0}, requests{0};  // with a body, under way
};

void add_routes(HttpServer& server, ApiContext& context);

}  // namespace limber::studio
