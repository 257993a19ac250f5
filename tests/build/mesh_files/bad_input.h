// SPDX-License-Identifier: Apache-2.0
// Bad input must be refused with an InputError that says where and what.
#pragma once
#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <string>

namespace limber {

// The error that `read` throws; its `where` and `problem` must hold these words.
template <class Read>
InputError expect_refused(Read read, const std::string& where, const std::string& problem) {
    try {
        read();
    } catch (const InputError& error) {
        EXPECT_NE(error.where.find(where), std::string::npos) << error.where << ": " << error.problem;
        EXPECT_NE(error.problem.find(problem), std::string::npos) << error.where << ": " << error.problem;
        return error;
    }
    ADD_FAILURE() << "accepted what should be refused: " << problem;
    return {};
}

template <class Read>
bool is_refused(Read read) {
    try {
        read();
    } catch (const InputError&) {
        return true;
    }
    return false;
}

}  // namespace limber
