// SPDX-License-Identifier: Apache-2.0
// Numbers as they lie in a binary file: any width, any byte order.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace limber::build {

// The number at the head of the bytes, of which there must be sizeof(T).
template <class T>
T load_number(const char* bytes, std::endian order) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

enum class ScalarType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float32, Float64 };

std::size_t size_of(ScalarType type);  // bytes
bool is_integer(ScalarType type);

// The numbers keep their own type until they are asked for, so that an array of bytes that a file
// packs tightly does not grow to eight times its size.
class ScalarArray {
 public:
    ScalarArray() = default;
    // Bytes that do not fill a whole number are left out.
    ScalarArray(ScalarType type, std::string bytes, std::endian order)
        : type_(type), order_(order), bytes_(std::move(bytes)) {}

    ScalarType type() const { return type_; }
    std::size_t size() const { return bytes_.size() / size_of(type_); }
    double real(std::size_t i) const;
    // Of an array of whole numbers only. 64-bit unsigned numbers beyond the signed range come out negative.
    std::int64_t integer(std::size_t i) const;

 private:
    ScalarType type_ = ScalarType::UInt8;
    std::endian order_ = std::endian::native;
    std::string bytes_;
};

}  // namespace limber::build
