// SPDX-License-Identifier: Apache-2.0
// Undamped chains that are hard to step: heavy tips, light and heavy, soft and stiff domains in turn.
#include "branching.h"

#include <limber/domains/domains_body.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace limber::build::test {
namespace {

using Eigen::Vector3d;

BuiltTree chain(int count) {
    std::vector<Block> blocks;
    for (int i = 0; i < count; ++i)
        blocks.push_back({{0, 0, 4 * i}, {2, 2, 4 * i + 4}, i});
    return built_tree(blocks_mesh(blocks, 0.1, {.young = 5e7, .poisson = 0.3, .density = 1000}), 8);
}

enum class Contrast { HeavyTip, Density, Stiffness };

// Let go at rest under gravity across: the largest gain of kinetic + elastic + potential energy, over mgL.
TEST(TreeStability, UndampedChainsGainNoEnergyAtAnyStep) {
    double largest = 0, most_iterations = 0;
    int all_halvings = 0, all_euler = 0;
    for (int count = 2; count <= 12; ++count) {
        const BuiltTree tree = chain(count);
        for (const Contrast contrast : {Contrast::HeavyTip, Contrast::Density, Contrast::Stiffness})
            for (const double dt : {1.0 / 60, 1.0 / 240, 1.0 / 1000}) {
                const Vector3d gravity(0, 9.81, 0);
                DomainsSettings settings{.gravity = gravity,
                                         .domains = std::vector<DomainState>(std::size_t(count))};
                for (int i = 0; i < count; ++i) {
                    DomainState& d = settings.domains[std::size_t(i)];
                    if (contrast == Contrast::HeavyTip && i == count - 1) d.density = 50;
                    if (contrast == Contrast::Density && i % 2) d.density = 50;
                    if (contrast == Contrast::Stiffness && i % 2) d.young = 1e4;
                }
                auto made = make_domains_body(tree.built.model, settings);
                ASSERT_TRUE(made.ok());
                DomainsBody body = std::move(made).value();
                const auto energy = [&] {
                    const TreeMomentum now = body.momentum();
                    return body.kinetic_energy() + body.elastic_energy() - now.mass * gravity.dot(now.centre);
                };
                const double start = energy(), scale = body.momentum().mass * 9.81 * 0.4 * count;
                double gain = 0;
                int iterations = 0, halvings = 0, euler = 0;
                const int steps = int(std::lround((dt < 0.002 ? 0.25 : 1.5) / dt));
                for (int k = 0; k < steps; ++k) {
                    ASSERT_TRUE(body.step(dt).converged);
                    gain = std::max(gain, (energy() - start) / scale);
                    iterations += body.step_details().iterations;
                    halvings += body.step_details().halvings;
                    euler += body.step_details().euler_steps;
                }
                std::printf(
                    "%2d domains, contrast %d, 1/%.0f s: gain %.1e, %.2f iterations per step, %d halvings, "
                    "%d by Euler\n",
                    count, int(contrast), 1 / dt, gain, double(iterations) / steps, halvings, euler);
                EXPECT_LE(gain, 1e-3);
                largest = std::max(largest, gain);
                most_iterations = std::max(most_iterations, double(iterations) / steps);
                all_halvings += halvings;
                all_euler += euler;
            }
    }
    std::printf("all: gain %.1e, at most %.2f iterations per step, %d halvings, %d by Euler\n", largest,
                most_iterations, all_halvings, all_euler);
}

}  // namespace
}  // namespace limber::build::test
