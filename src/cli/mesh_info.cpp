// SPDX-License-Identifier: Apache-2.0
// limber mesh info: what a mesh file holds and what is wrong with it.
#include "build/mesh/check.h"
#include "build/mesh/repair.h"
#include "build/mesh/tetrahedralize.h"
#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/text.h"
#include "cli/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshInfo {
    std::string mesh;
    std::string unit = "m";
    int points = 0;
};

nlohmann::json groups_json(const std::vector<build::Group>& groups) {
    nlohmann::json out = nlohmann::json::array();
    for (const build::Group& group : groups)
        out.push_back({{"name", group.name}, {"count", group.ids.size()}});
    return out;
}

constexpr std::size_t kShownIds = 10;

// The corners of a triangle, or of an element (tets first); none if there is no such one.
std::vector<int> corners_of(const build::SurfaceMesh& mesh, std::size_t triangle) {
    if (triangle >= mesh.triangles.size()) return {};
    return {mesh.triangles[triangle].begin(), mesh.triangles[triangle].end()};
}
std::vector<int> corners_of(const build::VolumeMesh& mesh, std::size_t element) {
    if (element >= mesh.element_count()) return {};
    if (element < mesh.tets.size()) return {mesh.tets[element].begin(), mesh.tets[element].end()};
    const build::Brick& brick = mesh.bricks[element - mesh.tets.size()];
    return {brick.begin(), brick.end()};
}

// Where the problem is: the vertices themselves, or the middles of the triangles and elements.
template <class Mesh>
nlohmann::json points_json(const build::Problem& problem, const Mesh& mesh, std::size_t most) {
    const bool of_vertices =
        problem.kind == "unreferenced" || problem.kind == "not_finite" || problem.kind == "hinge";
    nlohmann::json out = nlohmann::json::array();
    for (const int id : problem.first_ids) {
        if (out.size() == most) break;
        const auto index = static_cast<std::size_t>(id);
        const std::vector<int> corners = of_vertices ? std::vector<int>{id} : corners_of(mesh, index);
        Eigen::Vector3d middle = Eigen::Vector3d::Zero();
        bool known = !corners.empty();
        for (const int corner : corners) {
            known = known && corner >= 0 && static_cast<std::size_t>(corner) < mesh.vertices.size();
            if (known) middle += mesh.vertices[static_cast<std::size_t>(corner)];
        }
        middle /= static_cast<double>(std::max<std::size_t>(corners.size(), 1));
        if (known && middle.allFinite()) out.push_back({middle.x(), middle.y(), middle.z()});
    }
    return out;
}

template <class Mesh>
nlohmann::json problems_json(const std::vector<build::Problem>& problems, const Mesh& mesh, int points) {
    nlohmann::json out = nlohmann::json::array();
    for (const build::Problem& p : problems) {
        const auto shown = static_cast<std::ptrdiff_t>(std::min(p.first_ids.size(), kShownIds));
        nlohmann::json row = {
            {"kind", p.kind},
            {"message", p.message},
            {"try_this", p.try_this},
            {"count", p.count},
            {"first_ids", std::vector<int>(p.first_ids.begin(), p.first_ids.begin() + shown)}};
        if (points > 0) row["points"] = points_json(p, mesh, static_cast<std::size_t>(points));
        out.push_back(std::move(row));
    }
    return out;
}

std::string why_not_watertight(const build::MeshReport& report) {
    for (const build::Problem& p : report.problems)
        if (p.kind == "open_edges" || p.kind == "non_manifold_edges") return "the surface is not closed";
    return "the surface is closed, but its triangles do not all face outward";
}

