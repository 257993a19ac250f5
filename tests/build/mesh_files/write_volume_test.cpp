// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/write_volume.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/group_labels.h"
#include "tests/build/mesh_files/volume_samples.h"

#include <pugixml.hpp>

#include <fstream>
#include <limits>
#include <sstream>

namespace limber::build::write_volume_test {
namespace {

// A folder of its own for each test, gone afterwards.
class WriteVolume : public testing::Test {
 protected:
    WriteVolume() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ =
            std::filesystem::temp_directory_path() / fmt::format("limber_{}_{}", test->name(), getpid());
        std::filesystem::create_directories(folder_);
    }
    ~WriteVolume() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

TEST_F(WriteVolume, EveryFormatGivesBackTheSameBits) {
    for (const char* ending : {"msh", "mesh", "vtk", "vtu", "node", "ele", "veg"}) {
        SCOPED_TRACE(ending);
        const auto path = folder_ / fmt::format("m.{}", ending);
        write_volume(path, two_tets());
        expect_same_elements(two_tets(), read_volume(path));
    }
    for (const char* ending : {"msh", "mesh", "vtk", "vtu", "veg"}) {
        SCOPED_TRACE(ending);
        const auto path = folder_ / fmt::format("b.{}", ending);
        write_volume(path, two_bricks());
        expect_same_elements(two_bricks(), read_volume(path));
    }
    for (const char* ending : {"msh", "mesh", "vtk", "vtu"}) {
        SCOPED_TRACE(ending);
        const auto path = folder_ / fmt::format("x.{}", ending);
        write_volume(path, mixed());
        expect_same_elements(mixed(), read_volume(path));
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(WriteVolume, VtuKeepsTheFilledFractionsOfBricks) {
    for (VolumeMesh mesh : {two_bricks(), mixed()}) {
        for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
            mesh.fraction.push_back(float(b + 1) / 7);
        write_volume(folder_ / "part.vtu", mesh);
        const VolumeMesh back = read_volume(folder_ / "part.vtu");
        expect_same_elements(mesh, back);
        EXPECT_EQ(back.fraction, mesh.fraction);
        // Formats without cell data forget them.
        write_volume(folder_ / "part.msh", mesh);
        EXPECT_TRUE(read_volume(folder_ / "part.msh").fraction.empty());
    }
    // A mesh without them has none in its file.
    EXPECT_EQ(vtu_text(view_of(two_bricks()), {}).find("fraction"), std::string::npos);
}

TEST_F(WriteVolume, VtuRefusesFractionsThatMakeNoSense) {
    for (const double bad : {0.0, -0.5, 1.5, std::numeric_limits<double>::quiet_NaN(), 1e-60}) {
        VolumeMesh mesh = two_bricks();
        mesh.fraction = {1, bad};
        write_volume(folder_ / "bad.vtu", mesh);
        EXPECT_THROW(read_volume(folder_ / "bad.vtu"), InputError) << bad;
    }
    // An array of another kind that has the same name is passed over.
    VolumeMesh mesh = two_bricks();
    mesh.fraction = {0.5, 0.25};
    std::string text = vtu_text(view_of(mesh), {});
    const std::string name = "Name=\"fraction\"";
    text.insert(text.find(name) + name.size(), " NumberOfComponents=\"3\"");
    EXPECT_TRUE(std::get<VolumeMesh>(read_vtu(text, "m.vtu")).fraction.empty());
}

TEST_F(WriteVolume, GmshKeepsAllGroups) {
    for (const VolumeMesh& mesh : {two_tets(), two_bricks(), mixed()}) {
        const auto back = std::get<VolumeMesh>(read_gmsh(gmsh_text(view_of(mesh)), "m.msh"));
        expect_same_groups(mesh.vertex_groups, back.vertex_groups);
        expect_same_groups(mesh.element_groups, back.element_groups);
    }
}

TEST_F(WriteVolume, VegaKeepsSetsRegionsAndMaterials) {
    VolumeMesh mesh = two_tets();
    mesh.materials = {{"", {1e6, 0.45, 1000}}, {"soft", {0.1, 1. / 3, 7}}};
    const VolumeMesh back = read_vega(vega_text(mesh), "m.veg");
    expect_same_groups(mesh.element_groups, back.element_groups);
    ASSERT_EQ(back.materials.size(), 2u);
    for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(back.materials[m].first, mesh.materials[m].first);
        EXPECT_TRUE(same_bits(back.materials[m].second.young, mesh.materials[m].second.young));
        EXPECT_TRUE(same_bits(back.materials[m].second.poisson, mesh.materials[m].second.poisson));
        EXPECT_TRUE(same_bits(back.materials[m].second.density, mesh.materials[m].second.density));
    }
    EXPECT_TRUE(read_vega(vega_text(two_tets()), "m.veg").materials.empty());
}

// These formats have one number per cell: groups that do not overlap survive, under their numbers.
TEST_F(WriteVolume, MeditAndTetGenKeepNumberedGroups) {
    VolumeMesh mesh = two_tets();
    mesh.element_groups = {{"reference_5", {1}}, {"other", {0}}};
    mesh.vertex_groups = {{"vertex_reference_1", {0, 2}}, {"top", {3}}};
    const auto medit = std::get<VolumeMesh>(read_medit(medit_text(view_of(mesh)), "m.mesh"));
    expect_same_groups({{"reference_5", {1}}, {"reference_1", {0}}}, medit.element_groups);
    expect_same_groups({{"vertex_reference_1", {0, 2}}, {"vertex_reference_2", {3}}}, medit.vertex_groups);

    mesh.element_groups = {{"region_5", {1}}, {"other", {0}}};
    mesh.vertex_groups = {{"marker_1", {0, 2}}};
    const TetGenText text = tetgen_text(mesh);
    const VolumeMesh tetgen = read_tetgen(text.node, text.ele, "m.ele");
    expect_same_groups({{"region_5", {1}}, {"region_1", {0}}}, tetgen.element_groups);
    expect_same_groups({{"marker_1", {0, 2}}}, tetgen.vertex_groups);
}

TEST_F(WriteVolume, SurfacesAsCellsComeBack) {
    SurfaceMesh mesh;
    mesh.vertices = two_tets().vertices;
    mesh.triangles = {{0, 1, 2}, {2, 1, 4}, {0, 3, 1}};
    mesh.triangle_groups = {{"a", {0, 2}}, {"b", {2}}};
    const std::pair<FileFormat, const char*> formats[] = {{FileFormat::Gmsh, "s.msh"},
                                                          {FileFormat::Medit, "s.mesh"},
                                                          {FileFormat::Vtk, "s.vtk"},
                                                          {FileFormat::Vtu, "s.vtu"}};
    for (const auto& [format, name] : formats) {
        SCOPED_TRACE(name);
        write_surface_as_cells(folder_ / name, format, mesh);
        const SurfaceMesh back = read_surface(folder_ / name);
        expect_same_vertices(mesh.vertices, back.vertices);
        EXPECT_EQ(mesh.triangles, back.triangles);
        if (format == FileFormat::Gmsh) expect_same_groups(mesh.triangle_groups, back.triangle_groups);
    }
    EXPECT_COMPLAINT(write_surface_as_cells(folder_ / "s.veg", FileFormat::Vega, mesh),
                     "does not hold triangles");
}

TEST_F(WriteVolume, RefusesWhatAFormatCannotHold) {
    EXPECT_COMPLAINT(write_volume(folder_ / "m.node", two_bricks()), "hold no hexahedra");
    EXPECT_COMPLAINT(write_volume(folder_ / "m.veg", mixed()), "not both");
    EXPECT_COMPLAINT(write_volume(folder_ / "m.obj", two_tets()), "holds surfaces");
    EXPECT_COMPLAINT(write_volume(folder_ / "m.vtu", VolumeMesh{}), "no cells");
    VolumeMesh broken = two_tets();
    broken.vertices[1].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_COMPLAINT(write_volume(folder_ / "m.vtu", broken), "vertex 1 is (nan");
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    EXPECT_COMPLAINT(write_volume(folder_ / "missing" / "m.vtu", two_tets()), "m.vtu");
}

// The file is read here by the XML library alone.
TEST_F(WriteVolume, VtuHoldsTheFields) {
    const VolumeMesh mesh = two_tets();
    VertexField field{"u & \"v\"", 3, {}};
    for (int i = 0; i < 15; ++i)
        field.values.push_back(i / 7.0);
    write_vtu(folder_ / "m.vtu", mesh, {field, {"stress", 1, {1, 2, 3, 4, 5}}});
    const std::string bytes = read_file(folder_ / "m.vtu");
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(bytes.c_str()));
    const auto data = document.child("VTKFile").child("UnstructuredGrid").child("Piece").child("PointData");
    const auto array = data.find_child_by_attribute("DataArray", "Name", "u & \"v\"");
    EXPECT_STREQ(array.attribute("NumberOfComponents").value(), "3");
    EXPECT_STREQ(
        data.find_child_by_attribute("DataArray", "Name", "stress").attribute("NumberOfComponents").value(),
        "1");
    // 8 bytes of length and 15 doubles make 128 bytes: 43 groups of four characters.
    const std::string text = array.child_value();
    EXPECT_EQ(text.size(), 4u * 43 + 2) << text;
    EXPECT_EQ(text.substr(1, 10), "eAAAAAAAAA");  // 120 as a little-endian 64-bit number
    expect_same_elements(mesh, read_volume(folder_ / "m.vtu"));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

TEST_F(WriteVolume, CalculixDeckKeepsToTheLimitsOfCalculix) {
    VolumeMesh mesh = mixed();
    mesh.vertices[0] = Vertex(-1.0 / 3e100, 2.0 / 3, 1e22 / 3);
    Group many{"many things/all of them", {}};
    for (int v = 0; v < 13; ++v)
        many.ids.push_back(v);
    mesh.vertex_groups = {many, {"nall", {0}}, {"", {}}};
    const auto lines = lines_of(calculix_text(mesh));
    const auto has = [&](const std::string& line) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    EXPECT_TRUE(has("*NODE, NSET=NALL"));
    EXPECT_TRUE(has("1, -3.33333333333e-101, 0.666666666667, 3.33333333333e+21"));
    EXPECT_TRUE(has("*ELEMENT, TYPE=C3D4, ELSET=EALL"));
    EXPECT_TRUE(has("1, 3, 6, 9, 13"));
    EXPECT_TRUE(has("*ELEMENT, TYPE=C3D8, ELSET=EALL"));
    EXPECT_TRUE(has("2, 1, 2, 5, 4, 7, 8, 11, 10"));  // ids go on behind the tets
    EXPECT_TRUE(has("*NSET, NSET=MANY_THINGS_ALL_OF_THEM"));
    EXPECT_TRUE(has("*NSET, NSET=NALL_2"));
    EXPECT_TRUE(has("*ELSET, ELSET=TIP"));
    EXPECT_TRUE(has("2, 3,"));
    for (const std::string& line : lines) {
        if (line.starts_with("*")) continue;
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');)
            EXPECT_LE(field.size(), 21u) << line;  // a blank and 20
        EXPECT_LE(std::count(line.begin(), line.end(), ','), 16) << line;
    }
}

TEST_F(WriteVolume, LongSetsAreWrapped) {
    VolumeMesh mesh = two_bricks();
    for (int i = 0; i < 50; ++i)
        mesh.bricks.push_back(mesh.bricks[0]);
    mesh.element_groups = {{"all", {}}};
    for (int i = 0; i < 52; ++i)
        mesh.element_groups[0].ids.push_back(i);
    const auto lines = lines_of(calculix_text(mesh));
    const auto begin = std::find(lines.begin(), lines.end(), "*ELSET, ELSET=ALL");
    ASSERT_EQ(lines.end() - begin, 1 + 4);  // 16 + 16 + 16 + 4
    for (auto line = begin + 1; line != lines.end(); ++line)
        EXPECT_LE(std::count(line->begin(), line->end(), ','), 16);
    // Vega's sets too, and they come back whole.
    expect_same_groups(mesh.element_groups, read_vega(vega_text(mesh), "m.veg").element_groups);
}

TEST(GroupLabels, PlainNamesAreWordsAndUnique) {
    const std::vector<Group> groups = {
        {"left side", {}}, {"left/side", {}},       {"9", {}}, {"", {}}, {"Übung", {}},
        {"EALL", {}},      {"abcdefghijklmnop", {}}};
    const auto names = plain_names(groups, LetterCase::Upper, 12, {"EALL"});
    EXPECT_EQ(names, (std::vector<std::string>{"LEFT_SIDE", "LEFT_SIDE_2", "G9", "G", "G__BUNG", "EALL_2",
                                               "ABCDEFGHIJKL"}));
}

TEST(GroupLabels, NumbersFollowTheNames) {
    const std::vector<Group> groups = {{"x", {}},          {"region_1", {}}, {"region_1", {}},
                                       {"region_07x", {}}, {"region_3", {}}, {"region_-2", {}}};
    EXPECT_EQ(group_numbers(groups, "region_"), (std::vector<std::int64_t>{2, 1, 4, 5, 3, 6}));
}

TEST_F(WriteVolume, EveryFormatRecordsUp) {
    for (const char* ending : {"msh", "mesh", "vtk", "vtu", "node", "ele", "veg"})
        for (const UpAxis up : {UpAxis::X, UpAxis::Y, UpAxis::Z, UpAxis::MinusY}) {
            VolumeMesh mesh = two_tets();
            mesh.up = up;
            const auto path = folder_ / fmt::format("m.{}", ending);
            write_volume(path, mesh);
            EXPECT_EQ(read_volume(path).up, up) << ending << ' ' << up_text(up);
        }
    write_file(folder_ / "other.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    write_file(folder_ / "other.ele", "1 4 0\n1 1 2 3 4\n");
    EXPECT_EQ(read_volume(folder_ / "other.node").up, UpAxis::Z);
}

}  // namespace
}  // namespace limber::build::write_volume_test
