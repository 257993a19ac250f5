// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/validation.md.
#include "build/validate/local_compliance.h"

#include "build/basis/rest_solver.h"
#include "build/mesh/embed.h"
#include "build/mesh/surface_patch.h"
#include "build/mesh/vertex_range.h"
#include "build/recipe/full_model.h"
#include "build/scene/scene.h"
#include "limber/reduced/modes.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

// Vertices that points are chosen from, and fixed ones that they keep away from; of more, every k-th.
constexpr std::size_t kMostCandidates = 20000, kMostHeld = 2000;

std::vector<int> thinned(const std::vector<int>& ids, std::size_t most) {
    const std::size_t stride = (ids.size() + most - 1) / std::max<std::size_t>(1, most);
    std::vector<int> out;
    for (std::size_t i = 0; i < ids.size(); i += std::max<std::size_t>(1, stride))
        out.push_back(ids[i]);
    return out;
}

// Does the vertex of the surface follow nothing that can move?
bool is_held(const FemModel& fem, const Embedding::Anchor& anchor) {
    constexpr double kRounding = 1e-9;  // of weights that are zero
    for (std::size_t i = 0; i < static_cast<std::size_t>(anchor.count); ++i)
        if (fem.free_index(anchor.nodes[i]) >= 0 && std::abs(anchor.weights[i]) > kRounding) return false;
    return true;
}

// Farthest-point sampling: each point is the vertex farthest from what is fixed and from those before it. The
// first point of a free body is the one farthest from its middle.
std::vector<int> spread_points(const ModelSurface& surface, const FemModel& fem, const Embedding& embedding,
                               int count) {
    std::vector<int> loose, held;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        (is_held(fem, embedding.anchors[v]) ? held : loose).push_back(static_cast<int>(v));
    const std::vector<int> candidates = thinned(loose, kMostCandidates);
    const auto at = [&](int v) -> const Eigen::Vector3d& {
        return surface.vertices[static_cast<std::size_t>(v)];
    };
    std::vector<double> distance(candidates.size(), std::numeric_limits<double>::infinity());  // squared
    const auto keep_away = [&](const Eigen::Vector3d& from) {
        for (std::size_t i = 0; i < candidates.size(); ++i)
            distance[i] = std::min(distance[i], (at(candidates[i]) - from).squaredNorm());
    };
    const Eigen::Vector3d middle = bounds_of(surface.vertices).center();
    if (held.empty()) keep_away(middle);
    for (const int v : thinned(held, kMostHeld))
        keep_away(at(v));
    std::vector<int> out;
    while (static_cast<int>(out.size()) < count && !candidates.empty()) {
        const auto farthest = std::max_element(distance.begin(), distance.end());
        if (!(*farthest > 0)) break;
        out.push_back(candidates[static_cast<std::size_t>(farthest - distance.begin())]);
        if (held.empty() && out.size() == 1)
            std::fill(distance.begin(), distance.end(), std::numeric_limits<double>::infinity());
        keep_away(at(out.back()));
    }
    return out;
}

struct ChosenPatch {
    int vertex;
    SurfacePatch patch;
};

std::vector<ChosenPatch> chosen_patches(const Model& model, const FemModel& fem, const Embedding& embedding,
                                        const LocalComplianceOptions& options, double radius) {
    const PatchSurface surface(model.surface.vertices,
                               {model.surface.triangles.begin(), model.surface.triangles.end()});
    std::vector<ChosenPatch> out;
    for (const std::string& text : options.at) {
        const std::vector<int> vertices = select_on_model("--at", text, model);
        out.push_back({vertices[0], surface.of(vertices, radius)});
    }
    for (const int v : spread_points(model.surface, fem, embedding, options.points))
        out.push_back({v, surface.around(v, radius)});
    return out;
}

// Forces on the nodes of a unit force along the normal, N, 3n.
Eigen::VectorXd unit_push(const SurfacePatch& patch, const Embedding& embedding) {
    Eigen::VectorXd on_surface =
        Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(embedding.anchors.size()));
    for (std::size_t i = 0; i < patch.vertices.size(); ++i)
        on_surface.segment<3>(3 * patch.vertices[i]) =
            patch.shares[static_cast<Eigen::Index>(i)] * patch.normal;
    return spread_forces(embedding, on_surface);
}

std::string coordinates(const Eigen::Vector3d& x) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", x.x(), x.y(), x.z());
}

}  // namespace

const CompliancePoint& LocalCompliance::worst() const {
    return *std::min_element(
        points.begin(), points.end(),
        [](const CompliancePoint& a, const CompliancePoint& b) { return a.ratio() < b.ratio(); });
}

