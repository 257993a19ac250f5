// SPDX-License-Identifier: Apache-2.0
// The kinetic energy of a free body, its momenta and the equations of its step. Equation numbers:
// docs/math/free_bodies.md.
#include "limber/reduced/free_step.h"

#include "build/fem/assemble.h"
#include "tests/build/fem/dense_system.h"
#include "tests/limber/reduced/free_bars.h"
#include "tests/limber/reduced/random_form.h"
#include "tests/limber/rigid/box_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::FreeBar;
using test::random_vector;

const FreeBar& bar() {
    static const FreeBar made = test::small_free_bar(8, /*right_density=*/2500);
    return made;
}

// A large bend, some spin, anywhere.
FreeState wild_state(Eigen::Index r) {
    FreeState s;
    s.position = {0.3, -2, 1};
    s.orientation = Quaterniond(0.3, -0.5, 0.7, 0.2).normalized();
    s.momentum = {3, -20, 8};
    s.angular_momentum = {1, 6, -2};
    s.q = 0.1 * random_vector(int(r), 3);
    s.v = 2 * random_vector(int(r), 4);
    return s;
}

// Of the state's motion: ẋ = v + R (Ω × y + U w) at every vertex.
struct FullMotion {
    MatrixXd x, v;  // 3 x vertices
};
FullMotion full_motion(const FreeStvkBody& body) {
    const Model& model = body.model();
    const FreeState& s = body.state();
    const Eigen::Matrix3d R = s.orientation.toRotationMatrix();
    const Vector3d spin = R.transpose() * body.angular_velocity(), centre = body.pose() * Vector3d::Zero();
    const auto n = Eigen::Index(model.surface.vertices.size());
    FullMotion out{MatrixXd(3, n), MatrixXd(3, n)};
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto rows = model.surface.basis.middleRows<3>(3 * i);
        // The model's origin is a point of the body's frame.
        const Vector3d in_model = model.surface.vertices[std::size_t(i)] + rows * s.q;
        out.x.col(i) = centre + R * in_model;
        const Vector3d y = R.transpose() * (out.x.col(i) - s.position);
        out.v.col(i) = body.velocity() + R * (spin.cross(y) + rows * s.v);
    }
    return out;
}

TEST(FreeInertia, EnergyAndMomentaAreThoseOfTheFullMesh) {  // (2), (7), (9)
    FreeStvkBody body = test::free_body_of(bar().model);
    ASSERT_TRUE(body.set_state(wild_state(8)).ok());
    const FullMotion full = full_motion(body);
    const MatrixXd M = build::testing::dense(build::mass_matrix(bar().full, build::MassKind::Consistent));
    const VectorXd momenta = M * full.v.reshaped();
    const double energy = 0.5 * full.v.reshaped().dot(momenta);
    EXPECT_NEAR(body.kinetic_energy(), energy, 1e-12 * energy);
    Vector3d p = Vector3d::Zero(), L = p;
    for (Eigen::Index i = 0; i < full.x.cols(); ++i) {
        p += momenta.segment<3>(3 * i);
        L += Vector3d(full.x.col(i) - body.state().position).cross(momenta.segment<3>(3 * i));
    }
    EXPECT_LE((p - body.state().momentum).norm(), 1e-12 * p.norm());
    EXPECT_LE((L - body.state().angular_momentum).norm(), 1e-12 * L.norm());
    // The centre of mass, of the deformed body too.
    const VectorXd weights = M * VectorXd::Ones(M.rows());
    Vector3d centre = Vector3d::Zero();
    for (Eigen::Index i = 0; i < full.x.cols(); ++i)
        centre += weights[3 * i] * full.x.col(i);
    centre /= body.mass();
    EXPECT_LE((centre - body.state().position).norm(), 1e-12);
    for (const int vertex : {0, 7, 50}) {
        EXPECT_LE((body.position(vertex) - full.x.col(vertex)).norm(), 1e-13);
        EXPECT_LE((body.point_velocity(vertex) - full.v.col(vertex)).norm(), 1e-12);
    }
}

TEST(FreeInertia, ALumpedModelHasTheLumpedInertia) {
    const FreeBar lumped = test::free_bar_of(build::testing::brick_bar(6, 1, 2, {1, 0.15, 0.2}),
                                             build::testing::kRubber, 4, 6, 0, build::MassKind::Lumped);
    FreeStvkBody body = test::free_body_of(lumped.model);
    ASSERT_TRUE(body.set_state(wild_state(6)).ok());
    const FullMotion full = full_motion(body);
    const MatrixXd M = build::testing::dense(build::mass_matrix(lumped.full, build::MassKind::Lumped));
    const double energy = 0.5 * full.v.reshaped().dot(M * full.v.reshaped());
    EXPECT_NEAR(body.kinetic_energy(), energy, 1e-12 * energy);
}

std::shared_ptr<const ReducedCoefficients<double>> elastic_of(const Model& model, bool strain_form) {
    std::vector<Material> materials;
    for (const ModelGroup& group : model.groups)
        materials.push_back(group.material);
    auto out = std::make_shared<ReducedCoefficients<double>>();
    const VectorXd W = weighted_strain_form(model, materials);
    out->energy = symmetrize<double>(W, model.rank);
    if (strain_form) out->strain_form = W;
    return out;
}

