// SPDX-License-Identifier: Apache-2.0
// AddressSanitizer and ThreadSanitizer bring their own malloc and offer a hook; elsewhere malloc itself is
// replaced (glibc).
#include "tests/limber/reduced/allocation_counter.h"

#include <cstddef>

namespace {
// Of the thread that asks: one of TBB's that helped to build a model may still be waking up or going to
// sleep.
thread_local constinit long count = 0;
}  // namespace

namespace limber::test {
long allocations_so_far() {
    return count;
}
}  // namespace limber::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// As in <sanitizer/allocator_interface.h>, which g++ does not bring.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}  // namespace
#else
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
    ++count;
    return __libc_malloc(size);
}
#endif
