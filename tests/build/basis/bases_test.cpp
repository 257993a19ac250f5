// SPDX-License-Identifier: Apache-2.0
// Mass-PCA and the bases made with it. docs/math/basis.md, section 5.
#include "build/basis/basis.h"
#include "tests/build/basis/bodies.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <limits>

namespace limber::build {
namespace {

void expect_orthonormal(const FemModel& model, MassKind kind, const Eigen::MatrixXd& U) {
    const Eigen::MatrixXd u = free_part(model, U), gram = u.transpose() * dense_mass(model, kind) * u;
    EXPECT_LE((gram - Eigen::MatrixXd::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff(), 1e-10);
    for (const int v : model.fixed_vertices())
        EXPECT_EQ(U.middleRows(3 * v, 3).cwiseAbs().maxCoeff(), 0);
}

std::string problem_of(const auto& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.problem + " | " + error.try_this;
    }
    return "";
}

// Mass-orthonormal directions, random.
Eigen::MatrixXd random_orthonormal(const FemModel& model, MassKind kind, Eigen::Index count) {
    Eigen::MatrixXd X(model.free_dofs(), count);
    for (Eigen::Index i = 0; i < count; ++i)
        X.col(i) = random_vector(X.rows(), unsigned(100 + i));
    const Eigen::MatrixXd gram = X.transpose() * dense_mass(model, kind) * X;
    const Eigen::MatrixXd inverse = gram.llt().matrixU().solve(Eigen::MatrixXd::Identity(count, count));
    X = (X * inverse).eval();
    Eigen::MatrixXd out(3 * model.vertex_count(), count);
    for (Eigen::Index i = 0; i < count; ++i)
        out.col(i) = model.expand_from_free(X.col(i));
    return out;
}

Eigen::MatrixXd random_rotation_matrix(Eigen::Index size, unsigned seed) {
    const Eigen::MatrixXd X = random_vector(size * size, seed).reshaped(size, size);
    return Eigen::HouseholderQR<Eigen::MatrixXd>(X).householderQ();
}

// Shapes D diag(σ) Vᵀ with known σ: the spectrum, over thirteen orders of magnitude, and the subspaces.
TEST(MassPca, FindsAKnownSpectrum) {
    const FemModel model = held_bar(Cells::Tets);
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped}) {
        const Eigen::VectorXd sigma = (Eigen::VectorXd(6) << 8, 5, 1, 1e-3, 1e-6, 1e-9).finished();
        const Eigen::MatrixXd D = random_orthonormal(model, kind, 6);
        const Eigen::MatrixXd V = random_rotation_matrix(9, 5).leftCols(6);
        const Eigen::MatrixXd shapes = D * sigma.asDiagonal() * V.transpose();
        const Basis basis = mass_pca(model, shapes, {.rank = 3}, kind);
        ASSERT_EQ(basis.spectrum.size(), 9);
        for (int i = 0; i < 5; ++i)  // the sixth is 1e-10 of the first: six digits of the shapes' sixteen
            EXPECT_NEAR(basis.spectrum[i], sigma[i], 1e-8 * sigma[i]);
        EXPECT_NEAR(basis.spectrum[5], sigma[5], 1e-4 * sigma[5]);
        EXPECT_EQ(basis.spectrum.tail(3).maxCoeff(), 0);
        EXPECT_LE(subspace_distance(model, kind, basis.U, D.leftCols(3)), 1e-7);
        EXPECT_NEAR(basis.captured, 1 - sigma.tail(3).squaredNorm() / sigma.squaredNorm(), 1e-12);
        expect_orthonormal(model, kind, basis.U);
        const Basis all = mass_pca(model, shapes, {.rank = 6}, kind);
        expect_orthonormal(model, kind, all.U);
    }
}

TEST(MassPca, SaysTheLargestRankThatIsPossible) {
    const FemModel model = held_bar();
    const Eigen::MatrixXd D = random_orthonormal(model, MassKind::Consistent, 4);
    Eigen::MatrixXd shapes(D.rows(), 7);
    shapes << D, D.col(0) + D.col(1), 2 * D.col(2), Eigen::VectorXd::Zero(D.rows());
    EXPECT_EQ(mass_pca(model, shapes, {.rank = 4}, MassKind::Consistent).U.cols(), 4);
    const std::string problem =
        problem_of([&] { mass_pca(model, shapes, {.rank = 5}, MassKind::Consistent); });
    EXPECT_NE(problem.find("span only 4"), std::string::npos) << problem;
    EXPECT_NE(problem.find("at most 4"), std::string::npos) << problem;
}

