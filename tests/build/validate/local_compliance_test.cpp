// SPDX-License-Identifier: Apache-2.0
// Linear statics on patches of the surface, against dense matrices. docs/math/validation.md, section 1.
#include "build/validate/local_compliance.h"

#include "build/fem/assemble.h"
#include "build/mesh/vertex_range.h"
#include "build/recipe/full_model.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace limber::test {
namespace {

using namespace build;

// 6 x 2 x 2 bricks: 54 free vertices.
BuildInput bar() {
    return {models::bar({6, 2, 2}, {1, 0.3, 0.2}, models::BarElements::Bricks), "bar", {}};
}

std::shared_ptr<Model> bar_model(const std::vector<std::string>& improve = {}, bool held = true) {
    Recipe recipe = tiny_recipe();
    recipe.improve = improve;
    if (!held) recipe.fix.clear();
    return build_model(bar(), recipe).model;
}

Eigen::MatrixXd dense_stiffness(const FemModel& fem) {
    Eigen::VectorXd force;
    SparseMatrix K;
    force_and_stiffness(fem, Eigen::VectorXd::Zero(3 * fem.vertex_count()), force, K);
    return Eigen::MatrixXd(K).selfadjointView<Eigen::Lower>();
}

// The largest compliance of fixed and free body alike: fᵀ K⁺ f, f on the nodes. Rigid motions of a free body
// are left out by the pseudoinverse in the mass metric, L⁻¹ K L⁻ᵀ with M = LLᵀ.
double dense_compliance(const FemModel& fem, const Eigen::VectorXd& f) {
    const Eigen::MatrixXd M =
        Eigen::MatrixXd(mass_matrix(fem, MassKind::Consistent)).selfadjointView<Eigen::Lower>();
    const Eigen::LLT<Eigen::MatrixXd> L(M);
    const Eigen::MatrixXd half = L.matrixL().solve(dense_stiffness(fem));
    const Eigen::MatrixXd A = L.matrixL().solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
    const Eigen::VectorXd g = eigen.eigenvectors().transpose() * L.matrixL().solve(fem.restrict_to_free(f));
    double sum = 0;
    for (Eigen::Index i = 0; i < g.size(); ++i)
        if (eigen.eigenvalues()[i] > 1e-9 * eigen.eigenvalues().maxCoeff())
            sum += g[i] * g[i] / eigen.eigenvalues()[i];
    return sum;
}

// fᵀ U (Uᵀ K U)⁻¹ Uᵀ f with the full K.
double dense_reduced_compliance(const FemModel& fem, const Eigen::MatrixXd& U, const Eigen::VectorXd& f) {
    Eigen::MatrixXd u(fem.free_dofs(), U.cols());
    for (Eigen::Index i = 0; i < U.cols(); ++i)
        u.col(i) = fem.restrict_to_free(U.col(i));
    const Eigen::VectorXd g = U.transpose() * f;
    return g.dot((u.transpose() * dense_stiffness(fem) * u).ldlt().solve(g));
}

// Of the surface, at a place.
int vertex_at(const Model& model, const Eigen::Vector3d& x) {
    for (std::size_t v = 0; v < model.surface.vertices.size(); ++v)
        if ((model.surface.vertices[v] - x).norm() < 1e-9) return static_cast<int>(v);
    ADD_FAILURE() << "no vertex at " << x.transpose();
    return 0;
}

// The patch at the middle of the top side, (0.5, 0.15, 0.2) m, by hand. Elements are 1/6 x 0.15 x 0.1 m, so
// the radius is their size; the vertex itself, its neighbours in y at 0.15 m are beyond it.
Eigen::VectorXd push_on_top(const Model& model) {
    const double size = std::sqrt((1.0 / 36 + 0.15 * 0.15 + 0.1 * 0.1) / 3);
    EXPECT_LT(size, 0.15);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.volume_vertices);
    const int v = model.surface.input_vertex[static_cast<std::size_t>(vertex_at(model, {0.5, 0.15, 0.2}))];
    f[3 * v + 2] = 1;
    return f;
}

const char* const kTop = "near:0.5,0.15,0.2";

TEST(LocalCompliance, AgreesWithDenseMatrices) {
    for (const bool held : {true, false}) {
        const auto model = bar_model({}, held);
        const FemModel fem = full_model(*model);
        const LocalCompliance local = local_compliance(*model, {.points = 0, .at = {kTop}, .rank = {}});
        ASSERT_EQ(local.points.size(), 1u);
        const CompliancePoint& p = local.points[0];
        EXPECT_LE((p.position - Eigen::Vector3d(0.5, 0.15, 0.2)).norm(), 1e-12);
        EXPECT_LE((p.normal - Eigen::Vector3d::UnitZ()).norm(), 1e-12);
        EXPECT_EQ(p.patch_vertices, 1u);
        const Eigen::VectorXd f = push_on_top(*model);
        const double full = dense_compliance(fem, f),
                     reduced = dense_reduced_compliance(fem, model->volume.basis, f);
        EXPECT_NEAR(p.full, full, 1e-8 * full);
        EXPECT_NEAR(p.reduced, reduced, 1e-8 * reduced);
        EXPECT_LT(p.ratio(), 0.95);  // a basis of 6 vectors has no dent
    }
}

