// SPDX-License-Identifier: Apache-2.0
// Long work: without Python's lock, so that other threads run; with Ctrl-C, and a callable that is told how
// far it is.
#pragma once
#include "build/progress.h"

#include <pybind11/pybind11.h>

#include <utility>

namespace limber::python {

namespace py = pybind11;

// callable: (stage: str, fraction: float) -> None, or None. What it raises ends the work, as Ctrl-C does. It
// is called when a stage begins and twenty times a second at most.
build::Progress progress_of(const py::object& callable);

// `work` must not touch Python.
template <class Work>
auto without_lock(Work&& work) {
    const py::gil_scoped_release release;
    return std::forward<Work>(work)();
}

}  // namespace limber::python
