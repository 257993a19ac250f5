// SPDX-License-Identifier: Apache-2.0
#include <limber/haptics/latest_value.h>

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace limber {
namespace {

struct Many {
    std::array<std::int64_t, 21> numbers{};
};

TEST(LatestValue, IsEmptyUntilSomethingIsWritten) {
    LatestValue<Many> value;
    EXPECT_FALSE(value.read());
    value.write({{1, 2, 3}});
    EXPECT_EQ(value.read()->numbers[2], 3);
    EXPECT_EQ(value.writes(), 1u);
}

TEST(LatestValue, IsNeverTornAndNeverGoesBack) {
    LatestValue<Many> value;
    std::atomic<bool> end{false};
    std::atomic<long> torn{0}, back{0}, reads{0};
    const auto reader = [&] {
        std::int64_t last = 0;
        while (!end.load()) {
            const auto seen = value.read();
            if (!seen) continue;
            for (const std::int64_t each : seen->numbers)
                if (each != seen->numbers[0]) ++torn;
            if (seen->numbers[0] < last) ++back;
            last = seen->numbers[0];
            ++reads;
        }
    };
    std::thread one(reader), two(reader);
    for (std::int64_t i = 1; i <= 200000 || reads < 100; ++i) {
        Many next;
        next.numbers.fill(i);
        value.write(next);
    }
    end = true;
    one.join();
    two.join();
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(back, 0);
}

}  // namespace
}  // namespace limber
