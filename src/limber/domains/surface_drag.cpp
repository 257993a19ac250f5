// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/surface_drag.h"

#include <Eigen/Geometry>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

SurfaceDrag surface_drag(const ModelSurface& surface, int rank) {
    SurfaceDrag out;
    Eigen::MatrixXd& D = out.D;
    D.setZero(6 + rank, 6 + rank);
    out.centre_basis = Eigen::Matrix3Xd::Zero(3, rank);
    double area = 0, second = 0;
    VectorXd row(6 + rank), corner[3];
    for (VectorXd& each : corner)
        each.resize(6 + rank);
    for (const auto& triangle : surface.triangles) {
        const auto at = [&](int k) -> const Vector3d& {
            return surface.vertices[std::size_t(triangle[std::size_t(k)])];
        };
        const Vector3d twice = (at(1) - at(0)).cross(at(2) - at(0));
        const double A = 0.5 * twice.norm();
        if (!(A > 0)) continue;
        const Vector3d n = twice / (2 * A);
        area += A;
        row.setZero();
        // nᵀJ is linear on the triangle. ∫ = A/12 (Σ jⱼᵀj + (Σj)ᵀ(Σj)), exact for products of linear
        // functions.
        for (int k = 0; k < 3; ++k) {
            const Vector3d& X = at(k);
            corner[k].head<3>() = n;
            corner[k].segment<3>(3) = X.cross(n);
            if (rank > 0) {
                const auto U = surface.basis.middleRows<3>(3 * Eigen::Index(triangle[std::size_t(k)]));
                corner[k].tail(rank) = U.transpose() * n;
                out.centre_basis += A / 3 * U;
            }
            row += corner[k];
            out.centre += A / 3 * X;
            second += A / 12 * X.squaredNorm();
            D.noalias() += A / 24 * corner[k] * corner[k].transpose();
        }
        second += A / 12 * (at(0) + at(1) + at(2)).squaredNorm();
        D.noalias() += A / 24 * row * row.transpose();
    }
    if (!(area > 0)) return out;
    out.centre /= area;
    out.centre_basis /= area;
    out.spread = std::max(0.0, second / area - out.centre.squaredNorm());
    return out;
}

}  // namespace limber
