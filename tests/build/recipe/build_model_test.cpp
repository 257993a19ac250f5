// SPDX-License-Identifier: Apache-2.0
// From meshes to models: what is carried, held, grouped and scaled.
#include "build/recipe/recipe.h"

#include "build/fem/assemble.h"
#include "build/fem/modes.h"
#include "build/mesh/check.h"
#include "build/recipe/body_mesh.h"
#include "build/recipe/full_model.h"
#include "limber/reduced/modes.h"
#include "tests/build/mesh/shapes.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/model/model_file.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace limber::test {
namespace {

using namespace build;

// The skin of a box, as a user would draw it: 8 vertices.
SurfaceMesh box(const Eigen::Vector3d& size) {
    SurfaceMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.emplace_back(size.x() * (i & 1), size.y() * (i >> 1 & 1), size.z() * (i >> 2));
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

Recipe box_recipe() {
    Recipe recipe = tiny_recipe();
    recipe.filling = Voxels{5};
    return recipe;
}

std::string text_of(const std::vector<std::string>& notes) {
    std::string all;
    for (const std::string& note : notes)
        all += note + "\n";
    return all;
}

TEST(BuildModel, AVolumeIsShownByItsBoundary) {
    Recipe recipe = tiny_recipe();
    recipe.surface_basis = SurfaceBasis::Double;
    const Built built = build_model(tiny_bar(), recipe);
    const Model& model = *built.model;
    EXPECT_EQ(model.rank, 6);
    EXPECT_EQ(model.modes, 3);
    EXPECT_EQ(model.basis_kind, "modal-derivatives");
    EXPECT_EQ(model.volume_vertices, 20);
    ASSERT_EQ(model.surface.vertices.size(), 20u);
    EXPECT_EQ(model.surface.triangles.size(), 2u * (2 + 4 * 4));
    for (std::size_t i = 0; i < 20; ++i) {
        const auto v = static_cast<std::size_t>(model.surface.input_vertex[i]);
        EXPECT_EQ(model.surface.vertices[i], model.volume.vertices[v]);
        EXPECT_EQ(model.surface.basis.middleRows<3>(3 * static_cast<Eigen::Index>(i)),
                  model.volume.basis.middleRows<3>(3 * static_cast<Eigen::Index>(v)));
    }
    EXPECT_EQ(model.volume.fixed_vertices.size(), 4u);
    EXPECT_FALSE(model.free_body);
    EXPECT_FALSE(model_problem(model));
}

TEST(BuildModel, ASurfaceIsCarriedByItsCells) {
    Recipe recipe = box_recipe();
    recipe.surface_basis = SurfaceBasis::Double;
    const Built built = build_model({box({1, 0.2, 0.2}), "box", {}}, recipe);
    const Model& model = *built.model;
    EXPECT_EQ(model.volume_elements, 5);
    EXPECT_EQ(model.surface.vertices.size(), 8u);
    // Corners of the box are nodes of the cubes: they move as those do.
    int shared = 0;
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t v = 0; v < model.volume.vertices.size(); ++v) {
            if ((model.surface.vertices[i] - model.volume.vertices[v]).norm() > 1e-9) continue;
            ++shared;
            EXPECT_LE((model.surface.basis.middleRows<3>(3 * static_cast<Eigen::Index>(i)) -
                       model.volume.basis.middleRows<3>(3 * static_cast<Eigen::Index>(v)))
                          .norm(),
                      1e-9);
        }
    EXPECT_EQ(shared, 8);
    // The cell that holds the fixed end is fixed as a whole: two layers of nodes.
    EXPECT_EQ(model.volume.fixed_vertices.size(), 8u);
}

// All of them, or some, with and without seams; the normals of warped bodies come from the triangles too.
TEST(BuildModel, TrianglesThatFaceTheWrongWayAreShownTurned) {
    for (const std::size_t every : {1u, 3u}) {
        SurfaceMesh mesh = box({1, 0.2, 0.2});
        for (std::size_t t = 0; t < mesh.triangles.size(); t += every)
            std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        const ShownSurface shown{mesh.vertices, mesh.triangles, {0, 1, 2, 3, 4, 5, 6, 7}, {}, {}};
        for (const auto& seams : {std::optional<ShownSurface>(), std::optional(shown)}) {
            const Built built = build_model({mesh, "box", seams}, box_recipe());
            const ModelSurface& surface = built.model->surface;
            double six_volumes = 0;
            for (const auto& t : surface.triangles)
                six_volumes += surface.vertices[std::size_t(t[0])].dot(
                    surface.vertices[std::size_t(t[1])].cross(surface.vertices[std::size_t(t[2])]));
            EXPECT_NEAR(six_volumes / 6, 1 * 0.2 * 0.2, 1e-12);
            EXPECT_NEAR(total_mass(*built.model), 1000 * 1 * 0.2 * 0.2, 1e-9);
            ASSERT_TRUE(built.model->warp);
            const Eigen::Vector3d middle(0.5, 0.1, 0.1);
            for (std::size_t v = 0; v < 8; ++v)
                EXPECT_GT(built.model->warp->normals[v].dot(surface.vertices[v] - middle), 0);
            EXPECT_NE(text_of(built.notes).find("faced inwards"), std::string::npos);
        }
    }
}

// Cubes of 0.2 m fill the bar exactly, and are four times as high as the plate.
TEST(BuildModel, CubesThatHoldMuchMoreThanTheSurfaceAreTold) {
    const auto told = [](double height) {
        Recipe recipe = box_recipe();
        recipe.filling = Voxels{5, VoxelFill::Full};
        const Built built = build_model({box({1, 0.2, height}), "box", {}}, recipe);
        std::string all;
        for (const std::string& note : built.notes)
            all += note;
        return all.find("4 times the volume") != std::string::npos ? "four times"
               : all.find("the volume") != std::string::npos       ? "another"
                                                                   : "nothing";
    };
    EXPECT_STREQ(told(0.2), "nothing");
    EXPECT_STREQ(told(0.05), "four times");
}

TEST(BuildModel, CubesWeighWhatTheShapeWeighsAndTheModelKeepsIt) {
    // The plate fills a quarter of the height of its cubes.
    const Built built = build_model({box({1, 0.2, 0.05}), "plate", {}}, box_recipe());
    EXPECT_NEAR(total_mass(*built.model), 1000 * 0.01, 1e-4);  // fractions are floats
    EXPECT_NEAR(built.filling.volume, 0.01, 1e-8);
    ASSERT_EQ(built.model->volume.fraction.size(), 5u);
    for (const float f : built.model->volume.fraction)
        EXPECT_NEAR(f, 0.25, 1e-6);
    // What the model was reduced from is there again: Rayleigh quotients of the basis agree.
    const FemModel full = full_model(*built.model);
    EXPECT_NEAR(total_mass(full), total_mass(*built.model), 1e-12 * total_mass(full));
    Eigen::VectorXd R;
    SparseMatrix K;
    force_and_stiffness(full, Eigen::VectorXd::Zero(3 * full.vertex_count()), R, K);
    const SparseMatrix M = mass_matrix(full, MassKind::Consistent);
    Eigen::MatrixXd U(full.free_dofs(), built.model->rank);
    for (Eigen::Index i = 0; i < U.cols(); ++i)
        U.col(i) = full.restrict_to_free(built.model->volume.basis.col(i));
    const Eigen::MatrixXd unit = U.transpose() * (M.selfadjointView<Eigen::Lower>() * U);
    EXPECT_LE((unit - Eigen::MatrixXd::Identity(U.cols(), U.cols())).norm(), 1e-9);
    const Eigen::MatrixXd stiffness = U.transpose() * (K.selfadjointView<Eigen::Lower>() * U);
    EXPECT_NEAR(stiffness.trace(), reduced_modes(*built.model).eigenvalues.sum(), 1e-9 * stiffness.trace());
}

// Lowest vibration of a free ball (Lamb 1882): torsional, five of them, eta = omega R / sqrt(mu / rho) is the
// first root of tan(eta) = eta (12 - eta^2) / (12 - 5 eta^2), 2.5011, whatever Poisson's ratio.
TEST(FilledFraction, ACoarseBallRingsAsTheorySays) {
    const SurfaceMesh ball = shapes::sphere(Vertex(0.001, 0.002, 0.003), 0.05, 4);
    const Material material{1e6, 0.3, 1000};
    const double radius = std::cbrt(check(ball).volume * 3 / (4 * EIGEN_PI));
    const double theory =
        2.5011 / radius * std::sqrt(lame_of(material).mu / material.density) / (2 * EIGEN_PI);
    const auto error = [&](VoxelFill fill) {
        VolumeMesh cubes = voxelize(ball, {.resolution = 12, .fill = fill}).mesh;
        MaterialMap materials;
        materials.groups[0].material = material;
        const FemModel model(std::move(cubes), materials, {});
        const ModesResult modes = solve_modes(model, {.count = 5});
        EXPECT_TRUE(modes.converged);
        return modes.frequencies_hz.mean() / theory - 1;
    };
    EXPECT_NEAR(error(VoxelFill::Fraction), 0, 0.02);
    EXPECT_LT(error(VoxelFill::Full), -0.05);  // too heavy outside
}

// 8 corners, 4 of which satisfy the condition; the text means the whole side.
TEST(PrepareBody, AConditionHoldsTheSurfaceAndNotOnlyItsVertices) {
    Recipe recipe;
    recipe.filling = Voxels{8};
    recipe.fix = {"z<0.001"};
    const SurfaceMesh coarse = box({0.8, 0.8, 0.8});
    const BodyMesh body = prepare_body({coarse, "box", {}}, recipe, {});
    // All cells of the lowest layer: two layers of 9 x 9 nodes.
    EXPECT_EQ(body.fixed.size(), 2u * 81);
    EXPECT_EQ(body.held.nodes, 2u * 81);
    EXPECT_NEAR(body.held.area, 0.64, 1e-12);
    EXPECT_NEAR(body.held.surface, 6 * 0.64, 1e-12);
    // As the same shape is held where its bottom is drawn finely.
    SurfaceMesh fine;
    constexpr int n = 33;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            fine.vertices.emplace_back(0.8 * i / (n - 1), 0.8 * j / (n - 1), 0);
    for (int i = 0; i + 1 < n; ++i)
        for (int j = 0; j + 1 < n; ++j) {
            fine.triangles.push_back({i * n + j, (i + 1) * n + j + 1, (i + 1) * n + j});
            fine.triangles.push_back({i * n + j, i * n + j + 1, (i + 1) * n + j + 1});
        }
    for (Triangle t : coarse.triangles) {
        if (t[0] < 4 && t[1] < 4 && t[2] < 4) continue;  // the bottom
        for (int& v : t)
            v += n * n;
        fine.triangles.push_back(t);
    }
    fine.vertices.insert(fine.vertices.end(), coarse.vertices.begin(), coarse.vertices.end());
    EXPECT_EQ(prepare_body({fine, "box", {}}, recipe, {}).fixed, body.fixed);
    // A band between the corners holds no vertex, but a part of the surface.
    recipe.fix = {"z>0.35 && z<0.45"};
    EXPECT_GT(prepare_body({coarse, "box", {}}, recipe, {}).held.nodes, 0u);
    recipe.fix = {"z>5"};
    EXPECT_THROW(prepare_body({coarse, "box", {}}, recipe, {}), InputError);
    // Ids keep their meaning: the cells that hold these vertices.
    recipe.fix = {"#0,1,2,3"};
    const BodyMesh corners = prepare_body({coarse, "box", {}}, recipe, {});
    EXPECT_EQ(corners.held.nodes, 4u * 8);
    // The skin of four corner cells, not the bottom that their vertices span: 4 * 3 * 0.1 * 0.1, in pieces of
    // half a cube.
    EXPECT_NEAR(corners.held.area, 0.12, 0.04);
}

TEST(PrepareBody, OnTetrahedraAConditionHoldsTheNodesOfTheBoundaryThatSatisfyIt) {
    Recipe recipe;
    recipe.filling = Tetrahedra{};
    recipe.fix = {"z<0.001"};
    const BodyMesh body = prepare_body({box({0.4, 0.4, 0.4}), "box", {}}, recipe, {});
    std::vector<int> low;
    for (std::size_t v = 0; v < body.volume.vertices.size(); ++v)
        if (body.volume.vertices[v].z() < 0.001) low.push_back(static_cast<int>(v));
    EXPECT_GT(low.size(), 20u);
    EXPECT_EQ(body.fixed, low);
    EXPECT_NEAR(body.held.area, 0.16, 1e-12);
}

TEST(PrepareBody, TwelveTrianglesBecomeEnoughTetrahedra) {
    Recipe recipe;
    recipe.fix = {"none"};
    recipe.filling = Tetrahedra{};
    const BodyMesh usual = prepare_body({box({0.4, 0.4, 0.4}), "box", {}}, recipe, {});
    EXPECT_GT(usual.volume.tets.size(), 1000u);
    EXPECT_LT(usual.volume.tets.size(), 6000u);
    EXPECT_EQ(text_of(usual.notes).find("too stiffly"), std::string::npos);
    recipe.filling = Tetrahedra{1.0};
    const BodyMesh few = prepare_body({box({0.4, 0.4, 0.4}), "box", {}}, recipe, {});
    EXPECT_LT(few.volume.tets.size(), 100u);
    EXPECT_NE(text_of(few.notes).find("tetrahedra: the body deforms too stiffly"), std::string::npos);
}

TEST(BuildModel, APieceThatIsNotHeldIsTold) {
    SurfaceMesh two = box({1, 0.2, 0.2});
    SurfaceMesh other = box({1, 0.2, 0.2});
    for (std::size_t v = 0; v < 8; ++v)
        two.vertices.push_back(other.vertices[v] + Vertex(0, 0.8, 0));
    for (const Triangle& t : other.triangles)
        two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    Recipe recipe = box_recipe();
    recipe.fix = {"x<0.001 && y<0.3"};
    recipe.method = MethodChoice::Stvk;
    EXPECT_NE(text_of(build_model({two, "two", {}}, recipe).notes)
                  .find("One separate piece is not held. It can deform but not move away."),
              std::string::npos);
}

TEST(BuildModel, ASelectionOnTheSurfaceIsAMaterialOfItsCells) {
    Recipe recipe = box_recipe();
    SurfaceMesh mesh = box({1, 0.2, 0.2});
    mesh.triangle_groups = {{"end", {10, 11}}};  // x = 1
    recipe.materials.choices = {"@end: young=3e6"};
    const Built built = build_model({mesh, "box", {}}, recipe);
    ASSERT_EQ(built.model->groups.size(), 2u);
    EXPECT_EQ(built.model->groups[1].material.young, 3e6);
    EXPECT_NEAR(built.model->groups[1].volume, 0.2 * 0.2 * 0.2, 1e-12);
    EXPECT_EQ(built.model->volume.group_of_element.back() + built.model->volume.group_of_element.front(), 1);
}

// What the default resolution is: build time and thickness decide.
TEST(PrepareBody, OpenAndThinSurfacesDoNotGetTensOfThousandsOfCubes) {
    Recipe recipe;
    recipe.fix = {"none"};
    SurfaceMesh sheet;  // open, in no plane of the grid
    sheet.vertices = {{0, 0, 0}, {1, 0.1, 0.2}, {1, 1.1, 0.5}, {0, 1, 0.3}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    const BodyMesh open = prepare_body({sheet, "sheet", {}}, recipe, {});
    EXPECT_GT(open.volume.bricks.size(), 1000u);
    EXPECT_LT(open.volume.bricks.size(), 6000u);
    EXPECT_EQ(open.filling.thickness, 0);
    EXPECT_LT(open.filling.seconds, 6);
    const BodyMesh compact = prepare_body({box({1, 1, 1}), "box", {}}, recipe, {});
    EXPECT_GT(compact.volume.bricks.size(), 2000u);
    EXPECT_LT(compact.volume.bricks.size(), 6000u);
    EXPECT_NEAR(compact.filling.thickness, 1.0 / 3, 1e-12);  // 2 V / A
    // Twenty times as wide as thick: two cubes across, where that is affordable.
    const BodyMesh plate = prepare_body({box({1, 1, 0.05}), "plate", {}}, recipe, {});
    EXPECT_GT(plate.filling.thickness / plate.filling.element_side, 1.8);
    EXPECT_LT(plate.filling.seconds, 17);
    // A very thin one stays affordable and says that it is coarse.
    const BodyMesh foil = prepare_body({box({1, 1, 0.005}), "foil", {}}, recipe, {});
    EXPECT_LT(foil.filling.seconds, 17);
    EXPECT_NE(std::find_if(foil.notes.begin(), foil.notes.end(),
                           [](const std::string& n) { return n.find("too stiffly") != std::string::npos; }),
              foil.notes.end());
    // Thin bodies get one point for λ, thick ones and those of full cubes the textbook element.
    EXPECT_EQ(compact.filling.quadrature, BrickQuadrature::Standard);
    EXPECT_EQ(plate.filling.quadrature, BrickQuadrature::Selective);
    EXPECT_LT(plate.filling.bending_excess, 1.1);
    recipe.filling = Voxels{.resolution = 20, .fill = VoxelFill::Full};
    EXPECT_EQ(prepare_body({box({1, 1, 0.05}), "plate", {}}, recipe, {}).filling.quadrature,
              BrickQuadrature::Standard);
    for (const BodyMesh* body : {&open, &compact, &plate, &foil}) {
        const std::string& first = body->notes.front();
        EXPECT_NE(first.find("A build takes about"), std::string::npos) << first;
    }
}

TEST(BuildModel, UnitsScaleLengths) {
    Recipe recipe = box_recipe();
    recipe.metres_per_unit = 0.01;
    recipe.fix = {"x<0.0001"};
    const Built built = build_model({box({100, 20, 20}), "box", {}}, recipe);
    EXPECT_NEAR(total_mass(*built.model), 1000 * 0.04, 1e-9);
}

TEST(BuildModel, NothingFixedIsAFreeBodyAndSaysSo) {
    Recipe recipe = tiny_recipe();
    recipe.fix.clear();
    const Built built = build_model(tiny_bar(), recipe);
    EXPECT_TRUE(built.model->free_body);
    EXPECT_EQ(built.model->rank, 6);
    bool said = false;
    for (const std::string& note : built.notes)
        said |= note.find("free body") != std::string::npos;
    EXPECT_TRUE(said);
    EXPECT_GT(reduced_modes(*built.model).eigenvalues[0], 1);  // no rigid motion in the basis
}

TEST(BuildModel, DefaultsTakeFewerWhereTheMeshHasFewer) {
    // Two cubes, one end held: 24 coordinates. 20 modes and their derivatives cannot give 30 vectors.
    Recipe recipe;
    recipe.fix = {"x<0.001"};
    const BuildInput bar{models::bar({2, 1, 1}, {1, 0.5, 0.5}, models::BarElements::Bricks), "bar", {}};
    const Built built = build_model(bar, recipe);
    EXPECT_EQ(built.model->modes, 20);
    EXPECT_LE(built.model->rank, 24);
    EXPECT_GE(built.model->rank, 20);
    recipe.rank = RankChoice{.rank = 25, .auto_fraction = {}};
    EXPECT_THROW(build_model(bar, recipe), InputError);
}

TEST(BuildModel, TheSpectrumAndTheFrequenciesComeAlong) {
    const Built built = build_model(tiny_bar(), tiny_recipe());
    const Model& model = *built.model;
    EXPECT_EQ(model.frequencies_hz.size(), 3);
    EXPECT_EQ(model.spectrum.size(), 9);  // 3 modes, 6 derivatives
    // The first frequency of the reduced model is that of the mode in it (within the square of what PCA
    // leaves out).
    EXPECT_NEAR(reduced_modes(model).frequencies_hz[0], model.frequencies_hz[0],
                1e-3 * model.frequencies_hz[0]);
}

TEST(BuildModel, WhatIsBuiltIsWhatIsReadAgain) {
    for (const SurfaceBasis kept : {SurfaceBasis::Float, SurfaceBasis::Double}) {
        Recipe recipe = tiny_recipe();
        recipe.surface_basis = kept;
        const Built built = build_model(tiny_bar(), recipe);
        const auto read = read_model(write_model(*built.model).value().bytes, "tiny.glb");
        ASSERT_TRUE(read.ok()) << read.error().problem;
        const Model& again = *read.value();
        EXPECT_EQ(again.surface.kept_as, kept);
        EXPECT_EQ(again.surface.basis, built.model->surface.basis);
        EXPECT_EQ(again.target_scale, built.model->target_scale);
        EXPECT_EQ(again.warp->surface_modes, built.model->warp->surface_modes);
    }
}

TEST(BuildModel, UpIsTheMeshsUnlessTheUserSaysIt) {
    EXPECT_EQ(build_model(tiny_bar(), tiny_recipe()).model->up, UpAxis::Z);
    SurfaceMesh mesh = box({1, 0.2, 0.2});
    mesh.up = UpAxis::Y;
    EXPECT_EQ(build_model({mesh, "box", {}}, box_recipe()).model->up, UpAxis::Y);
    Recipe recipe = box_recipe();
    recipe.up = UpAxis::MinusX;
    EXPECT_EQ(build_model({mesh, "box", {}}, recipe).model->up, UpAxis::MinusX);
}

TEST(BuildModel, SeamsSplitVerticesThatMoveTogether) {
    const SurfaceMesh mesh = box({1, 0.2, 0.2});
    ShownSurface shown;
    shown.vertices = mesh.vertices;
    shown.triangles = mesh.triangles;
    shown.input_vertex = {0, 1, 2, 3, 4, 5, 6, 7, 7};
    shown.vertices.push_back(mesh.vertices[7]);
    shown.triangles[10] = {1, 3, 8};
    const Built built = build_model({mesh, "box", shown}, box_recipe());
    const ModelSurface& surface = built.model->surface;
    ASSERT_EQ(surface.vertices.size(), 9u);
    EXPECT_EQ(surface.vertices[8], surface.vertices[7]);
    EXPECT_EQ(surface.basis.middleRows<3>(24), surface.basis.middleRows<3>(21));
    EXPECT_GT(surface.basis.middleRows<3>(24).norm(), 0);
}

TEST(BuildModel, BothMethodsAreTheDefaultWhereTheBodyIsHeld) {
    EXPECT_EQ(methods_of(*build_model(tiny_bar(), tiny_recipe()).model),
              (std::vector<std::string>{"stvk", "warp"}));
    Recipe loose = tiny_recipe();
    loose.fix.clear();
    EXPECT_EQ(methods_of(*build_model(tiny_bar(), loose).model), (std::vector<std::string>{"stvk"}));
    loose.method = MethodChoice::Both;
    EXPECT_THROW(build_model(tiny_bar(), loose), InputError);
}

TEST(BuildModel, ForWarpingAloneTheModesAreTheBasisAndNoEnergyIsReduced) {
    Recipe recipe = tiny_recipe();
    recipe.rank.reset();
    recipe.method = MethodChoice::Warp;
    const Built built = build_model(tiny_bar(), recipe);
    const Model& model = *built.model;
    EXPECT_EQ(methods_of(model), (std::vector<std::string>{"warp"}));
    EXPECT_EQ(model.rank, 3);
    EXPECT_FALSE(model_problem(model));
    // The modes of the surface, but for the floats of the file.
    EXPECT_LE((model.warp->surface_modes - model.surface.basis).norm(), 1e-6 * model.surface.basis.norm());
    // λ = (2πf)²
    EXPECT_NEAR(model.warp->eigenvalues[0], std::pow(2 * EIGEN_PI * model.frequencies_hz[0], 2),
                1e-9 * model.warp->eigenvalues[0]);
    recipe.rank = RankChoice{4, {}};
    EXPECT_THROW(build_model(tiny_bar(), recipe), InputError);
    recipe = tiny_recipe();
    recipe.rank.reset();
    recipe.method = MethodChoice::Warp;
    recipe.basis = PickedModes{{1}};
    EXPECT_THROW(build_model(tiny_bar(), recipe), InputError);
}

TEST(BuildModel, SeamsSplitTheModesToWarpToo) {
    const SurfaceMesh mesh = box({1, 0.2, 0.2});
    ShownSurface shown;
    for (const Triangle& t : mesh.triangles)
        for (const int v : t)
            shown.input_vertex.push_back(v);
    for (int i = 0; i < int(mesh.triangles.size()); ++i)
        shown.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const Model whole = *build_model({mesh, "box", {}}, box_recipe()).model;
    const Model split = *build_model({mesh, "box", shown}, box_recipe()).model;
    ASSERT_EQ(split.warp->vertices(), 36);
    for (Eigen::Index i = 0; i < 36; ++i)
        EXPECT_EQ(split.warp->surface_modes.middleRows<3>(3 * i),
                  whole.warp->surface_modes.middleRows<3>(3 * shown.input_vertex[std::size_t(i)]));
}

TEST(BuildModel, ALeanModelKeepsOnlyTheCounts) {
    Recipe recipe = tiny_recipe();
    recipe.lean = true;
    const Built built = build_model(tiny_bar(), recipe);
    EXPECT_TRUE(built.model->volume.vertices.empty());
    EXPECT_EQ(built.model->volume.basis.size(), 0);
    EXPECT_EQ(built.model->volume_vertices, 20);
    EXPECT_EQ(built.model->volume_elements, 4);
}

}  // namespace
}  // namespace limber::test
