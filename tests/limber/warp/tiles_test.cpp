// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/tiles.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

using Eigen::MatrixXd;

TEST(Tiles, TheirSumIsTheProductAndTakesNoMemory) {
    struct Sizes {
        Eigen::Index rows, depth, columns;
    };
    for (const auto& [rows, depth, columns] :
         {Sizes{1, 1, 1}, Sizes{0, 5, 3}, Sizes{63, 64, 65}, Sizes{130, 200, 128}}) {
        const MatrixXd a = test::random_rows(rows, depth, 1), b = test::random_rows(columns, depth, 2),
                       start = test::random_rows(rows, columns, 3);
        MatrixXd product(rows, columns), sum = start;
        const long before = test::allocations_so_far();
        set_product(a, b.transpose(), product);
        add_product(-2, a, b.transpose(), sum);
        EXPECT_EQ(test::allocations_so_far(), before);
        const MatrixXd expected = a * b.transpose();
        // Sums of up to 200 products of numbers below 1.
        EXPECT_LE((product - expected).lpNorm<Eigen::Infinity>(), 1e-13);
        EXPECT_LE((sum - (start - 2 * expected)).lpNorm<Eigen::Infinity>(), 3e-13);
    }
}

}  // namespace
}  // namespace limber
