// SPDX-License-Identifier: Apache-2.0
#include "particle_tree.h"

#include <limber/contact/tree_coordinates.h>
#include <limber/domains/tree_paths.h>
#include <limber/domains/tree_step.h>

namespace limber::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Touched {
    std::vector<ParticlePart> parts = {random_part(14, 5, 1), random_part(13, 4, 2)};
    DomainTree tree = particle_tree(parts, {0, 1, 1, 0, 1, 0}, {-1, 0, 1, 0, 3, 3});
    std::vector<DomainState> domains = std::vector<DomainState>(6);
    std::vector<int> touched = {1, 2, 4};
    TreeWork work{tree};
    TreePaths paths;

    explicit Touched(RootMount mount) {
        domains[3].frozen = true;
        const VectorXd q = random_coordinates(tree.coordinates, 7, 0.2);
        const VectorXd v = VectorXd::Zero(tree.coordinates);
        evaluate_tree(tree, domains, {}, q, v, {}, work);
        EXPECT_TRUE(factorize_tree(tree, domains, Coupling::Exact, {}, {.stiffness = 0.01}, work));
        paths.copy(tree, domains, mount, work, touched);
    }
};

// docs/math/domains.md (26): the whole tree's solve, of which the paths see a part.
TEST(TreePaths, RespondLikeTheWholeTree) {
    for (const RootMount mount : {RootMount::Carried, RootMount::Free}) {
        Touched t(mount);
        const VectorXd f = random_coordinates(t.paths.size(), 9, 1);
        VectorXd y(t.paths.size());
        ASSERT_TRUE(t.paths.respond(f, y));
        VectorXd on_q(t.tree.coordinates);
        Vector6d on_root;
        t.paths.generalize(f, on_q, on_root);
        t.work.residual = -on_q;
        t.work.nodes[0].F = -on_root;
        ASSERT_TRUE(solve_tree(t.tree, t.domains, Coupling::Exact, mount, t.work));
        VectorXd expected(t.paths.size());
        for (std::size_t k = 0; k < t.touched.size(); ++k) {
            const TreeDomain& d = t.tree.domains[std::size_t(t.touched[k])];
            expected.segment<6>(t.paths.first(k)) = t.work.nodes[std::size_t(t.touched[k])].dA;
            expected.segment(t.paths.first(k) + 6, d.rank) = t.work.correction.segment(d.first, d.rank);
        }
        EXPECT_LE((y - expected).norm(), 1e-13 * expected.norm()) << int(mount);  // rounding
        // Velocities of that motion, and the power of the forces: fᵀy = (Bᵀf)ᵀv.
        VectorXd again(t.paths.size());
        t.paths.velocities(t.work.nodes[0].dA, t.work.correction, again);
        EXPECT_LE((again - expected).norm(), 1e-13 * expected.norm());
        EXPECT_NEAR(f.dot(y), on_q.dot(t.work.correction) + on_root.dot(t.work.nodes[0].dA),
                    1e-12 * std::abs(f.dot(y)));
    }
}

// docs/math/contact.md (53). Domains 1 and 2 are parent and child: their rows depend on one another. Domain 4
// has one point, the others so many that the domains' own rows are fewer.
TEST(TreeCoordinates, RowsOnFewCoordinatesGiveTheResponseOfTheTree) {
    for (const RootMount mount : {RootMount::Carried, RootMount::Free}) {
        Touched t(mount);
        TreeCoordinates coordinates;
        std::vector<MatrixXd> J;
        unsigned seed = 20;
        for (const int domain : {4, 1, 2, 1, 1, 2, 1, 2, 2, 1}) {
            const int rank = t.tree.domains[std::size_t(domain)].rank;
            auto rows = coordinates.add(domain, rank);
            rows = random_coordinates(3 * (6 + rank), seed++, 1).reshaped(3, 6 + rank);
            J.emplace_back(rows);
        }
        coordinates.add(5, 5);
        coordinates.drop_last();
        ASSERT_TRUE(std::ranges::equal(coordinates.find_domains(), t.touched));
        coordinates.reduce(t.paths);
        EXPECT_LE(coordinates.size(), t.paths.size());
        const Index k = coordinates.size(), n = 3 * Index(J.size());
        MatrixXd L(n, k), expected(n, n);
        for (std::size_t p = 0; p < J.size(); ++p) {
            std::vector<double> rows(std::size_t(3 * k));
            Eigen::Map<Eigen::Matrix3Xd> to(rows.data(), 3, k);
            coordinates.reduced_rows(p, to);
            L.middleRows<3>(3 * Index(p)) = to;
        }
        const auto at = [&](std::size_t p) {
            const auto found = std::find(t.touched.begin(), t.touched.end(), coordinates.domain(p));
            return t.paths.first(std::size_t(found - t.touched.begin()));
        };
        for (std::size_t p = 0; p < J.size(); ++p)
            for (Index row = 0; row < 3; ++row) {
                VectorXd f = VectorXd::Zero(t.paths.size()), y = f;
                std::vector<double> impulses(std::size_t(f.size()), 0);
                coordinates.add_impulse(p, Vector3d::Unit(row), impulses);
                f.segment(at(p), J[p].cols()) = J[p].row(row);
                EXPECT_TRUE(std::ranges::equal(f, impulses));
                ASSERT_TRUE(t.paths.respond(f, y));
                for (std::size_t other = 0; other < J.size(); ++other)
                    expected.col(3 * Index(p) + row).segment<3>(3 * Index(other)) =
                        J[other] * y.segment(at(other), J[other].cols());
            }
        // 1e-12 of a diagonal entry may be left out.
        EXPECT_LE((L * L.transpose() - expected).norm(), 1e-10 * expected.norm()) << int(mount);
        // Coordinates of a velocity that the tree can have lead back to it.
        VectorXd y(t.paths.size());
        Vector6d root = Vector6d::Zero();
        if (mount == RootMount::Free) root = random_coordinates(6, 3, 1);
        VectorXd v = random_coordinates(t.tree.coordinates, 4, 1);
        v.segment(t.tree.domains[3].first, t.tree.domains[3].rank).setZero();
        t.paths.velocities(root, v, y);
        std::vector<double> w(std::size_t(k), 0);
        coordinates.coordinates({y.data(), std::size_t(y.size())}, w);
        for (std::size_t p = 0; p < J.size(); ++p) {
            const Vector3d u = J[p] * y.segment(at(p), J[p].cols());
            const Vector3d found = L.middleRows<3>(3 * Index(p)) * Eigen::Map<const VectorXd>(w.data(), k);
            EXPECT_LE((found - u).norm(), 1e-6 * y.norm());  // what kNewPart leaves out
        }
    }
}

