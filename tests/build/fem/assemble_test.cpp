// SPDX-License-Identifier: Apache-2.0
// Energy, force and stiffness of StVK: docs/math/stvk.md, equations (1) to (10).
#include "build/fem/assemble.h"

#include "sample_meshes.h"
#include "slow_stvk.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <cmath>

#include <cstring>
#include <tuple>

namespace limber::build {
namespace {

struct ForceAndStiffness {
    Eigen::VectorXd force;
    SparseMatrix stiffness;
};
ForceAndStiffness evaluate(const FemModel& model, const Eigen::VectorXd& u) {
    ForceAndStiffness out;
    force_and_stiffness(model, u, out.force, out.stiffness);
    return out;
}

Eigen::VectorXd force(const FemModel& model, const Eigen::VectorXd& u) {
    Eigen::VectorXd f;
    internal_force(model, u, f);
    return f;
}

// dV/dt of t -> value(u + t d) at 0 by the five-point stencil, exact for polynomials up to degree 4.
template <class Function>
auto derivative(const Function& value, const Eigen::VectorXd& u, const Eigen::VectorXd& d, double h) {
    using Value = std::decay_t<decltype(value(u))>;
    const Value near = value(u + h * d) - value(u - h * d);
    const Value far = value(u + 2 * h * d) - value(u - 2 * h * d);
    return Value((8 * near - far) / (12 * h));
}

// All kinds of elements, irregular, with two materials.
using Case = std::tuple<Cells, BrickQuadrature>;
class EveryElement : public testing::TestWithParam<Case> {
 protected:
    VolumeMesh mesh = shuffled(box_mesh({3, 2, 3}, kSize, std::get<0>(GetParam()), 0.25), 7);
    MaterialMap materials = two_materials(mesh);
    FemModel model{mesh, materials, {}, {.brick_quadrature = std::get<1>(GetParam())}};
    Eigen::Index size = 3 * model.vertex_count();
    BrickQuadrature quadrature = std::get<1>(GetParam());
    SlowStvk written_out() const {
        if (quadrature != BrickQuadrature::Selective)
            return slow_stvk(mesh, materials, u, quadrature == BrickQuadrature::Exact ? 3 : 2);
        return slow_stvk_by(mesh, materials, u,
                            [&](const Brick& brick) { return selective_points(mesh, brick); });
    }
    // A tenth of a metre on cells of a tenth of a metre: far from small strains.
    Eigen::VectorXd u = 0.1 * random_vector(size, 3);
};

TEST_P(EveryElement, EqualsTheWrittenOutSums) {  // (3), (8), (9)
    const SlowStvk expected = written_out();
    const auto [R, K] = evaluate(model, u);
    // Rounding of sums of some hundred terms.
    EXPECT_NEAR(elastic_energy(model, u), expected.energy, 1e-13 * expected.energy);
    EXPECT_LE((force(model, u) - expected.force).norm(), 1e-13 * expected.force.norm());
    EXPECT_LE((R - expected.force).norm(), 1e-13 * expected.force.norm());
    EXPECT_LE((dense(K) - expected.stiffness).norm(), 1e-13 * expected.stiffness.norm());
    // The stiffness is symmetric by its formula; only its lower triangle is stored.
    EXPECT_LE((expected.stiffness - expected.stiffness.transpose()).norm(),
              1e-13 * expected.stiffness.norm());
    EXPECT_EQ(SparseMatrix(K.triangularView<Eigen::StrictlyUpper>()).nonZeros(), 0);
}

TEST_P(EveryElement, ForceIsTheGradientOfTheEnergy) {  // (8)
    const Eigen::VectorXd R = force(model, u);
    for (unsigned seed = 10; seed < 14; ++seed) {
        const Eigen::VectorXd d = random_vector(size, seed);
        // V is quartic along a line, so that the stencil is exact for any step: a step as large as u keeps
        // the rounding of the differences near 1e-15 of the energy.
        const double slope =
            derivative([&](const Eigen::VectorXd& x) { return elastic_energy(model, x); }, u, d, 0.05);
        EXPECT_NEAR(R.dot(d), slope, 1e-11 * R.norm() * d.norm());
    }
}

TEST_P(EveryElement, StiffnessIsTheGradientOfTheForce) {  // (9)
    const Eigen::MatrixXd K = dense(evaluate(model, u).stiffness);
    for (unsigned seed = 20; seed < 24; ++seed) {
        const Eigen::VectorXd d = random_vector(size, seed);
        // R is cubic along a line: the stencil is exact, what is left is rounding.
        const Eigen::VectorXd slope =
            derivative([&](const Eigen::VectorXd& x) { return force(model, x); }, u, d, 0.05);
        EXPECT_LE((K * d - slope).norm(), 1e-12 * (K * d).norm());
    }
}

TEST_P(EveryElement, RigidMotionsHaveNoEnergyAndNoForce) {
    const double stiffness = evaluate(model, Eigen::VectorXd::Zero(size)).stiffness.coeffs().abs().maxCoeff();
    for (unsigned seed = 30; seed < 36; ++seed) {
        const Eigen::Matrix3d rotation = random_rotation(seed);
        const Eigen::VectorXd rigid = affine_displacement(mesh, rotation, Eigen::Vector3d(1, -2, 3));
        // The positions, some metres, carry 1e-16 m of rounding each, which the stiffness turns into force.
        const double rounding = 1e-14;  // m
        EXPECT_LE(force(model, rigid).lpNorm<Eigen::Infinity>(), stiffness * rounding);
        EXPECT_LE(std::abs(elastic_energy(model, rigid)), stiffness * rounding * rounding * double(size));
    }
    // The bound has teeth: a stretch of a millionth breaks it.
    const Eigen::VectorXd stretched = affine_displacement(mesh, (1 + 1e-6) * random_rotation(40));
    EXPECT_GT(force(model, stretched).lpNorm<Eigen::Infinity>(), stiffness * 1e-10);
}

TEST_P(EveryElement, EnergyIsObjectiveUnderLargeRotations) {
    const Eigen::Matrix3d rotation = random_rotation(50);
    Eigen::VectorXd turned = affine_displacement(mesh, rotation, Eigen::Vector3d(0.3, 0.1, -0.2));
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        turned.segment<3>(3 * v) += rotation * u.segment<3>(3 * v);
    EXPECT_NEAR(elastic_energy(model, turned), elastic_energy(model, u), 1e-12 * elastic_energy(model, u));
    Eigen::VectorXd expected = force(model, u);
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        expected.segment<3>(3 * v) = rotation * expected.segment<3>(3 * v);
    EXPECT_LE((force(model, turned) - expected).norm(), 1e-12 * expected.norm());
}

TEST_P(EveryElement, ForcesAndTheirMomentsBalance) {
    const Eigen::VectorXd R = force(model, u);
    Eigen::Vector3d total = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v) {
        total += R.segment<3>(3 * v);
        moment += (mesh.vertices[v] + u.segment<3>(3 * v)).cross(R.segment<3>(3 * v));
    }
    EXPECT_LE(total.norm(), 1e-13 * R.lpNorm<1>());
    EXPECT_LE(moment.norm(), 1e-13 * R.lpNorm<1>());  // arms are below a metre
}

TEST_P(EveryElement, ConstantStrainStoresTheAnalyticEnergy) {
    // ½ uᵀK(0)u for an affine u is the sum of volume times λ/2 tr(ε)² + μ ε:ε.
    const Eigen::Matrix3d G = Eigen::Map<const Eigen::Matrix3d>(random_vector(9, 60).data());
    const Eigen::Matrix3d strain = 0.5 * (G + G.transpose());
    double expected = 0;
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        const auto element = e < mesh.tets.size() ? tet_points(mesh, mesh.tets[e], 2)
                                                  : brick_points(mesh, mesh.bricks[e - mesh.tets.size()], 3);
        double volume = 0;
        for (const SlowPoint& p : element)
            volume += p.weight;
        const Lame lame = lame_of(materials.of(e));
        expected +=
            volume * (lame.lambda / 2 * strain.trace() * strain.trace() + lame.mu * strain.squaredNorm());
    }
    const Eigen::VectorXd affine = affine_displacement(mesh, Eigen::Matrix3d::Identity() + G);
    const SparseMatrix K = evaluate(model, Eigen::VectorXd::Zero(size)).stiffness;
    EXPECT_NEAR(0.5 * affine.dot(K.selfadjointView<Eigen::Lower>() * affine), expected, 1e-12 * expected);
}

