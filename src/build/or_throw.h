// SPDX-License-Identifier: Apache-2.0
// The run-time library returns errors, this library throws them.
#pragma once
#include <limber/result.h>

#include <utility>

namespace limber::build {

inline void or_throw(const Status& status) {
    if (!status.ok()) throw status.error();
}

template <class T>
T or_throw(Result<T> result) {
    if (!result.ok()) throw result.error();
    return std::move(result).value();
}

}  // namespace limber::build
