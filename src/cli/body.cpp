// SPDX-License-Identifier: Apache-2.0
#include "cli/body.h"

#include "build/fem/assemble.h"
#include "build/file/text_scanner.h"
#include "build/mesh/check.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh_files/files.h"
#include "build/recipe/selection.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::cli {
void add_body_options(Command& command, BodyOptions& options, const std::string& out_shape,
                      const std::string& vtu_meaning, Command::FilesOf vtu_files) {
    command.group("Files");
    command.argument("volume", options.volume, "tetrahedra or bricks: .msh .node .ele .mesh .veg .vtk .vtu");
    command.output({"--out", "file.npy", "displacements as a NumPy array of float64,\n" + out_shape, ""},
                   options.out);
    command.output({"--vtu", "file.vtu", vtu_meaning, ""}, options.vtu, std::move(vtu_files));
    command.group("Supports and probes");
    command.texts({"--fix", "select",
                   "vertices that do not move; repeats, the union counts:\n"
                   "\"x<0.001 && !(y>0.2)\", \"#12,15,20-30\", \"near:x,y,z\",\n"
                   "\"@group\", \"file:ids.txt\", all",
                   ""},
                  options.fix);
    command.text({"--probe", "select", "report the mean displacement of these vertices", ""}, options.probe);
    add_material_options(command, options.materials);
    command.group("Numerics");
    command.word({"--quadrature", "word",
                  "of bricks: standard (2x2x2 points), exact (3x3x3), or\n"
                  "selective (one point for lambda: for thin bodies)",
                  "standard"},
                 {kQuadratureTexts.begin(), kQuadratureTexts.end()}, options.quadrature);
}

void add_material_options(Command& command, build::MaterialRecipe& options) {
    command.group("Material (SI units)");
    command.number({"--young", "Pa", "Young's modulus", "the file's, else 1e6"}, any_number(), options.young);
    command.number({"--poisson", "ratio", "Poisson's ratio, above -1 and below 0.5", "the file's, else 0.45"},
                   any_number(), options.poisson);
    command.number({"--density", "kg/m^3", "mass density", "the file's, else 1000"}, any_number(),
                   options.density);
    command.texts({"--material", "text",
                   "\"SELECT: young=2e6 poisson=0.4 density=900\"; repeats,\n"
                   "later ones win; what is left out is as --young etc. say",
                   ""},
                  options.choices);
}

void add_load_options(Command& command, LoadOptions& options) {
    command.group("Loads");
    command.texts({"--load", "text",
                   "\"SELECT: fx fy fz\": a total force in N, shared equally\n"
                   "by the vertices, of fixed direction; repeats",
                   ""},
                  options.loads);
    command.text({"--gravity", "vector", "acceleration \"gx gy gz\" in m/s^2", "none"}, options.gravity);
}

StvkBody read_body(const BodyOptions& options, Console& console) {
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    build::VolumeMesh mesh = build::read_volume(options.volume);
    build::require_sound(mesh, options.volume);
    for (const build::Problem& problem : build::check(mesh).problems)
        console.note(fmt::format("{}: {}{}", options.volume, problem.message,
                                 problem.try_this.empty() ? "" : "\ntry: " + problem.try_this));

    build::MaterialMap materials = build::assign_materials(mesh, options.materials);
    std::vector<int> fixed;
    for (const std::string& text : options.fix) {
        const auto ids = build::select_some("--fix", text, mesh);
        fixed.insert(fixed.end(), ids.begin(), ids.end());
    }
    std::sort(fixed.begin(), fixed.end());
    fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
    if (fixed.size() == mesh.vertices.size())
        throw InputError{"--fix", "every vertex of the mesh is fixed; nothing can move",
                         fmt::format("a smaller selection; the mesh spans {}",
                                     build::describe(build::bounds_of(mesh.vertices)))};
    std::vector<int> probe;
    if (!options.probe.empty()) probe = build::select_some("--probe", options.probe, mesh);

    build::tell(progress, "preparing the elements", 0);
    const build::FemOptions fem{.brick_quadrature = parse_quadrature(options.quadrature).value()};
    StvkBody body{build::FemModel(std::move(mesh), std::move(materials), std::move(fixed), fem),
                  std::move(probe), 0};
    body.total_mass = build::total_mass(body.model);
    return body;
}

Loads read_loads(const LoadOptions& options, const build::FemModel& model, Console& console) {
    const Eigen::Index size = 3 * model.vertex_count();
    Loads loads{Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(size)};
    for (const std::string& text : options.loads) {
        const auto [select, force] = split_at_last_colon(text, "--load", "x>0.99: 0 0 -10");
        const auto vertices = build::select_some("--load", select, model.mesh());
        loads.pulls += build::shared_force(model, vertices, parse_vector(force, "--load"));
        const auto held =
            std::count_if(vertices.begin(), vertices.end(), [&](int v) { return model.free_index(v) < 0; });
        if (held > 0)
            console.note(fmt::format(
                "--load '{}': {} of its {} vertices are fixed; their share of the force ({:.3g}%) "
                "goes into the support and does nothing",
                build::printable(text), held, vertices.size(),
                100.0 * static_cast<double>(held) / static_cast<double>(vertices.size())));
    }
    if (!options.gravity.empty())
        loads.gravity = build::gravity_force(model, parse_vector(options.gravity, "--gravity"));
    return loads;
}

Eigen::Vector3d mean_displacement(const Eigen::VectorXd& u, const std::vector<int>& vertices) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int v : vertices)
        sum += u.segment<3>(3 * v);
    return vertices.empty() ? sum : Eigen::Vector3d(sum / static_cast<double>(vertices.size()));
}

double max_displacement(const Eigen::VectorXd& u) {
    return u.size() == 0 ? 0.0 : u.reshaped(3, u.size() / 3).colwise().norm().maxCoeff();
}

std::string headline(const BodyOptions& options, const StvkBody& body) {
    const auto& mesh = body.model.mesh();
    return fmt::format("{}: {} vertices ({} fixed), {} tetrahedra, {} bricks, {:.6g} kg\n", options.volume,
                       mesh.vertices.size(), body.model.fixed_vertices().size(), mesh.tets.size(),
                       mesh.bricks.size(), body.total_mass);
}

}  // namespace limber::cli
