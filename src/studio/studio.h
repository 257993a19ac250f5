// SPDX-License-Identifier: Apache-2.0
// The whole studio: its files, its jobs and its server, from construction to destruction.
#pragma once
#include "studio/child.h"
#include "studio/log_line.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber::studio {

struct StudioOptions {
    std::string host = "127.0.0.1";
    std::optional<int> port;      // exactly this one; none: the first free one from 8420 on; 0: any
    std::filesystem::path cache;  // empty: default_cache()
    std::filesystem::path page;   // empty: page_folder()
    std::vector<std::filesystem::path> files;          // models and meshes for the gallery
    std::filesystem::path program = "/proc/self/exe";  // what the jobs run
    ChildLimits limits;
    std::uint64_t most_upload_bytes = 256u << 20;
    std::uint64_t most_cache_bytes = 4'000'000'000;
    std::size_t most_waiting_jobs = 50;
    bool draws_pictures = true;  // of what is not built yet, when there is nothing else to do
    // How long a sender may take, and how long it may send nothing.
    std::chrono::milliseconds upload_time{600000}, stall_time{15000};
};

class Studio {
 public:
    // Serves as soon as it returns. Throws InputError.
    Studio(StudioOptions options, Log log);
    ~Studio();  // ends the server and what runs
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;

    int port() const;
    const std::string& token() const;
    // "http://127.0.0.1:8420/#token=...", with "&open=ID" if one thing was given. The token is in the
    // fragment, which no browser sends: it reaches no log.
    std::string address() const;
    std::filesystem::path cache() const;

 private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// 3/4 of the machine's memory, at least 1 GB.
std::uint64_t memory_for_a_job();

}  // namespace limber::studio