FreeEquation equation_of(const Model& model, const FreeDamping& damping, double factor = 1) {
    auto inertia = free_inertia(model, first_coordinates(model.rank));
    EXPECT_TRUE(inertia.ok());
    return FreeEquation(std::make_shared<const FreeInertia>(std::move(inertia).value()),
                        elastic_of(model, damping.strain_rate != 0), factor, damping);
}

// Central differences of the residual leave 1e-9 of it; the rotation is large, so its derivative counts.
TEST(FreeEquation, TheTangentIsTheDerivativeOfTheResidual) {  // (12)
    for (const FreeDamping& damping : {FreeDamping{}, FreeDamping{.alpha = 3, .beta = 0.004},
                                       FreeDamping{.alpha = 1, .strain_rate = 0.003}}) {
        FreeEquation equation = equation_of(*bar().model, damping, 1.7);
        const FreeState s = wild_state(8);
        ASSERT_TRUE(equation.begin(s, s.angular_momentum + Vector3d(0.3, 0.1, -0.2),
                                   0.01 * random_vector(8, 9), 0.02));
        equation.unknowns += 0.3 * random_vector(11, 11);
        const VectorXd at = equation.unknowns;
        equation.residual();
        const MatrixXd tangent = equation.tangent();
        for (Eigen::Index i = 0; i < at.size(); ++i) {
            const double step = 1e-5;
            equation.unknowns = at + step * VectorXd::Unit(at.size(), i);
            const VectorXd up = equation.residual();
            equation.unknowns = at - step * VectorXd::Unit(at.size(), i);
            const VectorXd down = equation.residual();
            EXPECT_LE(((up - down) / (2 * step) - tangent.col(i)).norm(), 1e-8 * tangent.norm()) << i;
        }
    }
}

// H⁺ − H is the work of the impulses and of the damping, whatever the step: section 4.
TEST(FreeEquation, EnergyChangesByTheWorkOfImpulsesAndDamping) {
    for (const FreeDamping& damping : {FreeDamping{}, FreeDamping{.alpha = 3, .beta = 0.004}}) {
        FreeEquation equation = equation_of(*bar().model, damping);
        FreeState s = wild_state(8), next = s;
        FreeImpulse impulse;
        impulse.reduced = 0.05 * random_vector(8, 12);
        const double before = equation.kinetic_energy(s) + equation.elastic_energy(s);
        const double h = 2e-3;
        ASSERT_TRUE(equation.step(s, impulse, h, 1e-13, next).converged);
        const double after = equation.kinetic_energy(next) + equation.elastic_energy(next);
        const VectorXd w = 0.5 * (s.v + next.v), q = 0.5 * (s.q + next.q);
        QuarticEval<double> eval(8);
        const auto elastic = elastic_of(*bar().model, false);
        evaluate(elastic->energy, q, eval);
        const double lost = h * (damping.alpha * w.dot(equation.inertia().reduced_mass * w) +
                                 damping.beta * w.dot(eval.stiffness * w));
        // Newton's tolerance times the energy.
        EXPECT_NEAR(after - before, impulse.reduced.dot(w) - lost, 1e-11 * before);
    }
}

// Without coordinates the step is that of a rigid body.
TEST(FreeEquation, WithoutABasisItIsARigidBody) {
    const auto box = test::box_model({0.3, 0.2, 0.1});
    RigidBody rigid = std::move(make_rigid_body(box, {.density = 700})).value();
    ASSERT_TRUE(rigid.place({}, {1, 2, 3}, {0.3, 12, -4}).ok());
    auto inertia = std::make_shared<FreeInertia>();
    inertia->mass = rigid.mass();
    inertia->reduced_mass.resize(0, 0);
    const Eigen::Matrix3d& I = rigid.inertia();
    const double entries[9] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2), 0, 0, 0};
    for (std::size_t k = 0; k < 9; ++k)
        inertia->planes[k] = MatrixXd::Constant(1, 1, entries[k]);
    auto elastic = std::make_shared<ReducedCoefficients<double>>();
    elastic->energy = QuarticForm<double>(0);
    FreeEquation equation(inertia, elastic, 1, {});
    FreeState s, next;
    static_cast<RigidState&>(s) = rigid.state();
    s.q.resize(0);
    s.v.resize(0);
    next = s;
    FreeImpulse impulse;
    impulse.force = {0.001, 0.002, -0.001};
    impulse.torque = {1e-4, -2e-4, 3e-4};
    impulse.reduced.resize(0);
    VectorXd six(6);
    six << impulse.force, impulse.torque;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(equation.step(s, impulse, 1e-3, 1e-14, next).converged);
        std::swap(s, next);
        ASSERT_TRUE(rigid.trial(1e-3, &six).converged);
        rigid.commit();
    }
    // Rounding of a thousand steps.
    const RigidState& r = rigid.state();
    EXPECT_LE((s.position - r.position).norm(), 1e-12);
    EXPECT_LE((s.angular_momentum - r.angular_momentum).norm(), 1e-15);
    EXPECT_LE(s.orientation.angularDistance(r.orientation), 1e-10);
    EXPECT_NEAR(equation.kinetic_energy(s), rigid.kinetic_energy(), 1e-10 * rigid.kinetic_energy());
}

}  // namespace
}  // namespace limber
