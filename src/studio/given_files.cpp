// SPDX-License-Identifier: Apache-2.0
#include "studio/given_files.h"

#include "build/mesh_files/files.h"
#include "models/models.h"
#include "studio/content_key.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

// limber info, if it is a model that limber wrote.
nlohmann::json model_info(const fs::path& file, const fs::path& program, const ChildLimits& limits) {
    const std::atomic<bool> never{false};
    const ChildResult child = run_child({program, {"info", file.string(), "--json", "--quiet"}, "/", limits},
                                        never, [](std::string_view) { return true; });
    if (child.end != ChildEnd::Exited || child.status != 0) return {};
    nlohmann::json info = nlohmann::json::parse(child.out, nullptr, /*allow_exceptions=*/false);
    return info.is_object() ? info : nlohmann::json();
}

bool is_sample(const std::string& name) {
    const auto& samples = models::list();
    return std::any_of(samples.begin(), samples.end(),
                       [&](const auto& sample) { return sample.name == name; });
}

}  // namespace

GivenFiles look_at(const std::vector<fs::path>& files, const fs::path& program, const ChildLimits& limits) {
    GivenFiles out;
    std::vector<std::string> ids;
    for (const fs::path& path : files) {
        std::error_code error;
        if (is_sample(path.string()) && !fs::exists(path, error)) {
            out.samples.push_back(path.string());
            ids.push_back(path.string());
            continue;
        }
        const fs::path file = fs::canonical(path, error);
        if (error || !fs::is_regular_file(file))
            throw InputError{path.string(), "there is neither such a file nor such a built-in model",
                             "a model (.glb), a mesh, or a name of limber models list"};
        const auto format = build::format_of(file);
        const std::string name = path.filename().string();
        const std::string id = fmt::format("{}-{}", slug(path.stem().string()), key_of_file(file, 12));
        ids.push_back(id);
        if (format == build::FileFormat::Glb)
            if (nlohmann::json info = model_info(file, program, limits); !info.is_null()) {
                out.models.push_back({id, name, file, std::move(info)});
                continue;
            }
        out.meshes.push_back({id, name, file, fs::file_size(file), /*given=*/true, ""});
    }
    if (ids.size() == 1) out.open = ids.front();
    return out;
}

}  // namespace limber::studio
