// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/crowd.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using namespace test;
using Eigen::VectorXd;

constexpr int kBodies = 7;  // no whole number of registers

Crowd crowd_of(const StvkBody& first, int count) {
    CrowdResult made = make_crowd(first, count);
    EXPECT_TRUE(made);
    return std::move(*made.crowd);
}

void scatter(StvkBody& body, int i) {
    place(body, random_vector(6, 100 + unsigned(i), 0.5), random_vector(6, 200 + unsigned(i)));
    EXPECT_TRUE(body.add_force({.vertex = i, .force = {1, 2, -1}}).ok());
}

TEST(Crowd, EveryBodyMovesAsIfItWereAlone) {
    for (const StvkSettings& settings :
         {StvkSettings{}, StvkSettings{.newton = 3, .alpha = 0.1, .beta = 0.002, .strain_rate = 0.001},
          StvkSettings{.newton = 0}, StvkSettings{.integrator = StvkIntegrator::BackwardEuler},
          StvkSettings{.integrator = StvkIntegrator::EnergyPreserving}}) {
        const StvkBody first = body_of(random_body_ptr(6, 1), settings);
        Crowd crowd = crowd_of(first, kBodies);
        std::vector<StvkBody> alone;
        for (int i = 0; i < kBodies; ++i) {
            alone.push_back(first.clone());
            scatter(crowd[i], i);
            scatter(alone.back(), i);
        }
        for (int step = 0; step < 200; ++step) {
            const auto& reports = crowd.step(5e-3);
            for (int i = 0; i < kBodies; ++i) {
                ASSERT_TRUE(reports[std::size_t(i)].converged);
                ASSERT_TRUE(alone[std::size_t(i)].step(5e-3).converged);
            }
        }
        for (int i = 0; i < kBodies; ++i) {
            const VectorXd& q = alone[std::size_t(i)].state().q;
            // 200 steps of other roundings; Newton's rest differs as well where it ends by tolerance.
            EXPECT_LE((crowd[i].state().q - q).norm(), (settings.newton == 0 ? 1e-6 : 1e-12) * q.norm());
        }
    }
}

TEST(Crowd, ABodyWithItsOwnMaterialsStepsAlone) {
    const StvkBody first = body_of(random_body_ptr(6, 1));
    Crowd crowd = crowd_of(first, 3);
    StvkBody other = first.clone();
    StvkSettings settings = first.settings();
    settings.materials[0].young *= 2;
    ASSERT_TRUE(crowd[1].set(settings).ok());
    ASSERT_TRUE(other.set(settings).ok());
    scatter(crowd[1], 1);
    scatter(other, 1);
    scatter(crowd[2], 2);
    for (int step = 0; step < 20; ++step) {
        crowd.step(5e-3);
        other.step(5e-3);
    }
    EXPECT_EQ(crowd[1].state().q, other.state().q);
    EXPECT_EQ(crowd[0].state().q.norm(), 0);
}

TEST(Crowd, OneBodyThatBlowsUpLeavesTheOthersAlone) {
    const StvkBody first = body_of(random_body_ptr(6, 1));
    Crowd crowd = crowd_of(first, 3);
    StvkBody other = first.clone();
    scatter(crowd[0], 0);
    scatter(other, 0);
    ASSERT_TRUE(
        crowd[1].set_state({0, VectorXd::Zero(6), VectorXd::Constant(6, 1e300), VectorXd::Zero(6)}).ok());
    for (int step = 0; step < 20; ++step) {
        const auto& reports = crowd.step(5e-3);
        EXPECT_TRUE(reports[0].converged);
        if (step == 0) {
            EXPECT_EQ(reports[1].problem, StepProblem::BlowUp);
        }
        other.step(5e-3);
    }
    EXPECT_LE((crowd[0].state().q - other.state().q).norm(), 1e-13 * other.state().q.norm());
    EXPECT_TRUE(crowd[1].state().q.allFinite());
}

TEST(Crowd, AStepAllocatesNothing) {
    for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float}) {
        Crowd crowd =
            crowd_of(body_of(random_body_ptr(6, 1), {.alpha = 0.1, .precision = precision}), kBodies);
        for (int i = 0; i < kBodies; ++i)
            scatter(crowd[i], i);
        const long before = allocations_so_far();
        for (int i = 0; i < 10; ++i)
            crowd.step(1e-3);
        EXPECT_EQ(allocations_so_far(), before);
    }
}

TEST(Crowd, ACrowdOfNoneIsRefused) {
    const StvkBody first = body_of(random_body_ptr(3, 1));
    EXPECT_FALSE(make_crowd(first, 0));
    EXPECT_FALSE(make_crowd(first, -2));
}

}  // namespace
}  // namespace limber
