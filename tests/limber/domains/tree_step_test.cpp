// SPDX-License-Identifier: Apache-2.0
#include "particle_tree.h"

#include "../reduced/allocation_counter.h"

#include <limber/domains/tree_step.h>

namespace limber::test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

TreeState at_rest(const DomainTree& tree) {
    TreeState out;
    out.q = out.v = VectorXd::Zero(tree.coordinates);
    return out;
}

struct Flight {
    std::vector<ParticlePart> parts = {random_part(14, 5, 1), random_part(13, 4, 2)};
    DomainTree tree = particle_tree(parts, {0, 1, 1}, {-1, 0, 1});
    std::vector<DomainState> domains = std::vector<DomainState>(3);
    TreeState state = at_rest(tree);
    Flight() {
        state.v = random_coordinates(tree.coordinates, 3, 0.3);
        state.velocity = Vector3d(0.5, 1, -0.3);
        state.angular_velocity = Vector3d(1, -2, 1.5);
    }
};

// docs/math/domains.md, section 5: momenta to rounding, energy by the midpoint rule.
TEST(TreeStep, FreeFlightKeepsMomentaAndEnergyForTenSeconds) {
    Flight f;
    TreeStepper stepper(f.tree);
    TreeStepOptions options;
    options.mount = RootMount::Free;
    const auto measured = [&] {
        TreeWork& work = stepper.work;
        evaluate_motion(f.tree, f.domains, root_motion(options, f.state), f.state.q, f.state.v, work);
        evaluate_elastic(f.tree, f.domains, f.state.q, work);
        return std::pair(tree_momentum(f.tree, f.state.v, work),
                         tree_kinetic_energy(f.tree, f.domains, f.state.v, work) +
                             tree_elastic_energy(f.tree, f.domains, work));
    };
    const auto [start, energy] = measured();
    TreeState next = f.state;
    double worst_momentum = 0, worst_angular = 0, worst_energy = 0, worst_centre = 0;
    for (int k = 0; k < 2400; ++k) {
        const TreeStepReport report =
            stepper.step(f.tree, f.domains, {}, options, f.state, 1.0 / 240, nullptr, next);
        ASSERT_TRUE(report.finite);
        std::swap(f.state, next);
        const auto [now, total] = measured();
        worst_momentum =
            std::max(worst_momentum, (now.momentum - start.momentum).norm() / start.momentum.norm());
        worst_angular = std::max(worst_angular, (now.angular_momentum - start.angular_momentum).norm() /
                                                    start.angular_momentum.norm());
        worst_centre = std::max(
            worst_centre, (now.centre - start.centre - (k + 1) / 240.0 / start.mass * start.momentum).norm());
        worst_energy = std::max(worst_energy, std::abs(total - energy) / energy);
    }
    std::printf("momentum %.2g, angular %.2g, centre %.2g m, energy %.2g\n", worst_momentum, worst_angular,
                worst_centre, worst_energy);
    EXPECT_LE(worst_momentum, 1e-9);
    EXPECT_LE(worst_angular, 1e-9);
    EXPECT_LE(worst_centre, 1e-9);
    EXPECT_LE(worst_energy, 1e-3);
}

TEST(TreeStep, ForcesAndGravityChangeTheMomentaOfAFreeTreeByTheirImpulse) {
    Flight f;
    TreeStepper stepper(f.tree);
    TreeStepOptions options;
    options.mount = RootMount::Free;
    options.gravity = Vector3d(0, 0, -9.81);
    const ParticlePart& part = f.parts[1];
    std::vector<DomainForce> forces = {{2, part.X[3], Vector3d(3, 1, -2), part.U.data() + 9, part.U.rows()}};
    const auto momentum = [&] {
        evaluate_motion(f.tree, f.domains, root_motion(options, f.state), f.state.q, f.state.v, stepper.work);
        return tree_momentum(f.tree, f.state.v, stepper.work);
    };
    const TreeMomentum start = momentum();
    TreeState next = f.state;
    for (int k = 0; k < 100; ++k) {
        ASSERT_TRUE(stepper.step(f.tree, f.domains, forces, options, f.state, 0.01, nullptr, next).finite);
        std::swap(f.state, next);
    }
    const TreeMomentum end = momentum();
    const Vector3d expected = start.momentum + start.mass * options.gravity + forces[0].force;  // 1 s
    EXPECT_LE((end.momentum - expected).norm(), 1e-10 * expected.norm());
}

// One domain on a still support is the plain reduced body: an implicit midpoint step written out densely,
// with damping by the stiffness at rest.
TEST(TreeStep, OneDomainEqualsThePlainReducedBodyToRounding) {
    const std::vector<ParticlePart> parts = {random_part(14, 5, 1)};
    const DomainTree tree = particle_tree(parts, {0}, {-1});
    const std::vector<DomainState> domains(1);
    TreeState state = at_rest(tree);
    state.v = random_coordinates(5, 3, 1);
    TreeStepper stepper(tree);
    TreeStepOptions options;
    options.tolerance = 1e-14;
    options.gravity = Vector3d(0, 0, -9.81);
    options.damping = {0.2, 0.001};
    VectorXd q = state.q, v = state.v;
    const PartCoefficients& part = tree.parts[0];
    const VectorXd weight = part.inertia.c.rightCols(5).transpose() * options.gravity;
    QuarticEval<double> eval(5);
    TreeState next = state;
    const double h = 0.01;
    for (int k = 0; k < 50; ++k) {
        VectorXd a = VectorXd::Zero(5);
        for (int newton = 0; newton < 20; ++newton) {
            const VectorXd vm = v + 0.5 * h * a, qm = q + 0.5 * h * vm;
            evaluate(part.energy, qm, eval);
            const VectorXd residual =
                part.mass * (a + 0.2 * vm) + 0.001 * part.energy.linear * vm + eval.force - weight;
            const Eigen::MatrixXd matrix =
                part.mass * (1 + 0.1 * h) + 0.25 * h * h * eval.stiffness + 0.0005 * h * part.energy.linear;
            a -= matrix.ldlt().solve(residual);
        }
        q += h * (v + 0.5 * h * a);
        v += h * a;
        const TreeStepReport report = stepper.step(tree, domains, {}, options, state, h, nullptr, next);
        EXPECT_EQ(report.halvings, 0);
        std::swap(state, next);
    }
    EXPECT_LE((state.q - q).norm(), 1e-11 * q.norm());
    EXPECT_LE((state.v - v).norm(), 1e-11 * v.norm());
}

