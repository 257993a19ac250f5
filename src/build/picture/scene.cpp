// SPDX-License-Identifier: Apache-2.0
#include "build/picture/scene.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace limber::build {
namespace {

// Two triangles that meet at a larger angle keep the edge between them sharp.
const double kCosineOfHardEdge = std::cos(40.0 * 3.14159265358979323846 / 180.0);

void check_surface(const DrawnSurface& surface, std::size_t number) {
    const std::string where = fmt::format("surface {} of the picture", number);
    const std::size_t n = surface.mesh.vertices.size();
    for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t)
        for (const int v : surface.mesh.triangles[t])
            if (v < 0 || static_cast<std::size_t>(v) >= n)
                throw InputError{where, fmt::format("triangle {} names vertex {}, but there are {}", t, v, n),
                                 "limber mesh info shows what is wrong with the mesh"};
    if (!surface.value.empty() && surface.value.size() != n)
        throw InputError{where, fmt::format("has {} values for {} vertices", surface.value.size(), n),
                         "give one value per vertex, or none"};
    if (!(surface.opacity >= 0 && surface.opacity <= 1))
        throw InputError{where, fmt::format("opacity is {}", surface.opacity),
                         "choose 0 (clear) to 1 (solid)"};
    for (const double c : surface.color)
        if (!(c >= 0 && c <= 1))
            throw InputError{where, fmt::format("a part of the colour is {}", c),
                             "choose 0 to 1 for red, green, blue"};
}

// Triangles that share an edge and meet there at less than the hard angle share normals at its two ends.
// Points at exactly the same place count as one, so that seams of textures do not show.
class SmoothNormals {
 public:
    explicit SmoothNormals(DrawnScene& scene) : scene_(scene), parent_(3 * scene.faces.size()) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    void compute() {
        const std::vector<int> place = places();
        join_across_soft_edges(place);
        std::vector<Eigen::Vector3d> sum(parent_.size(), Eigen::Vector3d::Zero());
        for (std::size_t corner = 0; corner < parent_.size(); ++corner)
            sum[root(corner)] += angle_at(corner) * scene_.faces[corner / 3].flat_normal.cast<double>();
        for (std::size_t corner = 0; corner < parent_.size(); ++corner) {
            DrawnScene::Face& face = scene_.faces[corner / 3];
            const Eigen::Vector3d& n = sum[root(corner)];
            const double length = n.norm();
            face.normals[corner % 3] =
                length > 1e-9 ? Eigen::Vector3f((n / length).cast<float>()) : face.flat_normal;
        }
    }

 private:
    DrawnScene& scene_;
    std::vector<std::size_t> parent_;  // a forest over corners 3·face + k

    std::size_t root(std::size_t corner) {
        while (parent_[corner] != corner) {
            parent_[corner] = parent_[parent_[corner]];
            corner = parent_[corner];
        }
        return corner;
    }