TEST_P(EveryElement, FixedVerticesLoseTheirRowsAndColumns) {
    const FemModel held(mesh, materials, {5, 0, 17, 5}, {.brick_quadrature = std::get<1>(GetParam())});
    EXPECT_EQ(held.fixed_vertices(), (std::vector<int>{0, 5, 17}));
    const auto all = evaluate(model, u);
    const auto [R, K] = evaluate(held, u);
    EXPECT_EQ(R, all.force);  // forces stand on all vertices: minus the reaction at the fixed ones
    const Eigen::MatrixXd full = dense(all.stiffness), part = dense(K);
    ASSERT_EQ(part.rows(), held.free_dofs());
    for (int v = 0; v < int(held.vertex_count()); ++v)
        for (int w = 0; w < int(held.vertex_count()); ++w) {
            const int i = held.free_index(v), j = held.free_index(w);
            if (i < 0 || j < 0) continue;
            EXPECT_EQ((part.block<3, 3>(3 * i, 3 * j)), (full.block<3, 3>(3 * v, 3 * w)));
        }
}

std::string case_name(const testing::TestParamInfo<Case>& test) {
    const auto [cells, quadrature] = test.param;
    return name_of(cells) + (quadrature == BrickQuadrature::Exact       ? "Exact"
                             : quadrature == BrickQuadrature::Selective ? "Selective"
                                                                        : "");
}
INSTANTIATE_TEST_SUITE_P(Assemble, EveryElement,
                         testing::Values(Case{Cells::Tets, BrickQuadrature::Standard},
                                         Case{Cells::Bricks, BrickQuadrature::Standard},
                                         Case{Cells::Bricks, BrickQuadrature::Exact},
                                         Case{Cells::Bricks, BrickQuadrature::Selective},
                                         Case{Cells::Mixed, BrickQuadrature::Standard},
                                         Case{Cells::Mixed, BrickQuadrature::Selective}),
                         case_name);

