// SPDX-License-Identifier: Apache-2.0
// Numbers of a validation in words.
#pragma once
#include <optional>
#include <string>

namespace limber::build {

// A relative error: "+1.25%", "below 0.01%"; nothing: there was not enough motion to tell.
std::string percent_text(const std::optional<double>& error);

// "120 times faster", "2.5 times slower", by the seconds that the steps took.
std::string speed_text(double full_seconds, double reduced_seconds);

}  // namespace limber::build
