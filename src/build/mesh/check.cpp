// SPDX-License-Identifier: Apache-2.0
// Checks of volume meshes; those of surfaces are in check_surface.cpp.
#include "build/mesh/check.h"

#include "build/mesh/boundary.h"
#include "build/mesh/disjoint_sets.h"
#include "build/mesh/element_faces.h"
#include "build/mesh/element_measure.h"
#include "build/mesh/problems.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/vertex_range.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <filesystem>

namespace limber::build {
namespace {

template <class Element>
bool is_measurable(const VolumeMesh& mesh, const Element& element) {
    return in_range(element, mesh.vertices.size()) && std::all_of(element.begin(), element.end(), [&](int v) {
               return is_usable(mesh.vertices[static_cast<std::size_t>(v)]);
           });
}

// Calls visit(element, name, index, measured) for all elements that can be measured.
template <class Visit>
void for_each_measured(const VolumeMesh& mesh, Visit&& visit) {
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        if (is_measurable(mesh, mesh.tets[e])) visit(e, "tetrahedron", e, measure(mesh, mesh.tets[e]));
    for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
        if (is_measurable(mesh, mesh.bricks[b]))
            visit(mesh.tets.size() + b, "brick", b, measure(mesh, mesh.bricks[b]));
}

void check_elements(const VolumeMesh& mesh, MeshReport& report) {
    Offenders inverted, flat, slivers;
    double first_inverted = 0;
    for_each_measured(mesh, [&](std::size_t e, const char*, std::size_t index, const MeasuredElement& m) {
        report.volume += e < mesh.tets.size() ? m.volume : mesh.fraction_of(index) * m.volume;
        if (m.shape == ElementShape::Inverted && inverted.count == 0) first_inverted = m.volume;
        if (m.shape == ElementShape::Inverted) inverted.add(e);
        if (m.shape == ElementShape::Flat) flat.add(e);
        if (m.shape == ElementShape::Sliver) slivers.add(e);
    });
    report.inverted = inverted.count + flat.count;
    add_problem(report, "inverted", inverted,
                fmt::format("{} inverted; the first is element {} (signed volume {:.3g} m^3)",
                            are(inverted.count, "element"), inverted.first(), first_inverted),
                "limber mesh repair");
    add_problem(report, "degenerate", flat,
                fmt::format("{} no volume; the first is element {}",
                            counted(flat.count, "element has", "elements have"), flat.first()),
                "limber mesh repair");
    add_problem(report, "sliver", slivers,
                fmt::format("{} too thin for good accuracy (mean ratio below {}); the first is element {}",
                            are(slivers.count, "tetrahedron", "tetrahedra"), kSliver, slivers.first()),
                "mesh the surface again: limber mesh tetrahedralize");
}

void check_references(const VolumeMesh& mesh, MeshReport& report) {
    Offenders out_of_range, unreferenced;
    std::vector<char> used(mesh.vertices.size(), 0);
    DisjointSets parts(mesh.vertices.size());
    const auto visit = [&](const auto& element, std::size_t e) {
        if (!in_range(element, mesh.vertices.size())) return out_of_range.add(e);
        for (const int v : element) {
            used[static_cast<std::size_t>(v)] = 1;
            parts.join(element[0], v);
        }
    };
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        visit(mesh.tets[e], e);
    for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
        visit(mesh.bricks[b], mesh.tets.size() + b);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (!used[v]) unreferenced.add(v);
        if (used[v] && parts.find(static_cast<int>(v)) == static_cast<int>(v)) ++report.components;
    }
    add_problem(
        report, "out_of_range", out_of_range,
        fmt::format("{} a vertex that is not there; the first is element {}",
                    counted(out_of_range.count, "element names", "elements name"), out_of_range.first()),
        "");
    add_problem(report, "unreferenced", unreferenced,
                fmt::format("{} used by no element; the first is vertex {}",
                            are(unreferenced.count, "vertex", "vertices"), unreferenced.first()),
                "limber mesh repair");
}

template <class Element>
void find_duplicates(const std::vector<Element>& elements, std::size_t first_element, Offenders& out) {
    std::vector<std::pair<Element, std::size_t>> keys;
    keys.reserve(elements.size());
    for (std::size_t e = 0; e < elements.size(); ++e) {
        keys.emplace_back(elements[e], first_element + e);
        std::sort(keys.back().first.begin(), keys.back().first.end());
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> repeated;
    for (std::size_t i = 1; i < keys.size(); ++i)
        if (keys[i].first == keys[i - 1].first) repeated.push_back(keys[i].second);
    std::sort(repeated.begin(), repeated.end());
    for (const std::size_t e : repeated)
        out.add(e);
}

void check_duplicates(const VolumeMesh& mesh, MeshReport& report) {
    Offenders duplicates;
    find_duplicates(mesh.tets, 0, duplicates);
    find_duplicates(mesh.bricks, mesh.tets.size(), duplicates);
    add_problem(report, "duplicate", duplicates,
                fmt::format("{} a copy of another; the first is element {}", are(duplicates.count, "element"),
                            duplicates.first()),
                "limber mesh repair");
}

// Faces of three and more elements, and vertices at which elements meet without a chain of shared faces.
void check_joints(const VolumeMesh& mesh, MeshReport& report) {
    const std::size_t tets = mesh.tets.size();
    // Corners of all elements, numbered 8 element + local node; equal sets share a vertex rigidly.
    DisjointSets corners(8 * mesh.element_count());
    const auto corner_at = [&](int element, int vertex) {
        const auto e = static_cast<std::size_t>(element);
        const auto local = [&](const auto& nodes) {
            return static_cast<int>(std::find(nodes.begin(), nodes.end(), vertex) - nodes.begin());
        };
        return 8 * element + (e < tets ? local(mesh.tets[e]) : local(mesh.bricks[e - tets]));
    };
    Offenders crowded, hinges;
    for_each_face(face_uses(mesh), [&](const FaceUse* begin, const FaceUse* end) {
        if (end - begin > 2) crowded.add(static_cast<std::size_t>(begin->element));
        for (const FaceUse* use = begin + 1; use < end; ++use)
            for (const int v : use->key)
                if (v >= 0) corners.join(corner_at(begin->element, v), corner_at(use->element, v));
    });

    std::vector<int> first_set(mesh.vertices.size(), -1);
    std::vector<char> hinged(mesh.vertices.size(), 0);
    const auto visit = [&](const auto& nodes, std::size_t e) {
        if (!in_range(nodes, mesh.vertices.size()) || has_repeated_corner(nodes)) return;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const auto v = static_cast<std::size_t>(nodes[n]);
            const int set = corners.find(static_cast<int>(8 * e + n));
            if (first_set[v] < 0) first_set[v] = set;
            if (first_set[v] != set) hinged[v] = 1;
        }
    };
    for (std::size_t e = 0; e < tets; ++e)
        visit(mesh.tets[e], e);
    for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
        visit(mesh.bricks[b], tets + b);
    for (std::size_t v = 0; v < hinged.size(); ++v)
        if (hinged[v]) hinges.add(v);
    add_problem(report, "non_manifold_faces", crowded,
                fmt::format("{} shared by three or more elements: some overlap; the first is of element {}",
                            are(crowded.count, "face"), crowded.first()),
                "limber mesh repair");
    add_problem(
        report, "hinge", hinges,
        fmt::format("at {} elements meet that share no face there: the parts can rotate there as on a hinge; "
                    "the first is vertex {}",
                    counted(hinges.count, "vertex", "vertices"), hinges.first()),
        "");
}

std::string with_extension_of(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension().string();
    return extension.empty() ? "fixed.msh" : "fixed" + extension;
}

}  // namespace

