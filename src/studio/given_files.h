// SPDX-License-Identifier: Apache-2.0
// What stands on the command line of the studio: models that are ready, meshes to be made into some, samples.
#pragma once
#include "studio/child.h"
#include "studio/store.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::studio {

struct GivenModel {
    std::string id, name;
    std::filesystem::path file;
    nlohmann::json info;  // limber info --json
};

struct GivenFiles {
    std::vector<GivenModel> models;
    std::vector<Upload> meshes;
    std::vector<std::string> samples;  // built-in models, by name
    std::string open;                  // the id of what was given, if it was one thing
};

// Looks into each file with a child process. Throws InputError for one that is nothing of these.
GivenFiles look_at(const std::vector<std::filesystem::path>& files, const std::filesystem::path& program,
                   const ChildLimits& limits);

}  // namespace limber::studio
