// SPDX-License-Identifier: Apache-2.0
// StVK written out element by element, point by point and index by index, as the textbooks have it.
// Slow and dense: what the assembled energy, force and stiffness are compared with.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace limber::build {

// Gauss points on [-1, 1], n = 2, 3 or 5.
inline std::vector<std::pair<double, double>> gauss_line(int n) {
    if (n == 2) return {{-1 / std::sqrt(3.0), 1}, {1 / std::sqrt(3.0), 1}};
    if (n == 3) return {{-std::sqrt(0.6), 5.0 / 9}, {0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}};
    const double near = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3,
                 far = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
    const double w_near = (322 + 13 * std::sqrt(70.0)) / 900, w_far = (322 - 13 * std::sqrt(70.0)) / 900;
    return {{-far, w_far}, {-near, w_near}, {0, 128.0 / 225}, {near, w_near}, {far, w_far}};
}

// One quadrature point of one element: shape functions, rest gradients, weight (m^3).
struct SlowPoint {
    Eigen::VectorXd N;
    Eigen::MatrixXd b;  // vertices x 3
    double weight;
    double lambda_share = 1, mu_share = 1;
};

// The trilinear hexahedron on [-1,1]^3 with n^3 points.
inline std::vector<SlowPoint> brick_points(const VolumeMesh& mesh, const Brick& brick, int n) {
    const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    std::vector<SlowPoint> points;
    for (const auto& [x, wx] : gauss_line(n))
        for (const auto& [y, wy] : gauss_line(n))
            for (const auto& [z, wz] : gauss_line(n)) {
                SlowPoint p{Eigen::VectorXd(8), Eigen::MatrixXd(8, 3), 0};
                Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
                for (int a = 0; a < 8; ++a) {
                    const double fx = 1 + x * corner[a][0], fy = 1 + y * corner[a][1],
                                 fz = 1 + z * corner[a][2];
                    p.N[a] = fx * fy * fz / 8;
                    p.b.row(a) << corner[a][0] * fy * fz / 8, corner[a][1] * fx * fz / 8,
                        corner[a][2] * fx * fy / 8;
                    J += mesh.vertices[brick[a]] * p.b.row(a);
                }
                p.b = p.b * J.inverse();
                p.weight = wx * wy * wz * J.determinant();
                points.push_back(p);
            }
    return points;
}

// Selective: eight points for μ; for λ one point with the weighted mean of their gradients.
inline std::vector<SlowPoint> selective_points(const VolumeMesh& mesh, const Brick& brick) {
    std::vector<SlowPoint> points = brick_points(mesh, brick, 2);
    SlowPoint mean{Eigen::VectorXd::Zero(8), Eigen::MatrixXd::Zero(8, 3), 0, 1, 0};
    for (SlowPoint& p : points) {
        p.lambda_share = 0;
        mean.b += p.weight * p.b;
        mean.weight += p.weight;
    }
    mean.b /= mean.weight;
    points.push_back(mean);
    return points;
}

// Collapsed coordinates: n^3 points that integrate polynomials of degree 2n - 3 and more on the tet.
inline std::vector<SlowPoint> tet_points(const VolumeMesh& mesh, const Tet& tet, int n) {
    Eigen::Matrix3d edges;
    for (int a = 1; a < 4; ++a)
        edges.col(a - 1) = mesh.vertices[tet[a]] - mesh.vertices[tet[0]];
    Eigen::MatrixXd b(4, 3);
    b.bottomRows(3) = edges.inverse();
    b.row(0) = -b.bottomRows(3).colwise().sum();
    std::vector<SlowPoint> points;
    for (const auto& [x, wx] : gauss_line(n))
        for (const auto& [y, wy] : gauss_line(n))
            for (const auto& [z, wz] : gauss_line(n)) {
                const double r = (1 + x) / 2, s = (1 + y) / 2 * (1 - r), t = (1 + z) / 2 * (1 - r - s);
                const double jacobian = (1 - r) * (1 - r - s) / 8;
                points.push_back({Eigen::Vector4d(1 - r - s - t, r, s, t), b,
                                  wx * wy * wz * jacobian * edges.determinant()});
            }
    return points;
}

