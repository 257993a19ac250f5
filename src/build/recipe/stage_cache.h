// SPDX-License-Identifier: Apache-2.0
// Results of expensive stages in a folder, so that an interrupted build goes on where it was. Each file is
// named by what it was computed from; anything else in the folder is neither touched nor used.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace limber::build {

// A fingerprint of everything that a stage depends on (FNV-1a, 64 bits).
class Fingerprint {
 public:
    void add(std::string_view text);
    void add(std::span<const double> numbers);
    void add(std::span<const int> numbers);
    std::uint64_t value() const { return hash_; }

 private:
    void add_bytes(const void* data, std::size_t size);
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

class StageCache {
 public:
    // Empty folder: nothing is kept. Stages faster than `worth_seconds` are not kept either.
    StageCache(std::filesystem::path folder, double worth_seconds)
        : folder_(std::move(folder)), worth_seconds_(worth_seconds) {}

    // Nothing if it is not there, damaged, or of other things.
    std::optional<Eigen::MatrixXd> load(const std::string& stage, std::uint64_t fingerprint) const;
    // A folder that cannot be written keeps nothing; the build goes on.
    void store(const std::string& stage, std::uint64_t fingerprint, const Eigen::MatrixXd& result,
               double seconds) const;

 private:
    std::filesystem::path file_of(const std::string& stage, std::uint64_t fingerprint) const;

    std::filesystem::path folder_;
    double worth_seconds_;
};

// Removes the results of stages and the solved shapes (basis/shape_cache.h) in the folder, and the folder
// itself if nothing else is in it.
void remove_caches(const std::filesystem::path& folder);

}  // namespace limber::build
