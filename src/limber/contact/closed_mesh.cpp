// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/closed_mesh.h"

#include "limber/contact/shape_gap.h"
#include "limber/model/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace limber {
namespace {

using Eigen::Vector3d;
using Corners = std::array<std::int32_t, 3>;

std::size_t place(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// The first vertex in the same place, of each.
std::vector<std::int32_t> weld_places(const std::vector<Vector3d>& vertices) {
    std::vector<std::int32_t> order(vertices.size()), out(vertices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t v) {
        return std::make_tuple(vertices[place(v)][0], vertices[place(v)][1], vertices[place(v)][2]);
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return std::make_tuple(key(a), a) < std::make_tuple(key(b), b);
    });
    std::size_t first = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (key(order[i]) != key(order[first])) first = i;
        out[place(order[i])] = order[first];
    }
    return out;
}

struct DirectedEdge {
    std::int32_t from, to, triangle, corner;
};
bool before(const DirectedEdge& a, const DirectedEdge& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
}

std::string at_vertex(const Vector3d& x) {
    return "(" + number(x[0], 4) + ", " + number(x[1], 4) + ", " + number(x[2], 4) + ") m";
}

}  // namespace

Result<ClosedMesh> ClosedMesh::make(const std::vector<Vector3d>& vertices,
                                    const std::vector<Corners>& triangles, const std::string& where) {
    if (triangles.empty()) return InputError{where, "there are no triangles", ""};
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (!(vertices[v].cwiseAbs().maxCoeff() <= 1e9))
            return InputError{where, "vertex " + std::to_string(v) + " is not finite or beyond 1e9 m", ""};
    const auto count = static_cast<std::int32_t>(vertices.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const std::int32_t v : triangles[t])
            if (v < 0 || v >= count)
                return InputError{where,
                                  "triangle " + std::to_string(t) + " names vertex " + std::to_string(v) +
                                      " of " + std::to_string(count),
                                  ""};
    ClosedMesh out;
    out.vertices_ = vertices;
    const std::vector<std::int32_t> first = weld_places(vertices);
    ModelSurface surface;
    surface.vertices = vertices;
    for (const Corners& t : triangles) {
        const Corners welded = {first[place(t[0])], first[place(t[1])], first[place(t[2])]};
        if (welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0])
            surface.triangles.push_back(welded);
    }
    surface.basis.resize(static_cast<Eigen::Index>(3 * vertices.size()), 0);
    for (const std::int32_t t : order_triangles(surface))
        out.triangles_.push_back(surface.triangles[place(t)]);

    std::vector<DirectedEdge> edges;
    for (std::size_t t = 0; t < out.triangles_.size(); ++t)
        for (int c = 0; c < 3; ++c)
            edges.push_back({out.triangles_[t][place(c)], out.triangles_[t][place((c + 1) % 3)],
                             static_cast<std::int32_t>(t), c});
    std::sort(edges.begin(), edges.end(), before);
    out.across_.resize(out.triangles_.size());
    std::size_t open = 0;
    const DirectedEdge* worst = nullptr;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const DirectedEdge& edge = edges[i];
        const auto twins =
            std::equal_range(edges.begin(), edges.end(), DirectedEdge{edge.to, edge.from, 0, 0}, before);
        const bool twice =
            (i > 0 && !before(edges[i - 1], edge)) || (i + 1 < edges.size() && !before(edge, edges[i + 1]));
        if (twins.second - twins.first != 1 || twice) {
            ++open;
            if (!worst) worst = &edge;
        } else {
            out.across_[place(edge.triangle)][place(edge.corner)] = twins.first->triangle;
        }
    }
    if (open > 0)
        return InputError{where,
                          "the mesh is not closed: " + std::to_string(open) +
                              " edges do not have a triangle on each side, the first from " +
                              at_vertex(vertices[place(worst->from)]) + " to " +
                              at_vertex(vertices[place(worst->to)]),
                          "limber mesh repair"};
    double volume = 0;
    for (const Corners& t : out.triangles_)
        volume += (vertices[place(t[0])] - vertices[0])
                      .dot((vertices[place(t[1])] - vertices[0]).cross(vertices[place(t[2])] - vertices[0])) /
                  6;
    if (!(volume > 0))
        return InputError{where, "the mesh encloses " + number(volume) + " m^3",
                          volume < 0 ? "turn its triangles round: limber mesh repair" : ""};
    out.make_normals();
    out.make_tree();
    return out;
}

