// SPDX-License-Identifier: Apache-2.0
// The libFuzzer target of every reader; which one, says the environment:
//     LIMBER_READER=obj build/fuzz/bin/fuzz_reader tests/data/corpus/obj
#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

const limber::build::Reader& wanted_reader() {
    const char* name = std::getenv("LIMBER_READER");
    for (const limber::build::Reader& reader : limber::build::kReaders)
        if (name && std::string_view(name) == reader.name) return reader;
    std::fputs("LIMBER_READER names no reader of tests/fuzz/readers.h\n", stderr);
    std::exit(1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const limber::build::Reader& reader = wanted_reader();
    reader.try_it({reinterpret_cast<const char*>(data), size});
    return 0;
}
