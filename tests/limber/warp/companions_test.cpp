// SPDX-License-Identifier: Apache-2.0
// The fields that keep the lengths of warped shapes: their amplitudes, slopes and limits, and the shapes that
// they make.
#include "limber/warp/companions.h"

#include "limber/warp/rotation.h"
#include "tests/limber/warp/bar.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using namespace test;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kModes = 5, kCompanions = 3;

WarpModel random_model() {
    return random_warp_model(kModes, 7, 9, kCompanions);
}

VectorXd amplitudes(const Companions& companions, const VectorXd& q) {
    VectorXd z(companions.count());
    MatrixXd slopes(companions.count(), q.size());
    companions.evaluate(q, z, slopes);
    return z;
}

VectorXd random_q(double size, unsigned seed) {
    return size * random_rows(kModes, 1, seed);
}

// (27), written out.
TEST(Companions, AmplitudesAreQuadraticAndHeldWhereTheBodyTurnsFar) {
    const WarpModel model = random_model();
    const Companions companions(model);
    for (const double size : {1e-3, 0.3, 3.0}) {
        const VectorXd q = random_q(size, 20);
        VectorXd expected = VectorXd::Zero(kCompanions);
        int pair = 0;
        for (int a = 0; a < kModes; ++a)
            for (int b = a; b < kModes; ++b)
                expected += model.companion_forms.col(pair++) * q[a] * q[b];
        double turn = 0;  // the mean of |w|²
        for (int n = 0; n < 7; ++n)
            turn += Vector3d(model.node_rotations.middleRows<3>(3 * n) * q).squaredNorm() / 7;
        expected /= std::sqrt(1 + std::pow(turn / 10, 2));
        EXPECT_LE((amplitudes(companions, q) - expected).norm(), 1e-13 * expected.norm()) << size;
    }
}

TEST(Companions, SlopesAreThoseOfDifferences) {
    const Companions companions(random_model());
    for (const double size : {0.01, 0.5, 5.0}) {
        const VectorXd q = random_q(size, 21);
        VectorXd z(kCompanions);
        MatrixXd slopes(kCompanions, kModes);
        companions.evaluate(q, z, slopes);
        for (int k = 0; k < kModes; ++k) {
            const VectorXd d = 1e-5 * size * VectorXd::Unit(kModes, k);
            const VectorXd difference =
                (amplitudes(companions, q + d) - amplitudes(companions, q - d)) / (2e-5 * size);
            EXPECT_LE((slopes.col(k) - difference).norm(), 1e-8 * slopes.norm()) << size << " " << k;
        }
    }
}

TEST(Companions, FarFromRestTheyGrowNoMore) {
    const Companions companions(random_model());
    const VectorXd q = random_q(1, 22);
    const double far = amplitudes(companions, 1e3 * q).norm();
    EXPECT_NEAR(amplitudes(companions, 1e6 * q).norm(), far, 1e-3 * far);
    EXPECT_TRUE(amplitudes(companions, 1e12 * q).allFinite());
}

// Numbers that only a hostile file has.
TEST(Companions, HugeFormsStayFinite) {
    WarpModel model = random_model();
    model.companion_forms *= 1e300;
    model.node_rotations.setZero();
    const Companions companions(model);
    for (const double size : {1.0, 1e12}) {
        const VectorXd z = amplitudes(companions, random_q(size, 23));
        EXPECT_TRUE(z.allFinite());
        EXPECT_LE(z.cwiseAbs().maxCoeff(), 1e12);
    }
}

