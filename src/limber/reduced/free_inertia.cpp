// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/free_inertia.h"

#include <cmath>
#include <string>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Of a mass-normalised basis vector: ∫ρU relative to √m and ∫ρ(X × U) relative to √tr I. Builds leave 1e-12.
constexpr double kMostRigidMotion = 1e-7;

// (M32 − M23, M13 − M31, M21 − M12)
Vector3d axial(const Matrix3d& M) {
    return {M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
}

struct Tensors {
    double mass = 0;
    MatrixXd first, second;  // 3 x (r+1), 3(r+1) x 3(r+1), of all coordinates
};

Tensors weighted_tensors(const Model& model) {
    Tensors out;
    out.first.setZero(3, model.rank + 1);
    out.second.setZero(3 * (model.rank + 1), 3 * (model.rank + 1));
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const double density = model.groups[g].material.density;
        out.mass += density * model.groups[g].volume;
        out.first += density * model.stvk->groups[g].first_tensor;
        out.second += density * model.stvk->groups[g].second_tensor;
    }
    return out;
}

// X about the centre of mass. (2)
void shift_to(const Vector3d& centre, Tensors& tensors) {
    const Index functions = tensors.second.rows();
    for (Index b = 0; 3 * b < functions; ++b) {
        const Matrix3d shift = centre * tensors.first.col(b).transpose();
        tensors.second.block<3, 3>(0, 3 * b) -= shift;
        tensors.second.block<3, 3>(3 * b, 0) -= shift.transpose();
    }
    tensors.second.topLeftCorner<3, 3>() += tensors.mass * centre * centre.transpose();
    tensors.first.col(0).setZero();
}

}  // namespace

Result<FreeInertia> free_inertia(const Model& model, const std::vector<int>& coordinates) {
    if (!model.stvk || !model.stvk->has_tensors())
        return InputError{"mount",
                          "the model has no inertia tensors: its file was written before there were any, so "
                          "its bodies cannot fly",
                          (model.command.empty() ? "build it anew" : "build it anew: " + model.command) +
                              "; or \"mount\": \"fixed\""};
    Tensors tensors = weighted_tensors(model);
    if (!(tensors.mass > 0)) return InputError{"mount", "the model has no mass", ""};
    FreeInertia out;
    out.mass = tensors.mass;
    out.centre = tensors.first.col(0) / tensors.mass;
    shift_to(out.centre, tensors);
    const double rest_inertia = 2 * tensors.second.topLeftCorner<3, 3>().trace();

    const Index r = Index(coordinates.size());
    const auto index = [&](Index a) { return a == 0 ? 0 : 1 + Index(coordinates[std::size_t(a - 1)]); };
    for (MatrixXd& plane : out.planes)
        plane.setZero(r + 1, r + 1);
    out.reduced_mass.resize(r, r);
    for (Index b = 0; b <= r; ++b)
        for (Index a = 0; a <= r; ++a) {
            const Matrix3d G = tensors.second.block<3, 3>(3 * index(a), 3 * index(b));  // ∫ρ Ŭ_a Ŭ_bᵀ
            const Matrix3d J = G.trace() * Matrix3d::Identity() - 0.5 * (G + G.transpose());
            const Vector3d cross = axial(G);  // ∫ρ Ŭ_b × Ŭ_a
            const double entries[9] = {J(0, 0), J(1, 1),  J(2, 2),  J(0, 1), J(0, 2),
                                       J(1, 2), cross[0], cross[1], cross[2]};
            for (std::size_t k = 0; k < 9; ++k)
                out.planes[k](a, b) = entries[k];
            if (a > 0 && b > 0) out.reduced_mass(a - 1, b - 1) = G.trace();
        }
    for (Index a = 1; a <= r; ++a) {
        const double own = std::sqrt(out.reduced_mass(a - 1, a - 1));
        const Vector3d moved = tensors.first.col(index(a));
        const Vector3d turned(out.planes[6](a, 0), out.planes[7](a, 0), out.planes[8](a, 0));
        if (!(moved.norm() <= kMostRigidMotion * own * std::sqrt(tensors.mass) &&
              turned.norm() <= kMostRigidMotion * own * std::sqrt(rest_inertia)))
            return InputError{
                "mount",
                "basis vector " + std::to_string(index(a) - 1) +
                    " moves the body as a whole, as bases of fixed bodies do; a free body needs "
                    "one that is mass-orthogonal to rigid motions",
                "build the model without --fix; or \"mount\": \"fixed\""};
    }
    return out;
}

FreeShapeInertia::FreeShapeInertia(Index rank) : q(VectorXd::Zero(rank + 1)), inertia(Matrix3d::Zero()) {
    at.setZero(rank + 1, 9);
}

void evaluate(const FreeInertia& inertia, double factor, const VectorXd& q, FreeShapeInertia& out) {
    out.q[0] = 1;
    out.q.tail(q.size()) = q;
    for (Index k = 0; k < 9; ++k)
        out.at.col(k).noalias() = inertia.planes[std::size_t(k)] * out.q;
    out.at *= factor;
    Eigen::Matrix<double, 6, 1> I;
    for (Index k = 0; k < 6; ++k)
        I[k] = out.at.col(k).dot(out.q);
    out.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
}

void gyroscopic(const FreeInertia& inertia, double factor, const VectorXd& w,
                Eigen::Matrix<double, Eigen::Dynamic, 3>& out) {
    const Index r = inertia.rank();
    // Row a of the plane times w: ∫ρ (Uw) × U_a.
    for (Index k = 0; k < 3; ++k)
        out.col(k).noalias() = -factor * (inertia.planes[std::size_t(6 + k)].bottomRightCorner(r, r) * w);
}

}  // namespace limber
