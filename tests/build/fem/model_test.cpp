// SPDX-License-Identifier: Apache-2.0
#include "build/fem/model.h"

#include "build/fem/assemble.h"
#include "sample_meshes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <limits>
#include <utility>

namespace limber::build {
namespace {

const Eigen::Vector3d kUnitCube(1, 1, 1);
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The complaint of a model that cannot be made, or "" if it can.
std::string complaint(const VolumeMesh& mesh, const MaterialMap& materials,
                      const std::vector<int>& fixed = {}) {
    try {
        const FemModel model(mesh, materials, fixed);
    } catch (const InputError& error) {
        EXPECT_FALSE(error.where.empty());
        EXPECT_FALSE(error.problem.empty());
        return error.where + ": " + error.problem;
    }
    return "";
}

std::string complaint(const Material& material) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Tets);
    return complaint(mesh, uniform_material(mesh, material));
}

TEST(Model, RefusesMaterialsOutOfRange) {
    EXPECT_EQ(complaint(Material{1e6, 0.45, 1000}), "");
    EXPECT_EQ(complaint(Material{1e6, -0.9, 1000}), "");
    for (const double nu : {0.5, -1.0, 0.6, -2.0, kNaN, kInfinity})
        EXPECT_NE(complaint(Material{1e6, nu, 1000}).find("Poisson"), std::string::npos) << nu;
    for (const double young : {0.0, -1.0, kNaN, kInfinity})
        EXPECT_NE(complaint(Material{young, 0.3, 1000}).find("Young"), std::string::npos) << young;
    for (const double density : {0.0, -1.0, kNaN, kInfinity})
        EXPECT_NE(complaint(Material{1e6, 0.3, density}).find("density"), std::string::npos) << density;
}

TEST(Model, RefusesBadMaterialsOfAnyGroupAndNamesIt) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Tets);
    MaterialMap materials = two_materials(mesh);
    materials.groups[1].material.poisson = 0.5;
    EXPECT_NE(complaint(mesh, materials).find("'stiff'"), std::string::npos);
}

TEST(Model, RefusesMaterialMapsThatDoNotFitTheMesh) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Tets);
    MaterialMap materials = two_materials(mesh);
    materials.group_of_element.pop_back();
    EXPECT_NE(complaint(mesh, materials).find("5 elements"), std::string::npos);
    for (const int group : {-1, 2}) {
        materials = two_materials(mesh);
        materials.group_of_element[4] = group;
        EXPECT_NE(complaint(mesh, materials).find("element 4"), std::string::npos);
    }
    EXPECT_NE(complaint(mesh, MaterialMap{{}, {}}), "");
    EXPECT_EQ(complaint(mesh, MaterialMap{}), "");  // no list: all elements have the default material
}

TEST(Model, RefusesFixedVerticesThatAreNotThere) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Bricks);
    const MaterialMap materials = two_materials(mesh);
    EXPECT_EQ(complaint(mesh, materials, {0, 7}), "");
    EXPECT_NE(complaint(mesh, materials, {0, 8}).find("vertex 8"), std::string::npos);
    EXPECT_NE(complaint(mesh, materials, {3, -1}).find("vertex -1"), std::string::npos);
}

TEST(Model, RefusesUnsoundMeshes) {
    EXPECT_NE(complaint(VolumeMesh{}, MaterialMap{}), "");
    for (const Cells cells : {Cells::Tets, Cells::Bricks}) {
        const VolumeMesh good = box_mesh({1, 1, 1}, kUnitCube, cells);
        const MaterialMap materials = two_materials(good);
        VolumeMesh bad = good;
        for (Vertex& x : bad.vertices)
            x[0] = -x[0];  // mirrored: every element is inverted
        EXPECT_NE(complaint(bad, materials).find("inverted"), std::string::npos);
        bad = good;
        for (Vertex& x : bad.vertices)
            x[2] = 0;  // flat
        EXPECT_NE(complaint(bad, materials), "");
        for (const double x : {kNaN, kInfinity}) {
            bad = good;
            bad.vertices[6][1] = x;
            EXPECT_NE(complaint(bad, materials).find("vertex 6"), std::string::npos);
        }
        for (const int id : {-1, 8, std::numeric_limits<int>::max()}) {
            bad = good;
            (cells == Cells::Tets ? bad.tets[0][2] : bad.bricks[0][2]) = id;
            EXPECT_NE(complaint(bad, materials), "");
        }
    }
}

TEST(Model, FreeVerticesKeepTheirOrder) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Bricks);
    const FemModel model(mesh, two_materials(mesh), {6, 1, 1});
    EXPECT_EQ(model.fixed_vertices(), (std::vector<int>{1, 6}));
    EXPECT_EQ(model.free_vertex_count(), 6);
    const std::vector<int> expected = {0, -1, 1, 2, 3, 4, -1, 5};
    for (int v = 0; v < 8; ++v)
        EXPECT_EQ(model.free_index(v), expected[v]);
}

TEST(Model, RestrictingAndExpandingAreInverseOnTheFreeVertices) {
    const VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Bricks);
    const FemModel model(mesh, two_materials(mesh), {1, 6});
    const Eigen::VectorXd full = random_vector(24, 1);
    const Eigen::VectorXd free = model.restrict_to_free(full);
    ASSERT_EQ(free.size(), 18);
    Eigen::VectorXd expected = full;
    expected.segment<3>(3).setZero();
    expected.segment<3>(18).setZero();
    EXPECT_EQ(model.expand_from_free(free), expected);
    EXPECT_EQ(free.segment<3>(3), full.segment<3>(6));  // vertex 2 is the second free one
}

TEST(Model, VerticesOfNoElementHaveNoEquation) {
    VolumeMesh mesh = box_mesh({1, 1, 1}, kUnitCube, Cells::Tets);
    const MaterialMap materials = two_materials(mesh);
    mesh.vertices.insert(mesh.vertices.begin(), Vertex(5, 5, 5));
    for (Tet& tet : mesh.tets)
        for (int& v : tet)
            ++v;
    const FemModel model(mesh, materials, {});
    EXPECT_EQ(model.free_index(0), -1);
    EXPECT_EQ(model.free_index(1), 0);
    EXPECT_EQ(model.free_dofs(), 24);
    EXPECT_TRUE(model.fixed_vertices().empty());
    const SparseMatrix M = mass_matrix(model, MassKind::Consistent);
    EXPECT_GT(M.diagonal().minCoeff(), 0);  // no zero row
}

TEST(Model, CopiesAndMovesKeepWorking) {
    const VolumeMesh mesh = box_mesh({2, 1, 1}, kUnitCube, Cells::Mixed);
    FemModel model(mesh, two_materials(mesh), {0});
    const Eigen::VectorXd u = 0.1 * random_vector(3 * model.vertex_count(), 1);
    const double energy = elastic_energy(model, u);
    const FemModel copy = model;
    const FemModel moved = std::move(model);
    EXPECT_EQ(elastic_energy(copy, u), energy);
    EXPECT_EQ(elastic_energy(moved, u), energy);
}

}  // namespace
}  // namespace limber::build
