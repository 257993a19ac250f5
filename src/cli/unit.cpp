// SPDX-License-Identifier: Apache-2.0
#include "cli/unit.h"

#include <map>
#include <variant>

namespace limber::cli {
namespace {

const std::map<std::string, double> kMetres = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}};

}  // namespace

void add_unit_option(Command& command, std::string& out) {
    command.word({"--unit", "word", "of the mesh's coordinates: m, cm, mm or in", "m"},
                 {"m", "cm", "mm", "in"}, out);
}

double metres_per_unit(const std::string& unit) {
    return kMetres.at(unit);
}

void scale_to_metres(build::AnyMesh& mesh, const std::string& unit) {
    const double scale = metres_per_unit(unit);
    if (scale == 1) return;
    std::visit(
        [&](auto& m) {
            for (build::Vertex& v : m.vertices)
                v *= scale;
        },
        mesh);
}

}  // namespace limber::cli
