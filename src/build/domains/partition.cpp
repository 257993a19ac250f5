// SPDX-License-Identifier: Apache-2.0
#include "build/domains/borders.h"
#include "build/domains/decompose.h"
#include "build/mesh/disjoint_sets.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/model/domain_interface.h>
#include <metis.h>

#include <algorithm>
#include <map>
#include <set>

namespace limber::build {
namespace {

// The domains that fixed vertices belong to and to no other.
std::vector<int> grounded_labels(const VolumeMesh& mesh, const std::vector<int>& labels,
                                 const std::vector<int>& fixed_vertices) {
    std::vector<char> fixed(mesh.vertices.size(), 0);
    for (const int v : fixed_vertices)
        fixed[std::size_t(v)] = 1;
    std::vector<int> of_vertex(mesh.vertices.size(), -1);  // -2: of several
    for (std::size_t e = 0; e < mesh.element_count(); ++e)
        for_each_corner(mesh, e, [&](int v) {
            int& of = of_vertex[std::size_t(v)];
            of = of == -1 || of == labels[e] ? labels[e] : -2;
        });
    std::set<int> out;
    for (std::size_t v = 0; v < fixed.size(); ++v)
        if (fixed[v] && of_vertex[v] >= 0) out.insert(of_vertex[v]);
    return {out.begin(), out.end()};
}

// Domains and their borders, merged without looking at the mesh again.
class DomainGraph {
 public:
    DomainGraph(const VolumeMesh& mesh, const std::vector<InnerFace>& faces, const std::vector<int>& labels)
        : labels_(labels),
          sets_(1 + std::size_t(*std::max_element(labels.begin(), labels.end()))),
          area_(1 + std::size_t(*std::max_element(labels.begin(), labels.end()))) {
        for (const DomainBorder& border : borders_of(mesh, faces, labels)) {
            area_[std::size_t(border.a)][border.b] = border.total_area;
            area_[std::size_t(border.b)][border.a] = border.total_area;
        }
    }

    // All of these become one domain, with those on the shortest ways between them.
    void join_grounded(const std::vector<int>& grounded) {
        for (std::size_t k = 1; k < grounded.size(); ++k) {
            const int from = sets_.find(grounded[0]), to = sets_.find(grounded[k]);
            if (from == to) continue;
            std::map<int, int> before{{from, from}};
            std::vector<int> order{from};
            for (std::size_t at = 0; at < order.size() && !before.count(to); ++at)
                for (const auto& [next, area] : area_[std::size_t(order[at])])
                    if (before.emplace(next, order[at]).second) order.push_back(next);
            if (!before.count(to)) continue;  // another body: decompose() says so
            std::vector<int> path{to};
            while (path.back() != from)
                path.push_back(before[path.back()]);
            for (const int domain : path)
                merge(from, domain);
        }
    }

    // Merges at the largest border of a cycle until none is left.
    void break_cycles() {
        const std::size_t count = area_.size();
        std::vector<int> parent(count), depth(count);
        for (bool again = true; again;) {
            again = false;
            std::fill(parent.begin(), parent.end(), -2);
            for (std::size_t root = 0; root < count; ++root) {
                if (sets_.find(int(root)) != int(root) || parent[root] != -2) continue;
                std::vector<int> order{int(root)};
                parent[root] = -1;
                depth[root] = 0;
                for (std::size_t k = 0; k < order.size() && !again; ++k)
                    for (const auto& [next, area] : area_[std::size_t(order[k])]) {
                        if (parent[std::size_t(next)] == -2) {
                            parent[std::size_t(next)] = order[k];
                            depth[std::size_t(next)] = depth[std::size_t(order[k])] + 1;
                            order.push_back(next);
                        } else if (next != parent[std::size_t(order[k])]) {
                            merge_largest(parent, depth, order[k], next);
                            again = true;
                            break;
                        }
                    }
                if (again) break;
            }
        }
    }

    // Numbered in the order of the elements.
    std::vector<int> labels() {
        std::map<int, int> number_of;
        std::vector<int> out;
        for (const int label : labels_)
            out.push_back(number_of.emplace(sets_.find(label), int(number_of.size())).first->second);
        return out;
    }

