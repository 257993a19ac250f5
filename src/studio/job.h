// SPDX-License-Identifier: Apache-2.0
// A piece of work: what shall be run, and how far it is.
#pragma once
#include <limber/input_error.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber::studio {

enum class JobState { Queued, Running, Done, Failed, Cancelled };

// What a page sees of a job.
struct Job {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    std::string id, kind, title;
    std::string command;  // that does the same in a terminal
    JobState state = JobState::Queued;
    std::string stage;                                   // what is being done
    double fraction = 0;                                 // of that stage
    std::vector<std::pair<std::string, double>> stages;  // finished ones, with their seconds
    double seconds = 0;                                  // since it began
    double made = 0;                                     // s since 1970
    std::vector<std::string> notes;
    nlohmann::json result;  // Done
    std::optional<InputError> error;
};

nlohmann::json to_json(const Job& job);
// Nothing if it is not one that to_json() wrote.
std::optional<Job> job_from_json(const nlohmann::json& json);

bool is_over(JobState state);

double now_since_1970();  // s

// One child process.
struct Step {
    std::string stage;                   // shown until the process names its own
    std::vector<std::string> arguments;  // of limber
    bool may_fail = false;               // the job goes on without its result
};

// What a job will do.
struct Plan {
    std::string id;  // key of all that goes in: the same request is the same job
    std::string kind, title, command;
    bool listed = true;                          // among the jobs that the page shows wherever it is
    bool background = false;                     // nobody waits for it: a picture for the gallery
    std::filesystem::path folder;                // where its processes run; made before, the job's own
    std::vector<std::filesystem::path> reads{};  // what must stay in the cache until the job is over
    std::vector<Step> steps;
    // On the thread of the queue; may throw InputError. Files into the folder; results out of it.
    std::function<void()> prepare;
    std::function<nlohmann::json(const std::vector<nlohmann::json>& results)> finish;
    // Whether the result of an earlier run is still on the disk.
    std::function<bool()> is_there;
};

}  // namespace limber::studio
