// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh_files/scalar_array.h"

namespace limber::build {

// One number of a binary file as a double, which holds every type of up to 32 bits exactly.
// The caller has checked that size_of(type) bytes are there.
inline double load_scalar(ScalarType type, const char* at, std::endian order) {
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
            return static_cast<double>(load_number<std::int64_t>(at, order));
        case ScalarType::UInt64:
            return static_cast<double>(load_number<std::uint64_t>(at, order));
        case ScalarType::Float32:
            return load_number<float>(at, order);
        case ScalarType::Float64:
            return load_number<double>(at, order);
    }
    return 0;
}

}  // namespace limber::build
