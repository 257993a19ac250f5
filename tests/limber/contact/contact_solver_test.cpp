// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_solver.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <numeric>
#include <random>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Bodies with matrices at random, touching each other, themselves and obstacles.
struct RandomIsland {
    ContactProblem problem;
    std::vector<MatrixXd> A;
    std::vector<VectorXd> free_velocity, velocity;
    std::vector<int> bodies, contacts;

    RandomIsland(int count, int touching, unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> in(-1, 1);
        const auto vector = [&](Index n) {
            VectorXd out(n);
            for (double& x : out)
                x = in(random);
            return out;
        };
        for (int i = 0; i < count; ++i) {
            const Index n = 3 + i % 5;
            MatrixXd root(n, n);
            for (Index k = 0; k < n; ++k)
                root.col(k) = vector(n);
            A.emplace_back(root * root.transpose() + 0.1 * MatrixXd::Identity(n, n));
            free_velocity.push_back(vector(n));
            velocity.push_back(vector(n));
            bodies.push_back(i);
        }
        for (int i = 0; i < count; ++i)
            problem.bodies.push_back(
                {&A[std::size_t(i)], &free_velocity[std::size_t(i)], &velocity[std::size_t(i)]});
        const auto rows = [&](int body) {
            const std::size_t first = problem.rows.size();
            const VectorXd entries = vector(3 * A[std::size_t(body)].rows());
            problem.rows.insert(problem.rows.end(), entries.begin(), entries.end());
            return first;
        };
        for (int c = 0; c < touching; ++c) {
            SolverContact contact;
            contact.a = c % count;
            contact.b = c % 3 == 0 ? -1 : (c * 7 + 1) % count;  // sometimes itself
            contact.rows_a = rows(contact.a);
            if (contact.b >= 0) contact.rows_b = rows(contact.b);
            contact.bias = vector(3);
            contact.normal = {.dt = 1e-2,
                              .stiffness = 1e4 * (1.1 + in(random)),
                              .dissipation = 0.3,
                              .gap = 0.01 * in(random),
                              .start_velocity = in(random)};
            contact.normal.regime = regime_of(contact.normal.start_velocity);
            contact.friction = {.dt = 1e-2,
                                .stiffness = contact.normal.stiffness,
                                .radius = 0.5 * (1 + in(random)),
                                .anchor = 1e-3 * vector(2)};
            contact.coefficient = 0.5;
            problem.contacts.push_back(contact);
            contacts.push_back(c);
        }
    }
    Island island() const { return {bodies, contacts}; }
};

TEST(BlockCholesky, SolvesLikeADenseMatrix) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> in(-1, 1);
    const std::vector<int> sizes = {3, 12, 1, 15, 6, 2};
    const std::vector<std::pair<int, int>> pairs = {{0, 3}, {1, 0}, {2, 5}, {4, 1}, {5, 4}, {3, 0}};
    BlockCholesky sparse;
    for (int again = 0; again < 2; ++again) {
        sparse.analyze(sizes, pairs);
        sparse.set_zero();
        MatrixXd dense = 20 * MatrixXd::Identity(sparse.size(), sparse.size());
        for (int i = 0; i < 6; ++i)
            sparse.diagonal(i).diagonal().setConstant(20);
        for (const auto& [i, j] : pairs) {
            MatrixXd block(sizes[std::size_t(i)], sizes[std::size_t(j)]);
            for (double& x : block.reshaped())
                x = in(random);
            auto at = sparse.off_diagonal(i, j);
            if (at.transposed)
                at.block += block.transpose();
            else
                at.block += block;
            dense.block(sparse.offset(i), sparse.offset(j), block.rows(), block.cols()) += block;
            dense.block(sparse.offset(j), sparse.offset(i), block.cols(), block.rows()) += block.transpose();
        }
        ASSERT_TRUE(sparse.factorize());
        VectorXd b(sparse.size());
        for (double& x : b)
            x = in(random);
        VectorXd x = b;
        sparse.solve_in_place(x);
        EXPECT_LE((dense * x - b).norm(), 1e-14 * b.norm());  // rounding
    }
}

TEST(BlockCholesky, RefusesAMatrixThatIsNotDefinite) {
    BlockCholesky sparse;
    sparse.analyze({2, 2}, {{0, 1}});
    sparse.set_zero();
    sparse.diagonal(0).diagonal().setConstant(1);
    sparse.diagonal(1).diagonal().setConstant(1);
    sparse.off_diagonal(0, 1).block.setConstant(3);
    EXPECT_FALSE(sparse.factorize());
}

TEST(ContactSolver, TheHessianIsTheDerivativeOfTheGradientAndDefinite) {  // (46)
    RandomIsland random(6, 25, 5);
    IslandWork work;
    const Index n = std::accumulate(random.A.begin(), random.A.end(), Index(0),
                                    [](Index sum, const MatrixXd& A) { return sum + A.rows(); });
    VectorXd v = VectorXd::LinSpaced(n, -1, 1), plus(n), minus(n), gradient(n);
    MatrixXd hessian, unused;
    contact_gradient(random.problem, random.island(), v, work, gradient, hessian);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian).eigenvalues()[0], 0);
    const double e = 1e-7;
    for (Index i = 0; i < n; ++i) {
        contact_gradient(random.problem, random.island(), v + e * VectorXd::Unit(n, i), work, plus, unused);
        contact_gradient(random.problem, random.island(), v - e * VectorXd::Unit(n, i), work, minus, unused);
        EXPECT_LE(((plus - minus) / (2 * e) - hessian.col(i)).norm(), 1e-6 * hessian.norm()) << i;
    }
}

