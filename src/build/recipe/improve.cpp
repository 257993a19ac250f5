// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/improve.h"

#include "build/file/text_scanner.h"
#include "build/mesh/surface_patch.h"
#include "build/recipe/selection.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>

namespace limber::build {

std::vector<int> selected_on_surface(const std::string& option, const BodyMesh& body,
                                     const std::string& text) {
    const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view bare = std::string_view(text).substr(begin);
    const bool by_name = bare.starts_with('#') || bare.starts_with('@') || bare.starts_with("file:");
    if (body.filled || !by_name) return select_some(option, text, body.surface);
    std::vector<char> chosen(body.volume.vertices.size(), 0);
    for (const int v : select_some(option, text, body.volume))
        chosen[static_cast<std::size_t>(v)] = 1;
    std::vector<int> out;
    for (std::size_t i = 0; i < body.input_vertex.size(); ++i)
        if (chosen[static_cast<std::size_t>(body.input_vertex[i])]) out.push_back(static_cast<int>(i));
    if (out.empty())
        throw InputError{fmt::format("{} '{}'", option, printable(text)),
                         "none of these vertices is on the surface",
                         "\"near:x,y,z\" takes the nearest vertex of the surface"};
    return out;
}

Eigen::MatrixXd patch_loads(const BodyMesh& body, const std::vector<std::string>& selections) {
    const PatchSurface surface(body.surface.vertices, body.surface.triangles);
    const double radius = patch_radius(body.volume, body.surface.vertices);
    Eigen::MatrixXd loads(3 * static_cast<Eigen::Index>(body.volume.vertices.size()),
                          3 * static_cast<Eigen::Index>(selections.size()));
    Eigen::VectorXd on_surface(3 * static_cast<Eigen::Index>(body.surface.vertices.size()));
    for (std::size_t s = 0; s < selections.size(); ++s) {
        const SurfacePatch patch = surface.of(selected_on_surface("--improve", body, selections[s]), radius);
        for (int axis = 0; axis < 3; ++axis) {
            on_surface.setZero();
            for (std::size_t i = 0; i < patch.vertices.size(); ++i)
                on_surface[3 * patch.vertices[i] + axis] = patch.shares[static_cast<Eigen::Index>(i)];
            loads.col(3 * static_cast<Eigen::Index>(s) + axis) = spread_forces(body.embedding, on_surface);
        }
    }
    return loads;
}

Basis improved(const FemModel& model, Basis basis, const BodyMesh& body,
               const std::vector<std::string>& selections, MassKind mass, const Progress& progress) {
    return with_static_responses(model, std::move(basis), patch_loads(body, selections), mass, progress);
}

}  // namespace limber::build
