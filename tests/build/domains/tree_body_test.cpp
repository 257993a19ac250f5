// SPDX-License-Identifier: Apache-2.0
// A tree as a body: of one domain it is the plain reduced body, and its support may move.
#include "branching.h"

#include <limber/domains/domains_body.h>
#include <limber/reduced/free_stvk_body.h>
#include <limber/reduced/stvk_body.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber::build::test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

CutMesh bar() {
    return blocks_mesh({{{0, 0, 0}, {2, 2, 10}, 0}}, 0.1, {.young = 1e6, .poisson = 0.3, .density = 1000});
}

struct OneDomain {
    std::shared_ptr<const Model> tree, part;
    explicit OneDomain(bool is_free) {
        CutMesh cut = bar();
        if (is_free) cut.fixed.clear();
        tree = built_tree(std::move(cut), 8).built.model;
        part = tree->domains->parts[0].model;
    }
};

VectorXd random_vector(Eigen::Index n, unsigned seed, double size) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    return VectorXd::NullaryExpr(n, [&] { return uniform(engine); });
}

TEST(TreeBody, OneDomainHasTheEnergiesAndPointsOfThePlainBodyToRounding) {
    const OneDomain one(false);
    auto tree = make_domains_body(one.tree);
    auto plain = make_stvk_body(one.part);
    ASSERT_TRUE(tree.ok() && plain.ok());
    const VectorXd q = random_vector(8, 1, 0.3), v = random_vector(8, 2, 1);
    ASSERT_TRUE(tree.value().set_shape(q, v).ok());
    ASSERT_TRUE(plain.value().set_state({0, q, v, VectorXd::Zero(8)}).ok());
    const double elastic = plain.value().elastic_energy(), kinetic = plain.value().kinetic_energy();
    EXPECT_NEAR(tree.value().elastic_energy(), elastic, 1e-12 * elastic);
    EXPECT_NEAR(tree.value().kinetic_energy(), kinetic, 1e-12 * kinetic);
    for (const int vertex : {0, 17, 60}) {
        EXPECT_LE((tree.value().displacement(vertex) - plain.value().displacement(vertex)).norm(), 1e-13);
        EXPECT_LE((tree.value().velocity(vertex) - plain.value().velocity(vertex)).norm(), 1e-12);
    }
}

// The integrators differ in their error only: h² of both.
TEST(TreeBody, OneDomainMovesAsThePlainBodyOnASupportThatMovesToSecondOrder) {
    const OneDomain one(false);
    const double T = 0.4;
    // A support that shakes, and one that turns as well.
    const auto frame_at = [](double t, double turns) {
        const double w = 12;
        return FrameMotion{
            .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * turns * t * t, Vector3d::UnitY())),
            .velocity = Vector3d(0.02 * w * std::sin(w * t), 0, 0),
            .acceleration = Vector3d(0.02 * w * w * std::cos(w * t), 0, 0),
            .angular_velocity = Vector3d(0, turns * t, 0),
            .angular_acceleration = Vector3d(0, turns, 0)};
    };
    const auto run = [&](auto body, int steps, double turns) {
        const double h = T / steps;
        EXPECT_TRUE(body.set_frame(frame_at(0, turns)).ok());
        for (int k = 1; k <= steps; ++k) {
            EXPECT_TRUE(body.set_frame(frame_at(h * k, turns)).ok());
            EXPECT_TRUE(body.step(h).converged);
        }
        return VectorXd(body.state().q);
    };
    const auto tree = [&] {
        auto made = make_domains_body(one.tree, {.tolerance = 1e-8, .gravity = Vector3d(0, 0, -9.81)});
        EXPECT_TRUE(made.ok());
        return std::move(made).value();
    };
    const auto plain = [&] {
        StvkSettings settings;
        settings.gravity = Vector3d(0, 0, -9.81);
        settings.newton = 0;
        auto made = make_stvk_body(one.part, settings);
        EXPECT_TRUE(made.ok());
        return std::move(made).value();
    };
    // Where it turns the plain body has the inertial forces of its rest shape, so the tree is its own
    // measure.
    const VectorXd shaken = run(plain(), 8000, 0), turned = run(tree(), 8000, 4);
    for (const auto& [reference, turns] : {std::pair(shaken, 0.0), std::pair(turned, 4.0)}) {
        const double coarse = (run(tree(), 200, turns) - reference).norm() / reference.norm(),
                     fine = (run(tree(), 400, turns) - reference).norm() / reference.norm();
        std::printf("error of the tree at 2 and 1 ms: %.3g, %.3g (%.2f times)\n", coarse, fine,
                    coarse / fine);
        EXPECT_LE(fine, 5e-3);
        EXPECT_GT(coarse / fine, 3);  // second order: 4; first: 2
    }
}

TEST(TreeBody, OneFreeDomainHasTheMomentaOfThePlainFreeBody) {
    const OneDomain one(true);
    DomainsSettings settings;
    settings.mount = RootMount::Free;
    settings.tolerance = 1e-8;
    auto tree = make_domains_body(one.tree, settings);
    ASSERT_TRUE(tree.ok());
    auto plain = make_free_stvk_body(one.part);
    ASSERT_TRUE(plain.ok()) << plain.error().problem;
    const Pose pose{Vector3d(1, 2, 3),
                    Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()))};
    const Vector3d velocity(1, -0.5, 2), spin(1, 3, -2);
    ASSERT_TRUE(tree.value().place(pose, velocity, spin).ok());
    ASSERT_TRUE(plain.value().place(pose, velocity, spin).ok());
    const auto compare = [&](double tolerance) {
        const RigidState a = tree.value().rigid_state(), b = plain.value().state();
        EXPECT_LE((a.position - b.position).norm(), tolerance);
        EXPECT_LE((a.momentum - b.momentum).norm(), tolerance * b.momentum.norm());
        EXPECT_LE((a.angular_momentum - b.angular_momentum).norm(), tolerance * b.angular_momentum.norm());
        EXPECT_NEAR(tree.value().kinetic_energy(), plain.value().kinetic_energy(),
                    tolerance * plain.value().kinetic_energy());
    };
    compare(1e-11);
    for (int k = 0; k < 500; ++k) {
        ASSERT_TRUE(tree.value().step(2e-4).converged);
        ASSERT_TRUE(plain.value().step(2e-4).converged);
    }
    compare(1e-5);  // momenta to rounding; the energies of two integrators differ by h²
    EXPECT_LE((tree.value().state().q - plain.value().state().q).norm(),
              1e-3 * plain.value().state().q.norm());
}

}  // namespace
}  // namespace limber::build::test
