// SPDX-License-Identifier: Apache-2.0
// SELECT on a grid of known coordinates; what is expected is written out by hand or by loops in plain C++.
#include "limber/select/select.h"

#include "limber/select/condition.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace limber::test {
namespace {

using Eigen::Vector3d;
using Ids = std::vector<int>;

// 4 x 3 x 3 points at distance 0.1 m, x fastest.
std::vector<Vector3d> grid() {
    std::vector<Vector3d> points;
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i)
                points.push_back(0.1 * Vector3d(i, j, k));
    return points;
}

Ids where(const std::vector<Vector3d>& points, const std::function<bool(double, double, double)>& condition) {
    Ids ids;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const Vector3d& v = points[i]; condition(v.x(), v.y(), v.z())) ids.push_back(static_cast<int>(i));
    return ids;
}

Ids selected(const std::string& text, const std::vector<Vector3d>& points) {
    const Result<Ids> found = select_points(text, points);
    if (found.ok()) return found.value();
    ADD_FAILURE() << found.error().where << ": " << found.error().problem;
    return {};
}

InputError error_of(const std::string& text, const SelectSources& sources = {}) {
    const Result<Ids> found = select_points(text, grid(), sources);
    if (!found.ok()) return found.error();
    ADD_FAILURE() << "no error was returned for " << text;
    return {};
}

TEST(Select, ConditionsMeanWhatTheyMeanInC) {
    const std::vector<Vector3d> mesh = grid();
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
        EXPECT_EQ(selected(c.text, mesh), where(mesh, c.meaning)) << c.text;
}

TEST(Select, EqualityForgivesRounding) {
    const std::vector<Vector3d> mesh = grid();
    ASSERT_NE(mesh[3].x(), 0.3);  // 0.1 * 3 is 0.30000000000000004
    const auto at_03 = where(mesh, [](double x, double, double) { return x > 0.25; });
    EXPECT_EQ(selected("x==0.3", mesh), at_03);
    EXPECT_EQ(selected("x == xmax", mesh), at_03);
    EXPECT_EQ(selected("!(x != 0.3)", mesh), at_03);
    EXPECT_EQ(selected("x==0.301", mesh), Ids{});
}

TEST(Select, IdsAndRangesAreSortedAndUnique) {
    const std::vector<Vector3d> mesh = grid();
    EXPECT_EQ(selected("#12,15,2", mesh), (Ids{2, 12, 15}));
    EXPECT_EQ(selected(" # 5, 3-6 ,35,5", mesh), (Ids{3, 4, 5, 6, 35}));
}

TEST(Select, NearTakesTheOneNearestVertexAndTheFirstOfEquals) {
    const std::vector<Vector3d> mesh = grid();
    EXPECT_EQ(selected("near:0.31,0.19,-5", mesh), (Ids{11}));
    EXPECT_EQ(selected("near: 0.05 0 0", mesh), (Ids{0}));  // half way between vertices 0 and 1
    EXPECT_EQ(selected("near:-1e3,-1,-1", mesh), (Ids{0}));
}

TEST(Select, AllAndNone) {
    EXPECT_EQ(selected("all", grid()).size(), 36u);
    EXPECT_EQ(selected("none", grid()), Ids{});
    EXPECT_EQ(selected("all", {}), Ids{});
    EXPECT_EQ(selected("x<xmin+1", {}), Ids{});
    EXPECT_EQ(selected("near:0,0,0", {}), Ids{});
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
    EXPECT_EQ(selected(wide, grid()).size(), 18u);
    std::string deep;
    for (int i = 0; i < 200; ++i)
        deep += "0<1||0<1&&0<1+1*(";
    EXPECT_NE(error_of(deep).problem, "");
    std::string nested;
    for (int i = 0; i < 200; ++i)
        nested += "1>2||1<2&&(";
    nested += "x<0.15" + std::string(200, ')');
    EXPECT_EQ(selected(nested, grid()).size(), 18u);
    std::string sums = "0<1||0<1&&0<";
    for (int i = 0; i < 200; ++i)
        sums += "0+1*(";
    sums += "x" + std::string(200, ')');
    EXPECT_EQ(selected(sums, grid()).size(), 36u);
}

TEST(Select, ZeroBytesAndOddCharactersAreErrorsThatPrintSafely) {
    const std::string text("x<\0\x1b[31m\xff", 9);
    const InputError error = error_of(text);
    for (char c : error.where + error.problem)
        EXPECT_TRUE(c >= 32 && c < 127);
}

TEST(Select, BadIdsAndPlacesAreErrors) {
    for (const char* text : {"", "   ", "#", "#,", "#a", "#1,-2", "#1.5", "#3-1", "#36", "#0-36",
                             "#99999999999999999999999", "#0-18446744073709551615", "near:", "near:1,2",
                             "near:1,2,x", "near:1,2,3,4", "near:nan,0,0", "near:inf,0,0", "near:1e999,0,0"})
        EXPECT_NE(error_of(text).problem, "") << text;
    EXPECT_EQ(error_of("#3-1").problem, "the range 3-1 runs backwards");
    EXPECT_EQ(error_of("#36").problem, "vertex 36 is not there; the mesh has 36 vertices");
    EXPECT_EQ(error_of("near:1,2").problem, "expected three numbers x,y,z");
}

TEST(Select, GroupsAndFilesAreAnsweredByTheCallerOrRefused) {
    EXPECT_EQ(error_of("@left").problem, "the mesh has no group 'left'");
    EXPECT_EQ(error_of("file:ids.txt").problem, "a selection from a file is not possible here");
    SelectSources sources;
    sources.group = [](std::string_view name, const std::string& place) -> Result<Ids> {
        if (name != "left") return unknown_group(name, place, {"left", "right"});
        return Ids{3, 5};
    };
    sources.file = [](std::string_view path, std::vector<bool>& marks) {
        return mark_ids("9 2,4-5", std::string(path) + ":1", marks);
    };
    EXPECT_EQ(select_points(" @left ", grid(), sources).value(), (Ids{3, 5}));
    EXPECT_EQ(select_points("file:ids.txt", grid(), sources).value(), (Ids{2, 4, 5, 9}));
    EXPECT_EQ(error_of("@up", sources).try_this, "its groups are @left, @right");
    EXPECT_EQ(select_points("file:a", std::vector<Vector3d>(3), sources).error().where, "a:1");
}

TEST(Select, FormsAreTold) {
    EXPECT_EQ(select_form("  "), SelectForm::Empty);
    EXPECT_EQ(select_form(" all"), SelectForm::All);
    EXPECT_EQ(select_form("none"), SelectForm::None);
    EXPECT_EQ(select_form("#1"), SelectForm::Ids);
    EXPECT_EQ(select_form("near:0,0,0"), SelectForm::Near);
    EXPECT_EQ(select_form("@a"), SelectForm::Group);
    EXPECT_EQ(select_form("file:a"), SelectForm::File);
    EXPECT_EQ(select_form("x<1"), SelectForm::Condition);
}

TEST(Select, IdsAsTextSelectThemselves) {
    EXPECT_EQ(ids_text({12, 15, 16, 20, 21, 22}), "#12,15,16,20-22");
    EXPECT_EQ(ids_text({}), "none");
    for (const Ids& ids : {Ids{0}, Ids{0, 1}, Ids{0, 1, 2}, Ids{3, 5, 6, 7, 35}, Ids{}})
        EXPECT_EQ(selected(ids_text(ids), grid()), ids);
}

}  // namespace
}  // namespace limber::test