// An affine displacement on the boundary continues affinely inside: no force on inner vertices, however
// distorted the mesh and however large the strain. One kind of element only: the faces of tets and bricks
// do not match.
TEST(Patch, AnAffineDisplacementLeavesNoForceInside) {
    for (const Cells cells : {Cells::Bricks, Cells::Tets})
        for (const auto quadrature :
             {BrickQuadrature::Standard, BrickQuadrature::Exact, BrickQuadrature::Selective}) {
            const std::array<int, 3> n = {3, 4, 3};
            const VolumeMesh mesh = box_mesh(n, kSize, cells, 0.3);
            const FemModel model(mesh, uniform_material(mesh, {2e5, 0.3, 900}), {},
                                 {.brick_quadrature = quadrature});
            Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
            A += 0.4 * Eigen::Map<const Eigen::Matrix3d>(random_vector(9, 70).data());
            const Eigen::VectorXd R = force(model, affine_displacement(mesh, A));
            int inner = 0;
            for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
                const Vertex& x = mesh.vertices[v];
                if ((x.array() < 1e-9).any() || (x.array() > kSize.array() - 1e-9).any()) continue;
                ++inner;
                EXPECT_LE(R.segment<3>(3 * Eigen::Index(v)).norm(), 1e-12 * R.norm());  // rounding
            }
            EXPECT_EQ(inner, 12);
        }
}

TEST(Patch, UniaxialStretchPullsWithTheAnalyticStress) {
    // StVK under uniaxial stress: E_xx = (s² - 1)/2, S_xx = young·E_xx, E_yy = -nu·E_xx, so that the sides
    // are free; the force over the end is s·S_xx·area.
    const double s = 1.3, young = 2e5, nu = 0.3;
    const double E_xx = (s * s - 1) / 2, side = std::sqrt(1 - 2 * nu * E_xx);
    const double expected = s * young * E_xx * kSize[1] * kSize[2];
    for (const Cells cells : {Cells::Bricks, Cells::Tets}) {
        const VolumeMesh mesh = box_mesh({3, 2, 2}, kSize, cells, 0.3);
        const FemModel model(mesh, uniform_material(mesh, {young, nu, 900}), {});
        const Eigen::VectorXd R =
            force(model, affine_displacement(mesh, Eigen::Vector3d(s, side, side).asDiagonal()));
        double pull = 0, sideways = 0;
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            const Eigen::Vector3d r = R.segment<3>(3 * Eigen::Index(v));
            if (mesh.vertices[v][0] > kSize[0] - 1e-9) pull += r[0];
            sideways = std::max({sideways, std::abs(r[1]), std::abs(r[2])});
        }
        EXPECT_NEAR(pull, expected, 1e-12 * expected);
        EXPECT_LE(sideways, 1e-12 * expected);
    }
}

