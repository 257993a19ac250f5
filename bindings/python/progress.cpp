// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/progress.h"

#include <limber/input_error.h>

#include <chrono>
#include <memory>
#include <string>

namespace limber::python {

build::Progress progress_of(const py::object& callable) {
    if (!callable.is_none() && !PyCallable_Check(callable.ptr()))
        throw InputError{"progress", "it cannot be called", "a function of a text and a number from 0 to 1"};
    // The library copies and drops its Progress while the lock is not held.
    const std::shared_ptr<py::object> kept(new py::object(callable), [](py::object* object) {
        const py::gil_scoped_acquire lock;
        delete object;
    });
    using Clock = std::chrono::steady_clock;
    return [kept, told = Clock::time_point{}, stage_told = std::string()](std::string_view stage,
                                                                          double fraction) mutable {
        const auto now = Clock::now();
        if (stage == stage_told && now - told < std::chrono::milliseconds(50)) return;
        stage_told = stage;
        told = now;
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!kept->is_none()) (*kept)(std::string(stage), fraction);
    };
}

}  // namespace limber::python
