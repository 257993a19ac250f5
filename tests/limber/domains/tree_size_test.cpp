// SPDX-License-Identifier: Apache-2.0
// Deep trees, and too large ones.
#include "plate_tree.h"

#include <limber/domains/domains_body.h>
#include <limber/domains/subtree.h>

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

// All at one place: what they share is found in time that is not square in their number.
TEST(TreeSize, AHundredThousandDomainsFallAndMoreAreRefused) {
    const auto whole = std::make_shared<DomainsModel>();
    DomainsModel& tree = *whole;
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
    auto model = tree_model(whole);
    ASSERT_TRUE(model.ok()) << model.error().problem;
    model.value().free_body = true;
    DomainsSettings settings;
    settings.mount = RootMount::Free;
    settings.gravity = Vector3d(0, 0, -10);
    auto body = make_domains_body(std::make_shared<const Model>(std::move(model).value()), settings);
    ASSERT_TRUE(body.ok()) << body.error().problem;
    ASSERT_TRUE(body.value().step(0.01).converged);
    EXPECT_LE((body.value().velocity() - Vector3d(0, 0, -0.1)).norm(), 1e-9);
}

}  // namespace
}  // namespace limber::test
