// SPDX-License-Identifier: Apache-2.0
#include "build/fem/statics.h"

#include "bars.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <numbers>

namespace limber::build::testing {
namespace {

std::vector<int> end_of(const FemModel& model, double length) {
    return vertices_where(model.mesh(), [=](const Vertex& x) { return x.x() > length - 1e-9; });
}

// A uniform dead traction (Pa) on the face x = length as the exact nodal forces of its quads and triangles.
Eigen::VectorXd traction_force(const FemModel& model, double length, const Eigen::Vector3d& traction) {
    const VolumeMesh& mesh = model.mesh();
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.vertex_count());
    const auto on_face = [&](int v) { return mesh.vertices[std::size_t(v)].x() > length - 1e-9; };
    const auto load = [&](const auto& element, std::size_t corners, double area_factor) {
        std::vector<int> face;
        for (const int v : element)
            if (on_face(v)) face.push_back(v);
        if (face.size() != corners) return;
        // Quads here are parallelograms: the first three corners span twice the triangle, whatever the order.
        const Vertex &a = mesh.vertices[std::size_t(face[0])], &b = mesh.vertices[std::size_t(face[1])],
                     &c = mesh.vertices[std::size_t(face[2])];
        const double area = area_factor * 0.5 * (b - a).cross(c - a).norm();
        for (const int v : face)
            f.segment<3>(3 * v) += traction * area / double(corners);
    };
    for (const Tet& tet : mesh.tets)
        load(tet, 3, 1);
    for (const Brick& brick : mesh.bricks)
        load(brick, 4, 2);
    return f;
}

TEST(Statics, WithoutLoadNothingMoves) {
    const FemModel model = cantilever(brick_bar(3, 1, 1, {1, 0.2, 0.2}), kRubber);
    const StaticResult result = solve_static(model, Eigen::VectorXd::Zero(3 * model.vertex_count()));
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.residual, 0);
    EXPECT_EQ(result.iterations, 0);
    EXPECT_EQ(result.u.norm(), 0);
}

// With nu = 0 a dead traction p on the end of a clamped bar stretches it uniformly by s, where the first
// Piola-Kirchhoff stress of St.Venant-Kirchhoff is E (s^3 - s) / 2 = p: the displacement is linear, and every
// mesh must find it, distorted inside or not.
TEST(Statics, UniformTractionGivesTheLinearSolutionOnDistortedMeshes) {
    const Material material{.young = 1e6, .poisson = 0, .density = 1000};
    const double s = 1.25, p = material.young * (s * s * s - s) / 2;
    for (const bool tets : {false, true}) {
        VolumeMesh mesh = tets ? tet_bar(4, 3, 3, {1, 0.5, 0.5}) : brick_bar(4, 3, 3, {1, 0.5, 0.5});
        const VolumeMesh moved_mesh = distort(mesh, 7, 0.02);
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            const Vertex& x = mesh.vertices[v];
            const bool inside =
                (x.array() > 1e-9).all() && x.x() < 1 - 1e-9 && x.y() < 0.5 - 1e-9 && x.z() < 0.5 - 1e-9;
            if (inside) mesh.vertices[v] = moved_mesh.vertices[v];
        }
        const FemModel model = cantilever(mesh, material);
        const StaticResult result =
            solve_static(model, traction_force(model, 1, {p, 0, 0}), {.tolerance = 1e-12});
        ASSERT_TRUE(result.converged) << result.problem;
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(result.u.size());
        for (int v = 0; v < model.vertex_count(); ++v)
            expected[3 * v] = (s - 1) * mesh.vertices[std::size_t(v)].x();
        // The solver's tolerance times the condition of this small mesh.
        EXPECT_LE((result.u - expected).norm(), 1e-10 * expected.norm()) << (tets ? "tets" : "bricks");
        EXPECT_TRUE(result.stable);
    }
}

