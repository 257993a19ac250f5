// SPDX-License-Identifier: Apache-2.0
// What every reader promises for any bytes at all: a sound mesh or an InputError that says where and what.
// The fuzz targets try it with bytes that libFuzzer makes up, the corpus test with files that are kept.
#pragma once
#include "build/animation/node_tree.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/read_appearance.h"
#include "tests/limber/model/open_glb.h"

#include <limber/input_error.h>
#include <limber/model/model_file.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace limber::build {

inline void require(bool promise, const char* text) {
    if (!promise) throw std::logic_error(text);
}

inline void require_vertices(const std::vector<Vertex>& vertices) {
    for (const Vertex& v : vertices)
        require(v.allFinite(), "a coordinate is not finite");
}

template <class Element>
void require_corners(const std::vector<Element>& elements, std::size_t vertex_count) {
    for (const Element& element : elements)
        for (int v : element)
            require(v >= 0 && static_cast<std::size_t>(v) < vertex_count, "a corner is out of range");
}

inline void require_groups(const std::vector<Group>& groups, std::size_t count) {
    for (const Group& group : groups)
        for (std::size_t i = 0; i < group.ids.size(); ++i) {
            require(group.ids[i] >= 0 && static_cast<std::size_t>(group.ids[i]) < count,
                    "a group names nothing");
            require(i == 0 || group.ids[i - 1] < group.ids[i], "the ids of a group are not ascending");
        }
}

inline void require_sound_result(const SurfaceMesh& mesh) {
    require(!mesh.triangles.empty(), "there are no triangles");
    require_vertices(mesh.vertices);
    require_corners(mesh.triangles, mesh.vertices.size());
    require_groups(mesh.triangle_groups, mesh.triangles.size());
}

inline void require_sound_result(const VolumeMesh& mesh) {
    require(mesh.element_count() > 0, "there are no elements");
    require_vertices(mesh.vertices);
    require_corners(mesh.tets, mesh.vertices.size());
    require_corners(mesh.bricks, mesh.vertices.size());
    require_groups(mesh.vertex_groups, mesh.vertices.size());
    require_groups(mesh.element_groups, mesh.element_count());
}

inline void require_sound_result(const AnyMesh& mesh) {
    std::visit([](const auto& m) { require_sound_result(m); }, mesh);
}

inline void require_sound_result(const ShownSurface& surface) {
    require(!surface.triangles.empty(), "there are no triangles");
    require(surface.input_vertex.size() == surface.vertices.size(), "a vertex came from nowhere");
    require_vertices(surface.vertices);
    require_corners(surface.triangles, surface.vertices.size());
    require(!appearance_problem(surface.appearance, surface.vertices.size(), surface.triangles.size(), ""),
            "the looks do not fit the surface");
}

// Every node has a pose at every time, before and after the keys too.
inline void require_sound_result(const NodeTree& tree) {
    require(!tree.nodes.empty(), "there are no nodes");
    const double end = end_of(tree);
    for (std::size_t n = 0; n < std::min<std::size_t>(tree.nodes.size(), 20); ++n) {
        require(tree.nodes[n].parent < static_cast<int>(tree.nodes.size()), "a parent is not there");
        for (const double time : {-1.0, 0.0, 0.4 * end, end, 2 * end + 1})
            pose_of(tree, static_cast<int>(n), time);
    }
}

// Says where and what, and quotes no more of the file than one can read.
inline void require_good_error(const InputError& error) {
    require(!error.where.empty() && !error.problem.empty(), "the error does not say where and what");
    require(error.where.size() + error.problem.size() + error.try_this.size() < 2000,
            "the error is too long to read");
}

// Was there a mesh? Anything but a mesh and an InputError leaves as an exception, which ends a fuzz target.
template <class Read>
bool try_reader(Read read) {
    try {
        require_sound_result(read());
        return true;
    } catch (const InputError& error) {
        require_good_error(error);
        return false;
    }
}

