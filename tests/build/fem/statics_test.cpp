// SPDX-License-Identifier: Apache-2.0
#include "build/fem/statics.h"

#include "tests/build/fem/bars.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <cmath>

namespace limber::build {
namespace {

using namespace limber::build::testing;

const Material kRubber{.young = 1e6, .poisson = 0.3, .density = 1000};

std::vector<int> tip_of(const FemModel& model) {
    return vertices_where(model.mesh(), [](const Vertex& x) { return x.x() > 1 - 1e-9; });
}

TEST(Statics, SmallLoadsGiveTheLinearSolution) {
    // Pulled along: u = F L / (E A) with nu = 0, exactly, for any mesh of bricks. The load is small enough
    // (strain 1e-9) that the quadratic terms, of relative size 1e-9, do not show.
    const Material beam{.young = 1e6, .poisson = 0, .density = 1000};
    const FemModel model = cantilever(brick_bar(4, 1, 1, {1, 0.2, 0.2}), beam);
    const double force = 1e-9 * beam.young * 0.04;
    const auto result = solve_static(model, shared_force(model, tip_of(model), {force, 0, 0}));
    ASSERT_TRUE(result.converged);
    EXPECT_TRUE(result.stable);
    for (const int v : tip_of(model))
        EXPECT_NEAR(result.u[3 * v], 1e-9, 1e-16);
}

TEST(Statics, LargePullMeetsTheAnalyticStretch) {
    // nu = 0: the force is E A (s^3 - s)/2 at the stretch s.
    const Material beam{.young = 1e6, .poisson = 0, .density = 1000};
    const FemModel model = cantilever(brick_bar(3, 1, 1, {1, 0.2, 0.2}), beam);
    const double stretch = 1.5, force = beam.young * 0.04 * (std::pow(stretch, 3) - stretch) / 2;
    const auto result = solve_static(model, shared_force(model, tip_of(model), {force, 0, 0}));
    ASSERT_TRUE(result.converged);
    for (const int v : tip_of(model))
        EXPECT_NEAR(result.u[3 * v], 0.5, 1e-7);  // the tolerance of 1e-8, times 1/K
}

TEST(Statics, ReachesVeryLargeDeflectionsByItself) {
    // Sixty times the load of linear theory's unit deflection: the bar stands upright in the load's
    // direction.
    const FemModel model = cantilever(brick_bar(10, 2, 2, {1, 0.2, 0.2}), kRubber);
    const double inertia = std::pow(0.2, 4) / 12;
    const auto result =
        solve_static(model, shared_force(model, tip_of(model), {0, 0, 60 * kRubber.young * inertia}));
    ASSERT_TRUE(result.converged) << result.problem;
    EXPECT_LE(result.residual, 1e-8);
    EXPECT_GT(result.u[3 * tip_of(model)[0] + 2], 0.8);
    EXPECT_LT(result.iterations, 100);
}

TEST(Statics, NoLoadIsNoDisplacement) {
    const FemModel model = cantilever(brick_bar(2, 1, 1, {1, 0.2, 0.2}), kRubber);
    const auto result = solve_static(model, Eigen::VectorXd::Zero(3 * model.vertex_count()));
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.u.cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(result.residual, 0);
}

TEST(Statics, ALoadOnFixedVerticesDoesNothing) {
    const FemModel model = cantilever(brick_bar(2, 1, 1, {1, 0.2, 0.2}), kRubber);
    const auto result = solve_static(model, shared_force(model, model.fixed_vertices(), {5, 6, 7}));
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.u.cwiseAbs().maxCoeff(), 0);
}

TEST(Statics, CompressionBeyondEulersLoadIsSaid) {
    // P > pi^2 E I / (4 L^2): the straight bar is still an equilibrium, but not a stable one. Either the
    // solver says so, or it finds the bent shape.
    const Material beam{.young = 1e6, .poisson = 0, .density = 1000};
    const FemModel model = cantilever(brick_bar(20, 2, 2, {1, 0.1, 0.1}), beam);
    const double euler = M_PI * M_PI * beam.young * std::pow(0.1, 4) / 12 / 4;
    const auto result = solve_static(model, shared_force(model, tip_of(model), {-2.5 * euler, 0, 0}));
    const double sideways =
        std::hypot(result.u[3 * tip_of(model)[0] + 1], result.u[3 * tip_of(model)[0] + 2]);
    EXPECT_TRUE(!result.converged || !result.stable || sideways > 0.1);
    if (result.converged && !result.stable) {
        EXPECT_FALSE(result.warning.empty());
    }
}

TEST(Statics, ABodyThatCanMoveAsAWholeIsRefused) {
    const VolumeMesh bar = brick_bar(2, 1, 1, {1, 0.2, 0.2});
    const FemModel floating(bar, one_material(bar, kRubber), {});
    const FemModel hinged(bar, one_material(bar, kRubber), {0, 1, 2});
    const Eigen::VectorXd load = gravity_force(floating, {0, 0, -9.81});
    for (const FemModel* model : {&floating, &hinged}) {
        try {
            solve_static(*model, load);
            FAIL() << "not refused";
        } catch (const InputError& error) {
            EXPECT_FALSE(error.problem.empty());
            EXPECT_FALSE(error.try_this.empty());
        }
    }
}

TEST(Statics, LoadsThatAreNotFiniteAreRefused) {
    const FemModel model = cantilever(brick_bar(2, 1, 1, {1, 0.2, 0.2}), kRubber);
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * model.vertex_count());
        load[7] = bad;
        EXPECT_THROW(solve_static(model, load), InputError);
    }
}

TEST(Statics, AnAbsurdLoadIsReportedNotReturnedAsNaN) {
    const FemModel model = cantilever(tet_bar(3, 1, 1, {1, 0.2, 0.2}), kRubber);
    const auto result =
        solve_static(model, shared_force(model, tip_of(model), {-1e12, 3e11, 0}), {.max_iterations = 60});
    EXPECT_TRUE(result.u.allFinite());
    EXPECT_TRUE(std::isfinite(result.residual));
    if (!result.converged) {
        EXPECT_FALSE(result.problem.empty());
    }
}

}  // namespace
}  // namespace limber::build
