// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/stage_cache.h"

#include "build/file/npy.h"

#include <limber/input_error.h>

#include <fmt/format.h>

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
    return folder_ / fmt::format("{}-{:016x}.npy", stage, fingerprint);
}

std::optional<Eigen::MatrixXd> StageCache::load(const std::string& stage, std::uint64_t fingerprint) const {
    if (folder_.empty()) return {};
    const auto file = file_of(stage, fingerprint);
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return {};
    try {
        const NpyArray array = read_npy(file);
        if (array.shape.size() != 2) return {};
        Eigen::MatrixXd result =
            Eigen::Map<const Eigen::MatrixXd>(array.values.data(), static_cast<Eigen::Index>(array.shape[1]),
                                              static_cast<Eigen::Index>(array.shape[0]));
        if (!result.allFinite()) return {};
        return result;
    } catch (const InputError&) {
        return {};  // damaged: computed again
    }
}

void StageCache::store(const std::string& stage, std::uint64_t fingerprint, const Eigen::MatrixXd& result,
                       double seconds) const {
    if (folder_.empty() || seconds < worth_seconds_) return;
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed) return;  // a build needs no cache
    // Columns become rows: they are contiguous in both.
    write_npy(file_of(stage, fingerprint),
              {static_cast<std::size_t>(result.cols()), static_cast<std::size_t>(result.rows())},
              {result.data(), static_cast<std::size_t>(result.size())});
}

}  // namespace limber::build
