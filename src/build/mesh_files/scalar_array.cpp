// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/scalar_array.h"

#include "build/mesh_files/load_scalar.h"

#include <cassert>
#include <type_traits>

namespace limber::build {
namespace {

// 0 for types that are not integers.
std::int64_t load_integer(ScalarType type, const char* at, std::endian order) {
    return take_scalar(type, at, order, [](auto number) {
        if constexpr (std::is_integral_v<decltype(number)>) return static_cast<std::int64_t>(number);
        return std::int64_t{0};
    });
}

}  // namespace

std::size_t size_of(ScalarType type) {
    switch (type) {
        case ScalarType::Int8:
        case ScalarType::UInt8:
            return 1;
        case ScalarType::Int16:
        case ScalarType::UInt16:
            return 2;
        case ScalarType::Int32:
        case ScalarType::UInt32:
        case ScalarType::Float32:
            return 4;
        case ScalarType::Int64:
        case ScalarType::UInt64:
        case ScalarType::Float64:
            return 8;
    }
    return 1;
}

bool is_integer(ScalarType type) {
    return type != ScalarType::Float32 && type != ScalarType::Float64;
}

double ScalarArray::real(std::size_t i) const {
    assert(i < size());
    return load_scalar(type_, bytes_.data() + i * size_of(type_), order_);
}

std::int64_t ScalarArray::integer(std::size_t i) const {
    assert(i < size() && is_integer(type_));
    return load_integer(type_, bytes_.data() + i * size_of(type_), order_);
}

}  // namespace limber::build
