// SPDX-License-Identifier: Apache-2.0
// Reduced forces against the full model: docs/math/reduced_stvk.md.
#include "build/reduce/reduce.h"

#include "build/fem/brick_gauss.h"
#include "build/mesh/element_shape.h"
#include "tests/build/fem/sample_meshes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <limber/reduced/strain_form.h>
#include <tbb/global_control.h>
#include <Eigen/Dense>

#include <cstring>
#include <utility>

namespace limber::build {
namespace {

struct Case {
    Cells cells;
    BrickQuadrature quadrature;
    int groups;
    bool filled = true;  // false: bricks are filled in part
};

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
    return name_of(info.param.cells) +
           (info.param.quadrature == BrickQuadrature::Exact       ? "Exact"
            : info.param.quadrature == BrickQuadrature::Selective ? "Selective"
                                                                  : "Standard") +
           std::to_string(info.param.groups) + (info.param.groups == 1 ? "Group" : "Groups") +
           (info.param.filled ? "" : "FilledInPart");
}

// Fixed at x = 0. Group 2 of two_materials() stays empty where one group is asked for.
FemModel small_body(const Case& c) {
    VolumeMesh mesh = shuffled(box_mesh({4, 2, 2}, {1, 0.4, 0.5}, c.cells, 0.2), 3);
    if (!c.filled)  // from almost empty, where stiffness has its floor, to full
        for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
            mesh.fraction.push_back(0.02F + 0.98F * float(b % 5) / 4);
    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].x() < 1e-9) fixed.push_back(int(v));
    const MaterialMap materials =
        c.groups == 2 ? two_materials(mesh) : uniform_material(mesh, {2e6, 0.3, 1200});
    return FemModel(mesh, materials, fixed, {.brick_quadrature = c.quadrature});
}

// Random columns, zero on the fixed vertices.
Eigen::MatrixXd random_basis(const FemModel& model, Eigen::Index rank) {
    Eigen::MatrixXd U(3 * model.vertex_count(), rank);
    for (Eigen::Index i = 0; i < rank; ++i)
        U.col(i) = model.expand_from_free(random_vector(model.free_dofs(), unsigned(10 + i)));
    return U;
}

std::vector<Material> materials_of(const FemModel& model) {
    std::vector<Material> materials;
    for (const ModelGroup& group : model_groups(model))
        materials.push_back(group.material);
    return materials;
}

QuarticEval<double> evaluate_at(const StvkModel& stvk, const std::vector<Material>& materials,
                                const Eigen::VectorXd& q) {
    Model model;
    model.rank = int(q.size());
    model.groups.resize(materials.size());
    model.stvk = std::make_shared<const StvkModel>(stvk);
    QuarticEval<double> eval(int(q.size()));
    evaluate(symmetrize<double>(weighted_strain_form(model, materials), q.size()), q, eval);
    return eval;
}

class Reduce : public testing::TestWithParam<Case> {};

TEST_P(Reduce, ForceAndStiffnessAreThoseOfTheFullModel) {
    const FemModel model = small_body(GetParam());
    const Eigen::MatrixXd U = random_basis(model, 6);
    const StvkModel stvk = reduce(model, U, MassKind::Consistent);
    ASSERT_EQ(int(stvk.groups.size()), GetParam().groups);
    // Entries of u up to 1 m in a body of 1 m: strains of order 10, where the quartic part rules.
    for (const double size : {1e-3, 1.0}) {
        const Eigen::VectorXd q = size * random_vector(6, 7), u = U * q;
        const auto reduced = evaluate_at(stvk, materials_of(model), q);
        Eigen::VectorXd R;
        SparseMatrix K;
        force_and_stiffness(model, u, R, K);
        Eigen::MatrixXd free_U(model.free_dofs(), 6);
        for (Eigen::Index i = 0; i < 6; ++i)
            free_U.col(i) = model.restrict_to_free(U.col(i));
        const Eigen::VectorXd f = U.transpose() * R;
        const Eigen::MatrixXd S = free_U.transpose() * (K.selfadjointView<Eigen::Lower>() * free_U);
        EXPECT_LE((reduced.force - f).norm(), 1e-11 * f.norm());
        EXPECT_LE((reduced.stiffness - S).norm(), 1e-11 * S.norm());
        EXPECT_EQ(reduced.stiffness, reduced.stiffness.transpose());
        EXPECT_NEAR(reduced.energy, elastic_energy(model, u), 1e-11 * reduced.energy);
    }
}