void ClosedMesh::make_normals() {
    vertex_normal_.assign(vertices_.size(), Vector3d::Zero());
    for (const Corners& t : triangles_) {
        std::array<Vector3d, 3> x;
        for (std::size_t c = 0; c < 3; ++c)
            x[c] = vertices_[place(t[c])];
        const Vector3d normal = (x[1] - x[0]).cross(x[2] - x[0]).stableNormalized();
        face_normal_.push_back(normal);
        for (std::size_t c = 0; c < 3; ++c) {
            const Vector3d a = x[(c + 1) % 3] - x[c], b = x[(c + 2) % 3] - x[c];
            vertex_normal_[place(t[c])] += std::atan2(a.cross(b).norm(), a.dot(b)) * normal;
        }
    }
}

void ClosedMesh::make_tree() {
    nodes_.push_back({0, static_cast<std::int32_t>(triangles_.size()), -1});
    std::vector<std::int32_t> waiting;
    for (std::size_t i = 0;; ++i) {
        const Node node = nodes_[i];
        if (node.count > kTreeLeaf) {
            waiting.push_back(static_cast<std::int32_t>(i));
            nodes_.push_back({node.first, first_half(node.count), -1});
            continue;
        }
        if (waiting.empty()) break;
        Node& parent = nodes_[place(waiting.back())];
        waiting.pop_back();
        parent.second_child = static_cast<std::int32_t>(nodes_.size());
        const std::int32_t half = first_half(parent.count);
        nodes_.push_back({parent.first + half, parent.count - half, -1});
    }
    boxes_.resize(nodes_.size());
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        if (nodes_[n].second_child >= 0) {
            boxes_[n] = boxes_[n + 1].merged(boxes_[place(nodes_[n].second_child)]);
            continue;
        }
        for (std::int32_t t = nodes_[n].first; t < nodes_[n].first + nodes_[n].count; ++t)
            for (const std::int32_t v : triangles_[place(t)])
                boxes_[n].extend(vertices_[place(v)]);
    }
}

std::array<Vector3d, 3> ClosedMesh::corners_of(std::int32_t triangle) const {
    const Corners& c = triangles_[place(triangle)];
    return {vertices_[place(c[0])], vertices_[place(c[1])], vertices_[place(c[2])]};
}

double ClosedMesh::distance_to(std::int32_t triangle, const Vector3d& x) const {
    const std::array<Vector3d, 3> c = corners_of(triangle);
    const Vector3d w = nearest_weights(c, x);
    return (x - w[0] * c[0] - w[1] * c[1] - w[2] * c[2]).norm();
}

Eigen::AlignedBox3d ClosedMesh::box_of(std::int32_t triangle) const {
    Eigen::AlignedBox3d out;
    for (const Vector3d& x : corners_of(triangle))
        out.extend(x);
    return out;
}

ClosedMesh::Nearest ClosedMesh::nearest(const Vector3d& x, double most) const {
    double square = most * most * (1 + 1e-9);
    std::int32_t triangle = -1;
    Vector3d weights = Vector3d::UnitX(), away = Vector3d::Zero();
    struct Open {
        double distance;
        std::int32_t node;
    };
    std::array<Open, 128> stack;  // twice the depth of any tree
    std::size_t size = 0;
    stack[size++] = {boxes_[0].squaredExteriorDistance(x), 0};
    while (size > 0) {
        const Open open = stack[--size];
        if (open.distance > square) continue;
        const Node& node = nodes_[place(open.node)];
        if (node.second_child >= 0) {
            Open one = {boxes_[place(open.node + 1)].squaredExteriorDistance(x), open.node + 1};
            Open two = {boxes_[place(node.second_child)].squaredExteriorDistance(x), node.second_child};
            if (one.distance < two.distance) std::swap(one, two);
            stack[size++] = one;
            stack[size++] = two;
            continue;
        }
        for (std::int32_t t = node.first; t < node.first + node.count; ++t) {
            const std::array<Vector3d, 3> corners = corners_of(t);
            const Vector3d w = nearest_weights(corners, x);
            const Vector3d d = x - w[0] * corners[0] - w[1] * corners[1] - w[2] * corners[2];
            if (d.squaredNorm() > square || (triangle >= 0 && d.squaredNorm() == square)) continue;
            square = d.squaredNorm();
            triangle = t;
            weights = w;
            away = d;
        }
    }
    if (triangle < 0) return {most, -1};
    Vector3d normal = face_normal_[place(triangle)];
    const auto zeros = (weights.array() <= 0).count();
    if (zeros == 2) {
        Eigen::Index corner;
        weights.maxCoeff(&corner);
        normal = vertex_normal_[place(triangles_[place(triangle)][static_cast<std::size_t>(corner)])];
    } else if (zeros == 1) {
        Eigen::Index opposite;
        weights.minCoeff(&opposite);
        normal += face_normal_[place(across_[place(triangle)][static_cast<std::size_t>((opposite + 1) % 3)])];
    }
    return {std::copysign(std::sqrt(square), away.dot(normal) < 0 ? -1.0 : 1.0), triangle};
}

}  // namespace limber