// (25) for single vertices in doubles, for the surface in floats, and from the coordinates that are told.
TEST(Companions, TheShapeIsTheTurnedSumOfModesAndCompanions) {
    const WarpModel model = random_model();
    const VectorXd q = random_q(0.6, 24);
    for (const Warping warping : {Warping::Warped, Warping::Local, Warping::Linear}) {
        WarpBody body = body_of(model, {.warping = warping});
        ASSERT_TRUE(body.set_state({0, q, VectorXd::Zero(kModes)}).ok());
        const VectorXd z = warping == Warping::Warped ? amplitudes(Companions(model), q)
                                                      : VectorXd(VectorXd::Zero(kCompanions));
        VectorXd told;
        body.shape_coordinates(told);
        ASSERT_EQ(told.size(), kModes + kCompanions);
        EXPECT_EQ(told.head(kModes), q);
        EXPECT_EQ(told.tail(kCompanions), z);
        Eigen::VectorXf u, normals;
        body.surface_shape(u, normals);
        for (int v = 0; v < 9; ++v) {
            const Vector3d w = model.surface_rotations.middleRows<3>(3 * v) * q;
            Vector3d expected = model.surface_modes.middleRows<3>(3 * v) * q;
            if (warping != Warping::Linear)
                expected = mean_rotation(w) * (expected + model.surface_companions.middleRows<3>(3 * v) * z);
            EXPECT_LE((body.displacement(v) - expected).norm(), 1e-14);
            EXPECT_LE((u.segment<3>(3 * v).cast<double>() - expected).norm(), 1e-5);
        }
    }
}

// Without Poisson's ratio the stretch of a bar moves its sections as wholes: nothing turns, and the shape is
// the linear one, however far.
TEST(Companions, WithoutRotationsTheShapeIsLinear) {
    const build::VolumeMesh mesh = build::testing::brick_bar(6, 1, 1, {1, 0.2, 0.2});
    const build::FemModel model(
        mesh, build::testing::one_material(mesh, {1e6, 0, 1000}),
        build::testing::vertices_where(mesh, [](const build::Vertex& x) { return x.x() < 1e-9; }));
    const WarpModel warp = warp_of(model, 12);
    ASSERT_GT(warp.companions(), 0);
    Eigen::Index stretch = 0;
    while (stretch < warp.modes() &&
           warp.surface_rotations.col(stretch).norm() > 1e-6 * warp.surface_modes.col(stretch).norm())
        ++stretch;
    ASSERT_LT(stretch, warp.modes());
    VectorXd q = VectorXd::Zero(warp.modes());
    q[stretch] = 0.5 / warp.surface_modes.col(stretch).cwiseAbs().maxCoeff();  // by half its length
    WarpBody body = body_of(warp);
    ASSERT_TRUE(body.set_state({0, q, VectorXd::Zero(warp.modes())}).ok());
    for (int v = 0; v < int(warp.vertices()); ++v)  // to the eigensolver's tolerance
        EXPECT_LE((body.displacement(v) - warp.surface_modes.middleRows<3>(3 * v) * q).norm(), 1e-8);
}

TEST(Companions, FormsThatDoNotFitAreRefused) {
    const auto problem = [](auto&& spoil) {
        WarpModel model = random_model();
        spoil(model);
        const auto found = warp_model_problem(model);
        return found ? found->problem : "";
    };
    EXPECT_EQ(problem([](WarpModel& m) {
                  m.companion_forms.resize(0, 0);
                  m.surface_companions.resize(27, 0);
              }),
              "");
    EXPECT_NE(problem([](WarpModel& m) { m.companion_forms.conservativeResize(3, 14); }), "");
    EXPECT_NE(problem([](WarpModel& m) { m.companion_forms.setZero(3, 21); }), "");  // of six modes
    EXPECT_NE(problem([](WarpModel& m) { m.companion_forms(1, 1) = NAN; }), "");
    EXPECT_NE(problem([](WarpModel& m) { m.companion_forms.resize(0, 0); }), "");
    EXPECT_NE(problem([](WarpModel& m) { m.surface_companions.conservativeResize(27, 2); }), "");
    EXPECT_NE(problem([](WarpModel& m) { m.surface_companions.conservativeResize(24, 3); }), "");
    EXPECT_NE(problem([](WarpModel& m) { m.surface_companions(0, 0) = INFINITY; }), "");
}

}  // namespace
}  // namespace limber