 private:
    // Of the cycle through the tree and the border between a and b.
    void merge_largest(const std::vector<int>& parent, const std::vector<int>& depth, int a, int b) {
        std::pair<int, int> largest(a, b);
        double most = area_[std::size_t(a)][b];
        const auto climb = [&](int& at) {
            const int up = parent[std::size_t(at)];
            if (const double area = area_[std::size_t(at)][up]; area > most) {
                most = area;
                largest = {at, up};
            }
            at = up;
        };
        while (a != b)
            climb(depth[std::size_t(a)] >= depth[std::size_t(b)] ? a : b);
        merge(largest.first, largest.second);
    }

    void merge(int a, int b) {
        a = sets_.find(a);
        b = sets_.find(b);
        if (a == b) return;
        sets_.join(a, b);
        const int kept = sets_.find(a), gone = kept == a ? b : a;
        for (const auto& [other, area] : area_[std::size_t(gone)]) {
            area_[std::size_t(other)].erase(gone);
            if (other == kept) continue;
            area_[std::size_t(kept)][other] += area;
            area_[std::size_t(other)][kept] += area;
        }
        area_[std::size_t(gone)].clear();
    }

    std::vector<int> labels_;
    DisjointSets sets_;
    std::vector<std::map<int, double>> area_;  // domain -> neighbour -> m²
};

}  // namespace

std::vector<int> labels_of_partition(const VolumeMesh& mesh, int count,
                                     const std::vector<int>& fixed_vertices) {
    const std::size_t elements = mesh.element_count();
    if (count < 1 || std::size_t(count) > elements)
        throw InputError{"--domains auto",
                         fmt::format("{} domains were asked for; the mesh has {} elements", count, elements),
                         "a number from 1 to that of the elements"};
    const std::vector<InnerFace> faces = inner_faces(mesh);
    std::vector<int> labels(elements, 0);
    if (count > 1) {
        // Areas as whole numbers: METIS weighs with integers.
        double largest = 0;
        for (const InnerFace& face : faces)
            largest = std::max(largest, face.area);
        std::vector<std::vector<std::pair<idx_t, idx_t>>> graph(elements);
        for (const InnerFace& face : faces) {
            const idx_t weight = std::max<idx_t>(1, idx_t(1000 * face.area / largest));
            graph[std::size_t(face.a)].emplace_back(face.b, weight);
            graph[std::size_t(face.b)].emplace_back(face.a, weight);
        }
        std::vector<idx_t> first{0}, other, weight, part(elements, 0);
        for (auto& list : graph) {
            std::sort(list.begin(), list.end());
            for (const auto& [to, w] : list) {
                other.push_back(to);
                weight.push_back(w);
            }
            first.push_back(idx_t(other.size()));
        }
        idx_t n = idx_t(elements), constraints = 1, parts = count, cut = 0;
        idx_t options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = 1;
        options[METIS_OPTION_NUMBERING] = 0;
        options[METIS_OPTION_CONTIG] = 0;
        const int status =
            METIS_PartGraphKway(&n, &constraints, first.data(), other.data(), nullptr, nullptr, weight.data(),
                                &parts, nullptr, nullptr, options, &cut, part.data());
        if (status != METIS_OK)
            throw InputError{"--domains auto",
                             fmt::format("METIS could not cut the mesh (status {})", status),
                             "another number of domains"};
        labels.assign(part.begin(), part.end());
        labels = pieces_of(elements, faces, labels);
    }
    DomainGraph graph(mesh, faces, labels);
    graph.join_grounded(grounded_labels(mesh, labels, fixed_vertices));
    graph.break_cycles();
    labels = graph.labels();
    // Borders that carry no frame. The graph is a tree: merging there leaves it one, and the other borders as
    // they are.
    DisjointSets sets(1 + std::size_t(*std::max_element(labels.begin(), labels.end())));
    for (const DomainBorder& border : borders_of(mesh, faces, labels)) {
        std::vector<Eigen::Vector3d> points;
        for (const int v : border.vertices)
            points.push_back(mesh.vertices[std::size_t(v)]);
        const bool carries = interface_of("", points, std::vector<double>(points.size(), 1),
                                          Eigen::MatrixXd(3 * Eigen::Index(points.size()), 0))
                                 .ok();
        if (!carries || border.total_area == 0) sets.join(border.a, border.b);
    }
    std::map<int, int> number_of;
    for (int& label : labels)
        label = number_of.emplace(sets.find(label), int(number_of.size())).first->second;
    return labels;
}

}  // namespace limber::build
