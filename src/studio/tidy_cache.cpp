// SPDX-License-Identifier: Apache-2.0
#include "studio/tidy_cache.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <limber/input_error.h>

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

// A file, or a folder with all in it; an upload is its folder and its record.
struct Entry {
    std::vector<fs::path> paths;
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
        Entry one{{entry.path()}};
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

// "u-obj-12" and "u-obj-12.json" are one upload.
std::vector<Entry> uploads_of(const fs::path& folder) {
    std::map<std::string, Entry> by_id;
    for (Entry& one : entries_of(folder)) {
        Entry& upload = by_id[one.paths.front().stem().string()];
        upload.paths.push_back(one.paths.front());
        upload.used = std::max(upload.used, one.used);
        upload.bytes += one.bytes;
    }
    std::vector<Entry> out;
    for (auto& [id, upload] : by_id)
        out.push_back(std::move(upload));
    return out;
}

// "incoming-PID-XXXXXX", "open-PID.html" of a process that is gone.
bool is_abandoned(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::size_t dash = name.find('-');
    if (dash == std::string::npos || (!name.starts_with("incoming-") && !name.starts_with("open-")))
        return false;
    int process = 0;
    const auto [end, error] = std::from_chars(name.data() + dash + 1, name.data() + name.size(), process);
    return error == std::errc{} && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

void remove_abandoned(const fs::path& folder, Tidied& out) {
    std::vector<fs::path> abandoned;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (is_abandoned(entry.path())) abandoned.push_back(entry.path());
    for (const fs::path& file : abandoned) {
        const std::uint64_t bytes = fs::file_size(file, error);
        if (error || !fs::remove(file, error)) continue;
        ++out.removed;
        out.bytes += bytes;
    }
}

}  // namespace

Tidied tidy_cache(const fs::path& root, fs::file_time_type now, const CacheLimits& limits,
                  const std::set<fs::path>& in_use) {
    const std::set<std::string> needed = uploads_of_models(root / "models");
    Tidied out;
    std::vector<Entry> spare;
    for (const char* folder : {"models", "jobs"})
        for (const Entry& entry : entries_of(root / folder))
            out.left += entry.bytes;
    for (const fs::path& folder : {root, root / "uploads"})
        remove_abandoned(folder, out);
    for (const char* folder : {"uploads", "models", "meshes", "reports", "jobs"})
        build::remove_abandoned_files(root / folder);
    for (const char* folder : {"uploads", "meshes", "reports", "work"}) {
        const bool uploads = std::string_view(folder) == "uploads";
        for (Entry& entry : uploads ? uploads_of(root / folder) : entries_of(root / folder)) {
            out.left += entry.bytes;
            const bool used = std::any_of(entry.paths.begin(), entry.paths.end(),
                                          [&](const fs::path& path) { return in_use.contains(path); });
            if (!used && !(uploads && needed.contains(entry.paths.front().stem().string())))
                spare.push_back(std::move(entry));
        }
    }
    std::sort(spare.begin(), spare.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : spare) {
        const auto age = now - entry.used;
        if (age <= limits.unused && (out.left <= limits.bytes || age <= limits.recent)) continue;
        bool gone = true;
        for (const fs::path& path : entry.paths) {
            std::error_code error;
            fs::remove_all(path, error);
            gone = gone && !error;
            if (!error) ++out.removed;
        }
        if (!gone) continue;
        out.bytes += entry.bytes;
        out.left -= entry.bytes;
    }
    return out;
}

}  // namespace limber::studio
