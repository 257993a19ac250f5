// SPDX-License-Identifier: Apache-2.0
// limber mesh info: what a mesh file holds and what is wrong with it.
#include "build/mesh/check.h"
#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshInfo {
    std::string mesh;
};

nlohmann::json groups_json(const std::vector<build::Group>& groups) {
    nlohmann::json out = nlohmann::json::array();
    for (const build::Group& group : groups)
        out.push_back({{"name", group.name}, {"count", group.ids.size()}});
    return out;
}

nlohmann::json problems_json(const std::vector<build::Problem>& problems) {
    nlohmann::json out = nlohmann::json::array();
    for (const build::Problem& p : problems)
        out.push_back({{"kind", p.kind},
                       {"message", p.message},
                       {"try_this", p.try_this},
                       {"count", p.count},
                       {"first_ids", p.first_ids}});
    return out;
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
    rows.emplace_back(
        "volume", is_volume || report.watertight ? fmt::format("{:.6g} m^3", report.volume) : "not closed");
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

ExitStatus run(const MeshInfo& options, Console& console) {
    const build::AnyMesh mesh = build::read_mesh(options.mesh);
    const auto* volume = std::get_if<build::VolumeMesh>(&mesh);
    const build::MeshReport report = std::visit([](const auto& m) { return build::check(m); }, mesh);
    nlohmann::json json = {{"kind", volume ? "volume" : "surface"},
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
                           {"problems", problems_json(report.problems)}};
    if (volume) {
        json["vertex_groups"] = groups_json(volume->vertex_groups);
        json["element_groups"] = groups_json(volume->element_groups);
    } else {
        json["triangle_groups"] = groups_json(std::get<build::SurfaceMesh>(mesh).triangle_groups);
    }
    console.result(std::move(json), for_people(options.mesh, report, volume != nullptr));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_info(Command& mesh) {
    auto options = std::make_shared<MeshInfo>();
    Command command = mesh.add_command("info", "What a mesh file holds, and what is wrong with it.",
                                       "limber mesh info bracket.msh --json");
    command.group("Files");
    command.argument("mesh", options->mesh, "a surface or a volume mesh");
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
