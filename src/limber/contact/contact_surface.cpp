// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/contact_surface.h"

#include "limber/model/surface_tree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// The displacement (columns first) and rotation of a vertex of the model by a unit of column i.
Vector3d column_at(const Model& model, const ContactSurface& surface, Index vertex, Index column) {
    if (surface.motion() == SurfaceMotion::Reduced)
        return model.surface.basis.col(column).segment<3>(3 * vertex);
    const WarpModel& warp = *model.warp;
    const Index m = surface.modes(), k = surface.companions();
    const auto of = [&](const WarpRows& rows, Index i) -> Vector3d {
        return rows.col(i).segment<3>(3 * vertex);
    };
    if (column < m) return of(warp.surface_modes, column);
    if (column < m + k) return of(warp.surface_companions, column - m);
    return of(warp.surface_rotations, column - m - k);
}

// Do two vertices in one place move alike? Files round basis vectors to floats.
bool move_alike(const Model& model, const ContactSurface& surface, Index v, Index w) {
    for (Index i = 0; i < surface.columns(); ++i) {
        const Vector3d a = column_at(model, surface, v, i), b = column_at(model, surface, w, i);
        if ((a - b).norm() > 1e-5 * std::max(a.norm(), b.norm())) return false;
    }
    return true;
}

// Outwards, so that boxes hold what they must.
float round_down(double x) {
    const auto f = static_cast<float>(x);
    return f <= x ? f : std::nextafter(f, -std::numeric_limits<float>::infinity());
}
float round_up(double x) {
    return -round_down(-x);
}

}  // namespace

ContactSurface::ContactSurface(const Model& model, SurfaceMotion motion) : motion_(motion) {
    if (motion == SurfaceMotion::Reduced) modes_ = model.surface.basis.cols();
    if (motion == SurfaceMotion::Warped) {
        modes_ = model.warp->modes();
        companions_ = model.warp->companions();
    }
    add_triangles(model);
    add_rows(model);
    find_edges();
    build_nodes();
    bound_nodes();
}

// number[v]: the first vertex of the model in the same place that moves alike.
void ContactSurface::weld(const Model& model, std::vector<std::int32_t>& number) {
    const auto& x = model.surface.vertices;
    std::vector<std::int32_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    const auto place = [&](std::int32_t v) {
        const Vector3d& p = x[at(v)];
        return std::make_tuple(p[0], p[1], p[2]);
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return std::make_tuple(place(a), a) < std::make_tuple(place(b), b);
    });
    number.resize(x.size());
    for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
        if (place(order[i]) != place(order[first])) first = i;
        number[at(order[i])] = order[i];
        for (std::size_t j = first; j < i; ++j)
            if (number[at(order[j])] == order[j] && move_alike(model, *this, order[j], order[i])) {
                number[at(order[i])] = order[j];
                break;
            }
    }
}

void ContactSurface::add_triangles(const Model& model) {
    std::vector<std::int32_t> number, own(model.surface.vertices.size(), -1);
    weld(model, number);
    const std::vector<std::int32_t> order = is_order(model.surface.tree_order, model.surface.triangles.size())
                                                ? model.surface.tree_order
                                                : order_triangles(model.surface);
    double sum_of_edges = 0;
    for (const std::int32_t t : order) {
        std::array<std::int32_t, 3> corners = model.surface.triangles[at(t)];
        std::array<Vector3d, 3> x;
        for (std::size_t c = 0; c < 3; ++c) {
            corners[c] = number[at(corners[c])];
            x[c] = model.surface.vertices[at(corners[c])];
        }
        const std::array<double, 3> sides = {(x[1] - x[0]).norm(), (x[2] - x[1]).norm(),
                                             (x[0] - x[2]).norm()};
        const double longest = *std::max_element(sides.begin(), sides.end());
        const double twice_area = (x[1] - x[0]).cross(x[2] - x[0]).norm();
        // Less than 1e-10 of an equilateral one: its normal would be rounding.
        if (!(twice_area > 1e-10 * longest * longest)) continue;
        for (std::size_t c = 0; c < 3; ++c) {
            std::int32_t& mine = own[at(corners[c])];
            if (mine < 0) {
                mine = static_cast<std::int32_t>(rest.size());
                rest.push_back(x[c]);
                shown.push_back(corners[c]);
                vertex_area.push_back(0);
            }
            corners[c] = mine;
            vertex_area[at(mine)] += twice_area / 6;
        }
        triangles.push_back(corners);
        area.push_back(twice_area / 2);
        longest_edge.push_back(longest);
        sum_of_edges += (sides[0] + sides[1] + sides[2]) / 3;
    }
    mean_edge = triangles.empty() ? 0 : sum_of_edges / static_cast<double>(triangles.size());
    fan_start.assign(rest.size() + 1, 0);
    for (const auto& t : triangles)
        for (const std::int32_t v : t)
            ++fan_start[at(v) + 1];
    std::partial_sum(fan_start.begin(), fan_start.end(), fan_start.begin());
    fan.resize(3 * triangles.size());
    std::vector<std::int32_t> next(fan_start.begin(), fan_start.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const std::int32_t v : triangles[t])
            fan[at(next[at(v)]++)] = static_cast<std::int32_t>(t);
    owns.resize(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c)
            owns[t][c] = fan[at(fan_start[at(triangles[t][c])])] == static_cast<std::int32_t>(t);
}

