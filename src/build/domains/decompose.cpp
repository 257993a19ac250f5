// SPDX-License-Identifier: Apache-2.0
#include "build/domains/decompose.h"

#include "build/domains/borders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limber/input_error.h>
#include <limber/model/domain_interface.h>
#include <limber/model/domains_model.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace limber::build {
namespace {

std::string place_text(const Vertex& x) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", x.x(), x.y(), x.z());
}

Vertex element_centre(const VolumeMesh& mesh, std::size_t element) {
    Vertex sum = Vertex::Zero();
    int count = 0;
    for_each_corner(mesh, element, [&](int v) {
        sum += mesh.vertices[std::size_t(v)];
        ++count;
    });
    return sum / count;
}

Vertex border_centre(const VolumeMesh& mesh, const DomainBorder& border) {
    Vertex sum = Vertex::Zero();
    for (const int v : border.vertices)
        sum += mesh.vertices[std::size_t(v)];
    return sum / double(border.vertices.size());
}

using Neighbours = std::vector<std::vector<std::pair<int, std::size_t>>>;  // domain -> (other, border)

Neighbours neighbours_of(std::size_t domains, const std::vector<DomainBorder>& borders) {
    Neighbours out(domains);
    for (std::size_t k = 0; k < borders.size(); ++k) {
        out[std::size_t(borders[k].a)].emplace_back(borders[k].b, k);
        out[std::size_t(borders[k].b)].emplace_back(borders[k].a, k);
    }
    return out;
}

struct Search {
    std::vector<int> order, parent, depth;
    std::vector<std::size_t> border;  // to the parent
    // A border that closes a cycle, if there is one.
    std::optional<std::size_t> closing;
};

Search search_from(int root, const Neighbours& neighbours) {
    Search out;
    out.parent.assign(neighbours.size(), -2);
    out.depth.assign(neighbours.size(), 0);
    out.border.assign(neighbours.size(), 0);
    out.order = {root};
    out.parent[std::size_t(root)] = -1;
    for (std::size_t k = 0; k < out.order.size(); ++k) {
        const int at = out.order[k];
        for (const auto& [next, border] : neighbours[std::size_t(at)]) {
            if (out.parent[std::size_t(next)] == -2) {
                out.parent[std::size_t(next)] = at;
                out.depth[std::size_t(next)] = out.depth[std::size_t(at)] + 1;
                out.border[std::size_t(next)] = border;
                out.order.push_back(next);
            } else if (next != out.parent[std::size_t(at)] && out.parent[std::size_t(next)] != at) {
                out.closing = border;
            }
        }
    }
    return out;
}

// The domains from a to b and back through their common ancestor.
std::vector<int> cycle_of(const Search& search, int a, int b) {
    std::vector<int> up_a{a}, up_b{b};
    while (up_a.back() != up_b.back())
        if (search.depth[std::size_t(up_a.back())] >= search.depth[std::size_t(up_b.back())])
            up_a.push_back(search.parent[std::size_t(up_a.back())]);
        else
            up_b.push_back(search.parent[std::size_t(up_b.back())]);
    up_b.pop_back();
    up_a.insert(up_a.end(), up_b.rbegin(), up_b.rend());
    return up_a;
}

// The domain from which the farthest one is nearest: the middle of a longest path.
int shallowest_root(const Neighbours& neighbours) {
    const int far = search_from(0, neighbours).order.back();
    const Search search = search_from(far, neighbours);
    int at = search.order.back();
    for (int steps = search.depth[std::size_t(at)] / 2; steps > 0; --steps)
        at = search.parent[std::size_t(at)];
    return at;
}

void require_frame(const VolumeMesh& mesh, const DomainBorder& border,
                   const std::vector<std::string>& names) {
    std::vector<Eigen::Vector3d> points;
    for (const int v : border.vertices)
        points.push_back(mesh.vertices[std::size_t(v)]);
    const std::vector<double> weights(points.size(), 1);
    const auto made =
        interface_of(fmt::format("{} to {}", names[std::size_t(border.a)], names[std::size_t(border.b)]),
                     points, weights, Eigen::MatrixXd(3 * Eigen::Index(points.size()), 0));
    if (made.ok()) return;
    InputError error = made.error();
    if (points.size() < 3)
        error.problem += fmt::format(" (near {})", place_text(border_centre(mesh, border)));
    throw error;
}

// The one domain that has fixed vertices of its own, or -1. Vertices on a border count for both sides.
int grounded_domain(const VolumeMesh& mesh, const std::vector<int>& domain_of_element,
                    const std::vector<std::string>& names, const std::vector<int>& fixed_vertices) {
    if (fixed_vertices.empty()) return -1;
    std::vector<std::set<int>> of_vertex(mesh.vertices.size());
    for (std::size_t e = 0; e < mesh.element_count(); ++e)
        for_each_corner(mesh, e, [&](int v) { of_vertex[std::size_t(v)].insert(domain_of_element[e]); });
    std::map<int, int> alone;  // domain -> a fixed vertex that is only its
    for (const int v : fixed_vertices)
        if (of_vertex[std::size_t(v)].size() == 1) alone.emplace(*of_vertex[std::size_t(v)].begin(), v);
    if (alone.size() > 1) {
        const auto first = alone.begin(), second = std::next(first);
        throw InputError{
            "--domains",
            fmt::format("{} domains are fixed, {} near {} and {} near {} among them: through the "
                        "ground they form a loop",
                        alone.size(), names[std::size_t(first->first)],
                        place_text(mesh.vertices[std::size_t(first->second)]),
                        names[std::size_t(second->first)],
                        place_text(mesh.vertices[std::size_t(second->second)])),
            "give them one label, or fix only one of them"};
    }
    return alone.empty() ? *of_vertex[std::size_t(fixed_vertices[0])].begin() : alone.begin()->first;
}

}  // namespace

