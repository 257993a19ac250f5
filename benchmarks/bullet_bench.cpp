// SPDX-License-Identifier: Apache-2.0
// limber beside Bullet, in one run: a soft block that drops and one that lies on a slope, and a stack of
// boxes.
//     usage: bullet_bench RESULTS.csv     rows are added, as limber_bench writes them
#include "benchmarks/bullet_scenes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace limber::bench;

class Results {
 public:
    explicit Results(const std::string& path) {
        const bool is_new = !std::filesystem::exists(path);
        csv_.open(path, std::ios::app);
        if (is_new) csv_ << "case,metric,value,unit,paper,vega,vega_fastest,yardstick_us\n";
        fmt::print("{:<28} {:>10} {:>12} {:>12} {:>13} {:>12}\n", "case", "step, us", "deepest, mm",
                   "at rest, mm", "creep, um/s", "energy gain");
    }
    void add(const std::string& name, const Outcome& outcome) {
        fmt::print("{:<28} {:>10.4g} {:>12.3g} {:>12.3g} {:>13.3g} {:>12.2e}\n", name, outcome.step_us,
                   1e3 * outcome.deepest, 1e3 * outcome.at_rest, 1e6 * outcome.creep, outcome.energy_gain);
        std::fflush(stdout);
        row(name, "step", outcome.step_us, "us");
        row(name, "deepest", 1e3 * outcome.deepest, "mm");
        row(name, "deepest_at_rest", 1e3 * outcome.at_rest, "mm");
        row(name, "creep", 1e6 * outcome.creep, "um/s");
        row(name, "energy_gain", outcome.energy_gain, "");
    }

 private:
    void row(const std::string& name, const char* metric, double value, const char* unit) {
        csv_ << fmt::format("{},{},{:.6g},{},,,,\n", name, metric, value, unit) << std::flush;
    }
    std::ofstream csv_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: bullet_bench RESULTS.csv\n");
        return 1;
    }
    Results results(argv[1]);
    constexpr double kSeconds = 5;

    SoftBlock block = soft_block();
    block.height = 0.15;  // its lower face 10 cm above the floor
    const double mass = 0.3 * 0.2 * 0.1 * block.density;
    const double fall = mass * 9.81 * 0.1;
    results.add("drop limber r=20", play(limber_block(block), kSeconds, fall));
    results.add("drop bullet reduced 20", play(bullet_block(block, BulletBlock::Reduced), kSeconds, fall));
    results.add("drop bullet tets", play(bullet_block(block, BulletBlock::Deformable), kSeconds, fall));

    block.height = 0.0501;
    const double slope = std::atan(0.3);  // friction 0.5: it stays
    block.gravity = 9.81 * Eigen::Vector3d(std::sin(slope), 0, -std::cos(slope));
    const double down = mass * 9.81 * 0.1;
    results.add("slope limber r=20", play(limber_block(block), kSeconds, down));
    results.add("slope bullet reduced 20", play(bullet_block(block, BulletBlock::Reduced), kSeconds, down));
    results.add("slope bullet tets", play(bullet_block(block, BulletBlock::Deformable), kSeconds, down));

    const BoxStack stack;
    const double tall = 4 * 9.81 * 19 * 0.1;
    results.add("stack limber", play(limber_stack(stack), kSeconds, tall));
    for (const int iterations : {10, 50, 200})
        results.add(fmt::format("stack bullet {} iterations", iterations),
                    play(bullet_stack(stack, iterations), kSeconds, tall));
    return 0;
}