TEST_P(Reduce, EditedMaterialsGiveTheCoefficientsOfAFreshReduction) {
    const FemModel model = small_body(GetParam());
    const Eigen::MatrixXd U = random_basis(model, 5);
    const StvkModel stvk = reduce(model, U, MassKind::Consistent);
    MaterialMap changed = model.materials();
    for (std::size_t g = 0; g < changed.groups.size(); ++g)
        changed.groups[g].material = {3e5 * double(g + 1), 0.1 + 0.3 * double(g), 700 + 50 * double(g)};
    const FemModel other(model.mesh(), changed, model.fixed_vertices(),
                         {.brick_quadrature = GetParam().quadrature});
    const StvkModel fresh = reduce(other, U, MassKind::Consistent);
    const std::vector<Material> materials = materials_of(other);
    const Eigen::VectorXd q = random_vector(5, 8);
    const auto a = evaluate_at(stvk, materials, q), b = evaluate_at(fresh, materials, q);
    EXPECT_LE((a.force - b.force).norm(), 1e-11 * b.force.norm());
    EXPECT_LE((a.stiffness - b.stiffness).norm(), 1e-11 * b.stiffness.norm());

    // The dense mass of the new densities is UᵀMU of the new model.
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(5, 5);
    for (std::size_t g = 0; g < materials.size(); ++g)
        mass += materials[g].density * stvk.groups[g].mass;
    Eigen::MatrixXd free_U(other.free_dofs(), 5);
    for (Eigen::Index i = 0; i < 5; ++i)
        free_U.col(i) = other.restrict_to_free(U.col(i));
    const Eigen::MatrixXd expected =
        free_U.transpose() * dense(mass_matrix(other, MassKind::Consistent)) * free_U;
    EXPECT_LE((mass - expected).norm(), 1e-11 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Meshes, Reduce,
                         testing::Values(Case{Cells::Tets, BrickQuadrature::Standard, 1},
                                         Case{Cells::Tets, BrickQuadrature::Standard, 2},
                                         Case{Cells::Bricks, BrickQuadrature::Standard, 1},
                                         Case{Cells::Bricks, BrickQuadrature::Exact, 2},
                                         Case{Cells::Mixed, BrickQuadrature::Standard, 2},
                                         Case{Cells::Bricks, BrickQuadrature::Standard, 1, false},
                                         Case{Cells::Mixed, BrickQuadrature::Exact, 2, false},
                                         Case{Cells::Bricks, BrickQuadrature::Selective, 1},
                                         Case{Cells::Mixed, BrickQuadrature::Selective, 2, false}),
                         name_of_case);

TEST(Reduction, MassAndWeightAreThoseOfTheFullModel) {
    const std::vector<std::pair<MassKind, bool>> cases = {{MassKind::Consistent, true},
                                                          {MassKind::Lumped, true},
                                                          {MassKind::Consistent, false},
                                                          {MassKind::Lumped, false}};
    for (const auto& [kind, filled] : cases) {
        const FemModel model = small_body({Cells::Mixed, BrickQuadrature::Standard, 2, filled});
        const Eigen::MatrixXd U = random_basis(model, 4);
        const std::vector<ModelGroup> groups = model_groups(model);
        const StvkModel stvk = reduce(model, U, kind);
        Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(4, 4), weight = Eigen::MatrixXd::Zero(4, 3);
        double total = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const double density = groups[g].material.density;
            mass += density * stvk.groups[g].mass;
            weight += density * stvk.groups[g].weight;
            total += density * groups[g].volume;
        }
        Eigen::MatrixXd free_U(model.free_dofs(), 4);
        for (Eigen::Index i = 0; i < 4; ++i)
            free_U.col(i) = model.restrict_to_free(U.col(i));
        const Eigen::MatrixXd expected = free_U.transpose() * dense(mass_matrix(model, kind)) * free_U;
        EXPECT_LE((mass - expected).norm(), 1e-12 * expected.norm());
        const Eigen::Vector3d g(1, -9.81, 2);
        const Eigen::VectorXd force = U.transpose() * gravity_force(model, g);
        EXPECT_LE((weight * g - force).norm(), 1e-12 * force.norm());
        EXPECT_NEAR(total, total_mass(model), 1e-12 * total);
    }
}

