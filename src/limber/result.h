// SPDX-License-Identifier: Apache-2.0
// What can fail returns one of these: done, or why not; a value, or why there is none. Without exceptions.
#pragma once
#include <limber/input_error.h>

#include <cassert>
#include <optional>
#include <utility>

namespace limber {

class [[nodiscard]] Status {
 public:
    Status() = default;  // done
    Status(InputError error) : error_(std::move(error)) {}
    // What is wrong, if anything.
    Status(std::optional<InputError> problem) : error_(std::move(problem)) {}

    bool ok() const { return !error_.has_value(); }
    const InputError& error() const {
        assert(error_);
        return *error_;
    }

 private:
    std::optional<InputError> error_;
};

template <class T>
class [[nodiscard]] Result {
 public:
    Result(T value) : value_(std::move(value)) {}
    Result(InputError error) : error_(std::move(error)) {}

    bool ok() const { return value_.has_value(); }
    const InputError& error() const {
        assert(!ok());
        return error_;
    }
    T& value() & {
        assert(ok());
        return *value_;
    }
    const T& value() const& {
        assert(ok());
        return *value_;
    }
    T&& value() && {
        assert(ok());
        return std::move(*value_);
    }

 private:
    std::optional<T> value_;
    InputError error_;
};

}  // namespace limber
