// SPDX-License-Identifier: Apache-2.0
// The load of turned strains and the companions made of it, against sums that are written out.
#include "build/basis/warp_companions.h"

#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"
#include "build/basis/node_rotations.h"
#include "build/fem/brick_gauss.h"
#include "build/mesh/element_shape.h"
#include "tests/build/fem/bars.h"
#include "tests/build/fem/dense_system.h"
#include "tests/build/fem/sample_meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <iostream>
#include <numbers>

namespace limber::build {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Material kStiff{2e5, 0.35, 900};

Matrix3d symmetric(const Matrix3d& A) {
    return 0.5 * (A + A.transpose());
}

class TurnedStrain : public ::testing::TestWithParam<Cells> {
 protected:
    const VolumeMesh mesh = shuffled(box_mesh({4, 3, 3}, {1, 0.7, 0.5}, GetParam(), 0.25), 3);
    const FemModel model = testing::free_body(mesh, kStiff);
    VectorXd affine(const Matrix3d& gradient) const {
        return affine_displacement(mesh, Matrix3d::Identity() + gradient, Vector3d::Zero());
    }
};

// Of two affine fields with gradients A and B the strain is the same everywhere, and so the load is that of
// the affine field with that strain: K G x with G = sym(Ω_aΩ_b + Ω_aε_b + Ω_bε_a).
TEST_P(TurnedStrain, OfAffineFieldsIsTheLoadOfAnAffineField) {
    const Matrix3d A = random_vector(9, 1).reshaped(3, 3), B = random_vector(9, 2).reshaped(3, 3);
    const Matrix3d turn_a = A - symmetric(A), turn_b = B - symmetric(B);
    const Matrix3d G = symmetric(turn_a * turn_b + turn_a * symmetric(B) + turn_b * symmetric(A));
    MatrixXd fields(3 * model.vertex_count(), 2);
    fields << affine(A), affine(B);
    const VectorXd load = turned_strain_loads(model, fields, {{0, 1}}).col(0);
    const MatrixXd K = testing::dense_stiffness(model, VectorXd::Zero(model.free_dofs()));
    const VectorXd expected = model.expand_from_free(K * model.restrict_to_free(affine(G)));
    EXPECT_LE((load - expected).norm(), 1e-12 * expected.norm());
    EXPECT_GT(expected.norm(), 0);
}

TEST_P(TurnedStrain, OfStretchesAloneIsNothing) {
    const Matrix3d A = random_vector(9, 3).reshaped(3, 3), B = random_vector(9, 4).reshaped(3, 3);
    MatrixXd fields(3 * model.vertex_count(), 3);
    fields << affine(symmetric(A)), affine(symmetric(B)), affine(B);
    const MatrixXd loads = turned_strain_loads(model, fields, {{0, 1}, {0, 0}, {0, 2}});
    EXPECT_LE(loads.leftCols<2>().norm(), 1e-13 * loads.col(2).norm());
}

INSTANTIATE_TEST_SUITE_P(Of, TurnedStrain, ::testing::Values(Cells::Bricks, Cells::Tets, Cells::Mixed),
                         [](const auto& cells) { return name_of(cells.param); });

// ∫ C:g b over the bricks of a mesh of one material, with g = ½Ω² + sym(Ωε) of one field: half of what the
// pair of it with itself gives.
VectorXd written_out(const VolumeMesh& mesh, const Material& material, const VectorXd& u) {
    const double E = material.young, nu = material.poisson;
    const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
    VectorXd load = VectorXd::Zero(u.size());
    for (const Brick& brick : mesh.bricks) {
        const BrickPoints X = points_of(mesh, brick);
        BrickPoints U;
        for (std::size_t a = 0; a < 8; ++a)
            U.col(Eigen::Index(a)) = u.segment<3>(3 * brick[a]);
        for (const GaussPoint& point : brick_gauss_points(2)) {
            const BrickGradients dN = brick_gradients(point.xi);
            const Matrix3d J = X * dN;
            const BrickGradients b = dN * J.inverse();
            const Matrix3d G = U * b, strain = symmetric(G), turn = G - strain;
            const Matrix3d g = 0.5 * turn * turn + symmetric(turn * strain);
            const Matrix3d stress = lambda * g.trace() * Matrix3d::Identity() + 2 * mu * g;
            for (std::size_t a = 0; a < 8; ++a)
                load.segment<3>(3 * brick[a]) +=
                    point.weight * J.determinant() * stress * b.row(Eigen::Index(a)).transpose();
        }
    }
    return load;
}

struct Bar {
    VolumeMesh mesh = testing::distort(testing::brick_bar(8, 2, 2, {1, 0.2, 0.15}), 5, 0.01);
    FemModel model{mesh, testing::one_material(mesh, kStiff),
                   testing::vertices_where(mesh, [](const Vertex& x) { return x.x() < 0.05; })};
    ModesResult modes = solve_modes(model, {.count = 6});
    MatrixXd rotations = modal_rotations(mesh, modes.shapes);
};

TEST(WarpCompanions, TheLoadOfAFieldIsTheOneWrittenOut) {
    const Bar bar;
    const VectorXd u = bar.modes.shapes.col(0) + 0.3 * bar.modes.shapes.col(3);
    const VectorXd expected = written_out(bar.mesh, kStiff, u);
    const VectorXd load = turned_strain_loads(bar.model, u, {{0, 0}}).col(0);
    EXPECT_LE((0.5 * load - expected).norm(), 1e-12 * expected.norm());
}

// What (7) lacks to second order, from the load written out and a dense K; the companions keep it to the
// few percent that they leave out on purpose.
TEST(WarpCompanions, TheySayAlmostAllOfWhatTheShapeLacks) {
    const Bar bar;
    const WarpCompanions companions =
        warp_companions(bar.model, bar.modes, bar.rotations, MassKind::Consistent);
    const auto pairs = mode_pairs(6);
    ASSERT_EQ(companions.forms.cols(), 21);
    ASSERT_EQ(companions.forms.rows(), companions.shapes.cols());
    std::cout << companions.shapes.cols() << " companions\n";
    EXPECT_LE(companions.shapes.cols(), 12);
    const Eigen::LDLT<MatrixXd> K(testing::dense_stiffness(bar.model, VectorXd::Zero(bar.model.free_dofs())));
    const MassMetric metric(bar.model, MassKind::Consistent);
    double missed = 0, all = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        VectorXd q = random_vector(6, seed);
        for (int k = 0; k < 6; ++k)  // each turns the bar by up to about 1 rad
            q[k] /= bar.rotations.col(k).reshaped(3, bar.rotations.rows() / 3).colwise().norm().maxCoeff();
        const VectorXd y = bar.modes.shapes * q, w = bar.rotations * q;
        VectorXd lacks =
            bar.model.expand_from_free(K.solve(bar.model.restrict_to_free(written_out(bar.mesh, kStiff, y))));
        for (Eigen::Index v = 0; v < lacks.size(); v += 3)
            lacks.segment<3>(v) -= 0.5 * Vector3d(w.segment<3>(v)).cross(Vector3d(y.segment<3>(v)));
        VectorXd products(21);
        for (std::size_t p = 0; p < pairs.size(); ++p)
            products[Eigen::Index(p)] = q[pairs[p].first] * q[pairs[p].second];
        const VectorXd said = companions.shapes * (companions.forms * products);
        const auto square = [&](const VectorXd& u) {
            return std::pow(metric.norms(free_rows(bar.model, u))[0], 2);
        };
        missed += square(said - lacks);
        all += square(lacks);
    }
    std::cout << "left out: " << std::sqrt(missed / all) << "\n";
    EXPECT_LE(std::sqrt(missed / all), 0.05);
}

TEST(WarpCompanions, TheyAreOrthonormalInTheMass) {
    const Bar bar;
    const WarpCompanions companions =
        warp_companions(bar.model, bar.modes, bar.rotations, MassKind::Consistent);
    const MatrixXd shapes = free_rows(bar.model, companions.shapes);
    const MatrixXd gram = shapes.transpose() * MassMetric(bar.model, MassKind::Consistent).times(shapes);
    EXPECT_LE((gram - MatrixXd::Identity(gram.rows(), gram.cols())).norm(), 1e-9);
}

}  // namespace
}  // namespace limber::build
