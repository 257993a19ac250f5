// SPDX-License-Identifier: Apache-2.0
// What every benchmark shares: names "case/metric", the published numbers beside ours, and the yardstick.
#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>

namespace limber::bench {

// The numbers to compare with, in the benchmark's own unit. Vega FEM 4.0 was measured on one thread of a
// machine like ours (g++ -O3 -march=native, OpenBLAS) when the yardstick took 18 µs there; its drivers use
// the class of that name. Where another of its classes does the same work faster, both stand.
struct Reference {
    std::optional<double> paper{};
    std::optional<double> vega{};
    std::optional<double> vega_fastest{};  // if not `vega`
};

// Adds "case/metric" to the run, timed by the wall clock. The unit is the one set on the benchmark.
benchmark::internal::Benchmark* add(const std::string& case_name, const std::string& metric,
                                    const Reference& reference,
                                    std::function<void(benchmark::State&)> function);

// Microseconds of a 4960 x 30 double matrix-vector product: how fast this machine is right now.
double yardstick_us();

}  // namespace limber::bench
