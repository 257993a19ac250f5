// SPDX-License-Identifier: Apache-2.0
// What there is to play with: the samples, the files of the command line, and what was made here.
#pragma once
#include "studio/given_files.h"
#include "studio/job_queue.h"
#include "studio/store.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace limber::studio {

class Gallery {
 public:
    Gallery(Store& store, JobQueue& queue, GivenFiles given);

    // {"version", "models": [...]}, as docs/studio_server.md says.
    nlohmann::json json() const;

    // The job that builds it. Throws ApiError 404 for what cannot be built.
    std::string build(const std::string& id);
    // The file of a model that is ready; ApiError 404.
    std::filesystem::path model_file(const std::string& id) const;
    // The request that made a model; InputError if it was not made here.
    nlohmann::json request_of(const std::string& id) const;
    // Only what was made here; ApiError otherwise.
    void remove(const std::string& id);

    const GivenFiles& given() const { return given_; }

    // Lets the queue draw what has no picture yet, when it has nothing else to do.
    void draw_missing_pictures();

 private:
    std::optional<Plan> plan_of(const std::string& id) const;  // of a sample or a mesh of the command line
    nlohmann::json entry_of_plan(const std::string& id, const char* kind, const std::string& title,
                                 const std::string& text) const;

    struct Sample {
        std::string name, text;
    };

    Store& store_;
    JobQueue& queue_;
    GivenFiles given_;
    std::vector<Sample> samples_;  // in the order in which they are shown
};

}  // namespace limber::studio