TEST(LocalCompliance, ABasisOfEverythingIsExact) {
    // 2 x 1 x 1 bricks, one end held: 24 coordinates, 24 modes span them all.
    Recipe recipe = tiny_recipe();
    recipe.basis = LinearModes{};
    recipe.modes = 24;
    recipe.rank = RankChoice{.rank = 24, .auto_fraction = {}};
    const BuildInput input{models::bar({2, 1, 1}, {1, 0.2, 0.2}, models::BarElements::Bricks), "bar", {}};
    const LocalCompliance local = local_compliance(*build_model(input, recipe).model);
    ASSERT_EQ(local.points.size(), 8u);  // as many free vertices as the surface has
    for (const CompliancePoint& p : local.points)
        EXPECT_NEAR(p.ratio(), 1, 1e-10);  // rounding of a condition of 1e4 or so
}

TEST(LocalCompliance, AReducedBodyIsNeverSofterAndMoreVectorsAreNeverStiffer) {
    // Galerkin: the energy is minimised in a smaller space. docs/math/validation.md (2).
    for (const bool held : {true, false}) {
        const auto model = bar_model({}, held);
        std::vector<double> before;
        for (int rank = 1; rank <= model->rank; ++rank) {
            const LocalCompliance local = local_compliance(*model, {.points = 12, .at = {}, .rank = rank});
            ASSERT_EQ(local.points.size(), 12u);
            EXPECT_EQ(local.rank, rank);
            before.resize(local.points.size(), 0);
            for (std::size_t i = 0; i < local.points.size(); ++i) {
                EXPECT_LE(local.points[i].ratio(), 1 + 1e-9);  // rounding
                EXPECT_GE(local.points[i].reduced, before[i] * (1 - 1e-9));
                before[i] = local.points[i].reduced;
            }
        }
    }
}

TEST(LocalCompliance, AnImprovedPlaceGivesWayAsTheFullModelInEveryDirection) {
    for (const bool held : {true, false}) {
        const auto before = bar_model({}, held), after = bar_model({kTop}, held);
        EXPECT_EQ(after->rank, before->rank + 3);
        // The vectors before are as they were; rigid motion is taken from those of a free body, with
        // rounding.
        const Eigen::MatrixXd kept = after->volume.basis.leftCols(before->rank);
        EXPECT_LE((kept - before->volume.basis).norm(), (held ? 0 : 1e-13) * kept.norm());
        const FemModel fem = full_model(*after);
        const Eigen::VectorXd down = push_on_top(*after);
        for (const Eigen::Vector3d& direction :
             {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0.6, -0.64, 0.48)}) {
            Eigen::VectorXd f = Eigen::VectorXd::Zero(down.size());
            for (Eigen::Index i = 0; i < f.size() / 3; ++i)
                f.segment<3>(3 * i) = down[3 * i + 2] * direction;
            const double full = dense_compliance(fem, f);
            EXPECT_LT(dense_reduced_compliance(fem, before->volume.basis, f), 0.95 * full);
            EXPECT_NEAR(dense_reduced_compliance(fem, after->volume.basis, f), full, 1e-6 * full);
        }
        const LocalCompliance local = local_compliance(*after, {.points = 0, .at = {kTop}, .rank = {}});
        EXPECT_NEAR(local.points.at(0).ratio(), 1, 1e-6);
        // The same by the first vectors only: not improved.
        const LocalCompliance first =
            local_compliance(*after, {.points = 0, .at = {kTop}, .rank = before->rank});
        EXPECT_LT(first.points.at(0).ratio(), 0.95);
    }
}

TEST(LocalCompliance, PatchesOfSeveralVerticesAreImprovedTheSame) {
    // A surface in cubes, where nodes and vertices of the surface are not the same.
    SurfaceMesh box;
    for (int i = 0; i < 8; ++i)
        box.vertices.emplace_back(i & 1 ? 1.0 : 0.0, i & 2 ? 0.4 : 0.0, i & 4 ? 0.4 : 0.0);
    box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    Recipe recipe = tiny_recipe();
    recipe.filling = Voxels{5};
    recipe.improve = {"x>0.9 && z>0.3", "near:1,0,0"};
    const auto model = build_model({box, "box", {}}, recipe).model;
    EXPECT_EQ(model->rank, 12);
    const LocalCompliance local = local_compliance(*model, {.points = 6, .at = recipe.improve, .rank = {}});
    ASSERT_GE(local.points.size(), 3u);
    EXPECT_EQ(local.points[0].patch_vertices, 2u);
    EXPECT_NEAR(local.points[0].ratio(), 1, 1e-6);
    EXPECT_NEAR(local.points[1].ratio(), 1, 1e-6);
}

