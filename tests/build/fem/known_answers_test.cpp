// SPDX-License-Identifier: Apache-2.0
// Answers that theory knows: beam frequencies, the elastica, energy and momentum. Each reference is computed
// here, from its differential equation, not by finite elements.
#include "build/fem/dynamics.h"
#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "tests/build/fem/bars.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <numbers>

namespace limber::build {
namespace {

using namespace limber::build::testing;
using Eigen::Vector3d;
using Eigen::Vector4d;

// Poisson's ratio zero: plane sections stay plane and a beam is a beam.
const Material kBeam{.young = 1e6, .poisson = 0, .density = 1000};

// Classical Runge-Kutta, fine enough that its error (1e-10) is no part of any tolerance below.
template <class State>
State integrate(State y, double length, const std::function<State(const State&)>& slope) {
    constexpr int n = 4000;
    const double h = length / n;
    for (int i = 0; i < n; ++i) {
        const State k1 = slope(y), k2 = slope(y + h / 2 * k1), k3 = slope(y + h / 2 * k2),
                    k4 = slope(y + h * k3);
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
}

double root(double low, double high, const std::function<double(double)>& g) {
    const bool rising = g(high) > 0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        ((g(middle) > 0) == rising ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

// Bending frequencies of a clamped-free Timoshenko beam of square section, rad/s, near a guess:
//   Q = k G A (w' - p),  M = E I p',  Q' = -rho A omega^2 w,  M' = -Q - rho I omega^2 p;  w = p = 0 and M = Q
//   = 0.
double timoshenko_omega(double length, double side, double guess) {
    const double area = side * side, inertia = area * area / 12, shear = 5.0 / 6 * 0.5 * kBeam.young * area;
    const double bending = kBeam.young * inertia;
    const auto end = [&](double omega, const Vector4d& start) {
        return integrate<Vector4d>(start, length, [&](const Vector4d& y) {  // w, p, M, Q
            const double inert = kBeam.density * omega * omega;
            return Vector4d(y[1] + y[3] / shear, y[2] / bending, -y[3] - inert * inertia * y[1],
                            -inert * area * y[0]);
        });
    };
    return root(0.8 * guess, 1.05 * guess, [&](double omega) {
        const Vector4d a = end(omega, {0, 0, 1, 0}), b = end(omega, {0, 0, 0, 1});
        return a[2] * b[3] - a[3] * b[2];
    });
}

TEST(BeamTheory, CantileverFrequenciesConvergeToTimoshenko) {
    const double length = 1, side = 0.1;
    const double wave = std::sqrt(kBeam.young * side * side / (12 * kBeam.density)) / (length * length);
    const double expected[2] = {timoshenko_omega(length, side, 1.875104 * 1.875104 * wave),
                                timoshenko_omega(length, side, 4.694091 * 4.694091 * wave)};
    // Cubes, n to the thickness. Square sections bend in two planes: modes come in pairs.
    double omega[2][3];
    for (int level = 0; level < 3; ++level) {
        const int n = 1 << level;
        const auto modes =
            solve_modes(cantilever(brick_bar(10 * n, n, n, {length, side, side}), kBeam), {.count = 4});
        ASSERT_TRUE(modes.converged);
        for (int i = 0; i < 2; ++i) {
            EXPECT_NEAR(modes.eigenvalues[2 * i], modes.eigenvalues[2 * i + 1],
                        1e-6 * modes.eigenvalues[2 * i])
                << i;
            omega[i][level] = std::sqrt(modes.eigenvalues[2 * i]);
        }
    }
    for (int i = 0; i < 2; ++i) {
        // Linear elements: the error falls by four when they halve, from above (Rayleigh).
        const double ratio = (omega[i][0] - omega[i][1]) / (omega[i][1] - omega[i][2]);
        EXPECT_GT(omega[i][2], expected[i]);
        EXPECT_GT(ratio, 3.2);
        EXPECT_LT(ratio, 4.8);
        // Extrapolated. What is left is the beam's own error, of the order of (side/length)^4 and of the
        // clamp.
        const double limit = omega[i][2] + (omega[i][2] - omega[i][1]) / 3;
        RecordProperty("omega" + std::to_string(i), std::to_string(limit / expected[i]));
        EXPECT_NEAR(limit, expected[i], 0.01 * expected[i]);
    }
}

// The tip of an inextensible cantilever under a dead load with load·L²/EI = a: theta'' = -a cos(theta),
// clamped at 0, no moment at 1. Returns how far the tip moved along and across, for unit length.
Eigen::Vector2d elastica_tip(double a) {
    const auto shoot = [&](double moment) {
        return integrate<Vector4d>({0, moment, 0, 0}, 1, [&](const Vector4d& y) {  // theta, theta', x, y
            return Vector4d(y[1], -a * std::cos(y[0]), std::cos(y[0]), std::sin(y[0]));
        });
    };
    const double moment = root(0, a + 1, [&](double m) { return shoot(m)[1]; });
    const Vector4d end = shoot(moment);
    return {1 - end[2], end[3]};
}

TEST(Elastica, TheReferenceMeetsThePublishedTable) {
    // K. Mattiasson, Numerical results from large deflection beam and frame problems, 1981: five digits.
    EXPECT_NEAR(elastica_tip(1)[1], 0.30172, 5e-6);
    EXPECT_NEAR(elastica_tip(1)[0], 0.05643, 5e-6);
    EXPECT_NEAR(elastica_tip(10)[1], 0.81061, 5e-6);
    EXPECT_NEAR(elastica_tip(10)[0], 0.55500, 5e-6);
}

TEST(Elastica, LargeDeflectionCantileverMeetsIt) {
    const double side = 0.05;
    const double stiffness = kBeam.young * std::pow(side, 4) / 12;
    for (const double a : {1.0, 3.0}) {
        const Eigen::Vector2d expected = elastica_tip(a);
        Eigen::Vector2d tip[3];
        for (int level = 0; level < 3; ++level) {
            // One element across: with nu = 0 nothing happens there. Cubes in the plane of bending.
            const int n = 2 << level;
            const FemModel model = cantilever(brick_bar(20 * n, 1, n, {1, side, side}), kBeam);
            const auto end = vertices_where(model.mesh(), [](const Vertex& x) { return x.x() > 1 - 1e-9; });
            const auto bent = solve_static(model, shared_force(model, end, {0, 0, a * stiffness}));
            ASSERT_TRUE(bent.converged) << bent.problem;
            EXPECT_TRUE(bent.stable);
            Vector3d mean = Vector3d::Zero();
            for (const int v : end)
                mean += bent.u.segment<3>(3 * v) / static_cast<double>(end.size());
            tip[level] = {-mean.x(), mean.z()};
        }
        EXPECT_LT((tip[2] - expected).norm(), (tip[1] - expected).norm());
        EXPECT_LT((tip[1] - expected).norm(), (tip[0] - expected).norm());
        // Second-order extrapolation; the rest is shear, 0.6 (side/L)^2 = 0.15%, and stretch of the same
        // order.
        const Eigen::Vector2d limit = tip[2] + (tip[2] - tip[1]) / 3;
        EXPECT_LE((limit - expected).norm(), 0.006 * expected.norm()) << "a = " << a;
    }
}

double mechanical_energy(const FemModel& model, const DynamicSolver& solver, const FullState& state) {
    return solver.kinetic_energy(state) + elastic_energy(model, state.u);
}

TEST(Energy, AReleasedBarKeepsItOverAThousandSteps) {
    const Material rubber{.young = 1e6, .poisson = 0.3, .density = 1000};
    const FemModel model = cantilever(brick_bar(10, 2, 2, {1, 0.2, 0.2}), rubber);
    const auto tip = vertices_where(model.mesh(), [](const Vertex& x) { return x.x() > 1 - 1e-9; });
    const auto lift = [&](double force) {
        const auto bent = solve_static(model, shared_force(model, tip, {0, 0, force}));
        EXPECT_TRUE(bent.converged);
        return bent.u;
    };
    const double force = root(1, 1000, [&](double f) { return lift(f)[3 * tip[0] + 2] - 0.3; });
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(3 * model.vertex_count());
    const Eigen::VectorXd start = lift(force);
    ASSERT_NEAR(start[3 * tip[0] + 2], 0.3, 1e-6);

    const double period = 1 / solve_modes(model, {.count = 1}).frequencies_hz[0];
    DynamicSolver solver(model, {.dt = period / 200});
    FullState state = solver.start(start, none, none);
    const double before = mechanical_energy(model, solver, state);
    double worst = 0, lowest = 0.3;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(solver.step(state, none).converged) << i;
        worst = std::max(worst, std::abs(mechanical_energy(model, solver, state) - before));
        lowest = std::min(lowest, state.u[3 * tip[0] + 2]);
    }
    EXPECT_LE(worst, 1e-3 * before);
    EXPECT_LT(lowest, -0.25);  // it did swing through
}

// A free tumbling bar that also wobbles. M v is the momentum of each vertex.
struct Momenta {
    Vector3d linear, angular;
};

Momenta momenta(const FemModel& model, const SparseMatrix& mass, const FullState& state) {
    const Eigen::VectorXd p = mass.selfadjointView<Eigen::Lower>() * state.v;
    Momenta sum{Vector3d::Zero(), Vector3d::Zero()};
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v) {
        const Vector3d x = model.mesh().vertices[static_cast<std::size_t>(v)] + state.u.segment<3>(3 * v);
        sum.linear += p.segment<3>(3 * v);
        sum.angular += x.cross(p.segment<3>(3 * v));
    }
    return sum;
}

TEST(Momentum, AFreeBodyKeepsLinearToRoundingAndAngularToSecondOrder) {
    const VolumeMesh mesh = tet_bar(6, 2, 2, {1, 0.2, 0.3});
    const FemModel model(mesh, one_material(mesh, {.young = 1e5, .poisson = 0.3, .density = 1000}), {});
    const SparseMatrix mass = mass_matrix(model, MassKind::Consistent);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(3 * model.vertex_count());
    Eigen::VectorXd v = none;
    for (Eigen::Index i = 0; i < model.vertex_count(); ++i) {
        const Vector3d& x = mesh.vertices[static_cast<std::size_t>(i)];
        v.segment<3>(3 * i) = Vector3d(0.5, -0.2, 0.3) + Vector3d(1, 2, 3).cross(x) +
                              Vector3d(0, std::sin(5 * x.x()), std::cos(4 * x.x()));
    }
    double drift[2];
    for (int level = 0; level < 2; ++level) {
        const int steps = 100 << level;
        DynamicSolver solver(model, {.dt = 0.5 / steps});
        FullState state = solver.start(none, v, none);
        const Momenta before = momenta(model, mass, state);
        drift[level] = 0;
        for (int i = 0; i < steps; ++i) {
            ASSERT_TRUE(solver.step(state, none).converged);
            const Momenta now = momenta(model, mass, state);
            // Rounding of 200 steps. (The tolerance of a step is 1e-8, but its translations are finished
            // exactly.)
            EXPECT_LE((now.linear - before.linear).norm(), 1e-13 * before.linear.norm());
            drift[level] =
                std::max(drift[level], (now.angular - before.angular).norm() / before.angular.norm());
        }
    }
    EXPECT_GT(drift[0], 1e-9);  // not conserved exactly, so that an order can be seen
    EXPECT_LT(drift[0], 1e-2);
    EXPECT_NEAR(std::log2(drift[0] / drift[1]), 2, 0.35);  // second order in the step
}

}  // namespace
}  // namespace limber::build
