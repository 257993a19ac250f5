// SPDX-License-Identifier: Apache-2.0
// Counts the calls of malloc that this thread makes (operator new and Eigen end there too).
#pragma once

namespace limber::test {

long allocations_so_far();

}  // namespace limber::test
