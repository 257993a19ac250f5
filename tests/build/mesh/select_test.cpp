// SPDX-License-Identifier: Apache-2.0
// SELECT on a grid of known coordinates; what is expected is written out by hand or by loops in plain C++.
#include "build/mesh/select.h"

#include "build/mesh/condition.h"

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

TEST(Select, ConditionsMeanWhatTheyMeanInC) {
    const VolumeMesh mesh = grid();
    struct Case {
        const char* text;
        std::function<bool(double, double, double)> meaning;
    };
    const std::vector<Case> cases = {
        {"x<0.15", [](double x, double, double) { return x < 0.15; }},
        {"x<=0.1", [](double x, double, double) { return x <= 0.1; }},
        {"x>=0.1 && y>0.05", [](double x, double y, double) { return x >= 0.1 && y > 0.05; }},
        {"x<0.05||z>0.15&&y<0.05",
         [](double x, double y, double z) { return x < 0.05 || (z > 0.15 && y < 0.05); }},
        {"(x<0.05||z>0.15)&&y<0.05",
         [](double x, double y, double z) { return (x < 0.05 || z > 0.15) && y < 0.05; }},
        {"x<0.001 && !(y>0.2)", [](double x, double y, double) { return x < 0.001 && !(y > 0.2); }},
        {"!!(x<0.15)", [](double x, double, double) { return x < 0.15; }},
        {"x - y - z > 0.05", [](double x, double y, double z) { return x - y - z > 0.05; }},
        {"x/2/2*4 < 0.15", [](double x, double, double) { return x < 0.15; }},
        {"-x + 2*y < -0.05", [](double x, double y, double) { return -x + 2 * y < -0.05; }},
        {"(x-0.15)*(x-0.15)+y*y < 1.5e-2",
         [](double x, double y, double) { return (x - 0.15) * (x - 0.15) + y * y < 1.5e-2; }},
        {"x > (xmin+xmax)/2", [](double x, double, double) { return x > 0.15; }},
        {"z > zmax - .05 && y < ymin+5.e-2", [](double, double y, double z) { return z > 0.15 && y < 0.05; }},
        {"  x\t<0.15  ", [](double x, double, double) { return x < 0.15; }},
        {"1 < 2", [](double, double, double) { return true; }},
        {"1/0 < x", [](double, double, double) { return false; }},
    };
    for (const Case& c : cases)
        EXPECT_EQ(select_vertices(c.text, mesh), where(mesh, c.meaning)) << c.text;
}

TEST(Select, EqualityForgivesRounding) {
    const VolumeMesh mesh = grid();
    ASSERT_NE(mesh.vertices[3].x(), 0.3);  // 0.1 * 3 is 0.30000000000000004
    const auto at_03 = where(mesh, [](double x, double, double) { return x > 0.25; });
    EXPECT_EQ(select_vertices("x==0.3", mesh), at_03);
    EXPECT_EQ(select_vertices("x == xmax", mesh), at_03);
    EXPECT_EQ(select_vertices("!(x != 0.3)", mesh), at_03);
    EXPECT_EQ(select_vertices("x==0.301", mesh), Ids{});
}

TEST(Select, IdsAndRangesAreSortedAndUnique) {
    const VolumeMesh mesh = grid();
    EXPECT_EQ(select_vertices("#12,15,2", mesh), (Ids{2, 12, 15}));
    EXPECT_EQ(select_vertices(" # 5, 3-6 ,35,5", mesh), (Ids{3, 4, 5, 6, 35}));
}

TEST(Select, NearTakesTheOneNearestVertexAndTheFirstOfEquals) {
    const VolumeMesh mesh = grid();
    EXPECT_EQ(select_vertices("near:0.31,0.19,-5", mesh), (Ids{11}));
    EXPECT_EQ(select_vertices("near: 0.05 0 0", mesh), (Ids{0}));  // half way between vertices 0 and 1
    EXPECT_EQ(select_vertices("near:-1e3,-1,-1", mesh), (Ids{0}));
}

TEST(Select, GroupsOfTheFileGiveTheirVertices) {
    const VolumeMesh mesh = grid();
    EXPECT_EQ(select_vertices("@clamped", mesh), (Ids{0, 4, 8}));
    EXPECT_EQ(select_vertices("@both", mesh), (Ids{1, 2}));  // a vertex group goes before an element group
    // Bricks 0 and 3 are the two at i = 0, k = 0: i in 0..1, j in 0..2, k in 0..1.
    EXPECT_EQ(select_vertices("@left", mesh),
              where(mesh, [](double x, double, double z) { return x < 0.15 && z < 0.15; }));
}

