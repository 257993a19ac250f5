// SPDX-License-Identifier: Apache-2.0
#include "cli/body.h"

#include "build/fem/assemble.h"
#include "build/file/text_scanner.h"
#include "build/mesh/check.h"
#include "build/mesh/files.h"
#include "build/mesh/select.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace limber::cli {
namespace {

constexpr const char* kMaterialExample = "x>0.5: young=2e6 poisson=0.4 density=900";

// Errors of SELECT tell the place in the text; this adds the option that has the text.
template <class Select>
std::vector<int> select_for(const std::string& option, Select&& select) {
    try {
        return select();
    } catch (InputError error) {
        error.where = option + ": " + error.where;
        throw error;
    }
}

std::vector<int> selected_vertices(const std::string& option, const std::string& text,
                                   const build::VolumeMesh& mesh) {
    auto ids = select_for(option, [&] { return build::select_vertices(text, mesh); });
    if (ids.empty())
        throw InputError{
            fmt::format("{} '{}'", option, build::printable(text)),
            fmt::format("this selects no vertex; the mesh spans {}", describe(bounds_of(mesh.vertices))),
            "a condition within these bounds, such as \"x < xmin + 0.1*(xmax-xmin)\""};
    return ids;
}

// "young=2e6 poisson=0.4": what is not named stays as in `base`.
build::Material parse_material(std::string_view text, const build::Material& base, const std::string& where) {
    constexpr std::string_view separators = ", \t";
    build::Material material = base;
    bool any = false;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
        if (text.empty()) break;
        const auto item = text.substr(0, text.find_first_of(separators));
        text.remove_prefix(item.size());
        const auto equals = std::min(item.find('='), item.size());
        const auto key = item.substr(0, equals);
        const auto number = item.substr(std::min(equals + 1, item.size()));
        double* constant = key == "young"     ? &material.young
                           : key == "poisson" ? &material.poisson
                           : key == "density" ? &material.density
                                              : nullptr;
        if (!constant)
            throw InputError{where,
                             fmt::format("'{}' is none of young, poisson, density", build::printable(key)),
                             fmt::format("--material \"{}\"", kMaterialExample)};
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), *constant);
        if (error != std::errc{} || end != number.data() + number.size())
            throw InputError{where, fmt::format("'{}' is not a number", build::printable(number)),
                             fmt::format("--material \"{}\"", kMaterialExample)};
        any = true;
    }
    if (!any)
        throw InputError{where, "no constants follow the colon",
                         fmt::format("--material \"{}\"", kMaterialExample)};
    return material;
}

build::MaterialMap read_materials(const BodyOptions& options, build::VolumeMesh& mesh) {
    // A constant given on the command line also replaces the file's own.
    const auto override_constants = [&](build::Material& m) {
        m.young = options.young.value_or(m.young);
        m.poisson = options.poisson.value_or(m.poisson);
        m.density = options.density.value_or(m.density);
    };
    build::Material base;
    override_constants(base);
    build::check_material(base, "material");
    for (auto& [group, material] : mesh.materials)
        override_constants(material);

    std::vector<build::MaterialChoice> choices;
    for (const std::string& text : options.materials) {
        const auto [select, constants] = split_at_last_colon(text, "--material", kMaterialExample);
        const std::string where = fmt::format("--material '{}'", build::printable(text));
        choices.push_back({select, parse_material(constants, base, where)});
        build::check_material(choices.back().material, where);
        const auto elements =
            select_for("--material", [&, &s = select] { return build::select_elements(s, mesh); });
        if (elements.empty())
            throw InputError{
                where,
                fmt::format("this selects no element; the mesh spans {}", describe(bounds_of(mesh.vertices))),
                "a condition is tested at the middle of each element"};
    }
    return build::assign_materials(mesh, base, choices);
}

}  // namespace

void add_body_options(Command& command, BodyOptions& options, const std::string& out_shape,
                      const std::string& vtu_meaning) {
    command.group("Files");
    command.argument("volume", options.volume, "tetrahedra or bricks: .msh .node .ele .mesh .veg .vtk .vtu");
    command.text({"--out", "file.npy", "displacements as a NumPy array of float64,\n" + out_shape, ""},
                 options.out);
    command.text({"--vtu", "file.vtu", vtu_meaning, ""}, options.vtu);
    command.group("Supports and probes");
    command.texts({"--fix", "select",
                   "vertices that do not move; repeats, the union counts:\n"
                   "\"x<0.001 && !(y>0.2)\", \"#12,15,20-30\", \"near:x,y,z\",\n"
                   "\"@group\", \"file:ids.txt\", all",
                   ""},
                  options.fix);
    command.text({"--probe", "select", "report the mean displacement of these vertices", ""}, options.probe);
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
                  options.materials);
    command.group("Numerics");
    command.word({"--quadrature", "word", "of bricks: standard (2x2x2 points) or exact (3x3x3)", "standard"},
                 {"standard", "exact"}, options.quadrature);
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

Body read_body(const BodyOptions& options, Console& console) {
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    build::VolumeMesh mesh = build::read_volume(options.volume);
    build::require_sound(mesh, options.volume);
    for (const build::Problem& problem : build::check(mesh).problems)
        console.note(fmt::format("{}: {}{}", options.volume, problem.message,
                                 problem.try_this.empty() ? "" : "\ntry: " + problem.try_this));

    build::MaterialMap materials = read_materials(options, mesh);
    std::vector<int> fixed;
    for (const std::string& text : options.fix) {
        const auto ids = selected_vertices("--fix", text, mesh);
        fixed.insert(fixed.end(), ids.begin(), ids.end());
    }
    std::sort(fixed.begin(), fixed.end());
    fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
    if (fixed.size() == mesh.vertices.size())
        throw InputError{
            "--fix", "every vertex of the mesh is fixed; nothing can move",
            fmt::format("a smaller selection; the mesh spans {}", describe(bounds_of(mesh.vertices)))};
    std::vector<int> probe;
    if (!options.probe.empty()) probe = selected_vertices("--probe", options.probe, mesh);

    build::tell(progress, "preparing the elements", 0);
    const build::FemOptions fem{.brick_quadrature = options.quadrature == "exact"
                                                        ? build::BrickQuadrature::Exact
                                                        : build::BrickQuadrature::Standard};
    Body body{build::FemModel(std::move(mesh), std::move(materials), std::move(fixed), fem), std::move(probe),
              0};
    body.total_mass = build::total_mass(body.model);
    return body;
}

Loads read_loads(const LoadOptions& options, const build::FemModel& model, Console& console) {
    const Eigen::Index size = 3 * model.vertex_count();
    Loads loads{Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(size)};
    for (const std::string& text : options.loads) {
        const auto [select, force] = split_at_last_colon(text, "--load", "x>0.99: 0 0 -10");
        const auto vertices = selected_vertices("--load", select, model.mesh());
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

std::string headline(const BodyOptions& options, const Body& body) {
    const auto& mesh = body.model.mesh();
    return fmt::format("{}: {} vertices ({} fixed), {} tetrahedra, {} bricks, {:.6g} kg\n", options.volume,
                       mesh.vertices.size(), body.model.fixed_vertices().size(), mesh.tets.size(),
                       mesh.bricks.size(), body.total_mass);
}

}  // namespace limber::cli