std::vector<int> labels_of_groups(const VolumeMesh& mesh, std::vector<std::string>& names) {
    if (mesh.element_groups.empty())
        throw InputError{"--domains groups", "the mesh has no element groups",
                         "name groups in the mesh file, or use --domains auto:N or file:LABELS.npy"};
    std::vector<int> labels(mesh.element_count(), -1);
    for (const Group& group : mesh.element_groups) {
        const int label = int(names.size());
        names.push_back(group.name);
        for (const int e : group.ids) {
            if (labels[std::size_t(e)] >= 0)
                throw InputError{"--domains groups",
                                 fmt::format("element {} near {} is in the groups {} and {}", e,
                                             place_text(element_centre(mesh, std::size_t(e))),
                                             names[std::size_t(labels[std::size_t(e)])], group.name),
                                 "an element belongs to one domain; --domains file:LABELS.npy gives labels"};
            labels[std::size_t(e)] = label;
        }
    }
    for (std::size_t e = 0; e < labels.size(); ++e)
        if (labels[e] < 0)
            throw InputError{
                "--domains groups",
                fmt::format("element {} near {} is in no group", e, place_text(element_centre(mesh, e))),
                "put every element into a group"};
    // Groups without elements are no domains.
    std::vector<int> used(labels);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<std::string> kept;
    for (const int label : used)
        kept.push_back(names[std::size_t(label)]);
    names = std::move(kept);
    return labels;
}

Decomposition decompose(const VolumeMesh& mesh, const std::vector<int>& labels,
                        const std::vector<std::string>& given_names, const std::vector<int>& fixed_vertices) {
    const std::size_t elements = mesh.element_count();
    if (labels.size() != elements)
        throw InputError{
            "--domains",
            fmt::format("{} labels were given; the mesh has {} elements", labels.size(), elements),
            "one integer for each element, in the file's order, tetrahedra first"};
    std::vector<int> distinct(labels);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() > kMostDomains)
        throw InputError{
            "--domains",
            fmt::format("there are {} domains; at most {} are taken", distinct.size(), kMostDomains),
            "labels that repeat"};
    std::vector<int> domain_of(elements);
    for (std::size_t e = 0; e < elements; ++e)
        domain_of[e] = int(std::lower_bound(distinct.begin(), distinct.end(), labels[e]) - distinct.begin());
    std::vector<std::string> names = given_names;
    if (names.empty())
        for (const int label : distinct)
            names.push_back(fmt::format("domain{}", label));

    const std::vector<InnerFace> faces = inner_faces(mesh);
    const std::vector<int> piece = pieces_of(elements, faces, domain_of);
    std::vector<int> first_piece(distinct.size(), -1);
    for (std::size_t e = 0; e < elements; ++e) {
        int& first = first_piece[std::size_t(domain_of[e])];
        if (first < 0) first = piece[e];
        if (first != piece[e])
            throw InputError{
                "--domains",
                fmt::format("domain {} is in several pieces; one of them is near {}",
                            names[std::size_t(domain_of[e])], place_text(element_centre(mesh, e))),
                "give each piece its own label, or join them by a face"};
    }

    const std::vector<DomainBorder> borders = borders_of(mesh, faces, domain_of);
    const Neighbours neighbours = neighbours_of(distinct.size(), borders);
    const int grounded = grounded_domain(mesh, domain_of, names, fixed_vertices);
    const Search from_first = search_from(0, neighbours);
    if (from_first.order.size() < distinct.size()) {
        std::string lost;
        for (std::size_t i = 0; i < distinct.size() && lost.empty(); ++i)
            if (from_first.parent[i] == -2) lost = names[i];
        throw InputError{
            "--domains",
            fmt::format("the domains {} and {} are not connected: a tree is one body", names[0], lost),
            "build the pieces as bodies of their own"};
    }
    if (from_first.closing) {
        const DomainBorder& border = borders[*from_first.closing];
        std::vector<std::string> cycle;
        for (const int i : cycle_of(from_first, border.a, border.b))
            cycle.push_back(names[std::size_t(i)]);
        throw InputError{
            "--domains",
            fmt::format("the domains {} form a cycle; {} and {} touch at {} vertices near {}",
                        fmt::join(cycle, ", "), names[std::size_t(border.a)], names[std::size_t(border.b)],
                        border.vertices.size(), place_text(border_centre(mesh, border))),
            fmt::format("give {} and {} one label, or move the cut so that they do not touch",
                        names[std::size_t(border.a)], names[std::size_t(border.b)])};
    }
    for (const DomainBorder& border : borders)
        require_frame(mesh, border, names);

    const Search search = search_from(grounded >= 0 ? grounded : shallowest_root(neighbours), neighbours);
    std::vector<int> place(distinct.size());
    for (std::size_t k = 0; k < search.order.size(); ++k)
        place[std::size_t(search.order[k])] = int(k);
    Decomposition out;
    for (const int i : search.order) {
        out.names.push_back(names[std::size_t(i)]);
        const int up = search.parent[std::size_t(i)];
        out.parent.push_back(up < 0 ? -1 : place[std::size_t(up)]);
        out.to_parent.push_back(up < 0 ? DomainBorder{} : borders[search.border[std::size_t(i)]]);
        out.depth = std::max(out.depth, search.depth[std::size_t(i)]);
    }
    for (const int i : domain_of)
        out.domain_of_element.push_back(place[std::size_t(i)]);
    for (const DomainBorder& border : borders)
        out.cut_area += border.total_area;
    return out;
}

}  // namespace limber::build
