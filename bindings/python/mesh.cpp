// SPDX-License-Identifier: Apache-2.0
// Meshes: arrays of vertices and elements, their files, voxels, tetrahedra, the built-in models.
#include "bindings/python/parts.h"
#include "bindings/python/progress.h"
#include "build/mesh/boundary.h"
#include "build/mesh/check.h"
#include "build/mesh/repair.h"
#include "build/mesh/select.h"
#include "build/mesh/tetrahedralize.h"
#include "build/mesh/voxelize.h"
#include "build/mesh_files/files.h"
#include "models/models.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace limber::python {
namespace {

using build::SurfaceMesh;
using build::VolumeMesh;
using Path = std::filesystem::path;

constexpr double kMostCells = 1e7;  // of a bar

template <std::size_t N>
std::vector<std::array<int, N>> rows_of(const py::object& value, std::size_t vertices, const char* where) {
    if (value.is_none()) return {};
    const auto ids = indices_of(value, N, static_cast<py::ssize_t>(vertices), where);
    std::vector<std::array<int, N>> rows(ids.size() / N);
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(ids.begin() + static_cast<std::ptrdiff_t>(i * N), N, rows[i].begin());
    return rows;
}

SurfaceMesh make_surface(const py::object& vertices, const py::object& triangles) {
    SurfaceMesh mesh;
    mesh.vertices = points_of(vertices, "vertices");
    mesh.triangles = rows_of<3>(triangles, mesh.vertices.size(), "triangles");
    return mesh;
}

VolumeMesh make_volume(const py::object& vertices, const py::object& tets, const py::object& bricks,
                       const std::vector<double>& fraction) {
    VolumeMesh mesh;
    mesh.vertices = points_of(vertices, "vertices");
    mesh.tets = rows_of<4>(tets, mesh.vertices.size(), "tets");
    mesh.bricks = rows_of<8>(bricks, mesh.vertices.size(), "bricks");
    if (!fraction.empty() && fraction.size() != mesh.bricks.size())
        throw InputError{"fraction",
                         fmt::format("{} numbers for {} bricks", fraction.size(), mesh.bricks.size()), ""};
    for (const double f : fraction) {
        if (!(f > 0 && f <= 1))
            throw InputError{"fraction",
                             fmt::format("{}; the filled part of a brick is above 0, at most 1", f), ""};
        mesh.fraction.push_back(static_cast<float>(f));  // as files keep it
    }
    return mesh;
}

py::dict groups_of(const std::vector<build::Group>& groups) {
    py::dict out;
    for (const build::Group& group : groups)
        out[py::str(group.name)] =
            py::array_t<int>(static_cast<py::ssize_t>(group.ids.size()), group.ids.data());
    return out;
}

py::array_t<int> adopt_ids(std::vector<int> ids) {
    const Shape shape = {static_cast<py::ssize_t>(ids.size())};
    return adopt<int>(std::move(ids), shape);
}

// As limber mesh info --json.
py::dict info_of(const build::MeshReport& report) {
    py::list problems;
    for (const build::Problem& p : report.problems)
        problems.append(py::dict(py::arg("kind") = p.kind, py::arg("message") = p.message,
                                 py::arg("try_this") = p.try_this, py::arg("count") = p.count,
                                 py::arg("first_ids") = p.first_ids));
    py::list bounds;
    bounds.append(adopt(Eigen::VectorXd(report.bounds.min())));
    bounds.append(adopt(Eigen::VectorXd(report.bounds.max())));
    return py::dict(py::arg("vertices") = report.vertices, py::arg("triangles") = report.triangles,
                    py::arg("tets") = report.tets, py::arg("bricks") = report.bricks,
                    py::arg("bounds") = bounds, py::arg("volume") = report.volume,
                    py::arg("components") = report.components, py::arg("watertight") = report.watertight,
                    py::arg("inverted") = report.inverted, py::arg("problems") = problems);
}

VolumeMesh voxelized(const SurfaceMesh& surface, int resolution, const std::string& hinges,
                     const std::string& fill) {
    const bool full = checked_choice(fill, {"fraction", "full"}, "fill") == "full";
    const bool split = checked_choice(hinges, {"fill", "split"}, "hinges") == "split";
    if (resolution < 1 || resolution > 1024)
        throw InputError{"resolution", fmt::format("{} cubes; from 1 to 1024 were expected", resolution), ""};
    return without_lock([&] {
        return build::voxelize(surface,
                               {.resolution = resolution,
                                .hinges = split ? build::HingePolicy::Split : build::HingePolicy::Fill,
                                .fill = full ? build::VoxelFill::Full : build::VoxelFill::Fraction})
            .mesh;
    });
}

VolumeMesh tetrahedralized(const SurfaceMesh& surface, std::optional<double> max_volume) {
    if (max_volume && !(*max_volume > 0))
        throw InputError{"max_volume", fmt::format("{} m^3; it must be positive", *max_volume), ""};
    return without_lock(
        [&] { return build::tetrahedralize(surface, {.max_volume = max_volume}, "the surface"); });
}

py::list holes_left(const build::RepairReport& report) {
    py::list out;
    for (const build::HoleLeft& hole : report.holes_left)
        out.append(py::dict(py::arg("edges") = hole.edges, py::arg("middle") = hole.middle,
                            py::arg("reason") = hole.reason));
    return out;
}

template <class Mesh>
py::tuple repaired(const Mesh& mesh) {
    const auto result = without_lock([&] { return build::repair(mesh); });
    const build::RepairReport& r = result.report;
    return py::make_tuple(
        result.mesh,
        py::dict(py::arg("welded_vertices") = r.welded_vertices,
                 py::arg("removed_vertices") = r.removed_vertices, py::arg("degenerate") = r.degenerate,
                 py::arg("duplicate") = r.duplicate, py::arg("flipped") = r.flipped,
                 py::arg("inverted_left") = r.inverted_left, py::arg("holes_closed") = r.holes_closed,
                 py::arg("patch_triangles") = r.patch_triangles, py::arg("holes_left") = holes_left(r)));
}

VolumeMesh bar(const std::array<int, 3>& cells, const py::object& size, bool tets) {
    const Eigen::Vector3d sides = vector3_of(size, "size");
    const double product = static_cast<double>(cells[0]) * cells[1] * cells[2];
    if (*std::min_element(cells.begin(), cells.end()) < 1 || product > kMostCells)
        throw InputError{"cells",
                         fmt::format("{} x {} x {}; each must be positive, and their product at most {:g}",
                                     cells[0], cells[1], cells[2], kMostCells),
                         "(20, 4, 4)"};
    if (!(sides.minCoeff() > 0))
        throw InputError{"size", fmt::format("a side of {} m; sides must be positive", sides.minCoeff()), ""};
    return models::bar(cells, sides, tets ? models::BarElements::Tets : models::BarElements::Bricks);
}

py::list sample_list() {
    py::list out;
    for (const models::ModelInfo& info : models::list())
        out.append(py::dict(py::arg("name") = info.name, py::arg("description") = info.description,
                            py::arg("resolution") = info.resolution, py::arg("fix") = info.fix,
                            py::arg("young") = info.material.young,
                            py::arg("poisson") = info.material.poisson,
                            py::arg("density") = info.material.density));
    return out;
}

void add_surface_class(py::module_& module) {
    py::class_<SurfaceMesh>(module, "SurfaceMesh", "Triangles. Arrays are read-only views.")
        .def(py::init(&make_surface), py::arg("vertices"), py::arg("triangles"),
             "(n, 3) in m, and (m, 3) ids.")
        .def_property_readonly(
            "vertices",
            [](const py::object& self) {
                return view_rows<double>(self.cast<const SurfaceMesh&>().vertices, self);
            },
            "(n, 3), m")
        .def_property_readonly(
            "triangles",
            [](const py::object& self) {
                return view_rows<int>(self.cast<const SurfaceMesh&>().triangles, self);
            },
            "(m, 3), counter-clockwise seen from outside")
        .def_property_readonly(
            "triangle_groups", [](const SurfaceMesh& mesh) { return groups_of(mesh.triangle_groups); },
            "name -> triangle ids")
        .def(
            "select",
            [](const SurfaceMesh& mesh, const std::string& text) {
                return adopt_ids(build::select_vertices(text, mesh));
            },
            py::arg("select"), "Ids of the vertices that a SELECT names.")
        .def(
            "info",
            [](const SurfaceMesh& mesh) { return info_of(without_lock([&] { return build::check(mesh); })); },
            "What `limber mesh info --json` tells.")
        .def(
            "save", [](const SurfaceMesh& mesh, const Path& path) { build::write_surface(path, mesh); },
            py::arg("path"), "The format follows the ending.")
        .def("__repr__", [](const SurfaceMesh& mesh) {
            return fmt::format("<limber.SurfaceMesh: {} vertices, {} triangles>", mesh.vertices.size(),
                               mesh.triangles.size());
        });
}

void add_volume_class(py::module_& module) {
    py::class_<VolumeMesh>(
        module, "VolumeMesh",
        "Linear tetrahedra and 8-node bricks; elements count tets first. Arrays are read-only "
        "views.")
        .def(py::init(&make_volume), py::arg("vertices"), py::arg("tets") = py::none(),
             py::arg("bricks") = py::none(), py::arg("fraction") = std::vector<double>(),
             "(n, 3) in m, (t, 4) and (b, 8) ids in VTK order, and the filled part of each brick.")
        .def_property_readonly(
            "vertices",
            [](const py::object& self) {
                return view_rows<double>(self.cast<const VolumeMesh&>().vertices, self);
            },
            "(n, 3), m")
        .def_property_readonly(
            "tets",
            [](const py::object& self) { return view_rows<int>(self.cast<const VolumeMesh&>().tets, self); },
            "(t, 4)")
        .def_property_readonly(
            "bricks",
            [](const py::object& self) {
                return view_rows<int>(self.cast<const VolumeMesh&>().bricks, self);
            },
            "(b, 8)")
        .def_property_readonly(
            "fraction",
            [](const VolumeMesh& mesh) {
                Eigen::VectorXd out = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(mesh.bricks.size()));
                for (std::size_t b = 0; b < mesh.fraction.size(); ++b)
                    out[static_cast<Eigen::Index>(b)] = mesh.fraction[b];
                return adopt(std::move(out));
            },
            "(b,), the part of each brick that the body fills: its mass counts by it")
        .def_property_readonly(
            "vertex_groups", [](const VolumeMesh& mesh) { return groups_of(mesh.vertex_groups); },
            "name -> vertex ids")
        .def_property_readonly(
            "element_groups", [](const VolumeMesh& mesh) { return groups_of(mesh.element_groups); },
            "name -> element ids")
        .def(
            "select",
            [](const VolumeMesh& mesh, const std::string& text) {
                return adopt_ids(build::select_vertices(text, mesh));
            },
            py::arg("select"), "Ids of the vertices that a SELECT names.")
        .def(
            "select_elements",
            [](const VolumeMesh& mesh, const std::string& text) {
                return adopt_ids(build::select_elements(text, mesh));
            },
            py::arg("select"), "Ids of the elements that a SELECT names; conditions are tested at centroids.")
        .def(
            "boundary",
            [](const VolumeMesh& mesh) {
                build::Boundary skin = build::boundary_of(mesh);
                return py::make_tuple(std::move(skin.surface), adopt_ids(std::move(skin.volume_vertex)));
            },
            "(SurfaceMesh, volume vertex of each of its vertices).")
        .def(
            "info",
            [](const VolumeMesh& mesh) { return info_of(without_lock([&] { return build::check(mesh); })); },
            "What `limber mesh info --json` tells.")
        .def(
            "save", [](const VolumeMesh& mesh, const Path& path) { build::write_volume(path, mesh); },
            py::arg("path"), "The format follows the ending.")
        .def("__repr__", [](const VolumeMesh& mesh) {
            return fmt::format("<limber.VolumeMesh: {} vertices, {} tets, {} bricks>", mesh.vertices.size(),
                               mesh.tets.size(), mesh.bricks.size());
        });
}

}  // namespace