TEST(Quadrature, TwoAndThreePointsAgreeAtRestOnBoxesAndNotFarFromIt) {
    const VolumeMesh mesh = box_mesh({2, 2, 2}, kSize, Cells::Bricks);
    const MaterialMap materials = two_materials(mesh);
    const FemModel standard(mesh, materials, {});
    const FemModel exact(mesh, materials, {}, {.brick_quadrature = BrickQuadrature::Exact});
    // On a box the gradients are linear in each of two coordinates: K(0) has degree two, which both
    // integrate.
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(3 * standard.vertex_count());
    const Eigen::MatrixXd K2 = dense(evaluate(standard, rest).stiffness),
                          K3 = dense(evaluate(exact, rest).stiffness);
    EXPECT_LE((K2 - K3).norm(), 1e-13 * K2.norm());
    // Far from rest the energy has degree four in each coordinate; two points are exact up to three.
    const Eigen::VectorXd u = 0.05 * random_vector(rest.size(), 80);
    EXPECT_GT(std::abs(elastic_energy(standard, u) - elastic_energy(exact, u)),
              1e-4 * elastic_energy(exact, u));
}

TEST(Quadrature, ExactOptionIntegratesTheQuarticEnergyExactlyOnBoxes) {
    const VolumeMesh mesh = box_mesh({2, 1, 1}, kSize, Cells::Bricks);
    const MaterialMap materials = two_materials(mesh);
    const FemModel exact(mesh, materials, {}, {.brick_quadrature = BrickQuadrature::Exact});
    const Eigen::VectorXd u = 0.05 * random_vector(3 * exact.vertex_count(), 81);
    const double expected = slow_stvk(mesh, materials, u, 5).energy;  // five points: exact up to degree nine
    EXPECT_NEAR(elastic_energy(exact, u), expected, 1e-13 * expected);
}

TEST(Assemble, TranslatesOfOneBrickGiveWhatTheirOwnGeometryGives) {
    // Far from the origin coordinates are rounded: bricks that should be equal differ in their last digits.
    VolumeMesh mesh = box_mesh({3, 3, 3}, kSize, Cells::Bricks);
    for (Vertex& x : mesh.vertices)
        x += Eigen::Vector3d(10, -20, 5);
    const MaterialMap materials = two_materials(mesh);
    const FemModel model(mesh, materials, {});
    const Eigen::VectorXd u = 0.05 * random_vector(3 * model.vertex_count(), 82);
    const SlowStvk expected = slow_stvk(mesh, materials, u);
    const auto [R, K] = evaluate(model, u);
    // 20 m of offset on cells of 0.1 m: 2e-14 relative in every edge.
    EXPECT_LE((R - expected.force).norm(), 1e-12 * expected.force.norm());
    EXPECT_LE((dense(K) - expected.stiffness).norm(), 1e-12 * expected.stiffness.norm());
}

// A brick that is filled in part is a brick of a lighter and softer material; stiffness has a floor.
TEST(Assemble, BricksFilledInPartAreBricksOfTheirOwnMaterial) {
    VolumeMesh mesh = shuffled(box_mesh({3, 2, 2}, kSize, Cells::Mixed, 0.2), 5);
    const Material whole{2e6, 0.3, 1100};
    MaterialMap own;
    own.groups = {{"default", whole}};
    own.group_of_element.assign(mesh.tets.size(), 0);
    for (std::size_t b = 0; b < mesh.bricks.size(); ++b) {
        mesh.fraction.push_back(0.03F + 0.9F * float(b) / float(mesh.bricks.size()));
        const double f = mesh.fraction.back();
        own.group_of_element.push_back(int(own.groups.size()));
        own.groups.push_back({"brick", {std::max(f, 0.1) * whole.young, whole.poisson, f * whole.density}});
    }
    VolumeMesh full = mesh;
    full.fraction.clear();
    const FemModel part(mesh, uniform_material(mesh, whole), {0, 4}), expected(full, own, {0, 4});
    const Eigen::VectorXd u = 0.1 * random_vector(3 * part.vertex_count(), 3);
    Eigen::VectorXd R, R_expected;
    SparseMatrix K, K_expected;
    force_and_stiffness(part, u, R, K);
    force_and_stiffness(expected, u, R_expected, K_expected);
    EXPECT_LE((R - R_expected).norm(), 1e-13 * R.norm());
    EXPECT_LE((K - K_expected).norm(), 1e-13 * K.norm());
    const double energy = elastic_energy(expected, u);
    EXPECT_NEAR(elastic_energy(part, u), energy, 1e-13 * energy);
    EXPECT_NEAR(total_mass(part), total_mass(expected), 1e-13 * total_mass(part));
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped}) {
        const SparseMatrix M = mass_matrix(expected, kind);
        EXPECT_LE((mass_matrix(part, kind) - M).norm(), 1e-13 * M.norm());
    }
    const Eigen::Vector3d g(0, 1, -9.81);
    const Eigen::VectorXd weight = gravity_force(expected, g);
    EXPECT_LE((gravity_force(part, g) - weight).norm(), 1e-13 * weight.norm());
}

