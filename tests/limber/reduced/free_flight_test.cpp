// SPDX-License-Identifier: Apache-2.0
// Free bodies in flight: what must hold over many steps. docs/math/free_bodies.md.
#include "limber/reduced/free_stvk_body.h"

#include "tests/limber/reduced/free_bars.h"
#include "tests/limber/reduced/random_form.h"
#include "tests/limber/rigid/flip_period.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Bent by a tenth of its length, spinning at (2, 3, 20) rad/s.
FreeStvkBody spinning_bar(const test::FreeBar& bar, const StvkSettings& settings) {
    FreeStvkBody body = test::free_body_of(bar.model, settings);
    VectorXd q = VectorXd::Zero(bar.model->rank);
    // One unit of the first coordinate bends the bar by this.
    const double bend = bar.model->surface.basis.col(0).cwiseAbs().maxCoeff();
    q[0] = 0.1 / bend;
    EXPECT_TRUE(body.set_shape(q, VectorXd::Zero(q.size())).ok());
    EXPECT_TRUE(body.place({}, {1, -2, 0.5}, {2, 3, 20}).ok());
    return body;
}

TEST(FreeFlight, MomentaAreExactAndEnergyHoldsForTenSeconds) {
    static const test::FreeBar bar = test::small_free_bar(20);
    for (const double dt : {1e-3, 2e-3}) {
        FreeStvkBody body = spinning_bar(bar, {});
        const FreeState start = body.state();
        const double energy = body.kinetic_energy() + body.elastic_energy();
        double spread = 0;
        int most = 0;
        for (int i = 0; i < 10 / dt; ++i) {
            const StepReport report = body.step(dt);
            ASSERT_TRUE(report.converged) << i;
            most = std::max(most, report.iterations);
            spread = std::max(spread, std::abs((body.kinetic_energy() + body.elastic_energy()) / energy - 1));
        }
        printf("dt %g: energy within %.2g, at most %d iterations\n", dt, spread, most);
        // 1e-10 is asked for; nothing acts, so not a bit changes.
        EXPECT_EQ(body.state().momentum, start.momentum);
        EXPECT_EQ(body.state().angular_momentum, start.angular_momentum);
        EXPECT_LE(spread, 1e-3);
        // The spin that the state says has the same momentum: R and I(q) are consistent.
        EXPECT_NEAR(body.state().orientation.norm(), 1, 1e-14);
    }
}

TEST(FreeFlight, TheCentreOfMassFliesOnAParabola) {
    static const test::FreeBar bar = test::small_free_bar(12);
    const Vector3d g(0, -1, -9.81);
    FreeStvkBody body = spinning_bar(bar, {.gravity = g});
    const Vector3d from = body.state().position, v = body.velocity();
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(body.step(1e-3).converged);
    EXPECT_LE((body.state().position - (from + v + 0.5 * g)).norm(), 1e-12);
}

// A stiff box of 0.3 × 0.2 × 0.1 m about its intermediate axis, against Euler's equations.
TEST(FreeFlight, TheFlipOfTheIntermediateAxisHasItsPeriod) {
    const test::FreeBar box = test::free_bar_of(build::testing::brick_bar(6, 4, 2, {0.3, 0.2, 0.1}),
                                                {.young = 1e8, .poisson = 0.3, .density = 1000}, 4, 6);
    FreeStvkBody body = test::free_body_of(box.model);
    const Vector3d spin(0, 10, 0.05);
    ASSERT_TRUE(body.place({}, Vector3d::Zero(), spin).ok());
    const double m = body.mass();
    const Vector3d I = m / 12 * Vector3d(0.04 + 0.01, 0.09 + 0.01, 0.09 + 0.04);  // of the box, about x, y, z
    const double exact = test::flip_period(I, spin);
    const double dt = 1e-3;
    double first = -1, last = -1, before = 10;
    int crossings = 0;
    for (int i = 0; i < 4 * exact / dt; ++i) {
        ASSERT_TRUE(body.step(dt).converged);
        const double now = (body.state().orientation.conjugate() * body.angular_velocity())[1];
        if ((now > 0) != (before > 0)) {
            const double t = body.state().time - dt * now / (now - before);
            if (first < 0) first = t;
            last = t;
            ++crossings;
        }
        before = now;
    }
    ASSERT_GE(crossings, 3);
    EXPECT_NEAR(2 * (last - first) / (crossings - 1), exact, 1e-3 * exact);
}

