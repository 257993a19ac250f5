// SPDX-License-Identifier: Apache-2.0
// SELECT on the groups, files and elements of a grid; what is expected is written out by hand.
#include "build/mesh/select.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace limber::build {
namespace {

// 4 x 3 x 3 vertices at distance 0.1 m, x fastest; 3 x 2 x 2 bricks.
VolumeMesh grid() {
    VolumeMesh mesh;
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i)
                mesh.vertices.push_back(0.1 * Vertex(i, j, k));
    const auto id = [](int i, int j, int k) { return i + 4 * (j + 3 * k); };
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 3; ++i)
                mesh.bricks.push_back({id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k),
                                       id(i, j, k + 1), id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1),
                                       id(i, j + 1, k + 1)});
    mesh.vertex_groups = {{"clamped", {0, 4, 8}}, {"both", {1, 2}}};
    mesh.element_groups = {{"left", {0, 3}}, {"both", {5}}};
    return mesh;
}

std::vector<int> where(const VolumeMesh& mesh, const std::function<bool(double, double, double)>& condition) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (const Vertex& v = mesh.vertices[i]; condition(v.x(), v.y(), v.z()))
            ids.push_back(static_cast<int>(i));
    return ids;
}

InputError error_in(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {};
}
InputError error_of(const std::string& text) {
    return error_in([&] { select_vertices(text, grid()); });
}

using Ids = std::vector<int>;

TEST(MeshSelect, GroupsOfTheFileGiveTheirVertices) {
    const VolumeMesh mesh = grid();
    EXPECT_EQ(select_vertices("@clamped", mesh), (Ids{0, 4, 8}));
    EXPECT_EQ(select_vertices("@both", mesh), (Ids{1, 2}));  // a vertex group goes before an element group
    // Bricks 0 and 3 are the two at i = 0, k = 0: i in 0..1, j in 0..2, k in 0..1.
    EXPECT_EQ(select_vertices("@left", mesh),
              where(mesh, [](double x, double, double z) { return x < 0.15 && z < 0.15; }));
}

TEST(MeshSelect, FilesOfIdsMayUseBlanksCommasAndRanges) {
    const auto path = std::filesystem::temp_directory_path() / "limber_select_ids.txt";
    std::ofstream(path) << "3, 1\n\n7-9\r\n1";
    EXPECT_EQ(select_vertices("file:" + path.string(), grid()), (Ids{1, 3, 7, 8, 9}));
    std::ofstream(path) << "3\n4\nfive\n";
    EXPECT_EQ(error_of("file:" + path.string()).where, path.string() + ":3");
    std::ofstream(path) << "36\n";
    EXPECT_NE(error_of("file:" + path.string()).problem.find("36 vertices"), std::string::npos);
    std::filesystem::remove(path);
    EXPECT_NE(error_of("file:" + path.string()).problem.find("does not exist"), std::string::npos);
}

TEST(MeshSelect, SurfaceVerticesAreSelectedTheSameWay) {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    mesh.triangle_groups = {{"second", {1}}};
    EXPECT_EQ(select_vertices("x>xmin", mesh), (Ids{1, 3}));
    EXPECT_EQ(select_vertices("@second", mesh), (Ids{1, 2, 3}));
    EXPECT_EQ(error_in([&] { select_vertices("@first", mesh); }).try_this, "its groups are @second");
}

TEST(MeshSelect, ElementsAreTestedAtTheirCentroids) {
    VolumeMesh mesh = grid();
    EXPECT_EQ(select_elements("x<0.06", mesh), (Ids{0, 3, 6, 9}));  // centroids at 0.05, 0.15, 0.25
    EXPECT_EQ(select_elements("@left", mesh), (Ids{0, 3}));
    EXPECT_EQ(select_elements("@both", mesh), (Ids{5}));
    EXPECT_EQ(select_elements("all", mesh).size(), 12u);
    EXPECT_EQ(select_elements("none", mesh), Ids{});
    EXPECT_EQ(select_elements("near:0.26,0.02,0.01", mesh), (Ids{2}));  // its centroid is at 0.25, 0.05, 0.05
    // Ids name vertices: those of brick 0 and one vertex more.
    EXPECT_EQ(select_elements("#0,1,4,5,12,13,16,17,2", mesh), (Ids{0}));
    EXPECT_EQ(select_elements("@clamped", mesh), Ids{});
    mesh.tets.push_back({0, 1, 4, 12});  // elements count tets first
    EXPECT_EQ(select_elements("x+y+z<0.1", mesh), (Ids{0}));
    EXPECT_EQ(select_elements("x<0.06 && y<0.06 && z<0.06", mesh), (Ids{0, 1}));
}

