// SPDX-License-Identifier: Apache-2.0
// Two models compared bit by bit, for tests of what files give back.
#pragma once
#include <limber/model/model.h>

namespace limber {

// Every member that a file keeps; -0 differs from 0.
void expect_same(const Model& a, const Model& b);

}  // namespace limber
