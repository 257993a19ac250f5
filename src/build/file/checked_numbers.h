// SPDX-License-Identifier: Apache-2.0
// Matrices in the files of a cache, with a checksum: what is damaged, cut off or of another name is not
// there.
#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <optional>

namespace limber::build {

// The file: "limber numbers 1\n", rows and columns (uint64), the columns (float64), and the CRC-32C (uint32)
// of the file's own name and all before it; little-endian. A cache that cannot be written is no cache:
// nothing is thrown.
void store_numbers(const std::filesystem::path& file, const Eigen::MatrixXd& numbers);

// Nothing if the file is not there, is damaged or holds numbers that are not finite.
std::optional<Eigen::MatrixXd> load_numbers(const std::filesystem::path& file);

}  // namespace limber::build