    // point -> the first point at the same place of the same surface
    std::vector<int> places() const {
        const auto& points = scene_.points;
        std::vector<int> surface_of(points.size(), -1);
        for (const DrawnScene::Face& face : scene_.faces)
            for (const int p : face.points)
                surface_of[static_cast<std::size_t>(p)] = face.surface;
        std::vector<int> order(points.size());
        std::iota(order.begin(), order.end(), 0);
        const auto key = [&](int i) {
            const auto at = static_cast<std::size_t>(i);
            return std::tuple(surface_of[at], points[at].x(), points[at].y(), points[at].z());
        };
        std::erase_if(order, [&](int i) { return surface_of[static_cast<std::size_t>(i)] < 0; });
        std::sort(order.begin(), order.end(),
                  [&](int i, int j) { return std::pair(key(i), i) < std::pair(key(j), j); });
        std::vector<int> place(points.size(), -1);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
            place[static_cast<std::size_t>(order[i])] =
                same ? place[static_cast<std::size_t>(order[i - 1])] : order[i];
        }
        return place;
    }

    void join_across_soft_edges(const std::vector<int>& place) {
        struct Edge {
            int low, high;  // places
            std::size_t corner_low, corner_high;
        };
        std::vector<Edge> edges;
        edges.reserve(parent_.size());
        for (std::size_t f = 0; f < scene_.faces.size(); ++f)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t next = (k + 1) % 3;
                const int a = place[static_cast<std::size_t>(scene_.faces[f].points[k])];
                const int b = place[static_cast<std::size_t>(scene_.faces[f].points[next])];
                if (a < b)
                    edges.push_back({a, b, 3 * f + k, 3 * f + next});
                else
                    edges.push_back({b, a, 3 * f + next, 3 * f + k});
            }
        std::sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& g) {
            return std::tie(e.low, e.high, e.corner_low) < std::tie(g.low, g.high, g.corner_low);
        });
        for (std::size_t i = 1; i < edges.size(); ++i) {
            const Edge &e = edges[i - 1], &g = edges[i];
            if (e.low != g.low || e.high != g.high) continue;
            const auto& n = scene_.faces[e.corner_low / 3].flat_normal;
            const auto& m = scene_.faces[g.corner_low / 3].flat_normal;
            if (n.dot(m) < kCosineOfHardEdge) continue;
            parent_[root(e.corner_low)] = root(g.corner_low);
            parent_[root(e.corner_high)] = root(g.corner_high);
        }
    }

    double angle_at(std::size_t corner) const {
        const auto& ids = scene_.faces[corner / 3].points;
        const auto point = [&](std::size_t k) {
            return scene_.points[static_cast<std::size_t>(ids[(corner + k) % 3])];
        };
        // corner % 3 counts within the face, and 3 divides 3·face.
        const Eigen::Vector3d a = point(1) - point(0), b = point(2) - point(0);
        return std::atan2(a.cross(b).norm(), a.dot(b));
    }
};

}  // namespace

DrawnScene prepare_scene(const std::vector<DrawnSurface>& surfaces) {
    DrawnScene scene;
    Eigen::AlignedBox3d box;
    const auto drawable = [](const SurfaceMesh& mesh, const Triangle& t) {
        return std::all_of(t.begin(), t.end(),
                           [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)].allFinite(); });
    };
    std::size_t faces = 0, points = 0;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
        check_surface(surfaces[s], s);
        points += surfaces[s].mesh.vertices.size();
        for (const Triangle& t : surfaces[s].mesh.triangles) {
            if (!drawable(surfaces[s].mesh, t)) continue;
            ++faces;
            for (const int v : t)
                box.extend(surfaces[s].mesh.vertices[static_cast<std::size_t>(v)]);
        }
    }
    if (points > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 3)
        throw InputError{"the picture", fmt::format("{} vertices are too many", points),
                         "draw a coarser surface"};
    if (faces == 0) return scene;

    scene.middle = 0.5 * box.min() + 0.5 * box.max();
    const double half = (0.5 * box.max() - 0.5 * box.min()).maxCoeff();
    scene.half_size = half > 1e-300 ? half : 1;
    scene.points.reserve(points);
    scene.values.reserve(points);
    scene.faces.reserve(faces);
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
        const DrawnSurface& surface = surfaces[s];
        const int offset = static_cast<int>(scene.points.size());
        for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v) {
            scene.points.push_back((surface.mesh.vertices[v] - scene.middle) / scene.half_size);
            const double value =
                surface.value.empty() ? std::numeric_limits<double>::quiet_NaN() : surface.value[v];
            // Values beyond the floats' range are no use to a colour.
            const bool usable = std::abs(value) <= 1e37;
            scene.values.push_back(usable ? static_cast<float>(value)
                                          : std::numeric_limits<float>::quiet_NaN());
            if (usable) {
                least = std::min(least, value);
                largest = std::max(largest, value);
            }
        }
        for (const Triangle& t : surface.mesh.triangles) {
            if (!drawable(surface.mesh, t)) continue;
            DrawnScene::Face face{{t[0] + offset, t[1] + offset, t[2] + offset}, static_cast<int>(s), {}, {}};
            const auto point = [&](std::size_t k) {
                return scene.points[static_cast<std::size_t>(face.points[k])];
            };
            const Eigen::Vector3d n = (point(1) - point(0)).cross(point(2) - point(0));
            if (!(n.norm() > 1e-30)) continue;
            face.flat_normal = n.normalized().cast<float>();
            scene.faces.push_back(face);
        }
    }
    scene.has_values = least <= largest;
    if (scene.has_values) {
        scene.least_value = least;
        scene.largest_value = largest;
    }
    SmoothNormals(scene).compute();
    return scene;
}

}  // namespace limber::build
