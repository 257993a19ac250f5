// SPDX-License-Identifier: Apache-2.0
// Solved static shapes in a folder, so that a sketch resumes where it was interrupted and a refined one
// solves only what is new. A file is named by what it was solved from; other files in the folder are not
// touched.
#pragma once
#include "build/fem/statics.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace limber::build {

// What is kept of a solve: the shape, 3n entries, or nothing if it did not converge.
using CachedShape = std::optional<Eigen::VectorXd>;

class ShapeCache {
 public:
    // Makes the folder; an empty path, or one that cannot be written, keeps nothing. The model and the
    // options are part of every name.
    ShapeCache(std::filesystem::path folder, const FemModel& model, const StaticOptions& options);

    // Nothing: not there, or damaged.
    std::optional<CachedShape> load(const Eigen::VectorXd& force) const;
    // Whole or not at all.
    void store(const Eigen::VectorXd& force, const CachedShape& shape) const;

 private:
    std::filesystem::path file_of(const Eigen::VectorXd& force) const;

    std::filesystem::path folder_;
    Eigen::Index size_;    // 3n
    std::uint64_t model_;  // hash
};

}  // namespace limber::build
