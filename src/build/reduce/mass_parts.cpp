// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/reduced_stvk.md, section 9.
#include "build/reduce/mass_parts.h"

#include "build/fem/element_mass.h"

#include <Eigen/Dense>

namespace limber::build {
namespace {

// Rows of U at the vertices of many elements, beside the same rows after the elements' mass matrices: the
// product of the two is Σ UᵀmU, and its many rows make it a fast one.
class MassPanel {
 public:
    explicit MassPanel(const Eigen::MatrixXd& U)
        : U_(U), rows_(kRows, U.cols()), mass_rows_(kRows, U.cols()) {}

    template <class Vertices, class Mass>
    void add(const Vertices& vertices, const Mass& m, Eigen::MatrixXd& out) {
        constexpr int count = Mass::RowsAtCompileTime;
        if (filled_ + 3 * count > kRows) flush(out);
        Eigen::Matrix<double, count, 3> u;
        for (Eigen::Index i = 0; i < U_.cols(); ++i) {
            for (int a = 0; a < count; ++a)
                u.row(a) = U_.block<3, 1>(3 * Eigen::Index(vertices[a]), i).transpose();
            rows_.block<3 * count, 1>(filled_, i) = u.reshaped();
            mass_rows_.block<3 * count, 1>(filled_, i) = (m * u).reshaped();
        }
        filled_ += 3 * count;
    }

    void flush(Eigen::MatrixXd& out) {
        out.noalias() += rows_.topRows(filled_).transpose() * mass_rows_.topRows(filled_);
        filled_ = 0;
    }

 private:
    static constexpr Eigen::Index kRows = 960;
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
    const auto X = corners<count>(mesh, vertices);
    const Eigen::Matrix<double, count, 1> row_sums = m.rowwise().sum();
    if (kind == MassKind::Lumped) m = row_sums.asDiagonal();
    const Eigen::Matrix<double, count, 3> moments = m * X.transpose();
    for (int a = 0; a < count; ++a) {
        const auto u = U.middleRows<3>(3 * Eigen::Index(vertices[a])).transpose();
        out.weight += row_sums[a] * u;  // (17)
        for (int k = 0; k < 3; ++k)
            out.moment.middleCols<3>(3 * k) += moments(a, k) * u;  // (17b)
    }
    panel.add(vertices, m, out.mass);
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
    out.mass.setZero(U.cols(), U.cols());
    out.weight.setZero(U.cols(), 3);
    out.moment.setZero(U.cols(), 9);
    MassPanel panel(U);
    for_each_element(model, group, [&](const auto& vertices, const auto& mass) {
        add_element(model.mesh(), vertices, mass, kind, U, panel, out);
    });
    panel.flush(out.mass);
    out.mass = (0.5 * (out.mass + out.mass.transpose())).eval();
}

void add_inertia(const FemModel& model, int group, ModelGroup& out) {
    for_each_element(model, group, [&](const auto& vertices, const auto& mass) {
        add_element_inertia(model.mesh(), vertices, mass, out);
    });
}

}  // namespace limber::build
