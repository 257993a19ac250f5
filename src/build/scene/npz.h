// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz: a zip of .npy files, not compressed. numpy.load(FILE)["name"] reads what we write.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace limber::build {

struct NpzEntry {
    std::string name;
    std::vector<std::size_t> shape;
    std::span<const double> values;  // last index fastest; as many as the shape says
};

// Throws InputError if the file cannot be written, or would reach the 4 GB that a plain zip can hold.
void write_npz(const std::filesystem::path& path, const std::vector<NpzEntry>& entries);

}  // namespace limber::build
