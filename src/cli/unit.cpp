// SPDX-License-Identifier: Apache-2.0
#include "cli/unit.h"

#include "build/file/text_scanner.h"

#include <limber/input_error.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <variant>

namespace limber::cli {
namespace {

const std::map<std::string, double> kMetres = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}};

}  // namespace

void add_unit_option(Command& command, std::string& out) {
    command.text({"--unit", "word",
                  "of the mesh's coordinates: m, cm, mm, in, or its length\n"
                  "in metres, such as 0.001",
                  "m"},
                 out);
}

double metres_per_unit(const std::string& unit) {
    if (const auto named = kMetres.find(unit); named != kMetres.end()) return named->second;
    double metres = 0;
    const auto [stop, error] = std::from_chars(unit.data(), unit.data() + unit.size(), metres);
    if (error == std::errc{} && stop == unit.data() + unit.size() && metres > 0 && std::isfinite(metres))
        return metres;
    throw InputError{
        "--unit",
        fmt::format("'{}' is not m, cm, mm, in or a number of metres above 0", build::printable(unit)),
        "--unit mm"};
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
