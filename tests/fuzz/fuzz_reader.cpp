// SPDX-License-Identifier: Apache-2.0
// A libFuzzer target; compiled once per reader with LIMBER_READER=try_obj and so on.
#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    limber::build::LIMBER_READER({reinterpret_cast<const char*>(data), size});
    return 0;
}
