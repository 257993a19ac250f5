// SPDX-License-Identifier: Apache-2.0
#include "build/basis/mass_metric.h"

#include "build/fem/modes.h"

#include <tbb/parallel_for.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cassert>

namespace limber::build {

Eigen::MatrixXd free_rows(const FemModel& model, const Eigen::MatrixXd& full) {
    Eigen::MatrixXd out(model.free_dofs(), full.cols());
    for (Eigen::Index i = 0; i < full.cols(); ++i)
        out.col(i) = model.restrict_to_free(full.col(i));
    return out;
}

Eigen::MatrixXd all_rows(const FemModel& model, const Eigen::MatrixXd& free) {
    Eigen::MatrixXd out(3 * model.vertex_count(), free.cols());
    for (Eigen::Index i = 0; i < free.cols(); ++i)
        out.col(i) = model.expand_from_free(free.col(i));
    return out;
}

// Every third row of every third column: a ninth of the entries.
MassMetric::MassMetric(const FemModel& model, MassKind kind)
    : of_vertices_(model.free_vertex_count(), model.free_vertex_count()) {
    const SparseMatrix mass = mass_matrix(model, kind);
    of_vertices_.reserve(mass.nonZeros() / 9 + mass.cols());
    for (Eigen::Index j = 0; j < mass.cols(); j += 3) {
        of_vertices_.startVec(j / 3);
        for (SparseMatrix::InnerIterator it(mass, j); it; ++it)
            if (it.row() % 3 == 0 && it.value() != 0)
                of_vertices_.insertBack(it.row() / 3, j / 3) = it.value();
    }
    of_vertices_.finalize();
}

// Eight columns side by side, so that an entry of m acts on 24 neighbours in memory.
Eigen::MatrixXd MassMetric::times(const Eigen::MatrixXd& X) const {
    assert(X.rows() == 3 * of_vertices_.rows());
    constexpr Eigen::Index kColumns = 8;
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>;
    Eigen::MatrixXd out(X.rows(), X.cols());
    tbb::parallel_for(Eigen::Index{0}, (X.cols() + kColumns - 1) / kColumns, [&](Eigen::Index block) {
        const Eigen::Index begin = block * kColumns, count = std::min(kColumns, X.cols() - begin);
        Rows x = Rows::Zero(X.rows(), kColumns), y = x;
        x.leftCols(count) = X.middleCols(begin, count);
        for (Eigen::Index j = 0; j < of_vertices_.cols(); ++j)
            for (SparseMatrix::InnerIterator it(of_vertices_, j); it; ++it) {
                y.middleRows<3>(3 * it.row()) += it.value() * x.middleRows<3>(3 * j);
                if (it.row() != j) y.middleRows<3>(3 * j) += it.value() * x.middleRows<3>(3 * it.row());
            }
        out.middleCols(begin, count) = y.leftCols(count);
    });
    return out;
}

Eigen::VectorXd MassMetric::norms(const Eigen::MatrixXd& X) const {
    return X.cwiseProduct(times(X)).colwise().sum().transpose().cwiseMax(0).cwiseSqrt();
}

// Cholesky of the Gram matrix, twice: the first pass leaves an error of epsilon times the condition squared,
// the second one of rounding.
Eigen::MatrixXd MassMetric::orthonormal(const Eigen::MatrixXd& X) const {
    Eigen::MatrixXd Q = X;
    for (int pass = 0; pass < 2 && Q.cols() > 0; ++pass) {
        const Eigen::MatrixXd gram = Q.transpose() * times(Q);
        Q = gram.llt().matrixU().solve<Eigen::OnTheRight>(Q).eval();
    }
    return Q;
}

Eigen::MatrixXd MassMetric::rigid_motions(const FemModel& model) const {
    return orthonormal(free_rows(model, build::rigid_motions(model)));
}

Eigen::MatrixXd MassMetric::without(const Eigen::MatrixXd& X, const Eigen::MatrixXd& Y) const {
    if (Y.cols() == 0) return X;
    return X - Y * (times(Y).transpose() * X);
}

Eigen::MatrixXd MassMetric::appended(const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X) const {
    constexpr double kDependent = 1e-8;  // of a column's norm
    Eigen::MatrixXd out = Q;
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
        const double before = norms(X.col(i))[0];
        Eigen::MatrixXd rest = without(without(X.col(i), out), out);  // twice is enough
        const double norm = norms(rest)[0];
        if (!(norm > kDependent * before)) continue;
        // What is left of a column has lost digits; the third time restores them.
        rest = without(rest / norm, out);
        out.conservativeResize(Eigen::NoChange, out.cols() + 1);
        out.rightCols(1) = rest / norms(rest)[0];
    }
    return out;
}

}  // namespace limber::build