TEST(Reduction, AFieldOfAccelerationThatIsLinearInXGivesTheConsistentLoad) {
    Eigen::Matrix3d field;
    field << 1, -2, 0.5, 3, 0.25, -1, 0, 4, -0.75;
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped}) {
        const FemModel model = small_body({Cells::Mixed, BrickQuadrature::Standard, 2});
        const FemModel unheld(model.mesh(), model.materials(), {});  // its mass matrix has all vertices
        const Eigen::MatrixXd U = random_basis(model, 4);
        Eigen::VectorXd acceleration(U.rows());
        for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
            acceleration.segment<3>(3 * v) = field * model.mesh().vertices[std::size_t(v)];
        const Eigen::VectorXd expected =
            U.transpose() * (dense(mass_matrix(unheld, kind)) * acceleration).eval();
        Eigen::VectorXd found = Eigen::VectorXd::Zero(4);
        const StvkModel stvk = reduce(model, U, kind);
        for (std::size_t g = 0; g < stvk.groups.size(); ++g)
            found += materials_of(model)[g].density * stvk.groups[g].moment * field.reshaped();
        EXPECT_LE((found - expected).norm(), 1e-12 * expected.norm());
    }
}

// [1 Ŭ] at a point with weights N of the vertices, one column per function: 1, then 3a + j.
template <class Vertices, class Weights>
Eigen::RowVectorXd functions_at(const FemModel& model, const Eigen::MatrixXd& U, const Vertices& vertices,
                                const Weights& N) {
    Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(4 + 3 * U.cols());
    out[0] = 1;
    for (Eigen::Index i = 0; i < N.size(); ++i) {
        const Eigen::Index v = vertices[std::size_t(i)];
        out.segment<3>(1) += N[i] * model.mesh().vertices[std::size_t(v)].transpose();
        out.tail(3 * U.cols()) += N[i] * U.middleRows<3>(3 * v).reshaped().transpose();
    }
    return out;
}

// The Gram matrices of [1 Ŭ] by Gauss points, per group: those of bricks are exact to degree 5, those of tets
// to degree 2.
std::vector<Eigen::MatrixXd> quadrature_tensors(const FemModel& model, const Eigen::MatrixXd& U) {
    const VolumeMesh& mesh = model.mesh();
    const Eigen::Index size = 4 + 3 * U.cols();
    std::vector<Eigen::MatrixXd> out(model.materials().groups.size(), Eigen::MatrixXd::Zero(size, size));
    const auto add = [&](std::size_t element, double weight, const Eigen::RowVectorXd& f) {
        out[std::size_t(model.materials().group_of_element[element])] += weight * f.transpose() * f;
    };
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        Eigen::Matrix3d edges;
        for (int i = 0; i < 3; ++i)
            edges.col(i) = mesh.vertices[std::size_t(mesh.tets[e][std::size_t(i + 1)])] -
                           mesh.vertices[std::size_t(mesh.tets[e][0])];
        const double root = std::sqrt(5.0);
        for (int point = 0; point < 4; ++point) {
            Eigen::Vector4d N = Eigen::Vector4d::Constant((5 - root) / 20);
            N[point] = (5 + 3 * root) / 20;
            add(e, edges.determinant() / 24, functions_at(model, U, mesh.tets[e], N));
        }
    }
    for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
        for (const GaussPoint& point : brick_gauss_points(3)) {
            const double jacobian =
                (points_of(mesh, mesh.bricks[b]) * brick_gradients(point.xi)).determinant();
            add(mesh.tets.size() + b, point.weight * jacobian,
                functions_at(model, U, mesh.bricks[b], brick_weights(point.xi)));
        }
    return out;
}