MeshReport check(const VolumeMesh& mesh) {
    MeshReport report;
    report.vertices = mesh.vertices.size();
    report.tets = mesh.tets.size();
    report.bricks = mesh.bricks.size();
    if (mesh.element_count() == 0)
        report.problems.push_back({"empty", "the mesh has no elements", "", 0, {}});
    check_vertices(mesh.vertices, report);
    check_elements(mesh, report);
    check_duplicates(mesh, report);
    check_joints(mesh, report);
    check_references(mesh, report);

    const SurfaceMesh skin = boundary_of(mesh).surface;
    const std::vector<EdgeUse> uses = edge_uses(skin.triangles, skin.vertices.size());
    report.triangles = skin.triangles.size();
    report.watertight = !uses.empty();
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        const auto forward =
            std::count_if(edge.begin(), edge.end(), [](const EdgeUse& use) { return use.forward; });
        if (2 * static_cast<std::size_t>(forward) != edge.size()) report.watertight = false;
    });
    sort_worst_first(report);
    return report;
}

void require_sound(const VolumeMesh& mesh, const std::string& name) {
    const std::string repair = fmt::format("limber mesh repair {} -o {}", name, with_extension_of(name));
    if (mesh.element_count() == 0)
        throw InputError{name, "the mesh has no elements",
                         "limber mesh voxelize or limber mesh tetrahedralize turns a surface into a volume"};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vertex& x = mesh.vertices[v];
        if (!is_usable(x))
            throw InputError{
                name,
                fmt::format("vertex {} is at ({:.3g}, {:.3g}, {:.3g}) m: not finite, or beyond {:.0e} m", v,
                            x[0], x[1], x[2], kLargestCoordinate),
                repair};
    }
    const auto check_range = [&](const auto& elements, const char* kind) {
        for (std::size_t e = 0; e < elements.size(); ++e)
            if (!in_range(elements[e], mesh.vertices.size()))
                throw InputError{name,
                                 fmt::format("{} {} names a vertex that is not there (the mesh has {})", kind,
                                             e, mesh.vertices.size()),
                                 ""};
    };
    check_range(mesh.tets, "tetrahedron");
    check_range(mesh.bricks, "brick");
    if (!mesh.fraction.empty() && mesh.fraction.size() != mesh.bricks.size())
        throw InputError{
            name, fmt::format("{} filled fractions for {} bricks", mesh.fraction.size(), mesh.bricks.size()),
            ""};
    for (std::size_t b = 0; b < mesh.fraction.size(); ++b)
        if (!(mesh.fraction[b] > 0 && mesh.fraction[b] <= 1))
            throw InputError{name, fmt::format("brick {} has the filled fraction {}", b, mesh.fraction[b]),
                             "it must be above 0 and at most 1"};

    std::string first;
    std::size_t bad_tets = 0, bad_bricks = 0;
    for_each_measured(
        mesh, [&](std::size_t e, const char* kind, std::size_t index, const MeasuredElement& m) {
            if (m.shape != ElementShape::Inverted && m.shape != ElementShape::Flat) return;
            ++(e < mesh.tets.size() ? bad_tets : bad_bricks);
            if (first.empty())
                first = fmt::format("{} {} is {} (signed volume {:.2g} m^3)", kind, index,
                                    m.shape == ElementShape::Inverted ? "inverted" : "flat", m.volume);
        });
    if (first.empty()) return;
    std::string tally;
    const auto add_tally = [&](std::size_t bad, std::size_t all, const char* kind) {
        if (bad > 0) tally += fmt::format("\n  {} of {} {} are inverted or flat", bad, all, kind);
    };
    add_tally(bad_tets, mesh.tets.size(), "tetrahedra");
    add_tally(bad_bricks, mesh.bricks.size(), "bricks");
    throw InputError{name, first + tally + "; the first is shown", repair};
}

}  // namespace limber::build