TEST(MassPca, ChoosesTheRankByTheSpectrum) {
    const FemModel model = held_bar();
    const Eigen::VectorXd sigma = Eigen::Vector4d(1, 0.5, 0.1, 0.01);
    const Eigen::MatrixXd shapes = random_orthonormal(model, MassKind::Lumped, 4) * sigma.asDiagonal();
    const auto rank_of = [&](double fraction) {
        return mass_pca(model, shapes, {.rank = 1, .auto_fraction = fraction}, MassKind::Lumped).U.cols();
    };
    // Squares 1, 0.25, 0.01, 0.0001, sum 1.2601. Left out: 0.2601 (20.6%), 0.0101 (0.80%), 0.0001 (0.008%).
    EXPECT_EQ(rank_of(0.21), 1);
    EXPECT_EQ(rank_of(0.20), 2);
    EXPECT_EQ(rank_of(0.0081), 2);
    EXPECT_EQ(rank_of(0.0079), 3);
    EXPECT_EQ(rank_of(1e-5), 4);
}

TEST(MassPca, RefusesBadInput) {
    const FemModel model = held_bar();
    const Eigen::MatrixXd shapes = random_orthonormal(model, MassKind::Lumped, 2);
    const auto pca = [&](const Eigen::MatrixXd& S, const RankChoice& rank) {
        return problem_of([&] { mass_pca(model, S, rank, MassKind::Lumped); });
    };
    EXPECT_NE(pca(shapes, {.rank = 0}), "");
    EXPECT_NE(pca(shapes, {.rank = -3}), "");
    EXPECT_NE(pca(shapes, {.rank = 1, .auto_fraction = 0.0}), "");
    EXPECT_NE(pca(shapes, {.rank = 1, .auto_fraction = 1.0}), "");
    EXPECT_NE(pca(shapes, {.rank = 1, .auto_fraction = std::nan("")}), "");
    EXPECT_NE(pca(shapes.topRows(6), {.rank = 1}), "");
    EXPECT_NE(pca(Eigen::MatrixXd::Zero(shapes.rows(), 3), {.rank = 1}), "");
    EXPECT_NE(pca(Eigen::MatrixXd(shapes.rows(), 0), {.rank = 1}), "");
    Eigen::MatrixXd infinite = shapes;
    infinite(4, 1) = std::numeric_limits<double>::infinity();
    EXPECT_NE(pca(infinite, {.rank = 1}).find("shape 1"), std::string::npos);
}

// Mass-PCA of (10), written out densely with the singular values of LᵀS, M = LLᵀ.
TEST(ModalDerivativeBasis, IsTheMassPcaOfScaledModesAndUnitDerivatives) {
    const FemModel model = held_bar();
    const MassKind kind = MassKind::Consistent;
    const ModesResult modes = solve_modes(model, {.count = 4, .mass = kind});
    const Basis basis = modal_derivative_basis(model, modes, {.rank = 6}, kind);
    const Eigen::MatrixXd derivatives = free_part(model, modal_derivatives(model, modes, kind));
    const Eigen::MatrixXd M = dense_mass(model, kind), L = M.llt().matrixL();
    const Eigen::VectorXd& lambda = modes.eigenvalues;
    Eigen::MatrixXd S(model.free_dofs(), 14);
    for (int j = 0; j < 4; ++j)
        S.col(j) = lambda[0] / lambda[j] * model.restrict_to_free(modes.shapes.col(j));
    for (int i = 0, column = 4; i < 4; ++i)
        for (int j = i; j < 4; ++j, ++column) {
            const Eigen::VectorXd phi = derivatives.col(column - 4);
            S.col(column) =
                lambda[0] * lambda[0] / (lambda[i] * lambda[j]) * phi / std::sqrt(phi.dot(M * phi));
        }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(L.transpose() * S, Eigen::ComputeThinU);
    EXPECT_LE((basis.spectrum - svd.singularValues()).cwiseAbs().maxCoeff(), 1e-10);
    // V = LᵀU: the projections onto the two subspaces agree.
    const Eigen::MatrixXd V = L.transpose() * free_part(model, basis.U), W = svd.matrixU().leftCols(6);
    EXPECT_LE((V * V.transpose() - W * W.transpose()).norm(), 1e-8);
    EXPECT_EQ(basis.frequencies_hz, modes.frequencies_hz);
    expect_orthonormal(model, kind, basis.U);
}