// A domain of one coordinate under its weight w, with f(q) = k q + 4 γ q³, from rest at q = 0: the midpoint
// rule says m a + f(h² a/4) = w, one cubic equation, whose root is found by bisection.
struct Soft {
    std::vector<ParticlePart> parts = {random_part(14, 1, 1)};
    DomainTree tree = particle_tree(parts, {0}, {-1});
    double h = 1.0 / 60, m = tree.parts[0].mass(0, 0), k = 0, gamma = 0, w = 0;
    TreeStepOptions options;

    // k is `softness` times the stiffness that makes the matrix of the solve singular; γ q³ takes over long
    // before the linear answer.
    explicit Soft(double softness) {
        k = -4 * softness * m / (h * h);
        PartCoefficients& part = tree.parts[0];
        part.energy.linear(0, 0) = k;
        options.gravity = Vector3d(1, 2, -9);
        options.tolerance = 1e-8;
        w = part.inertia.c.col(1).dot(options.gravity);
        const double q = w / (m * 4 / (h * h));  // of the mass alone
        gamma = std::abs(w / (q * q * q));
        part.energy.cubic(0, 0, 0) = 0;
        part.energy.quartic(0, 0, 0, 0) = gamma;
    }
    double acceleration() const {
        double low = 0, high = 1e6 * w / m;  // of one sign: from the start towards w
        for (int n = 0; n < 200; ++n) {
            const double a = 0.5 * (low + high), q = 0.25 * h * h * a;
            ((m * a + k * q + 4 * gamma * q * q * q - w) * w < 0 ? low : high) = a;
        }
        return 0.5 * (low + high);
    }
};

TEST(TreeStep, ADomainThatIsSoftAtFirstAndStiffensTakesFewIterations) {
    for (const double softness : {0.9, 0.999, 0.999999, 1.5}) {
        const Soft s(softness);
        TreeStepper stepper(s.tree);
        TreeState state = at_rest(s.tree), next = state;
        const TreeStepReport report =
            stepper.step(s.tree, std::vector<DomainState>(1), {}, s.options, state, s.h, nullptr, next);
        std::printf("%g of what makes it singular: %d iterations\n", softness, report.iterations);
        EXPECT_EQ(report.halvings, 0);
        // Without its negative stiffness the matrix is not the derivative: slower, but no halving.
        EXPECT_LE(report.iterations, softness < 1 ? 4 : kTreeNewton);
        EXPECT_NEAR(next.v[0], s.h * s.acceleration(), 1e-8 * std::abs(s.h * s.acceleration()));
    }
}

TEST(TreeStep, AWarmStepAllocatesNothingAndIsRepeatedBitByBit) {
    Flight f;
    f.domains[1].frozen = true;
    f.state.v.segment(f.tree.domains[1].first, f.tree.domains[1].rank).setZero();
    const VectorXd frozen = f.state.q.segment(f.tree.domains[1].first, f.tree.domains[1].rank);
    TreeStepper stepper(f.tree), other(f.tree);
    TreeStepOptions options;
    options.mount = RootMount::Free;
    TreeState next = f.state, again = f.state;
    const std::vector<DomainForce> forces = {
        {2, f.parts[1].X[3], Vector3d(3, 1, -2), f.parts[1].U.data() + 9, f.parts[1].U.rows()}};
    stepper.step(f.tree, f.domains, forces, options, f.state, 0.01, nullptr, next);
    const long before = allocations_so_far();
    stepper.step(f.tree, f.domains, forces, options, f.state, 0.01, nullptr, next);
    EXPECT_EQ(allocations_so_far(), before);
    other.step(f.tree, f.domains, forces, options, f.state, 0.01, nullptr, again);
    EXPECT_EQ(next.q, again.q);
    EXPECT_EQ(next.v, again.v);
    EXPECT_EQ(next.root.position, again.root.position);
    EXPECT_EQ(next.q.segment(f.tree.domains[1].first, f.tree.domains[1].rank), frozen);
}

// However hard it is hit, a step ends after a bounded number of iterations with finite numbers, or says so.
TEST(TreeStep, AnImpossibleStepEndsAndSaysSo) {
    Flight f;
    TreeStepper stepper(f.tree);
    TreeStepOptions options;
    TreeState next = f.state;
    f.state.v *= 1e9;
    const TreeStepReport report = stepper.step(f.tree, f.domains, {}, options, f.state, 1, nullptr, next);
    EXPECT_LE(report.iterations, 136);  // 15 attempts of 8, 8 last resorts of 2
    if (report.finite) {
        EXPECT_TRUE(next.q.allFinite());
    }
}

}  // namespace
}  // namespace limber::test
