// SPDX-License-Identifier: Apache-2.0
#include "build/domains/assembly.h"

#include "build/domains/tree_frequencies.h"
#include "build/file/text_scanner.h"
#include "build/or_throw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limber/domains/make_tree.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace limber::build {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

// Frequencies of large trees take a solve for each and more: fewer of them.
constexpr Eigen::Index kFrequencies = 20, kFrequenciesOfLarge = 6, kLarge = 50'000;

double diagonal_of(const std::vector<Vector3d>& points) {
    Eigen::AlignedBox3d box;
    for (const Vector3d& x : points)
        box.extend(x);
    return box.diagonal().norm();
}

std::size_t nearest_to(const Vector3d& place, const std::vector<Vector3d>& points) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < points.size(); ++v)
        if (const double d = (points[v] - place).squaredNorm(); d < least) {
            least = d;
            best = v;
        }
    return best;
}

// Interfaces of a part: those that were declared, and others where children stand without one.
class PartInterfaces {
 public:
    PartInterfaces(const AssemblyPart& part, std::string where)
        : part_(part), where_(std::move(where)), interfaces_(part.model->interfaces) {
        if (part.rigid)
            for (DomainInterface& interface : interfaces_) {
                interface.shift.resize(3, 0);
                interface.turn.resize(9, 0);
            }
    }

    int find(const std::string& name, const std::string& child) const {
        for (std::size_t i = 0; i < interfaces_.size(); ++i)
            if (interfaces_[i].name == name && i < part_.model->interfaces.size()) return int(i);
        std::vector<std::string> known;
        for (const DomainInterface& interface : part_.model->interfaces)
            known.push_back(interface.name);
        throw InputError{
            fmt::format("{}: {}", where_, child),
            fmt::format("the part '{}' has no interface '{}'{}", part_.name, printable(name),
                        known.empty() ? "" : fmt::format("; it has {}", fmt::join(known, ", "))),
            "without \"interface\" the child stands on the surface that is nearest to its position"};
    }

    // Vertices of the volume (of the surface in lean models) round the one that is nearest to the place: so
    // far that they carry a frame.
    int nearest(const Vector3d& place, double& distance) {
        const ModelSurface& surface = part_.model->surface;
        const bool lean = part_.model->volume.vertices.empty();
        const auto& points = lean ? surface.vertices : part_.model->volume.vertices;
        const MatrixXd& basis = lean ? surface.basis : part_.model->volume.basis;
        const std::size_t vertex = nearest_to(place, points);
        distance = (points[vertex] - place).norm();
        const auto [known, fresh] = at_vertex_.emplace(vertex, int(interfaces_.size()));
        if (!fresh) return known->second;
        if (size_ == 0) size_ = diagonal_of(surface.vertices);
        const std::string name = fmt::format("vertex {}", vertex);
        for (double radius = kRadius * size_; radius < 4 * size_; radius *= 1.5) {
            std::vector<Vector3d> taken;
            std::vector<Eigen::Index> rows;
            for (std::size_t v = 0; v < points.size(); ++v)
                if ((points[v] - points[vertex]).norm() <= radius) {
                    taken.push_back(points[v]);
                    rows.push_back(Eigen::Index(v));
                }
            if (taken.size() < kLeastPoints) continue;
            MatrixXd U(3 * Eigen::Index(taken.size()), part_.rigid ? 0 : basis.cols());
            for (std::size_t k = 0; k < rows.size() && U.cols() > 0; ++k)
                U.middleRows<3>(3 * Eigen::Index(k)) = basis.middleRows<3>(3 * rows[k]);
            auto made = interface_of(name, taken, std::vector<double>(taken.size(), 1), U);
            if (!made.ok()) continue;
            interfaces_.push_back(std::move(made).value());
            return known->second;
        }
        throw InputError{fmt::format("{}: part {}", where_, part_.name),
                         "its vertices lie in one line: they carry no frame", "a finer mesh"};
    }