TEST(Reduction, TensorsAreThoseOfQuadrature) {
    const FemModel model = small_body({Cells::Mixed, BrickQuadrature::Standard, 2});
    const Eigen::MatrixXd U = random_basis(model, 4);
    const StvkModel stvk = reduce(model, U, MassKind::Consistent);
    const std::vector<Eigen::MatrixXd> expected = quadrature_tensors(model, U);
    for (std::size_t g = 0; g < 2; ++g) {
        const StvkGroup& group = stvk.groups[g];
        EXPECT_LE((group.first_tensor.reshaped() - expected[g].col(0).tail(15)).norm(),
                  1e-13 * group.first_tensor.norm());
        EXPECT_LE((group.second_tensor - expected[g].bottomRightCorner(15, 15)).norm(),
                  1e-13 * group.second_tensor.norm());
        EXPECT_EQ(group.second_tensor, group.second_tensor.transpose());
    }
}

// Component j of Ŭ_a as a vector over the vertices: f = (f_v), G(3a+j, 3b+k) = fᵀ m f with the scalar mass m.
TEST(Reduction, TensorsHaveTheMassThatWasAskedFor) {
    for (const bool filled : {true, false})
        for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped}) {
            const FemModel held = small_body({Cells::Mixed, BrickQuadrature::Standard, 2, filled});
            const FemModel model(held.mesh(), held.materials(), {});
            const Eigen::MatrixXd U = random_basis(model, 4);
            const StvkModel stvk = reduce(model, U, kind);
            const Eigen::MatrixXd M = dense(mass_matrix(model, kind));
            const Eigen::Index n = model.vertex_count();
            Eigen::MatrixXd scalar_mass(n, n), f(n, 15);
            for (Eigen::Index v = 0; v < n; ++v) {
                for (Eigen::Index w = 0; w < n; ++w)
                    scalar_mass(v, w) = M(3 * v, 3 * w);
                f.row(v).head<3>() = model.mesh().vertices[std::size_t(v)].transpose();
                f.row(v).tail(12) = U.middleRows<3>(3 * v).reshaped().transpose();
            }
            Eigen::MatrixXd first = Eigen::MatrixXd::Zero(3, 5), second = Eigen::MatrixXd::Zero(15, 15);
            for (std::size_t g = 0; g < stvk.groups.size(); ++g) {
                first += materials_of(model)[g].density * stvk.groups[g].first_tensor;
                second += materials_of(model)[g].density * stvk.groups[g].second_tensor;
            }
            const Eigen::VectorXd c = f.transpose() * scalar_mass.rowwise().sum();
            const Eigen::MatrixXd G = f.transpose() * scalar_mass * f;
            EXPECT_LE((first.reshaped() - c).norm(), 1e-13 * c.norm());
            EXPECT_LE((second - G).norm(), 1e-13 * G.norm());
        }
}

// Volume, centre and ∫ x xᵀ of the box [0,a]x[0,b]x[0,c]: abc, a/2, abc a²/3 on and abc ab/4 off the
// diagonal.
TEST(Reduction, MomentsOfABoxAreThoseOfTheory) {
    const Eigen::Vector3d size(1, 0.4, 0.5);
    for (const Cells cells : {Cells::Tets, Cells::Bricks, Cells::Mixed}) {
        // Inner vertices moved, still the box; but moved faces between bricks and tets would not match.
        const VolumeMesh mesh = box_mesh({4, 3, 3}, size, cells, cells == Cells::Mixed ? 0 : 0.2);
        const FemModel model(mesh, uniform_material(mesh, {}), {});
        const std::vector<ModelGroup> groups = model_groups(model);
        const double volume = size.prod();
        Eigen::Matrix3d second = volume / 4 * size * size.transpose();
        second.diagonal() *= 4.0 / 3;
        EXPECT_NEAR(groups[0].volume, volume, 1e-13);
        EXPECT_LE((groups[0].first_moment - volume / 2 * size).norm(), 1e-13);
        EXPECT_LE((groups[0].second_moment - second).norm(), 1e-13);
    }
}

