// SPDX-License-Identifier: Apache-2.0
// The gallery and the live view as files that any web host can serve: no server of ours, nothing to build.
#pragma once
#include "studio/studio.h"

#include <filesystem>
#include <functional>
#include <string>

namespace limber::studio {

struct Exported {
    std::size_t models = 0, files = 0;
    std::uint64_t bytes = 0;
};

// Builds what is not built yet (options.files, else the samples), then writes the page, gallery.json and
// models/ into `folder`, which must be empty or not there, and must not hold the cache. `on_model` tells
// what is being built.
Exported export_studio(const StudioOptions& options, const std::filesystem::path& folder, const Log& log,
                       const std::function<void(const std::string& model)>& on_model);

}  // namespace limber::studio
