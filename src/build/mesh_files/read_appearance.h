// SPDX-License-Identifier: Apache-2.0
// A surface with its looks: the geometry of read_surface(), its vertices split along the seams of textures,
// and materials, textures and images for the model file. Looks only please the eye: what is odd about them
// is left out and noted, never refused.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <limber/model/appearance.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

struct ShownSurface {
    std::vector<Vertex> vertices;
    std::vector<Triangle> triangles;  // those of one material stand together
    std::vector<int> input_vertex;    // the vertex of read_surface() that each came from
    Appearance appearance;
    std::vector<std::string> notes;  // what was left out, and why
};

// OBJ with its MTL, glTF and GLB, the vertex colours of PLY; other formats of surfaces have no looks. Other
// files must lie in the folder of the file or below it. Throws InputError as read_surface() does.
ShownSurface read_shown_surface(const std::filesystem::path& path);

// By bytes; `name` is for messages. `folder`: where other files may lie; empty: nowhere.
ShownSurface read_obj_appearance(std::string_view bytes, const std::string& name,
                                 const std::filesystem::path& folder);
ShownSurface read_glb_appearance(std::string_view bytes, const std::string& name);
ShownSurface read_gltf_appearance(std::string_view bytes, const std::string& name,
                                  const std::filesystem::path& folder);

// The vertex colours of a PLY file; none if it has none.
std::vector<VertexColor> read_ply_colors(std::string_view bytes, const std::string& name);

// Colours of OBJ and PLY files are as on the screen (sRGB, IEC 61966-2-1), those of models linear.
float linear_color(double srgb);

// Sorts the triangles by material, in the order in which materials are first used, and notes the parts;
// material_of_triangle: -1 for none. A surface of one part without material needs none.
void arrange_parts(ShownSurface& surface, const std::vector<int>& material_of_triangle);

}  // namespace limber::build
