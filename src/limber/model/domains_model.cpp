// SPDX-License-Identifier: Apache-2.0
#include "limber/model/domains_model.h"

#include "limber/model/model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace limber {
namespace {

constexpr double kLeastScale = 1e-6, kMostScale = 1e6;

std::optional<InputError> domain_problem(const DomainsModel& model, std::size_t i, const std::string& where) {
    const Domain& d = model.domains[i];
    const std::string place = where + ": domain " + (d.name.empty() ? std::to_string(i) : d.name);
    if (d.part < 0 || std::size_t(d.part) >= model.parts.size())
        return InputError{place, "there is no part " + std::to_string(d.part), ""};
    if ((d.parent < 0) != (i == 0) || d.parent >= int(i))
        return InputError{place,
                          "its parent is " + std::to_string(d.parent) + ", domain " + std::to_string(i) +
                              " needs one before it, and only the first has none",
                          ""};
    if (i > 0) {
        const auto& on = model.parts[std::size_t(model.domains[std::size_t(d.parent)].part)].interfaces;
        if (d.interface < 0 || std::size_t(d.interface) >= on.size())
            return InputError{place, "its parent's part has no interface " + std::to_string(d.interface), ""};
    }
    if (!d.position.allFinite() || !d.rotation.coeffs().allFinite() ||
        !(std::abs(d.rotation.norm() - 1) <= 1e-6))
        return InputError{place,
                          "its position or rotation is not finite, or its quaternion not of unit length", ""};
    if (i == 0 && !(d.position.isZero(0) && d.rotation.vec().isZero(0)))
        return InputError{place, "the root of a tree stands at the origin; its position or rotation does not",
                          "the position and rotation of the body in the scene"};
    if (!(d.scale >= kLeastScale && d.scale <= kMostScale))
        return InputError{place, "its scale is " + number(d.scale) + "; it must be from 1e-6 to 1e6",
                          "1 leaves the part as it was built"};
    return std::nullopt;
}

// Vertices of one id that differ by more than this part of the surface's size are of different meshes.
constexpr double kOneVertex = 1e-6;

// Domains that were cut from one mesh have its ids, so one id is one place. Instances of a part repeat its
// ids elsewhere, and parts of different meshes use the same ones.
bool ids_are_of_one_mesh(const DomainsModel& tree, const ModelSurface& surface) {
    if (tree.parts.size() < tree.domains.size()) return false;
    Eigen::Vector3d low = surface.vertices[0], high = low;
    for (const Eigen::Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const double near = kOneVertex * (high - low).norm();
    std::vector<std::pair<std::int32_t, std::size_t>> by_id;
    for (std::size_t v = 0; v < surface.input_vertex.size(); ++v)
        by_id.emplace_back(surface.input_vertex[v], v);
    std::sort(by_id.begin(), by_id.end());
    for (std::size_t k = 1; k < by_id.size(); ++k)
        if (by_id[k].first == by_id[k - 1].first &&
            (surface.vertices[by_id[k].second] - surface.vertices[by_id[k - 1].second]).norm() > near)
            return false;
    return true;
}

// Ids that no two domains share: those of the first domain's surface in their order, then those of the
// second.
void number_by_domain(const DomainsModel& tree, std::vector<std::int32_t>& ids) {
    std::int32_t next = 0;
    auto first = ids.begin();
    for (const Domain& d : tree.domains) {
        std::vector<std::int32_t> known = tree.parts[std::size_t(d.part)].model->surface.input_vertex;
        const auto end = first + std::ptrdiff_t(known.size());
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        for (; first != end; ++first)
            *first =
                next + std::int32_t(std::lower_bound(known.begin(), known.end(), *first) - known.begin());
        next += std::int32_t(known.size());
    }
}

}  // namespace

Eigen::Index coordinates_of(const DomainsModel& model) {
    Eigen::Index sum = 0;
    for (const Domain& d : model.domains)
        sum += model.parts[std::size_t(d.part)].model->rank;
    return sum;
}

int depth_of(const DomainsModel& model) {
    std::vector<int> depth;
    int most = 0;
    for (const Domain& d : model.domains) {
        depth.push_back(d.parent < 0 ? 0 : depth[std::size_t(d.parent)] + 1);
        most = std::max(most, depth.back());
    }
    return most;
}

std::vector<double> domain_scales(const DomainsModel& model) {
    std::vector<double> out;
    out.reserve(model.domains.size());
    for (const Domain& d : model.domains)
        out.push_back(d.scale * (d.parent < 0 ? 1 : out[std::size_t(d.parent)]));
    return out;
}

std::vector<RestPlacement> rest_placements(const DomainsModel& model) {
    std::vector<RestPlacement> out;
    out.reserve(model.domains.size());
    for (const Domain& d : model.domains) {
        const RestPlacement up = d.parent < 0 ? RestPlacement{} : out[std::size_t(d.parent)];
        out.push_back({up * d.position, (up.rotation * d.rotation).normalized(), up.scale * d.scale});
    }
    return out;
}

Result<Model> tree_model(std::shared_ptr<const DomainsModel> tree, const std::string& where) {
    std::int64_t vertices = 0;
    for (const Domain& d : tree->domains)
        vertices += std::int64_t(tree->parts[std::size_t(d.part)].model->surface.vertices.size());
    if (vertices > kMostTreeVertices)
        return InputError{where,
                          "its domains show " + std::to_string(vertices) + " vertices; at most " +
                              std::to_string(kMostTreeVertices) + " are taken",
                          "parts with a coarser surface"};
    Model out;
    const std::vector<RestPlacement> placements = rest_placements(*tree);
    ModelSurface& surface = out.surface;
    for (std::size_t i = 0; i < tree->domains.size(); ++i) {
        const Model& part = *tree->parts[std::size_t(tree->domains[i].part)].model;
        const RestPlacement& place = placements[i];
        const auto first = std::int32_t(surface.vertices.size());
        for (const Eigen::Vector3d& x : part.surface.vertices)
            surface.vertices.push_back(place * x);
        for (const auto& t : part.surface.triangles)
            surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        surface.input_vertex.insert(surface.input_vertex.end(), part.surface.input_vertex.begin(),
                                    part.surface.input_vertex.end());
        const double s = place.scale;
        const Eigen::Matrix3d R = place.rotation.toRotationMatrix();
        for (const ModelGroup& group : part.groups) {
            ModelGroup* to = nullptr;
            for (ModelGroup& known : out.groups)
                if (known.name == group.name && known.material.young == group.material.young &&
                    known.material.poisson == group.material.poisson &&
                    known.material.density == group.material.density)
                    to = &known;
            if (!to) {
                to = &out.groups.emplace_back();
                to->name = group.name;
                to->material = group.material;
            }
            const double volume = s * s * s * group.volume;
            const Eigen::Vector3d first_moment = s * s * s * s * (R * group.first_moment);
            to->volume += volume;
            to->first_moment += first_moment + volume * place.position;
            to->second_moment += s * s * s * s * s * (R * group.second_moment * R.transpose()) +
                                 first_moment * place.position.transpose() +
                                 place.position * first_moment.transpose() +
                                 volume * place.position * place.position.transpose();
        }
        out.volume_vertices += part.volume_vertices;
        out.volume_elements += part.volume_elements;
    }
    if (!ids_are_of_one_mesh(*tree, surface)) number_by_domain(*tree, surface.input_vertex);
    out.frequencies_hz = tree->frequencies_hz;
    out.domains = std::move(tree);
    return out;
}

std::optional<InputError> domains_problem(const DomainsModel& model, const std::string& where) {
    if (model.domains.empty() || model.parts.empty()) return InputError{where, "the tree has no domains", ""};
    if (model.domains.size() > kMostDomains || model.parts.size() > kMostDomains)
        return InputError{where,
                          "the tree has " + std::to_string(model.domains.size()) + " domains of " +
                              std::to_string(model.parts.size()) + " parts; at most " +
                              std::to_string(kMostDomains) + " of each are taken",
                          ""};
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
        const DomainPart& part = model.parts[p];
        const std::string place = where + ": part " + std::to_string(p);
        if (!part.model || part.model->domains) return InputError{place, "it has no model of its own", ""};
        if (auto problem = model_problem(*part.model, place)) return problem;
        if (part.model->rank > 0 && !(part.model->stvk && part.model->stvk->has_tensors()))
            return InputError{place, "it was built without the inertia of a moving frame",
                              "build it again with this limber, with --method stvk or both"};
        for (const DomainInterface& interface : part.interfaces)
            if (auto problem = interface_problem(interface, part.model->rank, place)) return problem;
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < model.domains.size(); ++i) {
        if (auto problem = domain_problem(model, i, where)) return problem;
        if (model.domains[i].name.empty() || !names.insert(model.domains[i].name).second)
            return InputError{where + ": domain " + std::to_string(i),
                              model.domains[i].name.empty()
                                  ? "it has no name"
                                  : "the name " + model.domains[i].name + " is used twice",
                              ""};
    }
    for (const double scale : domain_scales(model))
        if (!(scale >= kLeastScale && scale <= kMostScale))
            return InputError{where,
                              "the scales of a domain and its parents multiply to " + number(scale) +
                                  "; it must be from 1e-6 to 1e6",
                              ""};
    return std::nullopt;
}

}  // namespace limber