TEST(Reduction, GroupsWithoutElementsAreLeftOut) {
    const VolumeMesh mesh = box_mesh({2, 1, 1}, {1, 1, 1}, Cells::Bricks);
    const MaterialMap materials{{{"default", {}}, {"unused", {}}, {"steel", {2e11, 0.3, 7800}}}, {2, 0}};
    const FemModel model(mesh, materials, {});
    EXPECT_EQ(model_group_of(model), (std::vector<int>{0, -1, 1}));
    EXPECT_EQ(reduce(model, random_basis(model, 2), MassKind::Consistent).groups.size(), 2u);
    const std::vector<ModelGroup> groups = model_groups(model);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].name, "default");
    EXPECT_EQ(groups[1].name, "steel");
    EXPECT_EQ(groups[1].material.young, 2e11);
    EXPECT_NEAR(groups[1].volume, 0.5, 1e-14);
}

bool same_bytes(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(double)) == 0;
}

TEST(Reduction, BytesDoNotDependOnTheNumberOfThreads) {
    const FemModel model = small_body({Cells::Mixed, BrickQuadrature::Selective, 2});
    const Eigen::MatrixXd U = random_basis(model, 21);  // m = 252: three tiles
    const auto with = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return reduce(model, U, MassKind::Consistent).groups;
    };
    const auto one = with(1), two = with(2);
    for (std::size_t g = 0; g < one.size(); ++g) {
        EXPECT_TRUE(same_bytes(one[g].bulk, two[g].bulk));
        EXPECT_TRUE(same_bytes(one[g].shear, two[g].shear));
        EXPECT_TRUE(same_bytes(one[g].mass, two[g].mass));
    }
}

// W of one panel and of many: more points than a panel holds, summed by hand point by point.
TEST(Reduction, PanelsAddUp) {
    const VolumeMesh small = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Tets);
    VolumeMesh mesh;  // the same six tets 100 times over, apart: 600 points
    for (int copy = 0; copy < 100; ++copy) {
        const int shift = int(mesh.vertices.size());
        for (const Vertex& x : small.vertices)
            mesh.vertices.push_back(x + Eigen::Vector3d(2 * copy, 0, 0));
        for (Tet tet : small.tets) {
            for (int& v : tet)
                v += shift;
            mesh.tets.push_back(tet);
        }
    }
    const FemModel one(small, uniform_material(small, {}), {}), many(mesh, uniform_material(mesh, {}), {});
    const Eigen::MatrixXd U = random_basis(one, 3);
    const auto W = reduce(one, U, MassKind::Consistent).groups;
    const auto sum = reduce(many, U.replicate(100, 1), MassKind::Consistent).groups;
    EXPECT_LE((sum[0].bulk - 100 * W[0].bulk).norm(), 1e-12 * sum[0].bulk.norm());
    EXPECT_LE((sum[0].shear - 100 * W[0].shear).norm(), 1e-12 * sum[0].shear.norm());
    EXPECT_LE((sum[0].mass - 100 * W[0].mass).norm(), 1e-12 * sum[0].mass.norm());
}

TEST(Reduction, ProgressRunsToOne) {
    const FemModel model = small_body({Cells::Tets, BrickQuadrature::Standard, 2});
    double last = 0;
    reduce(model, random_basis(model, 2), MassKind::Consistent, [&](std::string_view, double fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
    });
    EXPECT_EQ(last, 1);
}

TEST(Reduction, ABasisThatDoesNotFitIsRefused) {
    const FemModel model = small_body({Cells::Tets, BrickQuadrature::Standard, 1});
    const Eigen::Index rows = 3 * model.vertex_count();
    EXPECT_THROW(reduce(model, Eigen::MatrixXd::Zero(rows - 3, 2), MassKind::Consistent), InputError);
    EXPECT_THROW(reduce(model, Eigen::MatrixXd::Zero(rows, 0), MassKind::Consistent), InputError);
    Eigen::MatrixXd U = Eigen::MatrixXd::Zero(rows, 2);
    U(5, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(reduce(model, U, MassKind::Consistent), InputError);
}

}  // namespace
}  // namespace limber::build
