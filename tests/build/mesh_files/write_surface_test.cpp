// SPDX-License-Identifier: Apache-2.0
// Surfaces survive writing and reading; files.h finds the reader by the file's name.
#include "build/mesh_files/write_surface.h"
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace limber::build::write_surface_test {
namespace {

namespace fs = std::filesystem;

// A tetrahedron whose coordinates need all digits of a double, with two groups that overlap.
SurfaceMesh sample() {
    SurfaceMesh mesh;
    mesh.vertices = {
        {1.0 / 3, 0, -1e-300}, {1e17 / 7, 0.1, 0}, {0.2, 1e10 / 3, 0}, {0, -std::sqrt(2.0), 5e-5}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    mesh.triangle_groups = {{"left side", {0, 1}}, {"top", {1, 3}}};
    return mesh;
}

// volatile: of two neighbours GCC 12 leaves out the rounding (double to float to double as vectors of two,
// -O2 and above).
std::vector<Vertex> rounded_to_floats(std::vector<Vertex> vertices) {
    for (Vertex& v : vertices)
        for (double& x : v) {
            volatile auto rounded = static_cast<float>(x);
            x = rounded;
        }
    return vertices;
}

class SurfaceFiles : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    SurfaceMesh there_and_back(const SurfaceMesh& mesh, const std::string& file) {
        write_surface(folder_ / file, mesh);
        return read_surface(folder_ / file);
    }
    fs::path folder_ = fs::temp_directory_path() / ("limber_surface_" + std::to_string(getpid()));
};

TEST_F(SurfaceFiles, TextAndDoublesComeBackToTheLastBit) {
    for (const char* file : {"a.obj", "a.ply", "a.off", "A.OBJ", "b.Ply"}) {
        const auto mesh = there_and_back(sample(), file);
        EXPECT_EQ(mesh.vertices, sample().vertices) << file;
        EXPECT_EQ(mesh.triangles, sample().triangles) << file;
    }
}

TEST_F(SurfaceFiles, FormatsOfFloatsComeBackRounded) {
    const auto glb = there_and_back(sample(), "a.glb");
    EXPECT_EQ(glb.vertices, rounded_to_floats(sample().vertices));
    EXPECT_EQ(glb.triangles, sample().triangles);

    // STL has no vertices of its own: they come back in the order of the corners 0 2 1, 0 1 3 ...
    const auto stl = there_and_back(sample(), "a.stl");
    const auto floats = rounded_to_floats(sample().vertices);
    EXPECT_EQ(stl.vertices, (std::vector<Vertex>{floats[0], floats[2], floats[1], floats[3]}));
    EXPECT_EQ(stl.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}}));
}

TEST_F(SurfaceFiles, FormatsOfCellsKeepTheSurface) {
    for (const char* file : {"a.msh", "a.mesh", "a.vtk", "a.vtu"}) {
        const auto mesh = there_and_back(sample(), file);
        EXPECT_EQ(mesh.vertices, sample().vertices) << file;
        EXPECT_EQ(mesh.triangles, sample().triangles) << file;
    }
}

TEST_F(SurfaceFiles, ObjKeepsGroups) {
    const auto groups = there_and_back(sample(), "a.obj").triangle_groups;
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].name, "left_side");
    EXPECT_EQ(groups[0].ids, (std::vector<int>{0, 1}));
    EXPECT_EQ(groups[1].name, "top");
    EXPECT_EQ(groups[1].ids, (std::vector<int>{1, 3}));
}

TEST_F(SurfaceFiles, WritingTwiceGivesTheSameBytes) {
    EXPECT_EQ(obj_bytes(sample()), obj_bytes(sample()));
    EXPECT_EQ(glb_bytes(sample(), ""), glb_bytes(sample(), ""));
}

TEST_F(SurfaceFiles, StlNormalsAreUnitAndOutward) {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {1, 0, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 1}};  // the second has no area
    const std::string bytes = stl_bytes(mesh, "");
    ASSERT_EQ(bytes.size(), 84u + 2 * 50);
    const auto normal = [&](int t) {
        std::array<float, 3> n;
        std::memcpy(n.data(), bytes.data() + 84 + 50 * t, 12);
        return n;
    };
    EXPECT_EQ(normal(0), (std::array<float, 3>{0, 0, 1}));
    EXPECT_EQ(normal(1), (std::array<float, 3>{0, 0, 0}));
    EXPECT_NE(bytes.substr(0, 5), "solid");
}

