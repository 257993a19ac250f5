// SPDX-License-Identifier: Apache-2.0
// Calls of the C interface by the kind of their handle, and what each must say to a bad one.
#pragma once
#include "tests/c/c_models.h"

#include <cstring>
#include <functional>
#include <utility>

namespace limber::test {

template <class Handle>
using Calls = std::vector<std::pair<const char*, std::function<limber_status(Handle*)>>>;

// Memory for whatever a call writes.
struct Room {
    double numbers[200] = {};
    float floats[200] = {};
    std::int32_t ints[200] = {};
    std::size_t count = 0;
    const char* text = nullptr;
};
inline Room& room() {
    static Room all;
    return all;
}

template <class Handle>
void refuse_all(const Calls<Handle>& calls, Handle* bad, limber_status expected) {
    for (const auto& [name, call] : calls) {
        EXPECT_EQ(call(bad), expected) << name;
        EXPECT_NE(std::strlen(limber_error()), 0u) << name;
    }
}

// Null, freed, of another kind, and addresses that were never given.
template <class Handle>
void refuse_bad_handles(const Calls<Handle>& calls, Handle* freed, void* of_other_kind) {
    int on_stack = 0;
    refuse_all<Handle>(calls, nullptr, LIMBER_NULL);
    refuse_all(calls, freed, LIMBER_BAD_HANDLE);
    refuse_all(calls, static_cast<Handle*>(of_other_kind), LIMBER_WRONG_KIND);
    for (const auto address :
         {std::uintptr_t{1}, std::uintptr_t{0xffffffff}, std::uintptr_t{0x123456789abcdef},
          reinterpret_cast<std::uintptr_t>(&on_stack)})
        refuse_all(calls, reinterpret_cast<Handle*>(address), LIMBER_BAD_HANDLE);
}

}  // namespace limber::test