TEST(Statics, ReachesDeflectionsFarBeyondHalfTheLengthByItself) {
    const FemModel model = cantilever(brick_bar(20, 1, 1, {1, 0.05, 0.05}), kRubber);
    const double I = std::pow(0.05, 4) / 12;
    const StaticResult result =
        solve_static(model, shared_force(model, end_of(model, 1), {0, 0, -10 * kRubber.young * I}));
    ASSERT_TRUE(result.converged) << result.problem;
    EXPECT_LE(result.residual, 1e-8);  // the default tolerance
    EXPECT_LT(result.u[3 * (model.vertex_count() - 1) + 2], -0.6);
    EXPECT_LE(result.iterations, 20);  // a factorisation each: few, for a bend of 0.6 lengths
    EXPECT_TRUE(result.stable);
    EXPECT_TRUE(result.problem.empty());
}

// The residual that is reported is the residual.
TEST(Statics, ReportsTheResidualOfItsAnswer) {
    const FemModel model = cantilever(tet_bar(6, 2, 2, {1, 0.3, 0.3}), kRubber);
    const Eigen::VectorXd f = gravity_force(model, {0, 0, -9.81});
    const StaticResult result = solve_static(model, f);
    ASSERT_TRUE(result.converged);
    Eigen::VectorXd R;
    internal_force(model, result.u, R);
    const double residual = model.restrict_to_free(f - R).norm() / model.restrict_to_free(f).norm();
    EXPECT_NEAR(result.residual, residual, 1e-12);  // rounding of a number below 1e-8
    EXPECT_LE(residual, 1e-8);
    for (const int v : model.fixed_vertices())
        EXPECT_EQ(result.u.segment<3>(3 * v).norm(), 0);
}

// Euler: a clamped column buckles at P = pi^2 E I / (4 L^2). At four times that load the straight state is an
// equilibrium that no one would see.
TEST(Statics, ACompressedColumnLeavesTheUnstableStraightState) {
    const FemModel model = cantilever(brick_bar(16, 1, 1, {1, 0.1, 0.1}), {1e6, 0, 1000});
    const double critical = std::numbers::pi * std::numbers::pi * 1e6 * std::pow(0.1, 4) / 12 / 4;
    const StaticResult result =
        solve_static(model, shared_force(model, end_of(model, 1), {-4 * critical, 0, 0}));
    EXPECT_GT(result.indefinite_tangents, 0);
    ASSERT_TRUE(result.converged) << result.problem;
    EXPECT_TRUE(result.stable);
    EXPECT_TRUE(result.warning.empty()) << result.warning;
    EXPECT_GT(result.u.lpNorm<Eigen::Infinity>(),
              0.3);  // the elastica's tip turns by more than a right angle
}

TEST(Statics, AColumnBelowItsCriticalLoadStaysStraightAndStable) {
    const FemModel model = cantilever(brick_bar(16, 1, 1, {1, 0.1, 0.1}), {1e6, 0, 1000});
    const double critical = std::numbers::pi * std::numbers::pi * 1e6 * std::pow(0.1, 4) / 12 / 4;
    const StaticResult result =
        solve_static(model, shared_force(model, end_of(model, 1), {-critical / 2, 0, 0}));
    ASSERT_TRUE(result.converged);
    EXPECT_TRUE(result.stable);
    EXPECT_EQ(result.indefinite_tangents, 0);
    EXPECT_LT(result.u.lpNorm<Eigen::Infinity>(), 0.01);  // only shortening, P L / (E A) = 0.4 %
}

// A bar of this material carries at most E / (3 sqrt 3) = 0.19 E in compression: there is no state beyond it
// but one with elements inside out.
TEST(Statics, ACrushedBlockIsReportedNotLoopedOn) {
    const FemModel model = cantilever(brick_bar(2, 2, 2, {1, 1, 1}), {1e6, 0, 1000});
    const StaticResult result = solve_static(model, shared_force(model, end_of(model, 1), {-5e5, 0, 0}));
    EXPECT_TRUE(result.u.allFinite());
    EXPECT_LE(result.iterations, 500);
    EXPECT_TRUE(result.converged) << result.problem;  // a state inside out is an equilibrium all the same
    EXPECT_GT(result.turned_elements, 0u);
    EXPECT_NE(result.warning.find("inside out"), std::string::npos) << result.warning;
}

