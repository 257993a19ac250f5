// SPDX-License-Identifier: Apache-2.0
// A surface whose corners have looks of their own, as it comes out of a repair, and its files.
#pragma once
#include "build/mesh/repair.h"
#include "build/mesh_files/read_appearance.h"

#include <filesystem>
#include <string>
#include <vector>

namespace limber::build {

struct DressedSurface {
    SurfaceMesh mesh;               // welded
    std::vector<Triangle> corners;  // of each triangle, into the vertices of the appearance
    std::vector<int> material;      // of each triangle, into appearance.materials; -1: none
    Appearance appearance;          // as it was read; its parts are those of the surface before
};

// What repair() takes: the shown surface with the groups of the file, whose triangles stand in another order.
SurfaceMesh to_repair(const ShownSurface& shown, const SurfaceMesh& file);
// The looks of `shown` on what repair() made of it. A patch takes the material beside it.
DressedSurface dressed(RepairedSurface repaired, const ShownSurface& shown);

struct WrittenLooks {
    std::vector<std::filesystem::path> files;  // beside the mesh: the material library, its pictures
    std::vector<std::string> notes;            // what the format has no room for
};
// .glb holds everything; .obj with an .mtl base colours, opacity, their textures and vertex colours; .ply
// vertex colours; others nothing.
WrittenLooks write_dressed(const std::filesystem::path& path, const DressedSurface& surface);

}  // namespace limber::build