TEST(Assemble, FractionsThatMakeNoSenseAreRefused) {
    VolumeMesh mesh = box_mesh({2, 1, 1}, kSize, Cells::Bricks);
    const std::vector<std::vector<double>> senseless = {{1}, {1, 0}, {1, 1.5}, {1, -0.2}, {1, NAN}};
    for (const auto& bad : senseless) {
        mesh.fraction = bad;
        EXPECT_THROW(FemModel(mesh, {}, {}), InputError);
    }
}

TEST(Assemble, SameBytesWithOneTwoAndFourThreads) {
    for (const Cells cells : {Cells::Tets, Cells::Bricks, Cells::Mixed}) {
        const VolumeMesh mesh = shuffled(box_mesh({8, 7, 9}, kSize, cells, 0.2), 5);  // tens of blocks
        const Eigen::VectorXd u = 0.02 * random_vector(3 * Eigen::Index(mesh.vertices.size()), 90);
        std::vector<double> first_bytes;
        for (const int threads : {1, 2, 4, 4}) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                            std::size_t(threads));
            tbb::task_arena arena(threads);
            arena.execute([&] {
                const FemModel model(mesh, two_materials(mesh), {1, 2, 3, 40});
                auto [R, K] = evaluate(model, u);
                force_and_stiffness(model, u, R, K);  // a second time into the same memory
                std::vector<double> bytes(K.valuePtr(), K.valuePtr() + K.nonZeros());
                bytes.insert(bytes.end(), R.begin(), R.end());
                const Eigen::VectorXd alone = force(model, u);
                bytes.insert(bytes.end(), alone.begin(), alone.end());
                bytes.push_back(elastic_energy(model, u));
                if (first_bytes.empty()) first_bytes = bytes;
                ASSERT_EQ(bytes.size(), first_bytes.size());
                EXPECT_EQ(std::memcmp(bytes.data(), first_bytes.data(), bytes.size() * sizeof(double)), 0);
            });
        }
    }
}

TEST(Assemble, OldValuesInTheOutputDoNotCount) {
    const VolumeMesh mesh = box_mesh({2, 2, 2}, kSize, Cells::Mixed, 0.2);
    const FemModel model(mesh, two_materials(mesh), {0, 4});
    const Eigen::VectorXd u = 0.05 * random_vector(3 * model.vertex_count(), 92);
    auto reused = evaluate(model, 2 * u);
    const double* memory = reused.stiffness.valuePtr();
    force_and_stiffness(model, u, reused.force, reused.stiffness);
    const auto fresh = evaluate(model, u);
    EXPECT_EQ(reused.force, fresh.force);
    EXPECT_EQ(dense(reused.stiffness), dense(fresh.stiffness));
    EXPECT_EQ(reused.stiffness.valuePtr(), memory);
    Eigen::VectorXd R = Eigen::VectorXd::Ones(7);  // of another size
    internal_force(model, u, R);
    EXPECT_EQ(R, force(model, u));
}

TEST(Assemble, RestHasNoForceAndNoEnergy) {
    const VolumeMesh mesh = box_mesh({2, 2, 2}, kSize, Cells::Mixed, 0.2);
    const FemModel model(mesh, two_materials(mesh), {});
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(3 * model.vertex_count());
    EXPECT_EQ(elastic_energy(model, rest), 0);
    EXPECT_EQ(force(model, rest), rest);
}

TEST(Assemble, NotANumberInTheDisplacementIsNotHidden) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kSize, Cells::Bricks);
    const FemModel model(mesh, two_materials(mesh), {});
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * model.vertex_count());
    u[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(elastic_energy(model, u)));
    EXPECT_TRUE(force(model, u).hasNaN());
}

TEST(Assemble, AllVerticesFixedGiveEmptyMatricesAndStillForces) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kSize, Cells::Mixed);
    std::vector<int> all(mesh.vertices.size());
    for (std::size_t v = 0; v < all.size(); ++v)
        all[v] = int(v);
    const FemModel model(mesh, two_materials(mesh), all);
    const Eigen::VectorXd u = 0.05 * random_vector(3 * model.vertex_count(), 91);
    const auto [R, K] = evaluate(model, u);
    EXPECT_EQ(K.rows(), 0);
    EXPECT_EQ(mass_matrix(model, MassKind::Consistent).rows(), 0);
    EXPECT_GT(R.norm(), 0);
}

}  // namespace
}  // namespace limber::build
