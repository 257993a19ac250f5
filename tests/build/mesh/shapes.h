// SPDX-License-Identifier: Apache-2.0
// Surfaces and volumes with known answers, for the tests of geometry.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace limber::build::shapes {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A fixed sequence of numbers in [-1, 1), the same with every standard library.
class Random {
 public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
    double operator()() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
    }
    Vertex vertex() {
        const double x = (*this)(), y = (*this)(), z = (*this)();
        return {x, y, z};
    }

 private:
    std::uint64_t state_;
};

inline SurfaceMesh box(const Vertex& lo, const Vertex& hi) {
    SurfaceMesh mesh;
    for (int b = 0; b < 8; ++b)
        mesh.vertices.emplace_back(b & 1 ? hi[0] : lo[0], b & 2 ? hi[1] : lo[1], b & 4 ? hi[2] : lo[2]);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

// An octahedron whose triangles are quartered `levels` times and put on the sphere.
inline SurfaceMesh sphere(const Vertex& centre, double radius, int levels) {
    SurfaceMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [place, is_new] =
                middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
            if (is_new)
                mesh.vertices.push_back(
                    (mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)])
                        .normalized());
            return place->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
    }
    for (Vertex& v : mesh.vertices)
        v = centre + radius * v;
    return mesh;
}

// Ring of radius R about z, tube of radius r.
inline SurfaceMesh torus(double R, double r, int nu, int nv) {
    SurfaceMesh mesh;
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < nv; ++j) {
            const double u = 2 * std::numbers::pi * i / nu, v = 2 * std::numbers::pi * j / nv;
            mesh.vertices.emplace_back((R + r * std::cos(v)) * std::cos(u),
                                       (R + r * std::cos(v)) * std::sin(u), r * std::sin(v));
        }
    const auto id = [&](int i, int j) { return i % nu * nv + j % nv; };
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < nv; ++j) {
            mesh.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
            mesh.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
        }
    return mesh;
}

// A band of n quads with half a turn.
inline SurfaceMesh moebius(int n) {
    SurfaceMesh mesh;
    for (int i = 0; i < n; ++i) {
        const double u = 2 * std::numbers::pi * i / n;
        for (const double s : {-0.3, 0.3})
            mesh.vertices.emplace_back((1 + s * std::cos(u / 2)) * std::cos(u),
                                       (1 + s * std::cos(u / 2)) * std::sin(u), s * std::sin(u / 2));
    }
    for (int i = 0; i < n; ++i) {
        const int a = 2 * i, b = a + 1;
        const int c = i + 1 < n ? a + 2 : 1,
                  d = i + 1 < n ? a + 3 : 0;  // the last quad joins with the sides swapped
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({b, c, d});
    }
    return mesh;
}

inline SurfaceMesh reversed(SurfaceMesh mesh) {
    for (Triangle& t : mesh.triangles)
        std::swap(t[1], t[2]);
    return mesh;
}

inline SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b) {
    const int offset = static_cast<int>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& [i, j, k] : b.triangles)
        a.triangles.push_back({i + offset, j + offset, k + offset});
    return a;
}

template <class Mesh>
Mesh moved(Mesh mesh, const Eigen::Affine3d& motion) {
    for (Vertex& v : mesh.vertices)
        v = motion * v;
    return mesh;
}

// nx x ny x nz cubes of the unit size, from the origin.
inline VolumeMesh bricks(int nx, int ny, int nz) {
    VolumeMesh mesh;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i)
                mesh.vertices.emplace_back(i, j, k);
    const auto id = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                mesh.bricks.push_back({id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k),
                                       id(i, j, k + 1), id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1),
                                       id(i, j + 1, k + 1)});
    return mesh;
}

// Each cube as the six tets along its diagonal (Kuhn): one for each order in which to walk the axes.
inline VolumeMesh tets(int nx, int ny, int nz) {
    VolumeMesh mesh = bricks(nx, ny, nz);
    for (const Brick& b : mesh.bricks)
        mesh.tets.insert(mesh.tets.end(), {{b[0], b[1], b[2], b[6]},
                                           {b[0], b[2], b[3], b[6]},
                                           {b[0], b[3], b[7], b[6]},
                                           {b[0], b[7], b[4], b[6]},
                                           {b[0], b[4], b[5], b[6]},
                                           {b[0], b[5], b[1], b[6]}});
    mesh.bricks.clear();
    return mesh;
}

}  // namespace limber::build::shapes