TEST(LocalCompliance, AResponseThatTheBasisHoldsAddsNothing) {
    Recipe recipe = tiny_recipe();
    recipe.improve = {kTop, kTop};
    const Built built = build_model(bar(), recipe);
    EXPECT_EQ(built.static_responses, 3);
    EXPECT_EQ(built.model->rank, 9);
    EXPECT_TRUE(std::any_of(built.notes.begin(), built.notes.end(), [](const std::string& note) {
        return note == "3 of 6 static responses are in the basis already";
    }));
}

TEST(LocalCompliance, PointsAreSpreadAwayFromWhatIsHeld) {
    const auto model = bar_model();
    const LocalCompliance local = local_compliance(*model, {.points = 6, .at = {}, .rank = {}});
    ASSERT_EQ(local.points.size(), 6u);
    // The first is the farthest from the held end: on the other one.
    EXPECT_NEAR(local.points[0].position.x(), 1, 1e-12);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_GT(local.points[i].position.x(), 0.1);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT((local.points[i].position - local.points[j].position).norm(), 0.15);
    }
    EXPECT_TRUE(std::all_of(local.points.begin(), local.points.end(),
                            [&](const CompliancePoint& p) { return p.ratio() >= local.worst().ratio(); }));
}

TEST(LocalCompliance, TheMapGoesThroughItsPoints) {
    const auto model = bar_model();
    const LocalCompliance local = local_compliance(*model, {.points = 6, .at = {}, .rank = {}});
    const std::vector<double> ratios = interpolated_ratios(local, model->surface.vertices);
    ASSERT_EQ(ratios.size(), model->surface.vertices.size());
    double most = 0;
    for (const CompliancePoint& p : local.points) {
        EXPECT_EQ(ratios[static_cast<std::size_t>(p.vertex)], p.ratio());
        most = std::max(most, p.ratio());
    }
    for (const double ratio : ratios) {
        EXPECT_GE(ratio, local.worst().ratio() * (1 - 1e-12));
        EXPECT_LE(ratio, most * (1 + 1e-12));
    }
    // Half way between two points that are alone, their mean.
    LocalCompliance two;
    two.points = {{.vertex = 0, .position = {0, 0, 0}, .full = 1, .reduced = 0.2},
                  {.vertex = 1, .position = {2, 0, 0}, .full = 1, .reduced = 0.8}};
    EXPECT_NEAR(interpolated_ratios(two, {{1, 0, 0}})[0], 0.5, 1e-15);
    // Squared distances 1 and 9 -> weights 9 : 1.
    EXPECT_NEAR(interpolated_ratios(two, {{0.5, 0, 0}})[0], 0.9 * 0.2 + 0.1 * 0.8, 1e-15);
}

TEST(LocalCompliance, PlacesAreToldInWords) {
    Model box;
    box.surface.vertices = {{0, 0, 0}, {10, 2, 1}};
    CompliancePoint point{.position = {9, 1, 0.1}, .normal = {0.6, 0, -0.8}};
    EXPECT_EQ(place_in_words(box, point), "the bottom, high x, facing down");
    point.position = {5, 1, 0.5};
    EXPECT_EQ(place_in_words(box, point), "mid-height, facing down");
    box.up = UpAxis::Y;
    point.position = {9, 1.9, 0.1};
    EXPECT_EQ(place_in_words(box, point), "the top, high x, low z, facing -z");
    const auto model = bar_model();
    const LocalCompliance local = local_compliance(*model);
    const std::string words = worst_in_words(*model, local);
    EXPECT_NE(words.find("of the full model's compliance at "), std::string::npos) << words;
}

TEST(LocalCompliance, WhatCannotBeMeasuredIsRefused) {
    Recipe lean = tiny_recipe();
    lean.lean = true;
    EXPECT_THROW(local_compliance(*build_model(tiny_bar(), lean).model), InputError);
    Recipe warped = tiny_recipe();
    warped.rank.reset();
    warped.method = MethodChoice::Warp;
    EXPECT_THROW(local_compliance(*build_model(tiny_bar(), warped).model), InputError);
    EXPECT_THROW(local_compliance(*tiny_model(), {.points = 1, .at = {}, .rank = 7}), InputError);
    EXPECT_THROW(local_compliance(*tiny_model(), {.points = 1, .at = {"x>7"}, .rank = {}}), InputError);
    warped.improve = {"x>0.9"};
    EXPECT_THROW(build_model(tiny_bar(), warped), InputError);
    Recipe nowhere = tiny_recipe();
    nowhere.improve = {"x>7"};
    EXPECT_THROW(build_model(tiny_bar(), nowhere), InputError);
}

}  // namespace
}  // namespace limber::test
