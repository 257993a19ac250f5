// SPDX-License-Identifier: Apache-2.0
// Finds for each point the element that holds it, or the nearest one, and the weights of its nodes.
//
// Inside an element the weights are its shape functions. Outside they are the shape functions at the nearest
// point y of the element, continued along their gradient there: w = N(y) + dN/dx(y) (p - y). That keeps
// sum w = 1 and sum w_a x_a = p, so every affine motion is reproduced, and the weights grow only linearly
// with the distance (the trilinear polynomial itself would grow with its cube). In a tet it is the polynomial
// itself.
#include "build/mesh/embed.h"

#include "build/mesh/box_tree.h"
#include "build/mesh/element_shape.h"
#include "build/mesh/triangle_distance.h"
#include "build/mesh/vertex_range.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace limber::build {
namespace {

// Local coordinates this far outside are rounding: the point counts as inside.
constexpr double kInside = 1e-10;

struct Located {
    double distance_squared = 0;  // 0 inside
    Eigen::Matrix<double, 8, 1> weights = Eigen::Matrix<double, 8, 1>::Zero();
};

using TetPoints = Eigen::Matrix<double, 3, 4>;

TetPoints points_of(const VolumeMesh& mesh, const Tet& tet) {
    TetPoints x;
    for (int n = 0; n < 4; ++n)
        x.col(n) = mesh.vertices[static_cast<std::size_t>(tet[static_cast<std::size_t>(n)])];
    return x;
}

Eigen::Matrix3d edges_of(const TetPoints& X) {
    return X.rightCols<3>().colwise() - X.col(0);
}

Located locate_in_tet(const TetPoints& X, const Vertex& p) {
    Located located;
    const Eigen::Vector3d b = edges_of(X).inverse() * (p - X.col(0));
    located.weights.head<4>() << 1 - b.sum(), b;
    if (located.weights.head<4>().minCoeff() >= -kInside) return located;
    located.distance_squared = std::numeric_limits<double>::infinity();
    for (const auto& face : kTetFaces)
        located.distance_squared = std::min(
            located.distance_squared,
            (nearest_on_triangle(p, X.col(face[0]), X.col(face[1]), X.col(face[2])) - p).squaredNorm());
    return located;
}

bool is_in_unit_cube(const Eigen::Vector3d& xi) {
    return xi.minCoeff() >= -kInside && xi.maxCoeff() <= 1 + kInside;
}

// Weights at p continued from the local coordinates xi along the gradient.
BrickWeights continued_weights(const BrickPoints& X, const Eigen::Vector3d& xi, const Vertex& p) {
    const BrickWeights N = brick_weights(xi);
    const BrickGradients dN = brick_gradients(xi);
    const Eigen::Matrix3d J = X * dN;
    Eigen::Matrix3d inverse;
    bool invertible = false;
    J.computeInverseWithCheck(inverse, invertible, 0);
    return invertible ? BrickWeights(N + dN * (inverse * (p - X * N))) : N;
}

// A box along the axes in the standard order of its nodes: local coordinates are a division.
bool is_axis_aligned(const BrickPoints& X) {
    const Eigen::Vector3d lo = X.col(0), hi = X.col(6);
    if (!((hi - lo).minCoeff() > 0)) return false;
    for (int b = 0; b < 8; ++b) {
        const auto x = X.col(kBrickNode[static_cast<std::size_t>(b)]);
        for (int axis = 0; axis < 3; ++axis)
            if (x[axis] != (b >> axis & 1 ? hi[axis] : lo[axis])) return false;
    }
    return true;
}

Located locate_in_box(const BrickPoints& X, const Vertex& p) {
    const Eigen::Vector3d lo = X.col(0), hi = X.col(6);
    const Eigen::Vector3d xi = (p - lo).cwiseQuotient(hi - lo);
    if (is_in_unit_cube(xi)) return {0, brick_weights(xi)};
    const Vertex y = p.cwiseMax(lo).cwiseMin(hi);
    return {(p - y).squaredNorm(), continued_weights(X, xi.cwiseMax(0).cwiseMin(1), p)};
}

// Solves x(xi) = p by Newton's method; none if it does not converge near the brick.
std::optional<Eigen::Vector3d> invert_trilinear(const BrickPoints& X, const Vertex& p) {
    const double size_squared = (X.colwise() - X.col(0)).colwise().squaredNorm().maxCoeff();
    Eigen::Vector3d xi = Eigen::Vector3d::Constant(0.5);
    for (int iteration = 0; iteration < 30; ++iteration) {
        const Eigen::Vector3d residual = p - X * brick_weights(xi);
        // A relative 1e-14 of the brick's size is as far as rounding lets the map go.
        if (residual.squaredNorm() <= 1e-28 * size_squared) return xi;
        const Eigen::Matrix3d J = X * brick_gradients(xi);
        Eigen::Matrix3d inverse;
        bool invertible = false;
        J.computeInverseWithCheck(inverse, invertible, 0);
        if (!invertible) return std::nullopt;
        const Eigen::Vector3d step = inverse * residual;
        xi += step;
        // A strongly distorted brick folds over outside; stay where its map is one to one.
        xi = xi.cwiseMax(-1).cwiseMin(2);
        if (step.squaredNorm() <= 1e-26) return xi;
    }
    return std::nullopt;
}

Located locate_in_brick(const BrickPoints& X, const Vertex& p) {
    if (is_axis_aligned(X)) return locate_in_box(X, p);
    if (const auto xi = invert_trilinear(X, p); xi && is_in_unit_cube(*xi)) return {0, brick_weights(*xi)};

    // Outside: the nearest point of the skin, each quad as two triangles (exact where it is plane).
    double distance_squared = std::numeric_limits<double>::infinity();
    Vertex y = p;
    for (const auto& face : kBrickFaces)
        for (const int second : {1, 2}) {
            const Vertex candidate =
                nearest_on_triangle(p, X.col(face[0]), X.col(face[static_cast<std::size_t>(second)]),
                                    X.col(face[static_cast<std::size_t>(second + 1)]));
            if (const double d = (candidate - p).squaredNorm(); d < distance_squared) {
                distance_squared = d;
                y = candidate;
            }
        }
    const Eigen::Vector3d xi =
        invert_trilinear(X, y).value_or(Eigen::Vector3d::Constant(0.5)).cwiseMax(0).cwiseMin(1);
    return {distance_squared, continued_weights(X, xi, p)};
}

// Flat elements cannot carry a point.
bool can_carry(const Eigen::Matrix3d& J, double size) {
    return std::abs(J.determinant()) > 1e-14 * size * size * size;
}

bool can_carry(const VolumeMesh& mesh, std::size_t element) {
    if (element < mesh.tets.size()) {
        const Eigen::Matrix3d edges = edges_of(points_of(mesh, mesh.tets[element]));
        return can_carry(edges, edges.colwise().norm().maxCoeff());
    }
    const BrickPoints X = points_of(mesh, mesh.bricks[element - mesh.tets.size()]);
    const Eigen::Matrix3d J = X * brick_gradients(Eigen::Vector3d::Constant(0.5));
    return can_carry(J, (X.colwise() - X.col(0)).colwise().norm().maxCoeff());
}

void require_usable(const std::vector<Vertex>& vertices, const char* where) {
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (!is_usable(vertices[v]))
            throw InputError{where,
                             fmt::format("point {} is not finite, or beyond {:.0e} m", v, kLargestCoordinate),
                             "limber mesh repair removes such vertices"};
}

}  // namespace

