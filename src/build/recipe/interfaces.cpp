// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/interfaces.h"

#include "build/domains/domain_basis.h"
#include "build/file/text_scanner.h"
#include "build/mesh/surface_patch.h"
#include "build/or_throw.h"
#include "build/recipe/improve.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/select/select.h>

#include <algorithm>

namespace limber::build {
namespace {

const char* const kOption = "--interface";

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// Areas of the triangles that are wholly selected, a third for each corner: what its neighbours on other
// faces have would shift the centre of a face. Zero where no triangle is.
std::vector<double> areas_inside(const SurfaceMesh& surface, const std::vector<int>& vertices) {
    std::vector<int> place(surface.vertices.size(), -1);
    for (std::size_t k = 0; k < vertices.size(); ++k)
        place[std::size_t(vertices[k])] = static_cast<int>(k);
    std::vector<double> out(vertices.size(), 0.0);
    for (const auto& t : surface.triangles) {
        const auto at = [&](int c) { return place[std::size_t(t[std::size_t(c)])]; };
        if (at(0) < 0 || at(1) < 0 || at(2) < 0) continue;
        const auto x = [&](int c) -> const Eigen::Vector3d& {
            return surface.vertices[std::size_t(t[std::size_t(c)])];
        };
        const double area = 0.5 * (x(1) - x(0)).cross(x(2) - x(0)).norm();
        for (int c = 0; c < 3; ++c)
            out[std::size_t(at(c))] += area / 3;
    }
    return out;
}

// The rows of U at the interface's vertices.
Eigen::MatrixXd rows_at(const BodyMesh& body, const DeclaredInterface& of, const Eigen::MatrixXd& U) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3 * Eigen::Index(of.vertices.size()), U.cols());
    for (std::size_t k = 0; k < of.vertices.size(); ++k) {
        const Embedding::Anchor& anchor = body.embedding.anchors[std::size_t(of.vertices[k])];
        for (int a = 0; a < anchor.count; ++a)
            rows.middleRows<3>(3 * Eigen::Index(k)) +=
                anchor.weights[std::size_t(a)] * U.middleRows<3>(3 * anchor.nodes[std::size_t(a)]);
    }
    return rows;
}

}  // namespace

std::vector<DeclaredInterface> declared_interfaces(const BodyMesh& body,
                                                   const std::vector<std::string>& texts) {
    std::vector<DeclaredInterface> out;
    if (texts.empty()) return out;
    const PatchSurface surface(body.surface.vertices, body.surface.triangles);
    const double radius = patch_radius(body.volume, body.surface.vertices);
    for (const std::string& text : texts) {
        const auto colon = text.find(':');
        DeclaredInterface of;
        of.name = colon == std::string::npos ? "" : trimmed(text.substr(0, colon));
        if (of.name.empty())
            throw InputError{fmt::format("{} '{}'", kOption, printable(text)), "it has no name",
                             "--interface \"tip: z > zmax - 0.01\""};
        for (const DeclaredInterface& other : out)
            if (other.name == of.name)
                throw InputError{kOption, fmt::format("two of them have the name '{}'", printable(of.name)),
                                 ""};
        const std::string select = trimmed(text.substr(colon + 1));
        const std::vector<int> selected = selected_on_surface(kOption, body, select);
        const bool is_patch = select_form(select) == SelectForm::Near;
        if (!is_patch && selected.size() < 3) {
            const Eigen::Vector3d& at = body.surface.vertices[std::size_t(selected[0])];
            throw InputError{
                fmt::format("{} {}", kOption, printable(of.name)),
                fmt::format(
                    "{} selected, at ({:.4g}, {:.4g}, {:.4g}) m: a frame needs three vertices that are "
                    "not in one line",
                    selected.size() == 1 ? "one vertex is" : "two vertices are", at.x(), at.y(), at.z()),
                "a larger selection, or near:x,y,z for the patch around a vertex"};
        }
        const SurfacePatch patch = surface.of(selected, radius);
        of.vertices = patch.vertices;
        std::vector<double> inside;
        if (!is_patch) inside = areas_inside(body.surface, patch.vertices);
        const bool has_area = std::any_of(inside.begin(), inside.end(), [](double x) { return x > 0; });
        for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
            of.points.push_back(body.surface.vertices[std::size_t(patch.vertices[k])]);
            of.weights.push_back(has_area ? inside[k] : patch.shares[Eigen::Index(k)]);
        }
        // Vertices without area carry nothing.
        for (std::size_t k = of.vertices.size(); k-- > 0;)
            if (!(of.weights[k] > 0)) {
                of.vertices.erase(of.vertices.begin() + std::ptrdiff_t(k));
                of.points.erase(of.points.begin() + std::ptrdiff_t(k));
                of.weights.erase(of.weights.begin() + std::ptrdiff_t(k));
            }
        const auto made = interface_of(of.name, of.points, of.weights,
                                       Eigen::MatrixXd(3 * Eigen::Index(of.points.size()), 0));
        if (!made.ok())
            throw InputError{fmt::format("{} {}", kOption, printable(of.name)), made.error().problem,
                             "a larger selection"};
        out.push_back(std::move(of));
    }
    return out;
}

Eigen::MatrixXd attachment_loads(const BodyMesh& body, const std::vector<DeclaredInterface>& declared) {
    Eigen::MatrixXd loads(3 * Eigen::Index(body.volume.vertices.size()), 6 * Eigen::Index(declared.size()));
    Eigen::VectorXd on_surface(3 * Eigen::Index(body.surface.vertices.size()));
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const auto P = interface_twist(declared[i].points, declared[i].weights);
        for (Eigen::Index axis = 0; axis < 6; ++axis) {
            on_surface.setZero();
            for (std::size_t k = 0; k < declared[i].vertices.size(); ++k)
                on_surface.segment<3>(3 * declared[i].vertices[k]) =
                    P.row(axis).segment<3>(3 * Eigen::Index(k)).transpose();
            loads.col(6 * Eigen::Index(i) + axis) = spread_forces(body.embedding, on_surface);
        }
    }
    return loads;
}

std::vector<DomainInterface> interfaces_of(const BodyMesh& body,
                                           const std::vector<DeclaredInterface>& declared,
                                           const Eigen::MatrixXd& U, std::vector<double>& deviation) {
    std::vector<DomainInterface> out;
    deviation.clear();
    for (const DeclaredInterface& of : declared) {
        const Eigen::MatrixXd rows = rows_at(body, of, U);
        out.push_back(or_throw(interface_of(of.name, of.points, of.weights, rows)));
        deviation.push_back(deviation_from_rigidity(of.points, of.weights, rows, int(U.cols())));
    }
    return out;
}

}  // namespace limber::build