TEST(Select, AllAndNone) {
    EXPECT_EQ(select_vertices("all", grid()).size(), 36u);
    EXPECT_EQ(select_vertices("none", grid()), Ids{});
    EXPECT_EQ(select_vertices("all", VolumeMesh{}), Ids{});
    EXPECT_EQ(select_vertices("x<xmin+1", VolumeMesh{}), Ids{});
    EXPECT_EQ(select_vertices("near:0,0,0", VolumeMesh{}), Ids{});
}

TEST(Select, FilesOfIdsMayUseBlanksCommasAndRanges) {
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

TEST(Select, SurfaceVerticesAreSelectedTheSameWay) {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    mesh.triangle_groups = {{"second", {1}}};
    EXPECT_EQ(select_vertices("x>xmin", mesh), (Ids{1, 3}));
    EXPECT_EQ(select_vertices("@second", mesh), (Ids{1, 2, 3}));
    EXPECT_EQ(error_in([&] { select_vertices("@first", mesh); }).try_this, "its groups are @second");
}

TEST(Select, ElementsAreTestedAtTheirCentroids) {
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

TEST(Select, MistakesAreNamedWithTheirPosition) {
    struct Case {
        const char* text;
        const char* problem;
    };
    for (const Case& c :
         std::vector<Case>{{"x<<3", "expected a number at character 3"},
                           {"x<", "expected a number at character 3"},
                           {"x<0.1 &&", "expected a number at character 9"},
                           {"x<0.1 & y<2", "expected an operator, found '&' at character 7"},
                           {"x<0.1)", "expected an operator, found ')' at character 6"},
                           {"(x<0.1", "'(' at character 1 is not closed; expected ')' at character 7"},
                           {"x", "a number where a condition is needed at character 1"},
                           {"x=3", "expected an operator, found '=' at character 2"},
                           {"w<3", "unknown name 'w' at character 1"},
                           {"x<3 and y<2", "expected an operator, found 'a' at character 5"},
                           {"not (x<3)", "unknown name 'not' at character 1"},
                           {"!x<3", "'!' takes conditions, but finds a number at character 2"},
                           {"(x<1)+2<3", "'+' takes numbers, but finds a condition at character 1"},
                           {"x && y<1", "'&&' takes conditions, but finds a number at character 1"},
                           {"y<1 || x", "'||' takes conditions, but finds a number at character 8"},
                           {"0<x<1", "a second '<' at character 4"},
                           {"x<1e999", "a number too large or too small for a double at character 3"},
                           {"x<1.2.3", "expected an operator, found '.' at character 6"},
                           {"x<nan", "unknown name 'nan' at character 3"}}) {
        const InputError error = error_of(c.text);
        EXPECT_EQ(error.where, std::string("in '") + c.text + "'");
        EXPECT_EQ(error.problem, c.problem);
    }
    for (const char* text : {"x=3", "x<0.1 & y<2", "x<3 and y<2"})  // other languages' operators
        EXPECT_NE(error_of(text).try_this.find("join by && and ||"), std::string::npos) << text;
}

TEST(Select, BadIdsPointsAndGroupsAreErrors) {
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
}

TEST(Select, HostileTextNeitherOverflowsTheStackNorHangs) {
    for (const char* piece : {"(", "!", "-", "!(", "-(", "((x<1)&&", "x*(", "0<1&&(1+1*("}) {
        std::string text;
        for (int i = 0; i < 100000; ++i)
            text += piece;
        EXPECT_NE(error_of(text).problem.find("more than 200 nested"), std::string::npos) << piece;
    }
    // Wide instead of deep is legal, and so are the deepest expressions that are accepted.
    std::string wide = "x<0.15";
    for (int i = 0; i < 20000; ++i)
        wide += "&&x+0<1+1";
    EXPECT_EQ(select_vertices(wide, grid()).size(), 18u);
    std::string deep;
    for (int i = 0; i < 200; ++i)
        deep += "0<1||0<1&&0<1+1*(";
    EXPECT_NE(error_of(deep).problem, "");
    std::string nested;
    for (int i = 0; i < 200; ++i)
        nested += "1>2||1<2&&(";
    nested += "x<0.15" + std::string(200, ')');
    EXPECT_EQ(select_vertices(nested, grid()).size(), 18u);
    std::string sums = "0<1||0<1&&0<";
    for (int i = 0; i < 200; ++i)
        sums += "0+1*(";
    sums += "x" + std::string(200, ')');
    EXPECT_EQ(select_vertices(sums, grid()).size(), 36u);
}

TEST(Select, ZeroBytesAndOddCharactersAreErrorsThatPrintSafely) {
    const std::string text("x<\0\x1b[31m\xff", 9);
    const InputError error = error_of(text);
    for (char c : error.where + error.problem)
        EXPECT_TRUE(c >= 32 && c < 127);
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
