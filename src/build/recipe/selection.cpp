// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/selection.h"

#include "build/file/text_scanner.h"
#include "build/mesh/vertex_range.h"

#include <fmt/format.h>

#include <utility>

namespace limber::build {
namespace {

const InputError kNoVertex{"", "this selects no vertex",
                           "a condition within these bounds, such as \"x < xmin + 0.1*(xmax-xmin)\""};
const InputError kNoElement{"", "this selects no element",
                            "a condition is tested at the middle of each element"};

// Errors of SELECT tell the place in the text; this adds the option that has the text.
[[noreturn]] void fail_in(const std::string& option, InputError error) {
    error.where = error.where.empty() ? option : option + ": " + error.where;
    throw error;
}

std::vector<int> not_empty(const std::string& option, const std::string& text, std::vector<int> ids,
                           const Eigen::AlignedBox3d& bounds, InputError if_empty) {
    if (!ids.empty()) return ids;
    if_empty.where = fmt::format("{} '{}'", option, printable(text));
    if_empty.problem += "; the mesh spans " + describe(bounds);
    throw if_empty;
}

template <class Select, class Mesh>
std::vector<int> select_for(const std::string& option, const std::string& text, const Mesh& mesh,
                            const InputError& if_empty, Select select) {
    std::vector<int> ids;
    try {
        ids = select(text, mesh);
    } catch (const InputError& error) {
        fail_in(option, error);
    }
    return not_empty(option, text, std::move(ids), bounds_of(mesh.vertices), if_empty);
}

template <class Mesh>
std::vector<int> some_vertices(const std::string& option, const std::string& text, const Mesh& mesh) {
    return select_for(option, text, mesh, kNoVertex,
                      [](const std::string& t, const Mesh& m) { return select_vertices(t, m); });
}

}  // namespace

std::vector<int> select_some(const std::string& option, const std::string& text, const VolumeMesh& mesh) {
    return some_vertices(option, text, mesh);
}

std::vector<int> select_some(const std::string& option, const std::string& text, const SurfaceMesh& mesh) {
    return some_vertices(option, text, mesh);
}

std::vector<int> select_some_elements(const std::string& option, const std::string& text,
                                      const VolumeMesh& mesh) {
    return select_for(option, text, mesh, kNoElement,
                      [](const std::string& t, const VolumeMesh& m) { return select_elements(t, m); });
}

std::vector<int> some_of(const std::string& option, const std::string& text, Result<std::vector<int>> ids,
                         const Eigen::AlignedBox3d& bounds) {
    if (!ids.ok()) fail_in(option, ids.error());
    return not_empty(option, text, std::move(ids).value(), bounds, kNoVertex);
}

std::string describe(const Eigen::AlignedBox3d& bounds) {
    if (bounds.isEmpty()) return "nothing";
    const auto &a = bounds.min(), &b = bounds.max();
    return fmt::format("x {:.6g} .. {:.6g}, y {:.6g} .. {:.6g}, z {:.6g} .. {:.6g} m", a.x(), b.x(), a.y(),
                       b.y(), a.z(), b.z());
}

}  // namespace limber::build
