// SPDX-License-Identifier: Apache-2.0
// What the exported functions share: handles, and how they tell errors.
#pragma once
#include <limber/model/model.h>

#include <limber/result.h>

#include <memory>
#include <optional>
#include <string>

#define LIMBER_EXPORT(name) __attribute__((export_name(#name)))

namespace limber::wasm {

// The module is one thread's; these are what its C interface returns texts by.
extern std::string last_error, text_out;

int fail(const InputError& error);  // 0
int done(const Status& status);

struct ModelHandle {
    std::shared_ptr<const Model> model;
};

// Writes converged, problem (StepProblem), iterations, residual, shifts, line_searches of the last of up to
// `count` steps; ends after one that was refused. Returns how many were made.
template <class AnyBody>
int make_steps(AnyBody& body, double dt, int count, double* report) {
    auto last = decltype(body.step(dt)){};
    int made = 0;
    for (; made < count; ++made) {
        last = body.step(dt);
        if (!last.converged) break;
    }
    *report++ = last.converged ? 1.0 : 0.0;
    *report++ = static_cast<double>(last.problem);
    *report++ = static_cast<double>(last.iterations);
    *report++ = last.residual;
    *report++ = static_cast<double>(last.shifts);
    *report++ = static_cast<double>(last.line_searches);
    return made;
}

}  // namespace limber::wasm