void add_meshes(py::module_& module) {
    add_surface_class(module);
    add_volume_class(module);
    module.def(
        "read_mesh", [](const Path& path) { return without_lock([&] { return build::read_mesh(path); }); },
        py::arg("path"), "A VolumeMesh if the file has cells, else a SurfaceMesh.");
    module.def(
        "read_surface",
        [](const Path& path) { return without_lock([&] { return build::read_surface(path); }); },
        py::arg("path"), "Triangles: .obj .stl .ply .off .gltf .glb and others.");
    module.def(
        "read_volume",
        [](const Path& path) { return without_lock([&] { return build::read_volume(path); }); },
        py::arg("path"), "Tetrahedra and bricks: .msh .node .mesh .veg .vtk .vtu.");
    module.def("voxelize", &voxelized, py::arg("surface"), py::arg("resolution") = 32,
               py::arg("hinges") = "fill", py::arg("fill") = "fraction",
               "Fills any triangle soup with cubes, `resolution` of them along its longest side.\n"
               "Cubes that share only an edge: 'fill' adds cubes, 'split' takes them apart.\n"
               "Cubes at a closed surface count by the 'fraction' that it encloses, or in 'full'.");
    module.def("tetrahedralize", &tetrahedralized, py::arg("surface"), py::arg("max_volume") = py::none(),
               "Fills a closed surface with tetrahedra of at most so many m^3; its vertices come first.");
    module.def("repair", &repaired<SurfaceMesh>, py::arg("mesh"), "(repaired mesh, what was done).");
    module.def("repair", &repaired<VolumeMesh>, py::arg("mesh"), "(repaired mesh, what was done).");
    module.def("models", &sample_list,
               "The built-in models: name, description, and how they are usually held.");
    module.def(
        "make_model",
        [](const std::string& name) { return without_lock([&] { return models::make(name); }); },
        py::arg("name"), "The mesh of a built-in model.");
    module.def("bar", &bar, py::arg("cells") = std::array<int, 3>{20, 4, 4},
               py::arg("size") = py::make_tuple(1.0, 0.2, 0.2), py::arg("tets") = false,
               "A box of so many cubes with its corner at the origin; `tets` cuts each into six.");
}

}  // namespace limber::python