// Damping takes the vibration and leaves the flight: momenta stay, and the energy falls to that of a steady
// spin.
TEST(FreeFlight, DampingActsOnTheDeformationOnly) {
    static const test::FreeBar bar = test::small_free_bar(12);
    for (const StvkSettings& settings :
         {StvkSettings{.alpha = 5}, StvkSettings{.beta = 0.01}, StvkSettings{.strain_rate = 0.01}}) {
        FreeStvkBody body = spinning_bar(bar, settings);
        const FreeState start = body.state();
        double energy = body.kinetic_energy() + body.elastic_energy();
        for (int i = 0; i < 2000; ++i) {
            ASSERT_TRUE(body.step(1e-3).converged);
            const double now = body.kinetic_energy() + body.elastic_energy();
            EXPECT_LE(now, energy * (1 + 1e-9));
            energy = now;
        }
        EXPECT_EQ(body.state().momentum, start.momentum);
        EXPECT_EQ(body.state().angular_momentum, start.angular_momentum);
    }
    // Stiff and hardly deformed: alpha leaves the spin alone.
    FreeStvkBody steady = test::free_body_of(bar.model, {.alpha = 100});
    ASSERT_TRUE(steady.place({}, {1, 2, 3}, {0, 0, 0.1}).ok());
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(steady.step(1e-3).converged);
    EXPECT_NEAR(steady.angular_velocity().norm(), 0.1, 1e-4);
    EXPECT_LE((steady.velocity() - Vector3d(1, 2, 3)).norm(), 1e-13);
}

// A stiff body at steps that resolve none of its modes, deformed by some per cent.
// βK(q̄) is indefinite where the bar is bent far, so Newton's method may end at a root of the equations at
// which damping brings energy in: without (14a) six times what the bar has in the worst of these steps.
TEST(FreeFlight, DampingBringsInNoMoreThanABodyHas) {
    static const test::FreeBar bar = test::small_free_bar(12);
    const double bend = bar.model->surface.basis.col(0).cwiseAbs().maxCoeff();
    double most = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const double dt = seed % 2 ? 2e-3 : 1e-2;
        FreeStvkBody body = test::free_body_of(bar.model, {.beta = 2 * dt});
        const VectorXd q = (0.2 / bend) * test::random_vector(12, seed);
        const VectorXd v = (20 / bend) * test::random_vector(12, seed + 1000);
        ASSERT_TRUE(body.set_shape(q, v).ok());
        ASSERT_TRUE(body.place({}, {0, 0, 0}, 20 * test::random_vector(3, seed + 2000)).ok());
        const double before = body.kinetic_energy() + body.elastic_energy();
        body.step(dt);
        most = std::max(most, (body.kinetic_energy() + body.elastic_energy()) / before);
    }
    printf("at most %.3g times the energy of the start\n", most);
    EXPECT_LE(most, 2);
}

TEST(FreeFlight, UnresolvedModesStayBounded) {
    const test::FreeBar bar = test::free_bar_of(build::testing::brick_bar(8, 2, 2, {0.2, 0.04, 0.05}),
                                                {.young = 1e8, .poisson = 0.3, .density = 1000}, 5, 12);
    FreeStvkBody body = test::free_body_of(bar.model);
    VectorXd q = VectorXd::Zero(12);
    for (int i = 0; i < 12; ++i)
        q[i] = 0.003 / bar.model->surface.basis.col(i).cwiseAbs().maxCoeff();
    ASSERT_TRUE(body.set_shape(q, VectorXd::Zero(12)).ok());
    ASSERT_TRUE(body.place({}, Vector3d::Zero(), {5, 30, 12}).ok());
    const double energy = body.kinetic_energy() + body.elastic_energy();
    double spread = 0;
    for (int i = 0; i < 3000; ++i) {
        ASSERT_TRUE(body.step(1e-3).converged) << i;
        spread = std::max(spread, std::abs((body.kinetic_energy() + body.elastic_energy()) / energy - 1));
    }
    EXPECT_LE(spread, 1e-3);
}

// Bits do not depend on what was asked between steps, and a state taken and given goes on bit by bit.
TEST(FreeFlight, AStateGoesOnBitByBit) {
    static const test::FreeBar bar = test::small_free_bar(12);
    FreeStvkBody a = spinning_bar(bar, {.beta = 0.001}), b = test::free_body_of(bar.model, {.beta = 0.001});
    for (int i = 0; i < 50; ++i)
        a.step(1e-3);
    ASSERT_TRUE(b.set_state(a.state()).ok());
    FreeStvkBody c = a.clone();
    for (int i = 0; i < 50; ++i) {
        a.step(1e-3);
        b.step(1e-3);
        b.kinetic_energy();
        c.step(1e-3);
        c.trial(2e-3);
    }
    for (const FreeStvkBody* other : {&b, &c}) {
        EXPECT_EQ(a.state().q, other->state().q);
        EXPECT_EQ(a.state().v, other->state().v);
        EXPECT_EQ(a.state().position, other->state().position);
        EXPECT_EQ(a.state().orientation.coeffs(), other->state().orientation.coeffs());
    }
}

}  // namespace
}  // namespace limber