Embedding embed(const VolumeMesh& volume, const std::vector<Vertex>& points) {
    require_usable(volume.vertices, "volume mesh");
    require_usable(points, "embedded surface");

    const std::size_t tets = volume.tets.size();
    std::vector<int> carriers;
    std::vector<Eigen::AlignedBox3d> boxes;
    for (std::size_t e = 0; e < volume.element_count(); ++e) {
        if (!can_carry(volume, e)) continue;
        Eigen::AlignedBox3d box;
        const auto extend = [&](const auto& nodes) {
            for (const int v : nodes)
                box.extend(volume.vertices[static_cast<std::size_t>(v)]);
        };
        e < tets ? extend(volume.tets[e]) : extend(volume.bricks[e - tets]);
        carriers.push_back(static_cast<int>(e));
        boxes.push_back(box);
    }
    if (carriers.empty() && !points.empty())
        throw InputError{"volume mesh", "it has no element with a volume, so nothing can be embedded in it",
                         "limber mesh info tells what is wrong with it"};
    const BoxTree tree(std::move(boxes));

    Embedding embedding;
    embedding.volume_vertices = volume.vertices.size();
    embedding.anchors.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        Embedding::Anchor& anchor = embedding.anchors[i];
        Located found;
        tree.nearest(points[i], [&](int item, double best) {
            const int element = carriers[static_cast<std::size_t>(item)];
            const auto e = static_cast<std::size_t>(element);
            const Located located =
                e < tets ? locate_in_tet(points_of(volume, volume.tets[e]), points[i])
                         : locate_in_brick(points_of(volume, volume.bricks[e - tets]), points[i]);
            // Of elements at the same distance the first of the file wins.
            const bool nearer = located.distance_squared < best;
            if (!nearer && !(located.distance_squared == best && element < anchor.element)) return best;
            found = located;
            anchor.element = element;
            return located.distance_squared;
        });
        anchor.distance = std::sqrt(found.distance_squared);
        const auto e = static_cast<std::size_t>(anchor.element);
        const auto fill = [&](const auto& nodes) {
            anchor.count = static_cast<int>(nodes.size());
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                anchor.nodes[n] = nodes[n];
                anchor.weights[n] = found.weights[static_cast<Eigen::Index>(n)];
            }
        };
        e < tets ? fill(volume.tets[e]) : fill(volume.bricks[e - tets]);
    }
    return embedding;
}

Eigen::VectorXd interpolate(const Embedding& embedding, const Eigen::VectorXd& volume_displacement) {
    assert(volume_displacement.size() == static_cast<Eigen::Index>(3 * embedding.volume_vertices));
    Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * embedding.anchors.size()));
    for (std::size_t i = 0; i < embedding.anchors.size(); ++i) {
        const auto& anchor = embedding.anchors[i];
        for (std::size_t n = 0; n < static_cast<std::size_t>(anchor.count); ++n)
            out.segment<3>(static_cast<Eigen::Index>(3 * i)) +=
                anchor.weights[n] * volume_displacement.segment<3>(3 * anchor.nodes[n]);
    }
    return out;
}

Eigen::VectorXd spread_forces(const Embedding& embedding, const Eigen::VectorXd& point_forces) {
    assert(point_forces.size() == static_cast<Eigen::Index>(3 * embedding.anchors.size()));
    Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * embedding.volume_vertices));
    for (std::size_t i = 0; i < embedding.anchors.size(); ++i) {
        const auto& anchor = embedding.anchors[i];
        for (std::size_t n = 0; n < static_cast<std::size_t>(anchor.count); ++n)
            out.segment<3>(3 * anchor.nodes[n]) +=
                anchor.weights[n] * point_forces.segment<3>(static_cast<Eigen::Index>(3 * i));
    }
    return out;
}

}  // namespace limber::build