TEST(TreeCoordinates, ATreeThatCannotMoveHasOneCoordinateThatMovesNothing) {
    Touched t(RootMount::Carried);
    t.domains[0].frozen = true;
    ASSERT_TRUE(factorize_tree(t.tree, t.domains, Coupling::Exact, {}, {}, t.work));
    const std::vector<int> root = {0};
    t.paths.copy(t.tree, t.domains, RootMount::Carried, t.work, root);
    TreeCoordinates coordinates;
    coordinates.add(0, 5).setOnes();
    coordinates.find_domains();
    coordinates.reduce(t.paths);
    ASSERT_EQ(coordinates.size(), 1);
    Eigen::Matrix3Xd rows = Eigen::Matrix3Xd::Ones(3, 1);
    coordinates.reduced_rows(0, {rows.data(), 3, 1});
    EXPECT_TRUE(rows.isZero(0));
}

// Momentum and angular momentum about the origin change by the impulse and its moment, whatever Newton's
// method leaves, also where the step is halved.
TEST(TreeStep, AnImpulseChangesTheMomentaOfAFreeTreeExactly) {
    std::vector<ParticlePart> parts = {random_part(14, 5, 1), random_part(13, 4, 2)};
    const DomainTree tree = particle_tree(parts, {0, 1, 1}, {-1, 0, 1});
    const std::vector<DomainState> domains(3);
    TreeState state, end;
    state.q = VectorXd::Zero(tree.coordinates);
    state.v = random_coordinates(tree.coordinates, 3, 0.3);
    state.velocity = Vector3d(0.5, 1, -0.3);
    state.angular_velocity = Vector3d(1, -2, 1.5);
    end = state;
    TreeStepper stepper(tree);
    TreeStepOptions options;
    options.mount = RootMount::Free;
    const VectorXd on_q = random_coordinates(tree.coordinates, 5, 0.5);
    TreeImpulse impulse;
    impulse.coordinates = &on_q;
    impulse.sum = Vector3d(0.4, -0.2, 0.9);
    impulse.moment = Vector3d(-0.1, 0.3, 0.2);
    impulse.about = Vector3d(0.3, 0.7, -0.2);
    const auto momenta = [&](const TreeState& at) {
        evaluate_motion(tree, domains, root_motion(options, at), at.q, at.v, stepper.work);
        const TreeMomentum m = tree_momentum(tree, at.v, stepper.work);
        Vector6d out;
        out << m.momentum, m.angular_momentum + m.centre.cross(m.momentum);
        return out;
    };
    for (const double dt : {0.001, 0.01, 0.5, 5.0}) {
        const Vector6d before = momenta(state);
        const TreeStepReport report = stepper.step(tree, domains, {}, options, state, dt, &impulse, end);
        ASSERT_TRUE(report.finite);
        EXPECT_EQ(report.halvings > 0, dt > 1);
        Vector6d expected;
        expected << impulse.sum, impulse.moment + impulse.about.cross(impulse.sum);
        EXPECT_LE((momenta(end) - before - expected).norm(), 1e-12 * before.norm()) << dt;
    }
}

}  // namespace
}  // namespace limber::test
