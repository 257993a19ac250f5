// SPDX-License-Identifier: Apache-2.0
#include "branching.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace limber::build::test {
namespace {

InputError refusal(const CutMesh& cut) {
    try {
        decompose(cut.mesh, cut.labels, {}, cut.fixed);
    } catch (const InputError& error) {
        return error;
    }
    return {"", "it was taken", ""};
}

TEST(Decompose, LabelsBecomeATreeWithTheGroundedDomainAsItsRoot) {
    const CutMesh cut = branching();
    const Decomposition tree = decompose(cut.mesh, cut.labels, {}, cut.fixed);
    ASSERT_EQ(tree.names.size(), 8u);
    EXPECT_EQ(tree.names[0], "domain0");
    EXPECT_EQ(tree.parent[0], -1);
    EXPECT_EQ(tree.depth, 3);
    EXPECT_NEAR(tree.cut_area, 7 * 0.04, 1e-12);  // seven borders of 0.2 m x 0.2 m
    for (std::size_t i = 1; i < 8; ++i) {
        EXPECT_LT(tree.parent[i], int(i));
        EXPECT_EQ(tree.to_parent[i].vertices.size(), 9u);
    }
}

TEST(Decompose, WithoutFixedVerticesTheRootMakesTheTreeShallow) {
    CutMesh cut = blocks_mesh({{{0, 0, 0}, {1, 1, 1}, 0},
                               {{1, 0, 0}, {2, 1, 1}, 1},
                               {{2, 0, 0}, {3, 1, 1}, 2},
                               {{3, 0, 0}, {4, 1, 1}, 3},
                               {{4, 0, 0}, {5, 1, 1}, 4}},
                              1, {});
    const Decomposition tree = decompose(cut.mesh, cut.labels, {}, {});
    EXPECT_EQ(tree.names[0], "domain2");
    EXPECT_EQ(tree.depth, 2);
}

TEST(Decompose, ACycleIsNamedWithItsDomainsAndHowToBreakIt) {
    // A ring of four blocks.
    CutMesh cut = blocks_mesh({{{0, 0, 0}, {3, 1, 1}, 10},
                               {{2, 1, 0}, {3, 3, 1}, 11},
                               {{0, 2, 0}, {2, 3, 1}, 12},
                               {{0, 1, 0}, {1, 2, 1}, 13}},
                              1, {});
    cut.fixed.clear();
    const InputError error = refusal(cut);
    for (const char* name : {"domain10", "domain11", "domain12", "domain13", "cycle", " m"})
        EXPECT_NE(error.problem.find(name), std::string::npos) << error.problem;
    EXPECT_NE(error.try_this.find("one label"), std::string::npos);
}

TEST(Decompose, WhatIsNoTreeIsRefusedWithThePlace) {
    CutMesh apart = blocks_mesh({{{0, 0, 0}, {1, 1, 1}, 0}, {{3, 0, 0}, {4, 1, 1}, 1}}, 1, {});
    apart.fixed.clear();
    EXPECT_NE(refusal(apart).problem.find("not connected"), std::string::npos);
    CutMesh pieces =
        blocks_mesh({{{0, 0, 0}, {1, 1, 1}, 0}, {{1, 0, 0}, {2, 1, 1}, 1}, {{2, 0, 0}, {3, 1, 1}, 0}}, 1, {});
    EXPECT_NE(refusal(pieces).problem.find("several pieces"), std::string::npos);
    // Two cubes that share an edge: two vertices.
    CutMesh edge = blocks_mesh({{{0, 0, 0}, {1, 1, 1}, 0}, {{1, 1, 0}, {2, 2, 1}, 1}}, 1, {});
    edge.fixed.clear();
    EXPECT_NE(refusal(edge).problem.find("2 vertices"), std::string::npos) << refusal(edge).problem;
    // Two cubes that share a corner: one vertex.
    CutMesh corner = blocks_mesh({{{0, 0, 0}, {1, 1, 1}, 0}, {{1, 1, 1}, {2, 2, 2}, 1}}, 1, {});
    corner.fixed.clear();
    EXPECT_NE(refusal(corner).problem.find("1 vertex;"), std::string::npos) << refusal(corner).problem;
    // An edge of two cubes: three vertices in one line.
    CutMesh line = blocks_mesh({{{0, 0, 0}, {1, 1, 2}, 0}, {{1, 1, 0}, {2, 2, 2}, 1}}, 1, {});
    line.fixed.clear();
    EXPECT_NE(refusal(line).problem.find("in one line"), std::string::npos) << refusal(line).problem;
    // Both ends on the ground.
    CutMesh legs =
        blocks_mesh({{{0, 0, 0}, {1, 1, 3}, 0}, {{1, 0, 2}, {3, 1, 3}, 1}, {{3, 0, 0}, {4, 1, 3}, 2}}, 1, {});
    EXPECT_NE(refusal(legs).problem.find("loop"), std::string::npos) << refusal(legs).problem;
    CutMesh few = branching();
    few.labels.pop_back();
    EXPECT_NE(refusal(few).problem.find("319 labels"), std::string::npos) << refusal(few).problem;
}

TEST(Decompose, APartitionIsATreeAndTheSameEveryTime) {
    const CutMesh cut = branching();
    for (const int count : {1, 4, 12}) {
        const std::vector<int> labels = labels_of_partition(cut.mesh, count);
        EXPECT_EQ(labels, labels_of_partition(cut.mesh, count));
        const std::set<int> distinct(labels.begin(), labels.end());
        std::printf("auto:%d gave %zu domains\n", count, distinct.size());
        EXPECT_GE(distinct.size(), count == 1 ? 1u : 3u);
        EXPECT_EQ(decompose(cut.mesh, labels, {}, {}).names.size(), distinct.size());
    }
    EXPECT_THROW(labels_of_partition(cut.mesh, 0), InputError);
    EXPECT_THROW(labels_of_partition(cut.mesh, 100000), InputError);
}

// METIS cuts through the fixed face of a stout bar; what is fixed becomes one domain, so the tree is grounded
// once.
TEST(Decompose, APartitionOfAFixedBodyHasOneGroundedDomain) {
    const CutMesh cut = blocks_mesh({{{0, 0, 0}, {6, 6, 40}, 0}}, 0.1, {});
    const std::vector<int> labels = labels_of_partition(cut.mesh, 60, cut.fixed);
    EXPECT_EQ(labels, labels_of_partition(cut.mesh, 60, cut.fixed));
    const Decomposition parts = decompose(cut.mesh, labels, {}, cut.fixed);
    EXPECT_GE(parts.names.size(), 3u);
    std::set<int> fixed(cut.fixed.begin(), cut.fixed.end());
    for (std::size_t e = 0; e < cut.mesh.bricks.size(); ++e)
        for (const int v : cut.mesh.bricks[e])
            if (fixed.count(v)) {
                EXPECT_EQ(parts.domain_of_element[e], 0);
            }
}

TEST(Decompose, RanksAreGivenProportionalOrLogarithmic) {
    EXPECT_EQ(ranks_of({DomainRanks::Kind::Each, 12}, {10, 1000}), (std::vector{12, 12}));
    EXPECT_EQ(ranks_of({DomainRanks::Kind::Proportional, 40}, {100, 300}), (std::vector{10, 30}));
    EXPECT_EQ(ranks_of({DomainRanks::Kind::Logarithmic, 30}, {9, 99}),
              (std::vector{10, 20}));  // log 10 : log 100
    EXPECT_EQ(parse_domain_ranks("log:400").number, 400);
    for (const char* bad : {"", "x", "0", "-3", "log:", "12.5", "log:4x", "101"})
        EXPECT_THROW(parse_domain_ranks(bad), InputError) << bad;
}

}  // namespace
}  // namespace limber::build::test
