// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/calls.h"

#include <limber/settings/json_cursor.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#ifdef __wasm__
extern unsigned char __heap_base;
#endif

namespace limber::c {
namespace {

#ifdef __wasm__  // one thread
#define LIMBER_OF_THREAD static
#else
#define LIMBER_OF_THREAD thread_local
#endif
LIMBER_OF_THREAD std::string last_error, text_out;
LIMBER_OF_THREAD const char* fixed_error = "";  // where it is not null, in place of last_error

}  // namespace

limber_status fail(limber_status status, const InputError& error) {
    return guarded([&] {
        last_error = json_text_of(json_of(error));
        fixed_error = nullptr;
        return status;
    });
}
limber_status fail(limber_status status, const char* where, std::string problem) {
    return fail(status, InputError{where, std::move(problem), ""});
}
limber_status no_memory() {
    fixed_error = R"({"where":"memory","problem":"there is none left","try_this":"free what is not used"})";
    return LIMBER_NO_MEMORY;
}
limber_status unexpected(const char* what) {
    return fail(LIMBER_FAILED, "limber", what);
}

bool reachable([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __wasm__
    // What JavaScript may write to is the heap; below it are the module's own data and its stack.
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    const std::uint64_t end = std::uint64_t{__builtin_wasm_memory_size(0)} * 65536;
    return at >= reinterpret_cast<std::uintptr_t>(&__heap_base) && std::uint64_t{at} + bytes <= end;
#else
    return true;
#endif
}

bool Arguments::check_memory(const void* memory, std::size_t bytes, std::size_t alignment, const char* name) {
    if (!memory)
        status_ = fail(LIMBER_NULL, name, "it is null");
    else if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0)
        status_ = fail(LIMBER_BAD_POINTER, name, "it is not aligned");
    else if (!reachable(memory, bytes))
        status_ =
            fail(LIMBER_BAD_POINTER, name, std::to_string(bytes) + " bytes from there are not in the memory");
    return ok();
}

void Arguments::wrong_handle(const void* handle, const Slot* slot, Kind wanted, const char* name) {
    if (!handle)
        status_ = fail(LIMBER_NULL, name, "it is null");
    else if (slot)
        status_ =
            fail(LIMBER_WRONG_KIND, name,
                 std::string("it is a handle of kind ") + name_of(slot->kind) + ", not " + name_of(wanted));
    else
        status_ = fail(LIMBER_BAD_HANDLE, name, "there is no such handle: it was freed, or never given");
}

void Arguments::wrong_size(std::size_t given, std::size_t needed, const char* name) {
    status_ = fail(LIMBER_WRONG_SIZE, name,
                   std::to_string(given) + " numbers were given; " + std::to_string(needed) + " are needed");
}

const WorldBody* Arguments::body(const WorldHandle* world, std::uint32_t number) {
    if (!ok()) return nullptr;
    const std::vector<WorldBody>& bodies = world->session.world().bodies();
    const auto place = std::lower_bound(
        bodies.begin(), bodies.end(), number,
        [](const WorldBody& each, std::uint32_t wanted) { return each.id().number < wanted; });
    if (place != bodies.end() && place->id().number == number) return &*place;
    status_ = fail(LIMBER_NO_BODY, "body", "the world has no body number " + std::to_string(number));
    return nullptr;
}

limber_status give_text(std::string text, const char** out) {
    text_out = std::move(text);
    *out = text_out.c_str();
    return LIMBER_OK;
}

limber_step_report report_of(const StepReport& report, bool is_constrained) {
    limber_step_report out{};
    out.residual = report.residual;
    out.converged = report.converged;
    out.problem = static_cast<std::int32_t>(report.problem);
    out.iterations = report.iterations;
    out.shifts = report.shifts;
    out.line_searches = report.line_searches;
    out.is_constrained = is_constrained;
    return out;
}

}  // namespace limber::c

const char* limber_error(void) {
    using namespace limber::c;
    return fixed_error ? fixed_error : last_error.c_str();
}

const char* limber_status_word(limber_status status) {
    static const char* const kWords[] = {"ok",         "refused",     "null",    "bad-handle", "wrong-kind",
                                         "wrong-size", "bad-pointer", "no-body", "no-memory",  "failed"};
    const auto number = static_cast<unsigned>(status);
    return number < std::size(kWords) ? kWords[number] : "unknown";
}

void* limber_alloc(size_t bytes) {
    return std::malloc(bytes);
}

void limber_free(void* memory) {
    std::free(memory);
}