// Section 6.5: with E times a and rho times b, modes and derivatives change by factors, the scaled set as a
// whole by one.
TEST(ModalDerivativeBasis, IsTheSameSubspaceForAllStiffnessesAndDensities) {
    const Material soft{1e6, 0.3, 1000}, stiff{7e8, 0.3, 1000}, heavy{1e6, 0.3, 5000};
    const auto basis_of = [&](const Material& material) {
        const FemModel model = held_bar(Cells::Tets, material);
        return modal_derivative_basis(model, solve_modes(model, {.count = 5}), {.rank = 8},
                                      MassKind::Consistent);
    };
    const FemModel model = held_bar(Cells::Tets, soft);
    const Basis reference = basis_of(soft);
    // Modes converge to 1e-8 or so.
    EXPECT_LE(subspace_distance(model, MassKind::Consistent, reference.U, basis_of(stiff).U), 1e-6);
    const Eigen::MatrixXd U = basis_of(heavy).U * std::sqrt(5.0);  // orthonormal in the lighter metric
    EXPECT_LE(subspace_distance(model, MassKind::Consistent, reference.U, U), 1e-6);
}

TEST(ModalDerivativeBasis, OfAFreeBodyHoldsNoRigidMotion) {
    const FemModel model = free_bar();
    const ModesResult modes = solve_modes(model, {.count = 4});
    const Eigen::MatrixXd M = dense_mass(model, MassKind::Consistent);
    for (const DerivativeKind kind : {DerivativeKind::Static, DerivativeKind::Tangent}) {
        const Basis basis = modal_derivative_basis(model, modes, {.rank = 9}, MassKind::Consistent, {}, kind);
        EXPECT_LE((modes.rigid_shapes.transpose() * M * basis.U).norm(), 1e-8);
        expect_orthonormal(model, MassKind::Consistent, basis.U);
    }
}

// Every kind of basis, many more vectors than modes: the last principal components are small.
TEST(FreeBasis, IsMassOrthogonalToTheRigidMotionsToRounding) {  // (13)
    for (const MassKind mass : {MassKind::Consistent, MassKind::Lumped}) {
        const FemModel model = free_bar();
        const ModesResult modes = solve_modes(model, {.count = 6, .mass = mass});
        const Eigen::MatrixXd M = dense_mass(model, mass);
        for (const Basis& made :
             {modal_derivative_basis(model, modes, {.rank = 25}, mass),
              modal_derivative_basis(model, modes, {.rank = 12}, mass, {}, DerivativeKind::Tangent),
              modes_basis(modes, 6), picked_basis(model, modes, {1, 4}, mass)}) {
            const Basis basis = without_rigid_motions(model, made, mass);
            ASSERT_EQ(basis.U.cols(), made.U.cols());
            Eigen::MatrixXd motions(basis.U.rows(), 6);
            for (Eigen::Index v = 0; v < model.vertex_count(); ++v) {
                const Vertex& x = model.mesh().vertices[std::size_t(v)];
                motions.middleRows<3>(3 * v) << Eigen::Matrix3d::Identity(),
                    Eigen::Vector3d::UnitX().cross(x), Eigen::Vector3d::UnitY().cross(x),
                    Eigen::Vector3d::UnitZ().cross(x);
            }
            // Motions of 1 m/s and 1 rad/s of 60 kg: rounding.
            EXPECT_LE((motions.transpose() * M * basis.U).norm(), 1e-12);
            expect_orthonormal(model, mass, basis.U);
            EXPECT_LE(subspace_distance(model, mass, made.U, basis.U), 1e-5);
        }
    }
    // Nothing changes where the body is held.
    const FemModel held = held_bar();
    const ModesResult modes = solve_modes(held, {.count = 3});
    EXPECT_EQ(without_rigid_motions(held, modes_basis(modes, 3), MassKind::Consistent).U, modes.shapes);
}

TEST(ModesBasis, TakesTheFirstModes) {
    const FemModel model = held_bar();
    const ModesResult modes = solve_modes(model, {.count = 4});
    EXPECT_EQ(modes_basis(modes, 3).U, modes.shapes.leftCols(3));
    EXPECT_NE(problem_of([&] { modes_basis(modes, 5); }).find("1 to 4"), std::string::npos);
    EXPECT_NE(problem_of([&] { modes_basis(modes, 0); }), "");
}

