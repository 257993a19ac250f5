// SPDX-License-Identifier: Apache-2.0
// A free model made of numbers alone: mass points with random shapes that are orthogonal to the rigid
// motions.
#pragma once
#include "tests/limber/reduced/test_model.h"

#include <limber/rigid/cross_matrix.h>

#include <Eigen/Dense>

namespace limber::test {

// 60 points of equal volume, the first half soft, the other hard; frequencies of 1 to 10 rad/s, as of
// random_body().
inline Model free_points(int r, unsigned seed) {
    constexpr int kPoints = 60;
    Model model = random_body(r, seed);
    model.free_body = true;
    model.command = "limber build points.obj -o points.glb";
    const Eigen::MatrixXd at = random_matrix(3, kPoints, seed + 41);
    const double share = 2.0 / kPoints;  // m³: each group has one
    const auto density = [&](int i) { return model.groups[i < kPoints / 2 ? 0 : 1].material.density; };

    // Rigid motions and shapes, scaled by the roots of the masses: orthonormal by QR.
    Eigen::MatrixXd rigid(3 * kPoints, 6), all(3 * kPoints, 6 + r);
    Eigen::VectorXd root(3 * kPoints);
    for (int i = 0; i < kPoints; ++i) {
        rigid.middleRows<3>(3 * i) << Eigen::Matrix3d::Identity(), -cross_matrix(at.col(i));
        root.segment<3>(3 * i).setConstant(std::sqrt(share * density(i)));
    }
    all << rigid, random_matrix(3 * kPoints, r, seed + 42);
    const Eigen::MatrixXd scaled = root.asDiagonal() * all;
    const Eigen::MatrixXd Q =
        scaled.householderQr().householderQ() * Eigen::MatrixXd::Identity(3 * kPoints, 6 + r);
    const Eigen::MatrixXd U = root.cwiseInverse().asDiagonal() * Q.rightCols(r);

    StvkModel& stvk = own_stvk(model);
    for (int g = 0; g < 2; ++g) {
        StvkGroup& group = stvk.groups[std::size_t(g)];
        group.first_tensor.setZero(3, r + 1);
        group.second_tensor.setZero(3 * (r + 1), 3 * (r + 1));
        for (int i = g * kPoints / 2; i < (g + 1) * kPoints / 2; ++i) {
            Eigen::MatrixXd f(3, r + 1);
            f << at.col(i), U.middleRows<3>(3 * i);
            group.first_tensor += share * f;
            group.second_tensor += share * f.reshaped() * f.reshaped().transpose();
        }
        group.second_tensor = (0.5 * (group.second_tensor + group.second_tensor.transpose())).eval();
        group.weight = group.first_tensor.rightCols(r).transpose();
        group.moment.resize(r, 9);
        for (Eigen::Index b = 0; b < r; ++b) {
            group.moment.row(b) = group.second_tensor.block<3, 3>(3 + 3 * b, 0).reshaped().transpose();
            for (Eigen::Index a = 0; a < r; ++a)
                group.mass(a, b) = group.second_tensor.block<3, 3>(3 + 3 * a, 3 + 3 * b).trace();
        }
    }
    ModelSurface& surface = model.surface;
    surface.vertices.clear();
    surface.triangles.clear();
    surface.input_vertex.clear();
    surface.basis = U;
    for (int i = 0; i < kPoints; ++i) {
        surface.vertices.push_back(at.col(i));
        surface.input_vertex.push_back(i);
        if (i + 2 < kPoints) surface.triangles.push_back({i, i + 1, i + 2});
    }
    return model;
}
inline ModelPtr free_points_ptr(int r = 6, unsigned seed = 1) {
    return std::make_shared<const Model>(free_points(r, seed));
}

}  // namespace limber::test