    const DomainInterface& operator[](int i) const { return interfaces_[std::size_t(i)]; }
    std::vector<DomainInterface> take() { return std::move(interfaces_); }

 private:
    // Of the surface's diagonal: the patches of --improve have the same radius.
    static constexpr double kRadius = 0.03;
    static constexpr std::size_t kLeastPoints = 4;

    const AssemblyPart& part_;
    std::string where_;
    std::vector<DomainInterface> interfaces_;
    std::map<std::size_t, int> at_vertex_;
    double size_ = 0;
};

enum class Place { Root, Child };

void require_usable(const AssemblyPart& part, Place place, const std::string& where) {
    const std::string at = fmt::format("{}: part {}", where, part.name);
    const Model& model = *part.model;
    if (model.domains)
        throw InputError{at, "it is a tree of domains itself; a part is one body",
                         "build it without --domains"};
    double mass = 0;
    for (const ModelGroup& group : model.groups)
        mass += group.material.density * group.volume;
    if (model.volume_elements == 0 || !(mass > 0))
        throw InputError{at, "it has no elements, so no mass", "limber build makes a part of a mesh"};
    if (part.rigid) return;
    if (model.rank == 0)
        throw InputError{at, "it has rank 0: it cannot deform",
                         "{\"model\": …, \"rigid\": true} makes a rigid part of it"};
    if (!model.stvk || !model.stvk->has_tensors())
        throw InputError{at,
                         model.stvk ? "it was built by an older limber, without the tensors of its inertia"
                                    : "it was built for modal warping only",
                         "build it again with limber build --method stvk"};
    if (place == Place::Child && model.free_body)
        throw InputError{at, "nothing of it is fixed: its instances hang on their parents by what is",
                         "limber build --fix SELECT with the foot of the part, or make it rigid"};
}

// As the tree keeps it: without the volume and the modes to warp.
std::shared_ptr<const Model> part_of_tree(const AssemblyPart& part) {
    auto out = std::make_shared<Model>(*part.model);
    out->name = part.name;
    out->volume = {};
    out->warp = nullptr;
    out->interfaces.clear();
    out->surface.appearance = {};
    out->spectrum.resize(0);
    if (part.rigid) {
        out->stvk = nullptr;
        out->rank = out->modes = 0;
        out->basis_kind.clear();
        out->target_scale.resize(0);
        out->frequencies_hz.resize(0);
        out->surface.basis.resize(3 * Eigen::Index(out->surface.vertices.size()), 0);
        out->surface.kept_as = SurfaceBasis::Float;
    }
    return out;
}

// Instances in the order of a tree: parents first, children of one parent in the order of the list.
std::vector<int> ordered(const Assembly& assembly, const std::string& where) {
    const std::size_t count = assembly.instances.size();
    std::vector<std::vector<int>> children(count + 1);  // the last: of the root
    for (std::size_t i = 0; i < count; ++i) {
        const int parent = assembly.instances[i].parent;
        children[parent < 0 ? count : std::size_t(parent)].push_back(int(i));
    }
    std::vector<int> order = children[count];
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const int child : children[std::size_t(order[k])])
            order.push_back(child);
    if (order.size() == count) return order;
    // Some are never reached: from one of them up the parents until one comes again.
    std::vector<char> reached(count, 0);
    for (const int i : order)
        reached[std::size_t(i)] = 1;
    int at = int(std::find(reached.begin(), reached.end(), 0) - reached.begin());
    std::vector<int> path;
    while (std::find(path.begin(), path.end(), at) == path.end()) {
        path.push_back(at);
        at = assembly.instances[std::size_t(at)].parent;
    }
    std::vector<std::string> names;
    for (auto k = std::find(path.begin(), path.end(), at); k != path.end() && names.size() < 12; ++k)
        names.push_back(assembly.instances[std::size_t(*k)].name);
    throw InputError{fmt::format("{}: instances", where),
                     fmt::format("the parents of {} form a cycle", fmt::join(names, ", ")),
                     "one of them hangs on \"root\""};
}

}  // namespace