TEST(MeshSelect, BadIdsPointsAndGroupsAreErrors) {
    for (const char* text : {"",
                             "   ",
                             "#",
                             "#,",
                             "#a",
                             "#1,-2",
                             "#1.5",
                             "#3-1",
                             "#36",
                             "#0-36",
                             "#99999999999999999999999",
                             "#0-18446744073709551615",
                             "near:",
                             "near:1,2",
                             "near:1,2,x",
                             "near:1,2,3,4",
                             "near:nan,0,0",
                             "near:inf,0,0",
                             "@",
                             "@nothing",
                             "file:",
                             "file:/"})
        EXPECT_NE(error_of(text).problem, "") << text;
    EXPECT_EQ(error_of("@nothing").try_this, "its groups are @clamped, @both, @left, @both");
    // Selections of elements read the same text, with blanks around it or not.
    const auto of_elements = [](const char* text) {
        return error_in([&] { select_elements(text, grid()); });
    };
    EXPECT_EQ(of_elements(" x<< ").problem, "expected a number at character 3");
    EXPECT_EQ(of_elements(" near:1,2 ").where, "in 'near:1,2'");
    EXPECT_EQ(of_elements("@nothing").problem, "the mesh has no group 'nothing'");
}

TEST(AssignMaterials, LaterChoicesWinOverTheFileAndTheFileOverTheBase) {
    VolumeMesh mesh = grid();
    mesh.materials = {{"left", Material{5e6, 0.3, 1200}}, {"both", Material{6e6, 0.2, 1300}}};
    const Material base{1e5, 0.4, 900}, hard{2e11, 0.3, 7800};
    const MaterialMap map = assign_materials(mesh, base, {{"x<0.06 && z>0.1", hard}, {"@both", base}});
    ASSERT_EQ(map.group_of_element.size(), 12u);
    for (std::size_t e = 0; e < 12; ++e) {
        // Bricks 0, 3: left; 5: both, given back to the base; 6, 9: at i = 0, k = 1.
        const double expected = e == 0 || e == 3 ? 5e6 : e == 6 || e == 9 ? 2e11 : 1e5;
        EXPECT_EQ(map.of(e).young, expected) << e;
    }
    EXPECT_EQ(map.groups[0].name, "default");
    EXPECT_EQ(map.groups[1].name, "left");
}

TEST(AssignMaterials, AMaterialWithoutAGroupIsForAllElements) {
    VolumeMesh mesh = grid();
    mesh.materials = {{"", Material{5e6, 0.3, 1200}}};
    const MaterialMap map = assign_materials(mesh, {}, {});
    for (std::size_t e = 0; e < 12; ++e)
        EXPECT_EQ(map.of(e).density, 1200);
}

TEST(AssignMaterials, ConstantsOutOfRangeAreRefused) {
    const VolumeMesh mesh = grid();
    for (const Material& bad : {Material{0, 0.3, 1}, Material{-1, 0.3, 1}, Material{1, 0.5, 1},
                                Material{1, -1, 1}, Material{1, 0.3, 0}, Material{std::nan(""), 0.3, 1}}) {
        EXPECT_NE(error_in([&] { assign_materials(mesh, bad, {}); }).problem, "");
        EXPECT_EQ(error_in([&] { assign_materials(mesh, {}, {{"all", bad}}); }).where, "material of 'all'");
        VolumeMesh from_file = mesh;
        from_file.materials = {{"left", bad}};
        EXPECT_NE(error_in([&] { assign_materials(from_file, {}, {}); }).where.find("'left'"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace limber::build
