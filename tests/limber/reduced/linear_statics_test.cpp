// SPDX-License-Identifier: Apache-2.0
// The linear static model of a clamped bar, with its modes and without.
#include "limber/reduced/linear_statics.h"

#include "limber/reduced/statics.h"
#include "tests/build/recipe/tiny_model.h"
#include "tests/limber/not_a_number.h"

#include <gtest/gtest.h>

namespace limber::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

LinearStatics statics_of(std::shared_ptr<const Model> model) {
    Result<LinearStatics> made = make_linear_statics(std::move(model));
    if (!made.ok()) ADD_FAILURE() << made.error().problem;
    return std::move(made).value();
}

TEST(LinearStatics, WithModesEachCoordinateIsItsForceOverItsEigenvalue) {
    const auto model = tiny_model();
    ASSERT_TRUE(model->warp);
    const LinearStatics statics = statics_of(model);
    EXPECT_TRUE(statics.is_modal());
    const std::vector<VertexForce> forces = {{5, {1, 2, 3}}, {9, {0, -1, 0}}};
    const VectorXd q = statics.coordinates(forces).value();
    for (Eigen::Index i = 0; i < statics.rank(); ++i) {
        double force = 0;
        for (const VertexForce& f : forces)
            for (int c = 0; c < 3; ++c)
                force += model->warp->surface_modes(3 * f.vertex + c, i) * f.force[c];
        EXPECT_NEAR(q[i], force / model->warp->eigenvalues[i], 1e-14 * q.norm());
    }
}

TEST(LinearStatics, WithoutModesItIsTheNonlinearBodyUnderSmallForces) {
    auto model = tiny_model();
    model->warp = nullptr;
    const LinearStatics statics = statics_of(model);
    EXPECT_FALSE(statics.is_modal());
    const int tip = statics.softest_vertex();
    const Vector3d force(1e-5, 2e-5, -3e-5);  // N: it moves by micrometres
    const VectorXd q = statics.coordinates({{tip, force}}).value();
    const VectorXd f = model->surface.basis.middleRows<3>(3 * tip).transpose() * force;
    const VectorXd expected = reduced_equilibrium(*model, {}, f).value().q;
    EXPECT_LE((q - expected).norm(), 1e-4 * expected.norm());  // quadratic terms
}

TEST(LinearStatics, ASpringSharesItsLengthWithTheVertex) {
    const auto model = tiny_model();
    const LinearStatics statics = statics_of(model);
    const int tip = statics.softest_vertex();
    EXPECT_NEAR(model->surface.vertices[std::size_t(tip)].x(), 1, 1e-9);  // the bar is clamped at x = 0
    const Vector3d distance(0.01, -0.02, 0.03);
    const Vector3d force = statics.spring_force(tip, distance).value();
    const VectorXd q = statics.coordinates({{tip, force}}).value();
    const Vector3d moved = statics.rows(tip) * q;
    const Matrix3d A = statics.vertex_compliance(tip);
    EXPECT_LE((A - A.transpose()).norm(), 1e-12 * A.norm());
    // What the vertex does not follow is the spring's, whose compliance is a tenth of tr A.
    EXPECT_LE((moved + 0.1 * A.trace() * force - distance).norm(), 1e-12);
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v)
        EXPECT_EQ(statics.spring_force(int(v), distance).has_value(), model->surface.vertices[v].x() > 1e-9);
}

TEST(LinearStatics, BadInputIsAnError) {
    EXPECT_FALSE(make_linear_statics(nullptr).ok());
    const LinearStatics statics = statics_of(tiny_model());
    EXPECT_FALSE(statics.coordinates({{-1, {0, 0, 1}}}).ok());
    EXPECT_FALSE(statics.coordinates({{1000000, {0, 0, 1}}}).ok());
    EXPECT_FALSE(statics.coordinates({{0, {kNaN, 0, 1}}}).ok());
}

}  // namespace
}  // namespace limber::test