std::string for_people(const std::string& name, const build::MeshReport& report, bool is_volume) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"vertices", fmt::format("{}", report.vertices)}};
    if (is_volume) {
        rows.emplace_back("tetrahedra", fmt::format("{}", report.tets));
        rows.emplace_back("bricks", fmt::format("{}", report.bricks));
    } else {
        rows.emplace_back("triangles", fmt::format("{}", report.triangles));
    }
    rows.emplace_back("bounds", describe(report.bounds));
    rows.emplace_back("volume", is_volume || report.watertight ? fmt::format("{:.6g} m^3", report.volume)
                                                               : "not known: " + why_not_watertight(report));
    if (report.seam_vertices > 0)
        rows.emplace_back("seams", fmt::format("{} vertices at the place of another one (within {:g} of the "
                                               "diagonal); they count as one",
                                               report.seam_vertices, build::kWeldDistance));
    rows.emplace_back("components", fmt::format("{}", report.components));
    rows.emplace_back("watertight", report.watertight ? "yes" : "no");
    if (is_volume) rows.emplace_back("inverted", fmt::format("{}", report.inverted));
    std::string out =
        fmt::format("{}: a {} mesh\n{}", name, is_volume ? "volume" : "surface", two_columns(rows));
    if (report.problems.empty()) return out + "no problems found\n";
    out += "problems\n";
    for (const build::Problem& p : report.problems) {
        out += fmt::format("  {}: {}\n", p.kind, p.message);
        if (!p.try_this.empty()) out += fmt::format("    try: {}\n", p.try_this);
    }
    return out;
}

build::MeshReport report_of(const build::AnyMesh& mesh) {
    if (const auto* surface = std::get_if<build::SurfaceMesh>(&mesh))
        return build::check(*surface, {.self_intersections = true});
    return build::check(std::get<build::VolumeMesh>(mesh));
}

// What tetrahedralize would refuse; null: nothing.
nlohmann::json tetrahedra_json(const build::SurfaceMesh& surface, const build::MeshReport& report) {
    std::string problem = build::tetrahedra_problem(surface);
    for (const build::Problem& p : report.problems)
        if (problem.empty() && p.kind == "self_intersections") problem = p.message;
    nlohmann::json out = {{"possible", problem.empty()}, {"problem", nullptr}};
    if (!problem.empty()) out["problem"] = problem;
    return out;
}

ExitStatus run(const MeshInfo& options, Console& console) {
    build::AnyMesh mesh = build::read_mesh(options.mesh);
    scale_to_metres(mesh, options.unit);
    const auto* volume = std::get_if<build::VolumeMesh>(&mesh);
    const build::MeshReport report = report_of(mesh);
    nlohmann::json json = {
        {"kind", volume ? "volume" : "surface"},
        {"up", up_text(std::visit([](const auto& m) { return m.up; }, mesh))},
        {"vertices", report.vertices},
        {"triangles", report.triangles},
        {"tets", report.tets},
        {"bricks", report.bricks},
        {"bounds", to_json(report.bounds)},
        {"volume", report.volume},
        {"components", report.components},
        {"watertight", report.watertight},
        {"orientable", report.orientable},
        {"inverted", report.inverted},
        {"problems",
         std::visit([&](const auto& m) { return problems_json(report.problems, m, options.points); }, mesh)}};
    if (volume) {
        json["vertex_groups"] = groups_json(volume->vertex_groups);
        json["element_groups"] = groups_json(volume->element_groups);
    } else {
        const auto& surface = std::get<build::SurfaceMesh>(mesh);
        json["triangle_groups"] = groups_json(surface.triangle_groups);
        json["seam_vertices"] = report.seam_vertices;
        json["area"] = report.area;
        json["thickness"] = nullptr;
        if (const double t = build::mean_thickness(report); t > 0) json["thickness"] = t;
        json["tetrahedra"] = tetrahedra_json(surface, report);
    }
    console.result(std::move(json), for_people(options.mesh, report, volume != nullptr));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_info(Command& mesh) {
    auto options = std::make_shared<MeshInfo>();
    Command command = mesh.add_command("info", "Report the contents of a mesh file and its problems.",
                                       "limber mesh info bracket.msh --json");
    command.group("Files");
    command.argument("mesh", options->mesh, "a surface or a volume mesh");
    add_unit_option(command, options->unit);
    command.whole_number({"--points", "n", "in the JSON, up to n points where each problem is", "0"}, 0, 200,
                         options->points);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
