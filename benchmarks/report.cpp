// SPDX-License-Identifier: Apache-2.0
// The table on the screen and build/bench/results.csv:
// case,metric,value,unit,paper,vega,vega_fastest,yardstick_us.
#include "benchmarks/report.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <vector>

namespace limber::bench {
namespace {

std::map<std::string, Reference>& references() {
    static std::map<std::string, Reference> all;
    return all;
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string();
}

class TableReporter : public benchmark::BenchmarkReporter {
 public:
    explicit TableReporter(const std::filesystem::path& csv) : csv_(csv) {
        csv_ << "case,metric,value,unit,paper,vega,vega_fastest,yardstick_us\n";
    }

    bool ReportContext(const Context&) override {
        fmt::print("{:<28} {:<34} {:>11} {:<5} {:>10} {:>10} {:>13} {:>13}\n", "case", "metric", "limber",
                   "unit", "paper", "vega", "vega fastest", "yardstick µs");
        return true;
    }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const std::string name = run.run_name.function_name;
            if (run.error_occurred) {
                fmt::print("{:<28} failed: {}\n", name, run.error_message);
                failed_ = true;
                continue;
            }
            row(name, run.GetAdjustedRealTime(), benchmark::GetTimeUnitString(run.time_unit),
                references()[name]);
            for (const auto& [counter, value] : run.counters)
                row(name + " " + counter, value.value, "", {});
        }
    }
    bool failed() const { return failed_; }

 private:
    void row(const std::string& name, double value, const std::string& unit, const Reference& reference) {
        const auto slash = name.find('/');
        const std::string case_name = name.substr(0, slash), metric = name.substr(slash + 1);
        const double yardstick = yardstick_us();
        fmt::print("{:<28} {:<34} {:>11.4g} {:<5} {:>10} {:>10} {:>13} {:>13.1f}\n", case_name, metric, value,
                   unit, number(reference.paper), number(reference.vega), number(reference.vega_fastest),
                   yardstick);
        std::fflush(stdout);
        csv_ << fmt::format("{},{},{:.6g},{},{},{},{},{:.2f}\n", case_name, metric, value, unit,
                            number(reference.paper), number(reference.vega), number(reference.vega_fastest),
                            yardstick)
             << std::flush;
    }
    std::ofstream csv_;
    bool failed_ = false;
};

}  // namespace

benchmark::internal::Benchmark* add(const std::string& case_name, const std::string& metric,
                                    const Reference& reference,
                                    std::function<void(benchmark::State&)> function) {
    const std::string name = case_name + "/" + metric;
    references()[name] = reference;
    return benchmark::RegisterBenchmark(name.c_str(), function)->UseRealTime();
}

double yardstick_us() {
    static const Eigen::MatrixXd A = Eigen::MatrixXd::Random(4960, 30);
    static const Eigen::VectorXd x = Eigen::VectorXd::Random(30);
    static Eigen::VectorXd y(4960);
    double best = 1e9;
    for (int i = 0; i < 200; ++i) {
        const auto start = std::chrono::steady_clock::now();
        y.noalias() = A * x;
        benchmark::DoNotOptimize(y.data());
        best = std::min(
            best,
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace limber::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc != 2) {
        std::cerr << "usage: limber_bench RESULTS.csv [--benchmark_filter=NAME]\n";
        return 1;
    }
    limber::bench::TableReporter reporter(argv[1]);
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return reporter.failed() ? 1 : 0;
}
