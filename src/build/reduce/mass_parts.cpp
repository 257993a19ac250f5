// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/reduced_stvk.md, section 9.
#include "build/reduce/mass_parts.h"

#include "build/fem/element_mass.h"

#include <Eigen/Dense>

namespace limber::build {
namespace {

// The functions Ŭ = [X U], one row for each vertex and column 3a + j for component j of Ŭ_a, at the vertices
// of many elements; beside them the same rows after the elements' mass matrices. The product of the two is Σ
// ŬᵀmŬ, and its many rows make it a fast one.
class MassPanel {
 public:
    MassPanel(const VolumeMesh& mesh, const Eigen::MatrixXd& U)
        : mesh_(mesh), U_(U), rows_(kRows, 3 + 3 * U.cols()), mass_rows_(kRows, rows_.cols()) {}

    template <class Vertices, class Mass>
    void add(const Vertices& vertices, const Mass& m, Eigen::MatrixXd& out) {
        constexpr int count = Mass::RowsAtCompileTime;
        if (filled_ + count > kRows) flush(out);
        for (int a = 0; a < count; ++a) {
            auto row = rows_.row(filled_ + a);
            row.head<3>() = mesh_.vertices[std::size_t(vertices[a])].transpose();
            row.tail(3 * U_.cols()) = U_.middleRows<3>(3 * Eigen::Index(vertices[a])).reshaped().transpose();
        }
        mass_rows_.middleRows<count>(filled_).noalias() = m * rows_.middleRows<count>(filled_);
        filled_ += count;
    }

    void flush(Eigen::MatrixXd& out) {
        out.noalias() += rows_.topRows(filled_).transpose() * mass_rows_.topRows(filled_);
        filled_ = 0;
    }

 private:
    static constexpr Eigen::Index kRows = 960;
    const VolumeMesh& mesh_;
    const Eigen::MatrixXd& U_;
    Eigen::MatrixXd rows_, mass_rows_;
    Eigen::Index filled_ = 0;
};

template <int Count, class Vertices>
Eigen::Matrix<double, 3, Count> corners(const VolumeMesh& mesh, const Vertices& vertices) {
    Eigen::Matrix<double, 3, Count> X;
    for (int a = 0; a < Count; ++a)
        X.col(a) = mesh.vertices[std::size_t(vertices[a])];
    return X;
}

template <class Vertices, class Mass>
void add_element_inertia(const VolumeMesh& mesh, const Vertices& vertices, const Mass& m, ModelGroup& out) {
    constexpr int count = Mass::RowsAtCompileTime;
    const auto X = corners<count>(mesh, vertices);
    const Eigen::Matrix<double, count, 1> row_sums = m.rowwise().sum();
    out.volume += row_sums.sum();
    out.first_moment += X * row_sums;            // (18)
    out.second_moment += X * m * X.transpose();  // (19): exact also where the mass is lumped
}

template <class Vertices, class Mass>
void add_element(const VolumeMesh& mesh, const Vertices& vertices, Mass m, MassKind kind,
                 const Eigen::MatrixXd& U, MassPanel& panel, StvkGroup& out) {
    constexpr int count = Mass::RowsAtCompileTime;
    const Eigen::Matrix<double, count, 1> row_sums = m.rowwise().sum();
    if (kind == MassKind::Lumped) m = row_sums.asDiagonal();
    out.first_tensor.col(0) += corners<count>(mesh, vertices) * row_sums;
    for (int a = 0; a < count; ++a)
        out.first_tensor.rightCols(U.cols()) += row_sums[a] * U.middleRows<3>(3 * Eigen::Index(vertices[a]));
    panel.add(vertices, m, out.second_tensor);
}

// Calls visit(vertices, mass matrix) for each element of a group.
template <class Visit>
void for_each_element(const FemModel& model, int group, Visit&& visit) {
    const VolumeMesh& mesh = model.mesh();
    const std::vector<int>& group_of = model.materials().group_of_element;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        if (group_of[e] == group) visit(mesh.tets[e], tet_mass(mesh, mesh.tets[e]));
    for (std::size_t e = 0; e < mesh.bricks.size(); ++e)
        if (group_of[mesh.tets.size() + e] == group) visit(mesh.bricks[e], brick_mass(mesh, e));
}

}  // namespace

void add_mass_parts(const FemModel& model, int group, const Eigen::MatrixXd& U, MassKind kind,
                    StvkGroup& out) {
    const Eigen::Index r = U.cols();
    out.first_tensor.setZero(3, r + 1);
    out.second_tensor.setZero(3 * (r + 1), 3 * (r + 1));
    MassPanel panel(model.mesh(), U);
    for_each_element(model, group, [&](const auto& vertices, const auto& mass) {
        add_element(model.mesh(), vertices, mass, kind, U, panel, out);
    });
    panel.flush(out.second_tensor);
    Eigen::MatrixXd& G = out.second_tensor;
    G = (0.5 * (G + G.transpose())).eval();

    out.weight = out.first_tensor.rightCols(r).transpose();  // (17)
    out.mass.resize(r, r);
    out.moment.resize(r, 9);
    for (Eigen::Index b = 0; b < r; ++b) {
        for (Eigen::Index a = 0; a < r; ++a)
            out.mass(a, b) = G.block<3, 3>(3 + 3 * a, 3 + 3 * b).trace();
        out.moment.row(b) = G.block<3, 3>(3 + 3 * b, 0).reshaped().transpose();  // (17b)
    }
}

void add_inertia(const FemModel& model, int group, ModelGroup& out) {
    for_each_element(model, group, [&](const auto& vertices, const auto& mass) {
        add_element_inertia(model.mesh(), vertices, mass, out);
    });
}

}  // namespace limber::build
