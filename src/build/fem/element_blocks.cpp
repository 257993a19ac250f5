// SPDX-License-Identifier: Apache-2.0
#include "build/fem/element_blocks.h"

#include "build/fem/brick_gauss.h"
#include "build/mesh/check.h"
#include "build/mesh/element_shape.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <tbb/parallel_for.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace limber::build {
namespace {

// Small enough that a block's vertices, columns and scratch stay in the first caches; large enough that the
// shared vertices between blocks, and with them the number of colours, stay few.
constexpr int kTetGroupsPerBlock = 64;
constexpr int kBrickGroupsPerBlock = 16;

// Spreads the low 21 bits of x so that two zero bits follow each.
std::uint64_t spread_bits(std::uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

// Element indices along a Morton curve through their centroids.
template <class Element>
std::vector<int> morton_order(const std::vector<Vertex>& vertices, const std::vector<Element>& elements) {
    Eigen::AlignedBox3d box;
    for (const Vertex& x : vertices)
        box.extend(x);
    const double cells = double(1 << 21) - 1;
    const double scale = elements.empty() ? 0 : cells / std::max(box.sizes().maxCoeff(), 1e-300);
    std::vector<std::pair<std::uint64_t, int>> keyed(elements.size());
    tbb::parallel_for(std::size_t{0}, elements.size(), [&](std::size_t e) {
        Eigen::Vector3d centre = Eigen::Vector3d::Zero();
        for (const int v : elements[e])
            centre += vertices[v];
        const Eigen::Vector3d cell = (centre / double(elements[e].size()) - box.min()) * scale;
        keyed[e] = {spread_bits(std::uint64_t(cell[0])) | spread_bits(std::uint64_t(cell[1])) << 1 |
                        spread_bits(std::uint64_t(cell[2])) << 2,
                    int(e)};
    });
    std::sort(keyed.begin(), keyed.end());
    std::vector<int> order(elements.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = keyed[i].second;
    return order;
}

int place_of_pair(const FemModel& model, const VertexPattern& pattern, int vertex_a, int vertex_b) {
    const int i = model.free_index(vertex_a), j = model.free_index(vertex_b);
    if (i < 0 || j < 0) return kDropped;
    return i > j ? pattern.below(i, j) : ~pattern.below(j, i);
}

void make_tet_groups(const FemModel& model, ElementBlocks& out) {
    const VolumeMesh& mesh = model.mesh();
    const int count = int(mesh.tets.size());
    out.tets.resize((count + kLanes - 1) / kLanes);
    tbb::parallel_for(0, int(out.tets.size()), [&](int g) {
        TetGroup& group = out.tets[g];
        for (int lane = 0; lane < kLanes; ++lane) {
            const int at = g * kLanes + lane;
            if (at >= count) {
                for (int a = 0; a < 4; ++a)
                    group.vertex[a][lane] = group.vertex[a][0];
                for (auto& pair : group.pair)
                    pair[lane] = kDropped;
                continue;
            }
            const int e = out.tet_order[at];
            Tet tet = mesh.tets[e];
            const Lame lame = lame_of(model.materials().of(e));
            const double volume = tet_volume(mesh, tet);
            // The energy does not depend on the order of the vertices; the volume's sign does.
            std::sort(tet.begin(), tet.end());
            Eigen::Matrix3d edges;  // rows x_a - x_0; column a-1 of the inverse is the gradient of N_a   (6)
            for (int a = 1; a < 4; ++a)
                edges.row(a - 1) = mesh.vertices[tet[a]] - mesh.vertices[tet[0]];
            const Eigen::Matrix3d gradients = edges.inverse();
            for (int a = 1; a < 4; ++a)
                for (int i = 0; i < 3; ++i)
                    group.b[a - 1][i][lane] = gradients(i, a - 1);
            group.lambda[lane] = lame.lambda * volume;
            group.mu[lane] = lame.mu * volume;
            for (int a = 0; a < 4; ++a)
                group.vertex[a][lane] = tet[a];
            for (int a = 1, pair = 0; a < 4; ++a)
                for (int b = 0; b < a; ++b)
                    group.pair[pair++][lane] = place_of_pair(model, out.pattern, tet[a], tet[b]);
        }
    });
}

// b_a = J^-T grad N_a at every point                                                              (14)
std::vector<BrickPoint> rest_points(const BrickPoints& corners, const std::vector<GaussPoint>& gauss,
                                    int brick) {
    std::vector<BrickPoint> points(gauss.size());
    for (std::size_t q = 0; q < gauss.size(); ++q) {
        const BrickGradients dN = brick_gradients(gauss[q].xi);
        const Eigen::Matrix3d J = corners * dN;  // dx/dxi
        const double det = J.determinant();
        if (!(det > 0))
            throw InputError{
                fmt::format("brick {}", brick),
                fmt::format("is inverted inside (Jacobian {:.3g} m^3 at a quadrature point)", det),
                "limber mesh info shows the offending elements; move its vertices or remesh"};
        const BrickGradients b = dN * J.inverse();
        points[q].weight = gauss[q].weight * det;
        for (int a = 0; a < 8; ++a)
            for (int i = 0; i < 3; ++i)
                points[q].b[a][i] = b(a, i);
    }
    return points;
}

// Gives every brick its shape. Voxel meshes have one; a brick is compared with the last few shapes only,
// so a mesh in which every brick differs costs no search.
std::vector<int> make_brick_shapes(const FemModel& model, const std::vector<GaussPoint>& gauss,
                                   ElementBlocks& out) {
    constexpr int kRemembered = 8;
    const VolumeMesh& mesh = model.mesh();
    double reach = 0;  // largest coordinate: its rounding is what translates of one brick differ by
    for (const Vertex& x : mesh.vertices)
        reach = std::max(reach, x.cwiseAbs().maxCoeff());
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * reach;

    std::vector<std::pair<BrickPoints, int>> remembered;
    std::vector<int> shape_of(mesh.bricks.size());
    int shapes = 0, oldest = 0;
    for (const int e : out.brick_order) {
        BrickPoints corners = points_of(mesh, mesh.bricks[e]);
        corners.colwise() -= corners.col(0).eval();
        const auto same = std::find_if(remembered.begin(), remembered.end(), [&](const auto& known) {
            return (known.first - corners).cwiseAbs().maxCoeff() <= rounding;
        });
        if (same != remembered.end()) {
            shape_of[e] = same->second;
            continue;
        }
        const std::vector<BrickPoint> points = rest_points(corners, gauss, e);
        out.brick_points.insert(out.brick_points.end(), points.begin(), points.end());
        shape_of[e] = shapes;
        if (int(remembered.size()) < kRemembered) {
            remembered.emplace_back(corners, shapes);
        } else {
            remembered[oldest] = {corners, shapes};
            oldest = (oldest + 1) % kRemembered;
        }
        ++shapes;
    }
    out.brick_points.shrink_to_fit();
    return shape_of;
}

void make_brick_groups(const FemModel& model, const std::vector<int>& shape_of, ElementBlocks& out) {
    const VolumeMesh& mesh = model.mesh();
    const int count = int(mesh.bricks.size());
    out.bricks.resize((count + kLanes - 1) / kLanes);
    tbb::parallel_for(0, int(out.bricks.size()), [&](int g) {
        BrickGroup& group = out.bricks[g];
        for (int lane = 0; lane < kLanes; ++lane) {
            const int at = g * kLanes + lane;
            if (at >= count) {
                for (int a = 0; a < 8; ++a)
                    group.vertex[a][lane] = group.vertex[a][0];
                for (auto& pair : group.pair)
                    pair[lane] = kDropped;
                group.shape[lane] = group.shape[0];
                continue;
            }
            const int e = out.brick_order[at];
            const Brick& brick = mesh.bricks[e];
            const Lame lame = lame_of(model.materials().of(mesh.tets.size() + e));
            const double filled = stiffness_fraction(mesh.fraction_of(e));
            group.filled[lane] = filled;
            group.lambda[lane] = lame.lambda * filled;
            group.mu[lane] = lame.mu * filled;
            group.shape[lane] = shape_of[e];
            for (int a = 0; a < 8; ++a)
                group.vertex[a][lane] = brick[a];
            for (int a = 1, pair = 0; a < 8; ++a)
                for (int b = 0; b < a; ++b)
                    group.pair[pair++][lane] = place_of_pair(model, out.pattern, brick[a], brick[b]);
        }
    });
}

// b̄_a = Σ w b_a / Σ w of every shape: with the mean gradient a constant stress does the same work as at all
// points together, on distorted bricks too (the patch test).                                         (14a)
std::vector<BrickPoint> mean_points(const std::vector<BrickPoint>& points, int per_brick) {
    std::vector<BrickPoint> means(points.size() / std::size_t(per_brick), BrickPoint{0, {}});
    for (std::size_t s = 0; s < means.size(); ++s) {
        BrickPoint& mean = means[s];
        for (int q = 0; q < per_brick; ++q)
            mean.weight += points[s * std::size_t(per_brick) + std::size_t(q)].weight;
        for (int q = 0; q < per_brick; ++q) {
            const BrickPoint& point = points[s * std::size_t(per_brick) + std::size_t(q)];
            for (int a = 0; a < 8; ++a)
                for (int i = 0; i < 3; ++i)
                    mean.b[a][i] += point.weight / mean.weight * point.b[a][i];
        }
    }
    return means;
}

void move_pressure_to_mean_points(ElementBlocks& out) {
    out.pressure_points = mean_points(out.brick_points, out.points_per_brick);
    out.pressure_bricks = out.bricks;
    for (BrickGroup& group : out.pressure_bricks)
        group.mu = Lanes{};
    for (BrickGroup& group : out.bricks)
        group.lambda = Lanes{};
}

template <class Groups>
void cut_into_blocks(const Groups& groups, Block::Kind kind, int groups_per_block, std::vector<Block>& out) {
    const int count = int(groups.size());
    for (int begin = 0; begin < count; begin += groups_per_block)
        out.push_back({kind, begin, std::min(begin + groups_per_block, count)});
}

std::vector<int> vertices_of(const ElementBlocks& elements, const Block& block) {
    std::vector<int> vertices;
    const auto take = [&](const auto& group) {
        for (const auto& lanes : group.vertex)
            vertices.insert(vertices.end(), std::begin(lanes), std::end(lanes));
    };
    for (int g = block.begin; g < block.end; ++g)
        block.kind == Block::Kind::Tets
            ? take(elements.tets[g])
            : take(elements.bricks[g]);  // both kinds of bricks have the same vertices
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

// Greedy: every block gets the first colour that no block with a common vertex has.
void colour_blocks(int vertex_count, ElementBlocks& out) {
    // Per vertex, the colours of the blocks that touch it, as a list threaded through `touches`.
    struct Touch {
        int colour, next;
    };
    std::vector<Touch> touches;
    std::vector<int> first_touch(vertex_count, -1);
    std::vector<std::vector<Block>> by_colour;
    std::vector<int> seen_by;  // colour -> the last block that found it taken
    for (int i = 0; i < int(out.blocks.size()); ++i) {
        const std::vector<int> vertices = vertices_of(out, out.blocks[i]);
        for (const int v : vertices)
            for (int t = first_touch[v]; t >= 0; t = touches[t].next)
                seen_by[touches[t].colour] = i;
        const int colour = int(std::find_if(seen_by.begin(), seen_by.end(), [i](int b) { return b != i; }) -
                               seen_by.begin());
        if (colour == int(seen_by.size())) {
            seen_by.push_back(-1);
            by_colour.emplace_back();
        }
        for (const int v : vertices) {
            touches.push_back({colour, first_touch[v]});
            first_touch[v] = int(touches.size()) - 1;
        }
        by_colour[colour].push_back(out.blocks[i]);
    }
    out.blocks.clear();
    out.colour_begin = {0};
    for (const auto& blocks : by_colour) {
        out.blocks.insert(out.blocks.end(), blocks.begin(), blocks.end());
        out.colour_begin.push_back(int(out.blocks.size()));
    }
}

}  // namespace

ElementBlocks make_element_blocks(const FemModel& model) {
    const VolumeMesh& mesh = model.mesh();
    ElementBlocks out;
    std::vector<int> free_of_vertex(model.vertex_count());
    for (int v = 0; v < int(free_of_vertex.size()); ++v)
        free_of_vertex[v] = model.free_index(v);
    out.pattern = make_vertex_pattern(mesh, free_of_vertex, model.free_vertex_count());
    out.columns.resize(free_of_vertex.size());
    for (std::size_t v = 0; v < free_of_vertex.size(); ++v) {
        const int j = free_of_vertex[v];
        out.columns[v] =
            j < 0 ? VertexColumn{-1, 0} : VertexColumn{out.pattern.diagonal(j), out.pattern.blocks_below(j)};
    }

    out.tet_order = morton_order(mesh.vertices, mesh.tets);
    make_tet_groups(model, out);

    const auto gauss = brick_gauss_points(model.quadrature() == BrickQuadrature::Exact ? 3 : 2);
    out.points_per_brick = int(gauss.size());
    out.brick_order = morton_order(mesh.vertices, mesh.bricks);
    make_brick_groups(model, make_brick_shapes(model, gauss, out), out);
    if (model.quadrature() == BrickQuadrature::Selective) move_pressure_to_mean_points(out);

    cut_into_blocks(out.tets, Block::Kind::Tets, kTetGroupsPerBlock, out.blocks);
    cut_into_blocks(out.bricks, Block::Kind::Bricks, kBrickGroupsPerBlock, out.blocks);
    cut_into_blocks(out.pressure_bricks, Block::Kind::PressureBricks, kBrickGroupsPerBlock, out.blocks);
    colour_blocks(int(model.vertex_count()), out);
    return out;
}

}  // namespace limber::build