void ContactSurface::add_rows(const Model& model) {
    row_doubles_ = kVertexDoubles * static_cast<std::size_t>(columns());
    rows_.assign(row_doubles_ * rest.size(), 0);
    largest = Eigen::VectorXd::Zero(columns());
    for (Index i = 0; i < columns(); ++i)
        for (std::size_t v = 0; v < rest.size(); ++v) {
            const Vector3d u = column_at(model, *this, shown[v], i);
            std::copy_n(u.data(), 3,
                        rows_.data() + v * row_doubles_ + kVertexDoubles * static_cast<std::size_t>(i));
            largest[i] = std::max(largest[i], u.norm());
        }
    for (const Vector3d& x : rest)
        largest_coordinate = std::max(largest_coordinate, x.cwiseAbs().maxCoeff());
}

// Edges with more than two triangles are split into several, in the order of the triangles.
void ContactSurface::find_edges() {
    struct Side {
        std::int32_t low, high, triangle, corner;
    };
    std::vector<Side> sides;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int c = 0; c < 3; ++c) {
            const std::int32_t a = triangles[t][static_cast<std::size_t>(c)],
                               b = triangles[t][static_cast<std::size_t>((c + 1) % 3)];
            sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(t), c});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    edges_of.resize(triangles.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        const bool second = !edges.empty() && edges.back().vertices == std::array{side.low, side.high} &&
                            edges.back().triangles[1] < 0;
        if (second)
            edges.back().triangles[1] = side.triangle;
        else
            edges.push_back({{side.low, side.high}, {side.triangle, -1}});
        edges_of[at(side.triangle)][static_cast<std::size_t>(side.corner)] =
            static_cast<std::int32_t>(edges.size()) - 1;
    }
}

void ContactSurface::build_nodes() {
    if (triangles.empty()) return;
    nodes.push_back({0, static_cast<std::int32_t>(triangles.size())});
    std::vector<std::int32_t> waiting;  // parents whose second child comes next
    for (std::size_t i = 0;; ++i) {
        const TreeNode node = nodes[i];
        const std::int32_t half = first_half(node.count);
        if (node.count > kTreeLeaf) {
            waiting.push_back(static_cast<std::int32_t>(i));
            nodes.push_back({node.first, half});
            continue;
        }
        if (waiting.empty()) break;
        TreeNode& parent = nodes[at(waiting.back())];
        waiting.pop_back();
        parent.second_child = static_cast<std::int32_t>(nodes.size());
        const std::int32_t first = first_half(parent.count);
        nodes.push_back({parent.first + first, parent.count - first});
    }
}

// Ranges from the leaves up, then their middles and half widths.                                     (1)
void ContactSurface::bound_nodes() {
    const std::size_t groups = static_cast<std::size_t>(columns()) + 1;
    box_floats_ = kNodeFloats * groups;
    boxes_.assign(box_floats_ * nodes.size(), 0);
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (std::size_t n = nodes.size(); n-- > 0;) {
        float* own = boxes_.data() + n * box_floats_;
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t c = 0; c < 3; ++c) {
                own[g * kNodeFloats + c] = inf;
                own[g * kNodeFloats + 4 + c] = -inf;
            }
        const auto include = [&](std::size_t g, std::size_t c, float low, float high) {
            float *l = own + g * kNodeFloats + c, *h = l + 4;
            *l = std::min(*l, low);
            *h = std::max(*h, high);
        };
        if (nodes[n].second_child < 0) {
            for (std::int32_t t = nodes[n].first; t < nodes[n].first + nodes[n].count; ++t)
                for (const std::int32_t v : triangles[at(t)])
                    for (std::size_t g = 0; g < groups; ++g)
                        for (std::size_t c = 0; c < 3; ++c) {
                            const double x = g == 0 ? rest[at(v)][static_cast<Index>(c)]
                                                    : row(v)[(g - 1) * kVertexDoubles + c];
                            include(g, c, round_down(x), round_up(x));
                        }
        } else {
            for (const std::size_t child : {n + 1, at(nodes[n].second_child)}) {
                const float* from = boxes_.data() + child * box_floats_;
                for (std::size_t g = 0; g < groups; ++g)
                    for (std::size_t c = 0; c < 3; ++c)
                        include(g, c, from[g * kNodeFloats + c], from[g * kNodeFloats + 4 + c]);
            }
        }
    }
    for (std::size_t i = 0; i < boxes_.size(); i += kNodeFloats)
        for (std::size_t c = 0; c < 3; ++c) {
            const double low = boxes_[i + c], high = boxes_[i + 4 + c];
            const auto middle = static_cast<float>((low + high) / 2);
            boxes_[i + c] = middle;
            boxes_[i + 4 + c] = round_up(std::max(high - middle, middle - low));
        }
    if (nodes.empty()) return;
    const Vector3d middle(boxes_[0], boxes_[1], boxes_[2]);
    for (const Vector3d& x : rest)
        rest_radius = std::max(rest_radius, (x - middle).norm());
}

Result<std::shared_ptr<const ContactSurface>> share_contact_surface(const std::shared_ptr<const Model>& model,
                                                                    SurfaceMotion motion) {
    if (motion == SurfaceMotion::Reduced && model->surface.basis.cols() == 0)
        return InputError{"contact", "the model has no basis", "a rigid body"};
    if (motion == SurfaceMotion::Warped && !model->warp)
        return InputError{"contact", "the model has no modes to warp", "build it with --method warp"};
    auto surface = std::make_shared<ContactSurface>(*model, motion);
    if (surface->triangles.empty())
        return InputError{"contact", "the model's surface has no triangle with an area", ""};
    return std::shared_ptr<const ContactSurface>(std::move(surface));
}

}  // namespace limber
