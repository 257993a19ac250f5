// SPDX-License-Identifier: Apache-2.0
#include "build/validate/report_text.h"

#include <fmt/format.h>

#include <cmath>

namespace limber::build {

std::string percent_text(const std::optional<double>& error) {
    if (!error) return "not enough motion to tell";
    if (*error == 0) return "0%";
    if (std::abs(*error) < 5e-5) return "below 0.01%";  // two decimals would say +0.00% or -0.00%
    return fmt::format("{:+.2f}%", 100 * *error);
}

std::string speed_text(double full_seconds, double reduced_seconds) {
    const bool faster = reduced_seconds <= full_seconds;
    const double ratio = faster ? full_seconds / reduced_seconds : reduced_seconds / full_seconds;
    if (!std::isfinite(ratio)) return "too short to measure";
    return fmt::format("{:.{}f} times {}", ratio, ratio < 9.95 ? 1 : 0, faster ? "faster" : "slower");
}

}  // namespace limber::build
