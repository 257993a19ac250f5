// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh_files/scalar_array.h"

namespace limber::build {

// One number of a binary file, in its own type: returns take(number). The caller has checked that
// size_of(type) bytes are there.
template <class Take>
auto take_scalar(ScalarType type, const char* at, std::endian order, const Take& take) {
    switch (type) {
        case ScalarType::Int8:
            return take(load_number<std::int8_t>(at, order));
        case ScalarType::UInt8:
            return take(load_number<std::uint8_t>(at, order));
        case ScalarType::Int16:
            return take(load_number<std::int16_t>(at, order));
        case ScalarType::UInt16:
            return take(load_number<std::uint16_t>(at, order));
        case ScalarType::Int32:
            return take(load_number<std::int32_t>(at, order));
        case ScalarType::UInt32:
            return take(load_number<std::uint32_t>(at, order));
        case ScalarType::Int64:
            return take(load_number<std::int64_t>(at, order));
        case ScalarType::UInt64:
            return take(load_number<std::uint64_t>(at, order));
        case ScalarType::Float32:
            return take(load_number<float>(at, order));
        default:
            return take(load_number<double>(at, order));
    }
}

// As a double, which holds every type of up to 32 bits exactly.
inline double load_scalar(ScalarType type, const char* at, std::endian order) {
    return take_scalar(type, at, order, [](auto number) { return static_cast<double>(number); });
}

}  // namespace limber::build
