// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/scalar_array.h"

#include "build/mesh_files/load_scalar.h"

#include <cassert>

namespace limber::build {
namespace {

std::int64_t load_integer(ScalarType type, const char* at, std::endian order) {
    switch (type) {
        case ScalarType::Int8:
            return load_number<std::int8_t>(at, order);
        case ScalarType::UInt8:
            return load_number<std::uint8_t>(at, order);
        case ScalarType::Int16:
            return load_number<std::int16_t>(at, order);
        case ScalarType::UInt16:
            return load_number<std::uint16_t>(at, order);
        case ScalarType::Int32:
            return load_number<std::int32_t>(at, order);
        case ScalarType::UInt32:
            return load_number<std::uint32_t>(at, order);
        case ScalarType::Int64:
            return load_number<std::int64_t>(at, order);
        case ScalarType::UInt64:
            return static_cast<std::int64_t>(load_number<std::uint64_t>(at, order));
        case ScalarType::Float32:
        case ScalarType::Float64:
            break;
    }
    return 0;
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
