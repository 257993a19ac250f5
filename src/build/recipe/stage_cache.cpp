// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/stage_cache.h"

#include "build/file/atomic_file.h"
#include "build/file/checked_numbers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <regex>
#include <vector>

namespace limber::build {

void Fingerprint::add_bytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i)
        hash_ = (hash_ ^ bytes[i]) * 0x100000001b3;
    // The length too, so that "ab" + "c" differs from "a" + "bc".
    for (; size > 0; size >>= 8)
        hash_ = (hash_ ^ (size & 0xff)) * 0x100000001b3;
}

void Fingerprint::add(std::string_view text) {
    add_bytes(text.data(), text.size());
}

void Fingerprint::add(std::span<const double> numbers) {
    add_bytes(numbers.data(), numbers.size_bytes());
}

void Fingerprint::add(std::span<const int> numbers) {
    add_bytes(numbers.data(), numbers.size_bytes());
}

std::filesystem::path StageCache::file_of(const std::string& stage, std::uint64_t fingerprint) const {
    return folder_ / fmt::format("{}-{:016x}.cache", stage, fingerprint);
}

std::optional<Eigen::MatrixXd> StageCache::load(const std::string& stage, std::uint64_t fingerprint) const {
    if (folder_.empty()) return {};
    return load_numbers(file_of(stage, fingerprint));
}

void StageCache::store(const std::string& stage, std::uint64_t fingerprint, const Eigen::MatrixXd& result,
                       double seconds) const {
    if (folder_.empty() || seconds < worth_seconds_) return;
    std::error_code ignored;  // a build needs no cache
    std::filesystem::create_directories(folder_, ignored);
    store_numbers(file_of(stage, fingerprint), result);
}

void remove_caches(const std::filesystem::path& folder) {
    // .npy is how earlier versions kept them.
    static const std::regex ours(R"((modes|rigid|basis|spectrum|shape)-[0-9a-f-]+\.(cache|npy))");
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (std::regex_match(entry->path().filename().string(), ours)) files.push_back(entry->path());
    for (const auto& file : files)
        std::filesystem::remove(file, error);
    remove_abandoned_files(folder);
    ::rmdir(folder.c_str());  // stays if anything else is in it
}

}  // namespace limber::build