struct SlowStvk {
    double energy = 0;
    Eigen::VectorXd force;      // 3n
    Eigen::MatrixXd stiffness;  // 3n x 3n
};

// points_of(brick): its quadrature points.
template <class PointsOf>
SlowStvk slow_stvk_by(const VolumeMesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& u,
                      const PointsOf& points_of) {
    const Eigen::Index n = 3 * Eigen::Index(mesh.vertices.size());
    SlowStvk out{0, Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, n)};
    const auto delta = [](int i, int j) { return i == j ? 1.0 : 0.0; };
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        const bool is_tet = e < mesh.tets.size();
        const auto points =
            is_tet ? tet_points(mesh, mesh.tets[e], 2) : points_of(mesh.bricks[e - mesh.tets.size()]);
        std::vector<int> vertices;
        if (is_tet)
            vertices.assign(mesh.tets[e].begin(), mesh.tets[e].end());
        else
            vertices.assign(mesh.bricks[e - mesh.tets.size()].begin(),
                            mesh.bricks[e - mesh.tets.size()].end());
        const double E = materials.of(e).young, nu = materials.of(e).poisson;
        for (const SlowPoint& p : points) {
            const double lambda = p.lambda_share * E * nu / (1 + nu) / (1 - 2 * nu);
            const double mu = p.mu_share * E / 2 / (1 + nu);
            // C_ijkl of an isotropic material.
            const auto C = [&](int i, int j, int k, int l) {
                return lambda * delta(i, j) * delta(k, l) +
                       mu * (delta(i, k) * delta(j, l) + delta(i, l) * delta(j, k));
            };
            Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
            for (std::size_t a = 0; a < vertices.size(); ++a)
                F += u.segment<3>(3 * vertices[a]) * p.b.row(Eigen::Index(a));
            const Eigen::Matrix3d strain = 0.5 * (F.transpose() * F - Eigen::Matrix3d::Identity());
            const Eigen::Matrix3d S = lambda * strain.trace() * Eigen::Matrix3d::Identity() + 2 * mu * strain;
            out.energy += p.weight * 0.5 * S.cwiseProduct(strain).sum();
            for (std::size_t a = 0; a < vertices.size(); ++a)
                out.force.segment<3>(3 * vertices[a]) +=
                    p.weight * F * S * p.b.row(Eigen::Index(a)).transpose();
            // A_ijkl = dP_ij/dF_kl = delta_ik S_lj + F_im C_mjln F_kn
            double A[3][3][3][3];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    for (int k = 0; k < 3; ++k)
                        for (int l = 0; l < 3; ++l) {
                            A[i][j][k][l] = delta(i, k) * S(l, j);
                            for (int m = 0; m < 3; ++m)
                                for (int o = 0; o < 3; ++o)
                                    A[i][j][k][l] += F(i, m) * C(m, j, l, o) * F(k, o);
                        }
            for (std::size_t a = 0; a < vertices.size(); ++a)
                for (std::size_t b = 0; b < vertices.size(); ++b)
                    for (int i = 0; i < 3; ++i)
                        for (int k = 0; k < 3; ++k) {
                            double sum = 0;
                            for (int j = 0; j < 3; ++j)
                                for (int l = 0; l < 3; ++l)
                                    sum += A[i][j][k][l] * p.b(Eigen::Index(a), j) * p.b(Eigen::Index(b), l);
                            out.stiffness(3 * vertices[a] + i, 3 * vertices[b] + k) += p.weight * sum;
                        }
        }
    }
    return out;
}

// brick_points_per_direction: 2, 3 or 5.
inline SlowStvk slow_stvk(const VolumeMesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& u,
                          int brick_points_per_direction = 2) {
    return slow_stvk_by(mesh, materials, u, [&](const Brick& brick) {
        return brick_points(mesh, brick, brick_points_per_direction);
    });
}

}  // namespace limber::build
