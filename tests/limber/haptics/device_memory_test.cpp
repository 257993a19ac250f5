// SPDX-License-Identifier: Apache-2.0
#include <limber/haptics/device_link.h>

#include "tests/limber/reduced/allocation_counter.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

TEST(DeviceLink, TakesNoMemory) {
    DeviceLink link({});
    link.exchange({0, 0, 0});
    const long before = test::allocations_so_far();
    for (int k = 0; k < 1000; ++k) {
        link.exchange({1e-4 * k, k == 500 ? NAN : 0, 0});
        link.answer({link.reading().position[0], 0, 0});
        (void)link.report();
    }
    EXPECT_EQ(test::allocations_so_far(), before);
}

}  // namespace
}  // namespace limber