TEST(Statics, TooFewIterationsAreAResultNotAnError) {
    const FemModel model = cantilever(brick_bar(10, 1, 1, {1, 0.1, 0.1}), kRubber);
    const StaticResult result =
        solve_static(model, shared_force(model, end_of(model, 1), {0, 0, -100}), {.max_iterations = 2});
    EXPECT_FALSE(result.converged);
    EXPECT_FALSE(result.problem.empty());
    EXPECT_TRUE(result.u.allFinite());
    EXPECT_TRUE(std::isfinite(result.residual));
    EXPECT_LE(result.iterations, 2);
}

TEST(Statics, StartsWhereItIsTold) {
    const FemModel model = cantilever(brick_bar(8, 1, 1, {1, 0.2, 0.2}), kRubber);
    const Eigen::VectorXd f = gravity_force(model, {0, -9.81, 0});
    const StaticResult first = solve_static(model, f);
    const StaticResult again = solve_static(model, f, {}, first.u);
    EXPECT_EQ(again.iterations, 0);
    // And without load it comes home: R(u) = 0 to 1e-8 of the forces at the start, times the condition.
    const StaticResult home = solve_static(model, Eigen::VectorXd::Zero(f.size()), {}, first.u);
    ASSERT_TRUE(home.converged) << home.problem;
    EXPECT_LE(home.u.norm(), 1e-6 * first.u.norm());
}

TEST(Statics, ALoadOnFixedVerticesDoesNothing) {
    const FemModel model = cantilever(brick_bar(3, 1, 1, {1, 0.2, 0.2}), kRubber);
    const StaticResult result =
        solve_static(model, shared_force(model, model.fixed_vertices(), {0, 0, -1000}));
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.u.norm(), 0);
}

TEST(Statics, TellsItsProgress) {
    const FemModel model = cantilever(brick_bar(4, 1, 1, {1, 0.2, 0.2}), kRubber);
    double last = -1;
    solve_static(model, gravity_force(model, {0, 0, -9.81}),
                 {.progress = [&](std::string_view stage, double fraction) {
                     EXPECT_FALSE(stage.empty());
                     EXPECT_GE(fraction, 0);
                     EXPECT_LE(fraction, 1);
                     last = fraction;
                 }});
    EXPECT_EQ(last, 1);
}

void expect_input_error(const FemModel& model, const Eigen::VectorXd& f, const std::string& word) {
    try {
        solve_static(model, f);
        FAIL() << "no error; expected one about " << word;
    } catch (const InputError& error) {
        EXPECT_NE(error.problem.find(word), std::string::npos) << error.problem;
        EXPECT_FALSE(error.where.empty());
    }
}

TEST(Statics, ABodyThatCanMoveAsAWholeIsRefused) {
    const VolumeMesh bar = brick_bar(2, 1, 1, {1, 0.5, 0.5});
    const auto held_at = [&](std::vector<int> ids) {
        return FemModel(bar, one_material(bar, kRubber), std::move(ids));
    };
    const Eigen::VectorXd f = Eigen::VectorXd::Zero(36);
    expect_input_error(held_at({}), f, "no fixed vertex");
    expect_input_error(held_at({5}), f, "one vertex only");
    expect_input_error(held_at({0, 1, 2}), f, "in a line");
    EXPECT_TRUE(solve_static(held_at({0, 1, 3}), f).converged);

    // Two bars, one held: the loose one is named by its first vertex.
    const VolumeMesh two = both(bar, moved(bar, {0, 2, 0}));
    const FemModel model(two, one_material(two, kRubber), {0, 3, 6, 9});
    expect_input_error(model, Eigen::VectorXd::Zero(72), "vertex 12 ");
}

TEST(Statics, BadLoadsAreRefused) {
    const FemModel model = cantilever(brick_bar(2, 1, 1, {1, 0.5, 0.5}), kRubber);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(36);
    f[16] = std::numeric_limits<double>::quiet_NaN();
    expect_input_error(model, f, "vertex 5 ");
    f[16] = std::numeric_limits<double>::infinity();
    expect_input_error(model, f, "vertex 5 ");
    expect_input_error(model, Eigen::VectorXd::Zero(35), "35 entries");
}

}  // namespace
}  // namespace limber::build::testing
