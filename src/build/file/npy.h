// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files of numbers: numpy.load(FILE) reads what we write, and numpy.save(FILE, array) what we
// read.
#pragma once
#include "build/file/atomic_file.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

struct NpyArray {
    std::vector<std::size_t> shape;  // empty: a single number
    std::vector<double> values;      // last index fastest (C order)
};

// Little-endian float64, float32 and whole numbers of 8 to 64 bits, in C or Fortran order, format versions 1
// to 3. Throws InputError{name,
// ...} otherwise, and where the bytes do not hold exactly what the shape asks for.
NpyArray read_npy(std::string_view bytes, const std::string& name);
NpyArray read_npy(const std::filesystem::path& path);

// float64, C order, format version 1. values.size() is the product of the shape.
void write_npy(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
               std::span<const double> values);

// What stands before the numbers of such a file.
std::string npy_header(const std::vector<std::size_t>& shape);

// An array of rows that are written one by one; how many is known only at the end.
class NpyRows {
 public:
    // row_shape: of one row, so that the array becomes rows x row_shape.
    NpyRows(const std::filesystem::path& path, std::vector<std::size_t> row_shape);
    void append(std::span<const double> row);
    // Without commit() nothing is left behind.
    void commit();
    std::size_t rows() const { return rows_; }

 private:
    AtomicFile file_;
    std::vector<std::size_t> row_shape_;
    std::size_t rows_ = 0;
};

}  // namespace limber::build
