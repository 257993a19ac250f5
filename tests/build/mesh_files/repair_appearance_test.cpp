// SPDX-License-Identifier: Apache-2.0
// Looks survive a repair: positions, texture coordinates and materials of every corner.
#include "build/mesh_files/repair_appearance.h"

#include "build/mesh/check.h"
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

namespace limber::build {
namespace {

namespace fs = std::filesystem;

const std::string kPicture = std::string("\x89PNG\r\n\x1a\n", 8) + "not a whole picture";

// A box without its lid: every side has the whole picture, so each edge is a seam; the bottom is red.
constexpr const char* kOpenBox = R"(mtllib box.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 2
v 1 0 2
v 1 1 2
v 0 1 2
vt 0 0
vt 1 0
vt 1 1
vt 0 1
g bottom
usemtl red
f 4/4 3/3 2/2 1/1
g sides
usemtl wood
f 1/1 2/2 6/3 5/4
f 2/1 3/2 7/3 6/4
f 3/1 4/2 8/3 7/4
f 4/1 1/2 5/3 8/4
)";
constexpr const char* kMtl = "newmtl red\nKd 1 0 0\nnewmtl wood\nmap_Kd wood.png\n";

class RepairAppearance : public ::testing::Test {
 protected:
    RepairAppearance()
        : folder_(fs::temp_directory_path() / ("limber_dressed_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        put("box.obj", kOpenBox);
        put("box.mtl", kMtl);
        put("wood.png", kPicture);
    }
    ~RepairAppearance() override { fs::remove_all(folder_); }
    void put(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }
    WrittenLooks repair_to(const std::string& from, const std::string& to) const {
        const ShownSurface shown = read_shown_surface(folder_ / from);
        return write_dressed(folder_ / to,
                             dressed(repair(to_repair(shown, read_surface(folder_ / from))), shown));
    }
    ShownSurface shown(const std::string& name) const { return read_shown_surface(folder_ / name); }

    fs::path folder_;
};

// Position, texture coordinate and colour of the material of a corner.
using Corner = std::array<float, 9>;
using Look = std::array<Corner, 3>;

// Of each triangle, from its least corner on.
std::vector<Look> looks_of(const ShownSurface& surface) {
    std::vector<Look> out;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        int material = -1;
        for (const SurfacePart& part : surface.appearance.parts)
            if (static_cast<int>(t) >= part.first_triangle &&
                static_cast<int>(t) < part.first_triangle + part.triangle_count)
                material = part.material;
        Look look{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto v = static_cast<std::size_t>(surface.triangles[t][i]);
            Corner& corner = look[i];
            for (std::size_t k = 0; k < 3; ++k)
                corner[k] = static_cast<float>(surface.vertices[v][static_cast<Eigen::Index>(k)]);
            if (!surface.appearance.texture_coordinates.empty())
                for (std::size_t k = 0; k < 2; ++k)
                    corner[3 + k] = surface.appearance.texture_coordinates[0][v][k];
            if (material < 0) continue;
            const SurfaceMaterial& m = surface.appearance.materials[static_cast<std::size_t>(material)];
            for (std::size_t k = 0; k < 3; ++k)
                corner[5 + k] = static_cast<float>(m.base_color[k]);
            corner[8] = m.base_color_texture.texture >= 0 ? 1 : 0;
        }
        std::rotate(look.begin(), std::min_element(look.begin(), look.end()), look.end());
        out.push_back(look);
    }
    std::sort(out.begin(), out.end());
    return out;
}

TEST_F(RepairAppearance, TexturesAndMaterialsOfEveryCornerStay) {
    const std::vector<Look> before = looks_of(shown("box.obj"));
    for (const char* name : {"closed.obj", "closed.glb"}) {
        const WrittenLooks written = repair_to("box.obj", name);
        EXPECT_TRUE(written.notes.empty()) << written.notes.at(0);
        const ShownSurface after = shown(name);
        EXPECT_TRUE(after.notes.empty()) << after.notes.at(0);
        const MeshReport report = check(read_surface(folder_ / name));
        EXPECT_TRUE(report.watertight) << name;
        EXPECT_NEAR(report.volume, 2, 1e-6);
        const std::vector<Look> looks = looks_of(after);
        EXPECT_EQ(looks.size(), before.size() + 2);
        EXPECT_TRUE(std::includes(looks.begin(), looks.end(), before.begin(), before.end())) << name;
        // The lid is of wood, as what it stands on.
        for (const Look& look : looks)
            if (look[0][2] == 2 && look[1][2] == 2 && look[2][2] == 2) {
                EXPECT_EQ(look[0][8], 1) << name;
            }
        ASSERT_EQ(after.appearance.images.size(), 1u);
        EXPECT_EQ(after.appearance.images[0].bytes, kPicture);
    }
}

TEST_F(RepairAppearance, ObjKeepsItsGroupsAndItsVertices) {
    repair_to("box.obj", "closed.obj");
    const SurfaceMesh mesh = read_surface(folder_ / "closed.obj");
    EXPECT_EQ(mesh.vertices.size(), 8u);  // seams are texture coordinates, not vertices
    std::map<std::string, std::size_t> sizes;
    for (const Group& group : mesh.triangle_groups)
        sizes[group.name] = group.ids.size();
    EXPECT_EQ(sizes["bottom"], 2u);
    EXPECT_EQ(sizes["sides"], 8u);
    // Again: the same file.
    const WrittenLooks again = repair_to("closed.obj", "again.obj");
    EXPECT_EQ(again.files.size(), 2u);  // library and picture
    EXPECT_EQ(looks_of(shown("again.obj")), looks_of(shown("closed.obj")));
}

TEST_F(RepairAppearance, VertexColoursStayInObjPlyAndGlb) {
    put("tetrahedron.obj",
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nv 0 0 1 0.5 0.25 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 4 3 "
        "1\nf 4 3 1\n");
    const ShownSurface before = shown("tetrahedron.obj");
    for (const char* name : {"a.obj", "a.ply", "a.glb"}) {
        EXPECT_TRUE(repair_to("tetrahedron.obj", name).notes.empty());
        const ShownSurface after = shown(name);
        ASSERT_EQ(after.triangles.size(), 4u) << "the copy is gone";
        ASSERT_EQ(after.appearance.colors.size(), after.vertices.size());
        for (std::size_t v = 0; v < after.vertices.size(); ++v)
            for (std::size_t w = 0; w < before.vertices.size(); ++w)
                for (std::size_t k = 0; k < 3 && before.vertices[w] == after.vertices[v];
                     ++k)  // PLY has bytes
                    EXPECT_NEAR(after.appearance.colors[v][k], before.appearance.colors[w][k], 0.01);
    }
}

TEST_F(RepairAppearance, WhatAFormatCannotHoldIsNoted) {
    for (const char* name : {"a.stl", "a.off", "a.ply"}) {
        const WrittenLooks written = repair_to("box.obj", name);
        ASSERT_EQ(written.notes.size(), 1u) << name;
        EXPECT_NE(written.notes[0].find(".glb"), std::string::npos);
        EXPECT_TRUE(check(read_surface(folder_ / name)).watertight);
    }
    put("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 4 3 1\n");
    EXPECT_TRUE(repair_to("plain.obj", "plain.stl").notes.empty());
}

}  // namespace
}  // namespace limber::build
