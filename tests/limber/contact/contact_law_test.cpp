// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

using Eigen::Vector2d;

// A body of a kilogram or so, at a millisecond.
NormalLaw random_law(std::mt19937& random, NormalRegime regime) {
    std::uniform_real_distribution<double> in(-1, 1);
    const double speed = 2 * in(random);
    return {.dt = 1e-3,
            .stiffness = 1e6 * (1.1 + in(random)),
            .dissipation = 1 + in(random),
            .gap = 1e-3 * in(random),
            .start_velocity = speed,
            .regime = regime};
}

double overlap_energy(double gap) {  // W
    return gap < 0 ? 0.5 * gap * gap : 0;
}

TEST(ContactLaw, SlopesAreThoseOfTheImpulseAndNeverPositive) {  // (41), (42): convex
    std::mt19937 random(1);
    std::uniform_real_distribution<double> speed(-3, 3);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const NormalLaw law = random_law(random, i % 2 ? NormalRegime::Fast : NormalRegime::Slow);
        const double v = speed(random), e = 1e-6;
        const NormalImpulse at = normal_impulse(law, v);
        EXPECT_GE(at.impulse, 0);
        EXPECT_LE(at.slope, 0);
        const double left = normal_impulse(law, v - e).slope, right = normal_impulse(law, v + e).slope;
        if (std::abs(left - right) > 1e-3 * std::abs(at.slope)) continue;  // a kink between them
        const double difference =
            (normal_impulse(law, v + e).impulse - normal_impulse(law, v - e).impulse) / (2 * e);
        worst = std::max(worst, std::abs(difference - at.slope) / (law.dt * law.stiffness * law.dt));
    }
    EXPECT_LE(worst, 1e-6);  // of central differences
}

TEST(ContactLaw, AFastContactWithoutDissipationDoesTheWorkOfItsPotential) {  // (42)
    std::mt19937 random(2);
    std::uniform_real_distribution<double> speed(-3, 3);
    for (int i = 0; i < 2000; ++i) {
        NormalLaw law = random_law(random, NormalRegime::Fast);
        law.dissipation = 0;
        const double v = speed(random), h = law.dt;
        const double start = law.gap - 0.5 * h * law.start_velocity, end = law.gap + 0.5 * h * v;
        const double work = normal_impulse(law, v).impulse * 0.5 * (law.start_velocity + v);
        EXPECT_NEAR(work, law.stiffness * (overlap_energy(start) - overlap_energy(end)),
                    1e-12 * law.stiffness * (start * start + end * end));  // rounding
    }
}

TEST(ContactLaw, FrictionIsTheGradientOfAConvexPotential) {  // (44)
    std::mt19937 random(3);
    std::uniform_real_distribution<double> in(-1, 1);
    for (int i = 0; i < 2000; ++i) {
        const FrictionLaw law{.dt = 1e-3,
                              .stiffness = 1e6 * (1.1 + in(random)),
                              .radius = 0.5 * (1 + in(random)),
                              .anchor = 1e-3 * Vector2d(in(random), in(random))};
        const Vector2d v(in(random), in(random));
        const FrictionImpulse at = friction_impulse(law, v);
        EXPECT_LE(at.impulse.norm(), law.radius * (1 + 1e-15));
        EXPECT_GE(at.hessian.trace(), 0);
        EXPECT_GE(at.hessian.determinant(), -1e-12 * at.hessian.squaredNorm());
        const double y = law.dt * law.stiffness * (law.anchor + law.dt * v).norm(), e = 1e-5;
        if (std::abs(y - law.radius) < 0.05 * law.radius + 2 * law.dt * law.stiffness * law.dt * e) continue;
        for (int k = 0; k < 2; ++k) {
            const Vector2d step = e * Vector2d::Unit(k);
            const FrictionImpulse plus = friction_impulse(law, v + step),
                                  minus = friction_impulse(law, v - step);
            EXPECT_NEAR(-at.impulse[k], (plus.potential - minus.potential) / (2 * e), 1e-6);
            EXPECT_LE((-(plus.impulse - minus.impulse) / (2 * e) - at.hessian.col(k)).norm(),
                      1e-5 * law.dt * law.dt * law.stiffness);
        }
    }
}

TEST(ContactLaw, AnAnchorIsDraggedAlongWhereFrictionSlips) {  // (45)
    const FrictionLaw law{.dt = 1e-3, .stiffness = 1e6, .radius = 0.1, .anchor = {5e-5, 0}};
    // Within the radius: h k s = 0.05 N s.
    EXPECT_LE((next_anchor(law, {0.02, 0.01}) - Vector2d(7e-5, 1e-5)).norm(), 1e-18);
    // Beyond: cut to ρ/(h k).
    EXPECT_NEAR(next_anchor(law, {10, 0}).norm(), 1e-4, 1e-17);
}

}  // namespace
}  // namespace limber
