// SPDX-License-Identifier: Apache-2.0
// Counts calls of malloc (operator new and Eigen end there too).
#pragma once

namespace limber::test {

long allocations_so_far();

}  // namespace limber::test