// What the glTF 2.0 specification demands of a file and a lenient reader would not miss.
TEST_F(SurfaceFiles, GlbIsValidGltf) {
    const std::string bytes = glb_bytes(sample(), "");
    const auto u32 = [&](std::size_t at) {
        std::uint32_t value;
        std::memcpy(&value, bytes.data() + at, 4);
        return value;
    };
    EXPECT_EQ(u32(8), bytes.size());
    const std::size_t json_length = u32(12);
    EXPECT_EQ(json_length % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    const std::size_t binary = 20 + json_length;
    EXPECT_EQ(u32(binary) % 4, 0u);
    EXPECT_EQ(bytes.substr(binary + 4, 4), std::string("BIN\0", 4));
    EXPECT_EQ(binary + 8 + u32(binary), bytes.size());

    const auto json = nlohmann::json::parse(bytes.substr(20, json_length));
    EXPECT_EQ(json["asset"]["version"], "2.0");
    const auto& positions = json["accessors"][0];
    EXPECT_EQ(positions["count"], 4);
    Eigen::AlignedBox3d box;
    for (const Vertex& v : rounded_to_floats(sample().vertices))
        box.extend(v);
    for (int i = 0; i < 3; ++i) {  // exactly, as floats
        EXPECT_EQ(positions["min"][i].get<float>(), static_cast<float>(box.min()[i]));
        EXPECT_EQ(positions["max"][i].get<float>(), static_cast<float>(box.max()[i]));
    }
    EXPECT_EQ(json["accessors"][1]["count"], 12);
    EXPECT_EQ(json["bufferViews"][0]["target"], 34962);
    EXPECT_EQ(json["bufferViews"][1]["target"], 34963);
    EXPECT_EQ(json["bufferViews"][1]["byteOffset"].get<int>() % 4, 0);
    EXPECT_EQ(json["buffers"][0]["byteLength"], u32(binary));
}

TEST_F(SurfaceFiles, WhatCannotBeWrittenIsRefusedAndLeavesNoFile) {
    const auto refused = [&](const SurfaceMesh& mesh, const char* file, const char* problem) {
        expect_refused([&] { write_surface(folder_ / file, mesh); }, file, problem);
        EXPECT_TRUE(fs::is_empty(folder_)) << file;
    };
    SurfaceMesh nan = sample(), far = sample();
    nan.vertices[2].y() = std::numeric_limits<double>::quiet_NaN();
    far.vertices[1].x() = 1e39;  // a float ends at 3.4e38
    for (const char* file : {"a.obj", "a.stl", "a.ply", "a.off", "a.glb", "a.vtu"}) {
        refused({}, file, "no triangles");
        refused(nan, file, "vertex 2 is not finite");
    }
    refused(far, "a.stl", "vertex 1 at (1e+39");
    refused(far, "a.glb", "beyond the range");
    refused(sample(), "a.gltf", ".glb");
    for (const char* file : {"a.node", "a.ele", "a.veg", "a.inp"})
        refused(sample(), file, "holds volumes");
    refused(sample(), "a.blend", "unknown ending '.blend'");
    refused(sample(), "a", "no ending");
}

TEST_F(SurfaceFiles, FormatFollowsTheEndingInAnyCase) {
    EXPECT_EQ(format_of("a.obj"), FileFormat::Obj);
    EXPECT_EQ(format_of("dir.x/a.OBJ"), FileFormat::Obj);
    EXPECT_EQ(format_of("a.b.GlTf"), FileFormat::Gltf);
    EXPECT_EQ(format_of("a.1.node"), FileFormat::TetGen);
    EXPECT_EQ(format_of("a.1.ele"), FileFormat::TetGen);
    EXPECT_EQ(format_of("a.inp"), FileFormat::CalculixInp);
    const auto error = expect_refused([] { format_of("a.docx"); }, "a.docx", "unknown ending '.docx'");
    for (const char* ending : {".obj", ".stl", ".ply", ".off", ".gltf", ".glb", ".msh", ".node", ".ele",
                               ".mesh", ".veg", ".vtk", ".vtu", ".inp"})
        EXPECT_NE(error.try_this.find(ending), std::string::npos) << ending;
    EXPECT_TRUE(is_refused([] { format_of(""); }));
    EXPECT_TRUE(is_refused([] { format_of(".obj"); }));  // a hidden file without an ending
}

TEST_F(SurfaceFiles, GltfFindsTheBufferBesideIt) {
    const std::string glb = glb_bytes(sample(), "");
    std::uint32_t json_length;
    std::memcpy(&json_length, glb.data() + 12, 4);
    auto json = nlohmann::json::parse(glb.substr(20, json_length));
    json["buffers"][0]["uri"] = "a.bin";
    std::ofstream(folder_ / "a.gltf") << json.dump();
    std::ofstream(folder_ / "a.bin", std::ios::binary) << glb.substr(28 + json_length);
    EXPECT_EQ(read_surface(folder_ / "a.gltf").triangles, sample().triangles);
}

TEST_F(SurfaceFiles, TetGenPairIsFoundByEitherName) {
    std::ofstream(folder_ / "t.1.node") << "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    std::ofstream(folder_ / "t.1.ele") << "1 4 0\n0 0 1 2 3\n";
    EXPECT_EQ(read_volume(folder_ / "t.1.node").tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_EQ(read_volume(folder_ / "t.1.ele").vertices.size(), 4u);
    fs::remove(folder_ / "t.1.ele");
    expect_refused([&] { read_mesh(folder_ / "t.1.node"); }, "t.1.ele", "does not exist");
}

TEST_F(SurfaceFiles, TheOtherKindOfMeshIsRefusedWithTheCommandThatMakesIt) {
    write_surface(folder_ / "a.obj", sample());
    const auto volume =
        expect_refused([&] { read_volume(folder_ / "a.obj"); }, "a.obj", "surface (4 triangles)");
    EXPECT_NE(volume.try_this.find("limber mesh voxelize"), std::string::npos);

    std::ofstream(folder_ / "v.mesh") << "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 "
                                         "0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";
    const auto surface =
        expect_refused([&] { read_surface(folder_ / "v.mesh"); }, "v.mesh", "volume mesh (1 elements)");
    EXPECT_NE(surface.try_this.find("limber mesh convert"), std::string::npos);
}

TEST_F(SurfaceFiles, MissingFilesFoldersAndDecksAreRefused) {
    expect_refused([&] { read_mesh(folder_ / "none.obj"); }, "none.obj", "does not exist");
    fs::create_directory(folder_ / "folder.obj");
    expect_refused([&] { read_mesh(folder_ / "folder.obj"); }, "folder.obj", "folder");
    std::ofstream(folder_ / "deck.inp") << "*NODE\n";
    expect_refused([&] { read_mesh(folder_ / "deck.inp"); }, "deck.inp", "does not read");
    expect_refused([&] { write_surface(folder_ / "nowhere" / "a.obj", sample()); }, "a.obj",
                   "cannot write here");
}

constexpr UpAxis kAxes[] = {UpAxis::X, UpAxis::Y, UpAxis::Z, UpAxis::MinusX, UpAxis::MinusY, UpAxis::MinusZ};

TEST_F(SurfaceFiles, EveryFormatThatLimberWritesRecordsUp) {
    for (const char* file :
         {"a.obj", "a.ply", "a.off", "a.stl", "a.glb", "a.msh", "a.mesh", "a.vtk", "a.vtu"})
        for (const UpAxis up : kAxes) {
            SurfaceMesh mesh = sample();
            mesh.up = up;
            EXPECT_EQ(there_and_back(mesh, file).up, up) << file << ' ' << up_text(up);
        }
}

TEST_F(SurfaceFiles, FilesOfOthersAreUpByTheirFormat) {
    const auto up_of = [&](const char* file, const std::string& bytes) {
        std::ofstream(folder_ / file, std::ios::binary) << bytes;
        return read_surface(folder_ / file).up;
    };
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(up_of("a.obj", obj), UpAxis::Y);
    EXPECT_EQ(up_of("b.obj", "# written by limber\n" + obj), UpAxis::Y);        // an earlier version
    EXPECT_EQ(up_of("c.obj", "# written by limber, up w\n" + obj), UpAxis::Y);  // no axis
    EXPECT_EQ(up_of("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), UpAxis::Y);
    EXPECT_EQ(up_of("a.ply",
                    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                    "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                    "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              UpAxis::Y);
    EXPECT_EQ(up_of("a.stl",
                    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                    "endloop\nendfacet\nendsolid a\n"),
              UpAxis::Z);
}

// Blender and three.js turn the node; limber reads its own coordinates, to the last bit.
TEST_F(SurfaceFiles, AGlbTurnsUpToYAndComesBackAsItWas) {
    for (const UpAxis up : kAxes) {
        SurfaceMesh mesh = sample();
        mesh.up = up;
        const auto again = there_and_back(mesh, "a.glb");
        EXPECT_EQ(again.vertices, rounded_to_floats(mesh.vertices));
        EXPECT_EQ(again.triangles, mesh.triangles);
        // The same file from another program is taken as glTF has it: turned, and y up.
        std::string bytes = glb_bytes(mesh, "a.glb");
        bytes.replace(bytes.find("\"limber\""), 8, "\"Blend7\"");
        const SurfaceMesh other = read_glb(bytes, "a.glb");
        EXPECT_EQ(other.up, UpAxis::Y);
        for (std::size_t v = 0; v < other.vertices.size(); ++v) {
            const Vertex turned = gltf_from_model(up) * again.vertices[v];
            EXPECT_LE((other.vertices[v] - turned).norm(), 1e-14 * turned.norm());
        }
    }
}

}  // namespace
}  // namespace limber::build::write_surface_test