TEST(PickedBasis, SpansTheModesAndTheirDerivativesInThatOrder) {
    const FemModel model = held_bar();
    const ModesResult modes = solve_modes(model, {.count = 5});
    const Basis basis = picked_basis(model, modes, {2, 4}, MassKind::Consistent);
    ASSERT_EQ(basis.U.cols(), 5);
    expect_orthonormal(model, MassKind::Consistent, basis.U);
    EXPECT_LE((basis.U.col(0) - modes.shapes.col(1)).norm(), 1e-10 * basis.U.col(0).norm());
    ModesResult chosen;
    chosen.shapes.resize(modes.shapes.rows(), 2);
    chosen.shapes << modes.shapes.col(1), modes.shapes.col(3);
    chosen.eigenvalues = Eigen::Vector2d(modes.eigenvalues[1], modes.eigenvalues[3]);
    Eigen::MatrixXd derivatives = modal_derivatives(model, chosen, MassKind::Consistent);
    derivatives.colwise().normalize();
    derivatives *= basis.U.col(0).norm();  // now of about unit mass norm
    EXPECT_LE(subspace_distance(model, MassKind::Consistent, basis.U, derivatives), 1e-7);

    EXPECT_NE(problem_of([&] { picked_basis(model, modes, {6}, MassKind::Consistent); }).find("1 to 5"),
              std::string::npos);
    EXPECT_NE(problem_of([&] { picked_basis(model, modes, {0}, MassKind::Consistent); }), "");
    EXPECT_NE(problem_of([&] { picked_basis(model, modes, {2, 2}, MassKind::Consistent); }), "");
    EXPECT_NE(problem_of([&] { picked_basis(model, modes, {}, MassKind::Consistent); }), "");
}

NpyArray fields(const Eigen::MatrixXd& shapes) {
    const auto n = std::size_t(shapes.rows() / 3), count = std::size_t(shapes.cols());
    return {{count, n, 3}, {shapes.data(), shapes.data() + shapes.size()}};
}

TEST(ShapesBasis, TakesFieldsAndColumns) {
    const FemModel model = held_bar();
    const Eigen::MatrixXd shapes = random_orthonormal(model, MassKind::Consistent, 3);
    const Basis by_fields = shapes_basis(model, fields(shapes), "s.npy", {.rank = 3}, MassKind::Consistent);
    const Eigen::MatrixXd transposed = shapes.transpose();  // its columns are the rows of the array
    const NpyArray columns{{std::size_t(shapes.rows()), 3},
                           {transposed.data(), transposed.data() + transposed.size()}};
    const Basis by_columns = shapes_basis(model, columns, "s.npy", {.rank = 3}, MassKind::Consistent);
    for (const Basis& basis : {by_fields, by_columns}) {
        EXPECT_LE(subspace_distance(model, MassKind::Consistent, basis.U, shapes), 1e-10);
        EXPECT_TRUE(basis.notes.empty());
    }
}

TEST(ShapesBasis, TakesOutWhatIsNoDeformationAndSaysSo) {
    const FemModel held = held_bar(), loose = free_bar();
    const Eigen::MatrixXd everywhere = random_vector(3 * held.vertex_count(), 3);
    const Basis basis = shapes_basis(held, fields(everywhere), "s.npy", {.rank = 1}, MassKind::Consistent);
    ASSERT_EQ(basis.notes.size(), 1u);
    EXPECT_NE(basis.notes[0].find("fixed vertices"), std::string::npos);
    expect_orthonormal(held, MassKind::Consistent, basis.U);

    const Basis relieved =
        shapes_basis(loose, fields(everywhere), "s.npy", {.rank = 1}, MassKind::Consistent);
    ASSERT_EQ(relieved.notes.size(), 1u);
    const Eigen::MatrixXd rigid = solve_modes(loose, {.count = 1}).rigid_shapes;
    EXPECT_LE((rigid.transpose() * dense_mass(loose, MassKind::Consistent) * relieved.U).norm(), 1e-9);
}

TEST(ShapesBasis, RefusesArraysThatDoNotFit) {
    const FemModel model = held_bar();
    const auto n = std::size_t(model.vertex_count());
    const auto refuse = [&](std::vector<std::size_t> shape, double value) {
        std::size_t size = 1;
        for (const std::size_t s : shape)
            size *= s;
        const NpyArray array{shape, std::vector<double>(size, value)};
        return problem_of([&] { shapes_basis(model, array, "s.npy", {.rank = 1}, MassKind::Consistent); });
    };
    EXPECT_NE(refuse({2, n + 1, 3}, 1).find(std::to_string(n)), std::string::npos);
    EXPECT_NE(refuse({n, 2}, 1), "");
    EXPECT_NE(refuse({3 * n}, 1), "");
    EXPECT_NE(refuse({}, 1), "");
    EXPECT_NE(refuse({0, n, 3}, 1), "");
    EXPECT_NE(refuse({1, n, 3}, std::nan("")), "");
    EXPECT_NE(refuse({1, n, 3}, 0), "");
}

}  // namespace
}  // namespace limber::build
