// SPDX-License-Identifier: Apache-2.0
#include "studio/tidy_cache.h"

#include "build/file/read_file.h"

#include <limber/input_error.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

// A file, or a folder with all in it.
struct Entry {
    fs::path path;
    fs::file_time_type used = fs::file_time_type::min();
    std::uint64_t bytes = 0;
};

void look_at_file(const fs::path& file, Entry& out) {
    std::error_code error;
    if (const auto time = fs::last_write_time(file, error); !error) out.used = std::max(out.used, time);
    if (const auto size = fs::file_size(file, error); !error) out.bytes += size;
}

std::vector<Entry> entries_of(const fs::path& folder) {
    std::vector<Entry> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        Entry one{entry.path()};
        if (entry.is_directory(error) && !entry.is_symlink(error)) {
            if (const auto time = fs::last_write_time(entry.path(), error); !error) one.used = time;
            for (const auto& inner : fs::recursive_directory_iterator(entry.path(), error))
                if (inner.is_regular_file(error)) look_at_file(inner.path(), one);
        } else {
            look_at_file(entry.path(), one);
        }
        out.push_back(std::move(one));
    }
    return out;
}

// Strings of a model's record that may be ids of uploads, whatever their key.
void collect_strings(const nlohmann::json& json, std::set<std::string>& out) {
    if (json.is_string()) out.insert(json.get<std::string>());
    if (json.is_structured())
        for (const auto& inner : json)
            collect_strings(inner, out);
}

std::set<std::string> uploads_of_models(const fs::path& models) {
    std::set<std::string> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(models, error)) {
        if (entry.path().extension() != ".json") continue;
        try {
            const auto about = nlohmann::json::parse(build::read_file(entry.path()), nullptr, false);
            if (about.is_object() && about.contains("request")) collect_strings(about["request"], out);
        } catch (const InputError&) {  // it is gone by now
        }
    }
    return out;
}

}  // namespace

Tidied tidy_cache(const fs::path& root, fs::file_time_type now, const CacheLimits& limits) {
    const std::set<std::string> needed = uploads_of_models(root / "models");
    std::uint64_t all = 0;
    std::vector<Entry> spare;
    for (const Entry& model : entries_of(root / "models"))
        all += model.bytes;
    for (const char* folder : {"uploads", "meshes", "reports", "work"})
        for (Entry& entry : entries_of(root / folder)) {
            all += entry.bytes;
            const bool upload = entry.path.parent_path().filename() == "uploads";
            if (!upload || !needed.contains(entry.path.stem().string())) spare.push_back(std::move(entry));
        }
    std::sort(spare.begin(), spare.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    Tidied out;
    for (const Entry& entry : spare) {
        const auto age = now - entry.used;
        if (age <= limits.unused && (all <= limits.bytes || age <= limits.recent)) continue;
        std::error_code error;
        fs::remove_all(entry.path, error);
        if (error) continue;
        ++out.removed;
        out.bytes += entry.bytes;
        all -= entry.bytes;
    }
    return out;
}

}  // namespace limber::studio