Assembled assemble(const Assembly& assembly, const std::string& where, const Progress& progress) {
    tell(progress, "assembling", 0);
    const std::vector<int> order = ordered(assembly, where);
    Assembled out;
    std::vector<int> used(assembly.parts.size(), -1);  // place of the part in the tree
    auto tree = std::make_shared<DomainsModel>();
    std::vector<PartInterfaces> interfaces;
    std::vector<char> as_child(assembly.parts.size(), 0);
    std::vector<std::shared_ptr<const Model>> models;
    const auto use = [&](int part, Place place) {
        const AssemblyPart& of = assembly.parts[std::size_t(part)];
        if (used[std::size_t(part)] < 0 || (place == Place::Child && !as_child[std::size_t(part)]))
            require_usable(of, place, where);
        if (place == Place::Child) as_child[std::size_t(part)] = 1;
        if (used[std::size_t(part)] >= 0) return used[std::size_t(part)];
        used[std::size_t(part)] = int(interfaces.size());
        interfaces.emplace_back(of, where);
        models.push_back(part_of_tree(of));
        return used[std::size_t(part)];
    };
    Domain& root = tree->domains.emplace_back();
    root.name = "root";
    root.part = use(assembly.root, Place::Root);
    std::vector<int> domain_of(assembly.instances.size(), 0);
    double farthest = 0;
    std::string far_one;
    for (const int i : order) {
        const AssemblyInstance& of = assembly.instances[std::size_t(i)];
        domain_of[std::size_t(i)] = int(tree->domains.size());
        Domain d;
        d.name = of.name;
        d.part = use(of.part, Place::Child);
        d.parent = of.parent < 0 ? 0 : domain_of[std::size_t(of.parent)];
        d.rotation = of.rotation;
        d.scale = of.scale;
        PartInterfaces& on = interfaces[std::size_t(tree->domains[std::size_t(d.parent)].part)];
        if (!of.interface.empty()) {
            d.interface = on.find(of.interface, of.name);
            d.position = of.position.value_or(on[d.interface].centre);
        } else {
            d.position = of.position.value_or(Vector3d::Zero());
            double distance = 0;
            d.interface = on.nearest(d.position, distance);
            const auto& parent = *models[std::size_t(tree->domains[std::size_t(d.parent)].part)];
            const double part = distance / diagonal_of(parent.surface.vertices);
            if (part > farthest) {
                farthest = part;
                far_one = of.name;
            }
        }
        tree->domains.push_back(std::move(d));
    }
    constexpr double kFar = 0.1;
    if (farthest > kFar)
        out.notes.push_back(
            fmt::format("{} stands {:.0f}% of its parent's size away from the surface of its parent", far_one,
                        100 * farthest));
    for (std::size_t p = 0; p < used.size(); ++p)
        if (used[p] < 0) {
            use(int(p), Place::Child);
            out.notes.push_back(fmt::format(
                "no instance is of the part {}: it is kept to replace others with", assembly.parts[p].name));
        }
    for (std::size_t p = 0; p < models.size(); ++p)
        tree->parts.push_back({models[p], interfaces[p].take()});
    if (auto problem = domains_problem(*tree, where)) throw *problem;

    const Model& base = *assembly.parts[std::size_t(assembly.root)].model;
    const bool free_root = base.free_body;
    const DomainTree dynamics = make_tree(*tree);
    tree->frequencies_hz = tree_frequencies_hz(
        dynamics, free_root, dynamics.coordinates > kLarge ? kFrequenciesOfLarge : kFrequencies, progress);
    out.model = std::make_shared<Model>(or_throw(tree_model(std::move(tree), where)));
    out.model->free_body = free_root;
    out.model->up = base.up;
    out.model->lumped_mass = base.lumped_mass;
    out.model->quadrature = base.quadrature;
    return out;
}

}  // namespace limber::build