TEST(ContactSolver, EndsWhereTheGradientVanishesAndImpulsesBalanceMomentum) {
    for (unsigned seed = 1; seed < 40; ++seed) {
        RandomIsland random(5, 3 + int(seed), seed);
        IslandWork work;
        const IslandReport report = solve_island(random.problem, random.island(), work);
        ASSERT_TRUE(report.converged) << seed;
        VectorXd v(work.v.size()), gradient;
        Index at = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            v.segment(at, random.velocity[i].size()) = random.velocity[i];
            at += random.velocity[i].size();
            VectorXd impulse = VectorXd::Zero(random.velocity[i].size());
            for (const SolverContact& contact : random.problem.contacts)
                add_impulse(random.problem, contact, int(i), impulse);
            const VectorXd momentum = random.A[i] * (random.velocity[i] - random.free_velocity[i]);
            EXPECT_LE((momentum - impulse).norm(), 1e-8 * (1 + momentum.norm())) << seed;
        }
        MatrixXd hessian;
        contact_gradient(random.problem, random.island(), v, work, gradient, hessian);
        EXPECT_LE(gradient.norm(), 1e-8 * v.norm());  // the tolerance of the solve
        for (const SolverContact& contact : random.problem.contacts) {
            EXPECT_GE(contact.impulse[0], 0);
            // The radius may be behind by its tolerance times the largest in the island.
            EXPECT_LE(contact.impulse.tail<2>().norm(), contact.friction.radius * (1 + 1e-12));
        }
    }
}

// A rod pressed on a wall at a slant: each friction radius calls for a larger one (Painlevé), as long as it
// slips. With the coupling c they come nearer to their limit by a factor of µc/(1 + c²), 0.38 for µ = 0.8 and
// 0.78 for µ = 1.65: there the solve ends after its updates and says that they do not settle.
TEST(ContactSolver, RadiiThatDoNotSettleAreReported) {
    const auto solved = [](double coupling, double friction) {
        ContactProblem problem;
        const MatrixXd A = MatrixXd::Identity(3, 3);
        const VectorXd free_velocity = Vector3d(1, 0, -1);
        VectorXd v = free_velocity;
        problem.bodies.emplace_back(&A, &free_velocity, &v);
        // Sliding along x also moves the point along the normal.
        const Eigen::Matrix3d rows{{coupling, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        problem.rows.assign(rows.data(), rows.data() + 9);
        SolverContact contact;
        contact.normal = {.dt = 1e-3, .stiffness = 1e9, .dissipation = 0, .gap = 0, .start_velocity = 0};
        contact.friction = {.dt = 1e-3, .stiffness = 1e9};
        contact.coefficient = friction;
        problem.contacts = {contact};
        const std::vector<int> all = {0};
        IslandWork work;
        return solve_island(problem, {all, all}, work);
    };
    const IslandReport plain = solved(0, 1.65), slow = solved(0.7, 0.8), slanted = solved(0.7, 1.65);
    for (const IslandReport& each : {plain, slow}) {
        EXPECT_TRUE(each.converged);
        EXPECT_TRUE(each.radii_settled);
    }
    EXPECT_TRUE(slanted.converged);
    EXPECT_EQ(slanted.radius_updates, kMostRadiusUpdates);
    EXPECT_FALSE(slanted.radii_settled);
}

TEST(ContactSolver, AMassOnAPlaneIsStoppedAsTheLawSays) {
    // One kilogram, falling at 1 m/s into an overlap of 1 mm; slow: m(v + 1) = h k (δ − h v)(1 − d v).
    ContactProblem problem;
    const MatrixXd A = MatrixXd::Identity(3, 3);
    const VectorXd free_velocity = Vector3d(0, 0, -1);
    VectorXd v = free_velocity;
    problem.bodies.emplace_back(&A, &free_velocity, &v);
    const Eigen::Matrix3d rows{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    problem.rows.assign(rows.data(), rows.data() + 9);
    const double h = 1e-3, k = 1e5, d = 0.5, depth = 1e-3;
    SolverContact contact;
    contact.normal = {.dt = h, .stiffness = k, .dissipation = d, .gap = -depth, .start_velocity = 0};
    contact.friction = {.dt = h, .stiffness = k};
    problem.contacts = {contact};
    const std::vector<int> all = {0};
    IslandWork work;
    EXPECT_TRUE(solve_island(problem, {all, all}, work).converged);
    // h²kd v² − (hkdδ + h²k + 1) v + (hkδ − 1) = 0, the smaller root.
    const double a = h * h * k * d, b = -(h * k * d * depth + h * h * k + 1), c = h * k * depth - 1;
    EXPECT_NEAR(v[2], (-b - std::sqrt(b * b - 4 * a * c)) / (2 * a), 1e-12);
    EXPECT_NEAR(problem.contacts[0].impulse[0], v[2] + 1, 1e-12);
}

}  // namespace
}  // namespace limber
