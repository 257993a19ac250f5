// SPDX-License-Identifier: Apache-2.0
#include "studio/job.h"

#include "studio/job_request.h"

#include <array>
#include <chrono>

namespace limber::studio {
namespace {

constexpr std::array<std::pair<JobState, const char*>, 5> kStates = {{{JobState::Queued, "queued"},
                                                                      {JobState::Running, "running"},
                                                                      {JobState::Done, "done"},
                                                                      {JobState::Failed, "failed"},
                                                                      {JobState::Cancelled, "cancelled"}}};

const char* name_of(JobState state) {
    for (const auto& [value, name] : kStates)
        if (value == state) return name;
    return "failed";
}

}  // namespace

double now_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool is_over(JobState state) {
    return state == JobState::Done || state == JobState::Failed || state == JobState::Cancelled;
}

nlohmann::json to_json(const Job& job) {
    nlohmann::json stages = nlohmann::json::array();
    for (const auto& [name, seconds] : job.stages)
        stages.push_back({{"name", name}, {"seconds", seconds}});
    nlohmann::json error;
    if (job.error)
        error = {
            {"where", job.error->where}, {"problem", job.error->problem}, {"try_this", job.error->try_this}};
    return {{"id", job.id},
            {"kind", job.kind},
            {"title", job.title},
            {"command", job.command},
            {"stage", job.stage},
            {"fraction", job.fraction},
            {"stages", stages},
            {"seconds", job.seconds},
            {"notes", job.notes},
            {"result", job.result},
            {"error", error},
            {"made", job.made},
            {"state", name_of(job.state)}};
}

std::optional<Job> job_from_json(const nlohmann::json& json) {
    try {
        Job job;
        job.id = json.at("id").get<std::string>();
        job.kind = json.at("kind").get<std::string>();
        job.title = json.at("title").get<std::string>();
        job.command = json.at("command").get<std::string>();
        job.stage = json.at("stage").get<std::string>();
        job.fraction = json.at("fraction").get<double>();
        for (const auto& stage : json.at("stages"))
            job.stages.emplace_back(stage.at("name").get<std::string>(), stage.at("seconds").get<double>());
        job.seconds = json.at("seconds").get<double>();
        job.made = json.at("made").get<double>();
        job.notes = json.at("notes").get<std::vector<std::string>>();
        job.result = json.at("result");
        if (const auto& error = json.at("error"); error.is_object())
            job.error =
                InputError{error.at("where").get<std::string>(), error.at("problem").get<std::string>(),
                           error.at("try_this").get<std::string>()};
        for (const auto& [value, name] : kStates)
            if (json.at("state") == name) job.state = value;
        if (!is_id(job.id)) return std::nullopt;
        return job;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace limber::studio