inline bool try_obj(std::string_view bytes) {
    const bool good = try_reader([&] { return read_obj(bytes, "f.obj"); });
    const bool shown = try_reader([&] { return read_obj_appearance(bytes, "f.obj", ""); });
    require(good == shown, "looks decide whether a mesh is read");
    return good;
}
inline bool try_stl(std::string_view bytes) {
    return try_reader([&] { return read_stl(bytes, "f.stl"); });
}
inline bool try_ply(std::string_view bytes) {
    return try_reader([&] { return read_ply(bytes, "f.ply"); });
}
inline bool try_off(std::string_view bytes) {
    return try_reader([&] { return read_off(bytes, "f.off"); });
}
inline bool try_glb(std::string_view bytes) {
    try_reader([&] { return read_glb_appearance(bytes, "f.glb"); });
    return try_reader([&] { return read_glb(bytes, "f.glb"); });
}
inline bool try_gltf(std::string_view bytes) {
    try_reader([&] { return read_gltf_appearance(bytes, "f.gltf", ""); });
    return try_reader([&] { return read_gltf(bytes, "f.gltf", ""); });
}
inline bool try_gmsh(std::string_view bytes) {
    return try_reader([&] { return read_gmsh(bytes, "f.msh"); });
}
inline bool try_medit(std::string_view bytes) {
    return try_reader([&] { return read_medit(bytes, "f.mesh"); });
}
inline bool try_vtk(std::string_view bytes) {
    return try_reader([&] { return read_vtk(bytes, "f.vtk"); });
}
inline bool try_vtu(std::string_view bytes) {
    return try_reader([&] { return read_vtu(bytes, "f.vtu"); });
}
inline bool try_vega(std::string_view bytes) {
    return try_reader([&] { return read_vega(bytes, "f.veg"); });
}
// The .node file, the first '@', the .ele file.
inline bool try_tetgen(std::string_view bytes) {
    const std::size_t cut = std::min(bytes.find('@'), bytes.size());
    const std::string_view ele = bytes.substr(std::min(cut + 1, bytes.size()));
    return try_reader([&] { return read_tetgen(bytes.substr(0, cut), ele, "f.ele"); });
}

// As .glb, or as .gltf without other files.
inline bool try_animation(std::string_view bytes) {
    if (bytes.starts_with("glTF")) return try_reader([&] { return read_animated_glb(bytes, "f.glb"); });
    return try_reader([&] { return read_animated_gltf(bytes, "f.gltf", ""); });
}

// A model that is read can be written, and read again.
inline bool try_model_as_it_is(std::string_view bytes) {
    const Result<std::shared_ptr<const Model>> read = read_model(bytes, "f.glb");
    if (!read.ok()) {
        require_good_error(read.error());
        return false;
    }
    require(!model_problem(*read.value()), "the model is not sound");
    const Result<ModelBytes> again = write_model(*read.value());
    require(again.ok(), "the model cannot be written");
    require(read_model(again.value().bytes, "f.glb").ok(), "the model cannot be read again");
    return true;
}
// Also with its checksums made right, since they would stop nearly everything that is made up.
inline bool try_model(std::string_view bytes) {
    try_model_as_it_is(reseal(open_glb(bytes)));
    return try_model_as_it_is(bytes);
}

struct Reader {
    const char* name;  // of its folder in tests/data/corpus
    bool (*try_it)(std::string_view bytes);
};
inline constexpr Reader kReaders[] = {{"obj", try_obj},       {"stl", try_stl},
                                      {"ply", try_ply},       {"off", try_off},
                                      {"glb", try_glb},       {"gltf", try_gltf},
                                      {"gmsh", try_gmsh},     {"medit", try_medit},
                                      {"vtk", try_vtk},       {"vtu", try_vtu},
                                      {"tetgen", try_tetgen}, {"vega", try_vega},
                                      {"model", try_model},   {"animation", try_animation}};

}  // namespace limber::build
