// SPDX-License-Identifier: Apache-2.0
// A thrown bar against the full free finite elements: what the basis leaves out.
#include "build/fem/dynamics.h"
#include "tests/limber/reduced/free_bars.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kThrow(1, 0.5, 3), kSpin(2, 3, 10);  // m/s and rad/s
const Vector3d kFall(0, 0, -9.81);                  // m/s²
constexpr double kDt = 1e-3, kFlight = 1;           // s

build::VolumeMesh bar_mesh() {
    return build::testing::brick_bar(12, 2, 3, {1, 0.15, 0.2});
}

// Where every vertex is after a second: Newmark steps on the full mesh, iterated to 1e-8.
const VectorXd& full_flight() {
    static const VectorXd end = [] {
        const build::FemModel full = build::testing::free_body(bar_mesh(), build::testing::kRubber);
        VectorXd v(3 * full.vertex_count());
        const Vector3d centre(0.5, 0.075, 0.1);
        for (Eigen::Index i = 0; i < full.vertex_count(); ++i)
            v.segment<3>(3 * i) = kThrow + kSpin.cross(full.mesh().vertices[std::size_t(i)] - centre);
        build::DynamicSolver solver(full, {.dt = kDt});
        const VectorXd weight = build::gravity_force(full, kFall);
        build::FullState state = solver.start(VectorXd::Zero(v.size()), v, weight);
        for (int i = 0; i < std::lround(kFlight / kDt); ++i)
            if (!solver.step(state, weight).converged) ADD_FAILURE() << "step " << i;
        return state.u;
    }();
    return end;
}

// Of the length, 1 m.
double largest_error(int modes, int rank) {
    const test::FreeBar bar = test::free_bar_of(bar_mesh(), build::testing::kRubber, modes, rank);
    FreeStvkBody body = test::free_body_of(bar.model, {.gravity = kFall});
    EXPECT_TRUE(body.place({}, kThrow, kSpin).ok());
    for (int i = 0; i < std::lround(kFlight / kDt); ++i)
        EXPECT_TRUE(body.step(kDt).converged);
    const VectorXd& u = full_flight();
    double largest = 0;
    for (int v = 0; v < int(bar.full.vertex_count()); ++v) {
        const Vector3d there = bar.full.mesh().vertices[std::size_t(v)] + u.segment<3>(3 * Eigen::Index(v));
        largest = std::max(largest, (body.position(v) - there).norm());
    }
    printf("r = %d: largest error %.2f%% of the length\n", rank, 100 * largest);
    return largest;
}

TEST(ThrownBar, AfterASecondEveryVertexIsNearThatOfTheFullElements) {
    // 20 modes, as limber build takes them.
    EXPECT_LE(largest_error(20, 20), 0.06);
    EXPECT_LE(largest_error(20, 40), 0.035);
}

}  // namespace
}  // namespace limber
