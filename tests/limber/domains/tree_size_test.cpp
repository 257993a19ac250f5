// SPDX-License-Identifier: Apache-2.0
// Deep trees, large ones, and too large ones.
#include "plate_tree.h"

#include <limber/domains/domains_body.h>
#include <limber/domains/subtree.h>

#include <ctime>

namespace limber::test {
namespace {

using Eigen::Vector3d;

TEST(TreeSize, ATreeOfDepthAThousandFallsAsOne) {
    const auto model = plate_tree({}, 1001);
    EXPECT_EQ(depth_of(*model->domains), 1000);
    DomainsSettings settings;
    settings.mount = RootMount::Free;
    settings.gravity = Vector3d(0, 0, -10);
    auto body = make_domains_body(model, settings);
    ASSERT_TRUE(body.ok()) << body.error().problem;
    for (int k = 0; k < 10; ++k)
        ASSERT_TRUE(body.value().step(0.01).converged);
    EXPECT_LE((body.value().velocity() - Vector3d(0, 0, -1)).norm(), 1e-9);
    // The last of them comes off with what it had.
    auto leaf = subtree_model(*model, 1000);
    ASSERT_TRUE(leaf.ok());
    auto piece = make_detached(body.value(), 1000, leaf.value(), {}, {});
    ASSERT_TRUE(piece.ok());
    EXPECT_LE((piece.value().velocity() - Vector3d(0, 0, -1)).norm(), 1e-9);
    EXPECT_NEAR(piece.value().mass(), Plate().mass(), 1e-12 * Plate().mass());
}

TEST(TreeSize, MoreThanAHundredThousandDomainsAreRefused) {
    DomainsModel tree;
    tree.parts.emplace_back().model = plate_part({});
    auto edge = interface_of("edge", {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {1, 1, 1}, Eigen::MatrixXd(9, 0));
    tree.parts[0].interfaces.push_back(std::move(edge).value());
    for (std::size_t i = 0; i <= kMostDomains; ++i) {
        Domain& d = tree.domains.emplace_back();
        d.name = std::to_string(i);
        d.parent = i == 0 ? -1 : 0;
        d.interface = i == 0 ? -1 : 0;
    }
    const auto problem = domains_problem(tree, "tree");
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->problem.find("100001 domains"), std::string::npos) << problem->problem;
    tree.domains.pop_back();
    EXPECT_FALSE(domains_problem(tree, "tree"));
}

// Nothing in a step is quadratic: ten times the domains take about ten times as long.
TEST(TreeSize, AStepIsLinearInTheDomains) {
    const auto seconds = [](int count) {
        auto body = make_domains_body(plate_tree({}, count), {.gravity = Vector3d(0, 0, -10)});
        EXPECT_TRUE(body.ok());
        const auto wind = std::make_shared<const Wind>(
            WindSettings{.velocity = Vector3d(3, 0, 0), .gusts = 0.3, .seed = 1});
        body.value().set_wind(wind, 0, Vector3d::Zero());
        body.value().step(0.01);
        double best = 1e9;
        for (int k = 0; k < 5; ++k) {
            const std::clock_t start = std::clock();  // of this process: others may have the machine
            body.value().step(0.01);
            best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC);
        }
        return best;
    };
    const double small = seconds(2000), large = seconds(20000);
    std::printf("a step of 2,000 rigid domains %.3g ms, of 20,000 %.3g ms\n", 1e3 * small, 1e3 * large);
    EXPECT_LE(large, 20 * small);  // caches; it was 24 before passes were fused, quadratic would be 100
}

}  // namespace
}  // namespace limber::test