LocalCompliance local_compliance(const Model& model, const LocalComplianceOptions& options,
                                 const Progress& progress) {
    if (!model.stvk)
        throw InputError{
            model.name, "the model was built without the reduced energy: it has no reduced forces to compare",
            "limber build with --method both"};
    LocalCompliance out;
    out.rank = options.rank.value_or(model.rank);
    if (out.rank < 1 || out.rank > model.rank)
        throw InputError{
            "--rank",
            fmt::format("rank {} was asked for; the model has {} basis vectors", out.rank, model.rank),
            fmt::format("--rank {}", model.rank)};
    tell(progress, "preparing the full model", 0);
    const FemModel fem = full_model(model);
    const Embedding embedding = embed(fem.mesh(), model.surface.vertices);
    out.radius = patch_radius(fem.mesh(), model.surface.vertices);
    const std::vector<ChosenPatch> patches = chosen_patches(model, fem, embedding, options, out.radius);
    if (patches.empty()) return out;
    Eigen::MatrixXd f(3 * fem.vertex_count(), static_cast<Eigen::Index>(patches.size()));
    for (std::size_t i = 0; i < patches.size(); ++i)
        f.col(static_cast<Eigen::Index>(i)) = unit_push(patches[i].patch, embedding);

    tell(progress, "factorisation", 0);
    const RestSolver solver(fem, model.lumped_mass ? MassKind::Lumped : MassKind::Consistent);
    tell(progress, "local compliance", 0);
    const Eigen::MatrixXd on_free = free_rows(fem, f);
    const Eigen::VectorXd full = on_free.cwiseProduct(solver.solve(on_free)).colwise().sum();  // (1)
    const Eigen::MatrixXd K = reduced_stiffness(model).topLeftCorner(out.rank, out.rank);
    const Eigen::MatrixXd g = model.volume.basis.leftCols(out.rank).transpose() * f;
    const Eigen::VectorXd reduced = g.cwiseProduct(K.ldlt().solve(g)).colwise().sum();  // (2)
    constexpr double kHeld = 1e-12;  // of the largest compliance
    for (std::size_t i = 0; i < patches.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        if (!(full[k] > kHeld * full.maxCoeff())) continue;
        const SurfacePatch& patch = patches[i].patch;
        out.points.push_back({patches[i].vertex,
                              model.surface.vertices[static_cast<std::size_t>(patches[i].vertex)],
                              patch.normal, patch.vertices.size(), full[k], reduced[k]});
    }
    return out;
}

std::vector<double> interpolated_ratios(const LocalCompliance& compliance,
                                        const std::vector<Eigen::Vector3d>& vertices) {
    std::vector<double> out;
    if (compliance.points.empty()) return out;
    out.reserve(vertices.size());
    for (const Eigen::Vector3d& x : vertices) {
        double sum = 0, weights = 0;
        for (const CompliancePoint& point : compliance.points) {
            const double distance_squared = (x - point.position).squaredNorm();
            if (distance_squared == 0) {
                sum = point.ratio();
                weights = 1;
                break;
            }
            sum += point.ratio() / distance_squared;
            weights += 1 / distance_squared;
        }
        out.push_back(sum / weights);
    }
    return out;
}

std::string place_in_words(const Model& model, const CompliancePoint& point) {
    constexpr double kOuter = 0.2;  // of the side of the box
    const Eigen::AlignedBox3d box = bounds_of(model.surface.vertices);
    const Eigen::Vector3d up = up_vector(model.up);
    std::string height, sides;
    for (int axis = 0; axis < 3; ++axis) {
        const double side = box.sizes()[axis];
        if (!(side > 0)) continue;
        const double part = (point.position[axis] - box.min()[axis]) / side;
        const bool high = part > 1 - kOuter;
        if (!high && !(part < kOuter)) continue;
        if (up[axis] != 0)
            height = high == (up[axis] > 0) ? "the top" : "the bottom";
        else
            sides += fmt::format(", {} {}", high ? "high" : "low", "xyz"[axis]);
    }
    if (height.empty()) height = "mid-height";
    // The axis that the normal is nearest to.
    Eigen::Index axis = 0;
    point.normal.cwiseAbs().maxCoeff(&axis);
    const bool positive = point.normal[axis] > 0;
    const std::string facing = up[axis] != 0 ? (positive == (up[axis] > 0) ? "up" : "down")
                                             : fmt::format("{}{}", positive ? '+' : '-', "xyz"[axis]);
    return fmt::format("{}{}, facing {}", height, sides, facing);
}

std::string worst_in_words(const Model& model, const LocalCompliance& compliance) {
    if (compliance.points.empty()) return "all of the surface is fixed";
    const CompliancePoint& worst = compliance.worst();
    return fmt::format("{:.3g} of the full model's compliance at {} {}: {:.3g} instead of {:.3g} m/N",
                       worst.ratio(), place_in_words(model, worst), coordinates(worst.position),
                       worst.reduced, worst.full);
}

}  // namespace limber::build
