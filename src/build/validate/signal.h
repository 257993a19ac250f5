// SPDX-License-Identifier: Apache-2.0
// What is read off a vibration: its frequency and the height of its first swing.
#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber::build {

// Times at which the signal passes through zero, linear between samples dt apart (the first at t = 0). A
// passage counts when the signal has been a tenth of its largest size away from zero since the one before:
// small fast waves on top of the slow one do not count.
std::vector<double> zero_crossings(const Eigen::VectorXd& signal, double dt);

// Hz, over the first `crossings` of them (at least two).
double crossing_frequency(const std::vector<double>& times, std::size_t crossings);

// The largest magnitude before the first passage through zero.
double first_peak(const Eigen::VectorXd& signal, double dt);

}  // namespace limber::build
