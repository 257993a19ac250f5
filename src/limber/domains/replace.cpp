// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/replace.h"

#include "limber/shown_name.h"

#include <algorithm>
#include <string>
#include <utility>

namespace limber {
namespace {

InputError refusal(const Domain& domain, const std::string& problem, const std::string& try_this = "") {
    return {"domains." + domain.name + ".replace", problem, try_this};
}

// The place of the part with this name; -1: there is none.
int find_part(const DomainsModel& tree, const std::string& name) {
    for (std::size_t p = 0; p < tree.parts.size(); ++p)
        if (tree.parts[p].model->name == name) return int(p);
    return -1;
}

int find_interface(const DomainPart& part, const std::string& name) {
    for (std::size_t i = 0; i < part.interfaces.size(); ++i)
        if (part.interfaces[i].name == name) return int(i);
    return -1;
}

bool is_of_one_size(const Model& a, const Model& b) {
    return a.rank == b.rank && a.surface.vertices.size() == b.surface.vertices.size() &&
           a.surface.triangles.size() == b.surface.triangles.size();
}

}  // namespace

Result<std::shared_ptr<const Model>> replaced_model(const std::shared_ptr<const Model>& base,
                                                    const std::vector<DomainState>& domains) {
    if (std::all_of(domains.begin(), domains.end(), [](const DomainState& d) { return d.part.empty(); }))
        return base;
    const DomainsModel& from = *base->domains;
    auto tree = std::make_shared<DomainsModel>(from);
    bool changed = false;
    for (std::size_t i = 0; i < domains.size(); ++i) {
        if (domains[i].part.empty()) continue;
        Domain& d = tree->domains[i];
        const int part = find_part(from, domains[i].part);
        if (part < 0)
            return refusal(
                d, "the model has no part '" + shown_name(domains[i].part) + "'",
                "'" + from.parts.back().model->name + "' is one of " + std::to_string(from.parts.size()));
        if (part == d.part) continue;
        if (i == 0) return refusal(d, "the root cannot be replaced", "a domain that hangs on another one");
        const Model &as_built = *from.parts[std::size_t(d.part)].model,
                    &now = *from.parts[std::size_t(part)].model;
        if (!is_of_one_size(as_built, now))
            return refusal(d,
                           "the part has " + std::to_string(now.rank) + " coordinates, " +
                               std::to_string(now.surface.vertices.size()) + " vertices and " +
                               std::to_string(now.surface.triangles.size()) +
                               " triangles; that of the domain " + std::to_string(as_built.rank) + ", " +
                               std::to_string(as_built.surface.vertices.size()) + " and " +
                               std::to_string(as_built.surface.triangles.size()),
                           "a part of a mesh with the same connectivity and --rank");
        d.part = part;
        changed = true;
    }
    if (!changed) return base;
    // Whatever hangs on them hangs on interfaces of the same names.
    for (std::size_t i = 1; i < tree->domains.size(); ++i) {
        Domain& d = tree->domains[i];
        const auto parent = std::size_t(d.parent);
        if (tree->domains[parent].part == from.domains[parent].part) continue;
        const std::string& name =
            from.parts[std::size_t(from.domains[parent].part)].interfaces[std::size_t(d.interface)].name;
        d.interface = find_interface(tree->parts[std::size_t(tree->domains[parent].part)], name);
        if (d.interface < 0)
            return refusal(tree->domains[parent],
                           "the part has no interface '" + shown_name(name) + "', on which " +
                               shown_name(d.name) + " hangs",
                           "limber build --interface \"" + shown_name(name) + ": SELECT\"");
    }
    auto made = tree_model(std::move(tree), base->name);
    if (!made.ok()) return made.error();
    Model& out = made.value();
    out.name = base->name;
    out.command = base->command;
    out.up = base->up;
    out.free_body = base->free_body;
    out.lumped_mass = base->lumped_mass;
    out.quadrature = base->quadrature;
    return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(out)));
}

}  // namespace limber
