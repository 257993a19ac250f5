// SPDX-License-Identifier: Apache-2.0
// Small bodies for the tests of src/build/basis.
#pragma once
#include "build/fem/modes.h"
#include "tests/build/fem/sample_meshes.h"

#include <Eigen/Dense>

namespace limber::build {

// 1 x 0.3 x 0.2 m, so that no two frequencies are equal; held at x = 0.
inline FemModel held_bar(Cells cells = Cells::Bricks, const Material& material = {1e6, 0.3, 1000}) {
    const VolumeMesh mesh = box_mesh({6, 2, 2}, {1, 0.3, 0.2}, cells);
    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].x() < 1e-9) fixed.push_back(int(v));
    return FemModel(mesh, uniform_material(mesh, material), fixed);
}

inline FemModel free_bar(Cells cells = Cells::Bricks) {
    const VolumeMesh mesh = box_mesh({6, 2, 2}, {1, 0.3, 0.2}, cells);
    return FemModel(mesh, uniform_material(mesh, {1e6, 0.3, 1000}), {});
}

inline Eigen::MatrixXd dense_mass(const FemModel& model, MassKind kind) {
    return dense(mass_matrix(model, kind));
}

// On the free rows.
inline Eigen::MatrixXd free_part(const FemModel& model, const Eigen::MatrixXd& X) {
    Eigen::MatrixXd out(model.free_dofs(), X.cols());
    for (Eigen::Index i = 0; i < X.cols(); ++i)
        out.col(i) = model.restrict_to_free(X.col(i));
    return out;
}

// Sine of the largest angle between the spans of the columns, in the mass metric; U and V mass-orthonormal.
inline double subspace_distance(const FemModel& model, MassKind kind, const Eigen::MatrixXd& U,
                                const Eigen::MatrixXd& V) {
    const Eigen::MatrixXd M = dense_mass(model, kind), u = free_part(model, U), v = free_part(model, V);
    const Eigen::MatrixXd outside = v - u * (u.transpose() * M * v);
    return std::sqrt((outside.transpose() * M * outside).trace());
}

}  // namespace limber::build
