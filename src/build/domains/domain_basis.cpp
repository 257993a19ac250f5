// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "build/domains/domain_basis.h"

#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"
#include "build/fem/block_lanczos.h"
#include "build/fem/body_size.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/model/domain_interface.h>
#include <limber/rigid/cross_matrix.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::build {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic>;

// PᵀI^CP on the free degrees of freedom, lower triangle.
SparseMatrix load_matrix(const FemModel& model, const std::vector<HangingLoad>& loads) {
    std::vector<Eigen::Triplet<double>> entries;
    for (const HangingLoad& load : loads) {
        std::vector<Vector3d> points;
        for (const int v : load.vertices)
            points.push_back(model.mesh().vertices[std::size_t(v)]);
        const Rows P = interface_twist(points, load.weights);
        const MatrixXd block = P.transpose() * load.inertia * P;
        for (std::size_t a = 0; a < points.size(); ++a)
            for (std::size_t b = 0; b < points.size(); ++b) {
                const int i = model.free_index(load.vertices[a]), j = model.free_index(load.vertices[b]);
                if (i < 0 || j < 0) continue;
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l)
                        if (3 * i + k >= 3 * j + l)
                            entries.emplace_back(3 * i + k, 3 * j + l,
                                                 block(3 * Eigen::Index(a) + k, 3 * Eigen::Index(b) + l));
            }
    }
    SparseMatrix out(model.free_dofs(), model.free_dofs());
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

// A little below zero: K alone is singular where nothing is fixed.
double basis_shift(const FemModel& model) {
    double slowest = INFINITY;
    for (const MaterialMap::Group& group : model.materials().groups)
        if (group.material.density > 0)
            slowest = std::min(slowest, group.material.young / group.material.density);
    const double size = body_size(model);
    return -1e-4 * slowest / (size * size);
}

struct LoadedModes {
    VectorXd eigenvalues;
    MatrixXd shapes;  // free rows
};

LoadedModes loaded_modes(const SparseMatrix& K, const SparseMatrix& M, const MatrixXd& rigid, int count,
                         double shift, const Progress& progress) {
    const Eigen::Index n = K.rows(), elastic = n - rigid.cols();
    count = int(std::min<Eigen::Index>(count, elastic));
    SparseMatrix A = K;
    A -= shift * M;
    if (n <= 300 || 4 * count + 100 > elastic) {
        // M is nearly singular where a collar has no mass, A is not: M x = θ A x, λ = 1/θ + shift.
        const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen{MatrixXd(M), MatrixXd(A)};  // lower
        LoadedModes out{VectorXd(count), MatrixXd(n, count)};
        for (int k = 0; k < count; ++k) {
            const Eigen::Index at = n - 1 - rigid.cols() - k;
            const double theta = eigen.eigenvalues()[at];
            out.eigenvalues[k] = 1 / theta + shift;
            out.shapes.col(k) = eigen.eigenvectors().col(at) / std::sqrt(theta);
        }
        return out;
    }
    SparseCholesky factor(A);
    if (!factor.factorize(A))
        throw InputError{"a domain", "its stiffness is not positive definite",
                         "limber mesh info shows parts that hang by an edge or by a vertex"};
    const EigenPairs pairs =
        lowest_eigenpairs(factor, M, rigid, count, {.shift = shift, .progress = progress});
    if (!pairs.converged)
        throw InputError{"a domain", fmt::format("the search for {} modes did not converge", count),
                         "fewer modes, or a mesh without loose parts"};
    return {pairs.values, pairs.vectors};
}

MatrixXd times(const SparseMatrix& M, const MatrixXd& X) {
    return M.selfadjointView<Eigen::Lower>() * X;
}

}  // namespace

Rows interface_twist(const std::vector<Vector3d>& points, const std::vector<double>& weights) {
    double total = 0;
    for (const double w : weights)
        total += w;
    Vector3d centre = Vector3d::Zero();
    for (std::size_t p = 0; p < points.size(); ++p)
        centre += weights[p] / total * points[p];
    Matrix3d C = Matrix3d::Zero();
    for (std::size_t p = 0; p < points.size(); ++p)
        C += weights[p] / total * (points[p] - centre) * (points[p] - centre).transpose();
    const Matrix3d Y_inverse = (C.trace() * Matrix3d::Identity() - C).inverse();
    Rows out(6, 3 * Eigen::Index(points.size()));
    for (std::size_t p = 0; p < points.size(); ++p) {
        const double w = weights[p] / total;
        // ax(u armᵀ) = arm × u
        out.middleCols<3>(3 * Eigen::Index(p)) << w * Matrix3d::Identity(),
            w * Y_inverse * cross_matrix(points[p] - centre);
    }
    return out;
}

int modes_among(int rank) {
    return rank <= 12 ? std::max(1, (rank + 1) / 2) : 6 + (rank - 12) / 4;
}

Basis loaded_basis(const FemModel& model, const std::vector<HangingLoad>& loads, int rank, int modes,
                   MassKind mass, const Progress& progress) {
    SparseMatrix K;
    VectorXd force;
    force_and_stiffness(model, VectorXd::Zero(3 * model.vertex_count()), force, K);
    const SparseMatrix load = load_matrix(model, loads);
    // One pattern for all: that of the mesh and of the interfaces.
    const SparseMatrix M = mass_matrix(model, mass) + load;
    K = SparseMatrix(K + 0.0 * load);
    MatrixXd rigid = free_rows(model, rigid_motions(model));
    if (rigid.cols() > 0) {
        const MatrixXd gram = rigid.transpose() * times(M, rigid);
        rigid = gram.llt().matrixU().solve<Eigen::OnTheRight>(rigid).eval();
    }
    const int wanted = modes > 0 ? std::min(modes, rank) : modes_among(rank);
    const LoadedModes found = loaded_modes(K, M, rigid, wanted, basis_shift(model), progress);  // (24)

    Basis basis;
    basis.frequencies_hz = found.eigenvalues.cwiseMax(0).cwiseSqrt() / (2 * std::numbers::pi);
    const Eigen::Index k = found.shapes.cols();
    MatrixXd shapes = found.shapes;
    const Eigen::Index more = rank - k;
    if (more > 0) {
        ModesResult given;
        given.eigenvalues = found.eigenvalues;
        given.shapes = all_rows(model, found.shapes);
        MatrixXd D = free_rows(model, modal_derivatives(model, given, mass, progress));
        // Of what the modes do not have, weighted as in (10) of basis.md, the principal part.            (25)
        const auto pairs = mode_pairs(k);
        const VectorXd& lambda = found.eigenvalues;
        if (rigid.cols() > 0) D -= rigid * (rigid.transpose() * times(M, D));
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            auto column = D.col(Eigen::Index(p));
            const double norm = std::sqrt(std::max(0.0, column.dot(times(M, column).col(0))));
            const double factor = lambda[0] * lambda[0] / (lambda[pairs[p].first] * lambda[pairs[p].second]);
            if (norm > 0) column *= factor / norm;
        }
        for (int pass = 0; pass < 2; ++pass)
            D -= found.shapes * (found.shapes.transpose() * times(M, D));
        const MatrixXd gram = D.transpose() * times(M, D);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (gram + gram.transpose()));
        const double largest = eigen.eigenvalues().maxCoeff();
        Eigen::Index take = 0;
        while (take < more && take < gram.cols() &&
               eigen.eigenvalues()[gram.cols() - 1 - take] > 1e-12 * largest)
            ++take;
        shapes.conservativeResize(Eigen::NoChange, k + take);
        for (Eigen::Index i = 0; i < take; ++i) {
            const Eigen::Index at = gram.cols() - 1 - i;
            shapes.col(k + i) = D * eigen.eigenvectors().col(at) / std::sqrt(eigen.eigenvalues()[at]);
        }
        basis.spectrum = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
    }
    basis.U = all_rows(model, MassMetric(model, mass).orthonormal(shapes));
    return basis;
}

double deviation_from_rigidity(const std::vector<Vector3d>& points, const std::vector<double>& weights,
                               const MatrixXd& rows, int shapes) {
    const Rows P = interface_twist(points, weights);
    double total = 0;
    for (const double w : weights)
        total += w;
    Vector3d centre = Vector3d::Zero();
    for (std::size_t p = 0; p < points.size(); ++p)
        centre += weights[p] / total * points[p];
    const Eigen::Index count = std::min<Eigen::Index>(shapes, rows.cols());
    double sum = 0;
    for (Eigen::Index l = 0; l < count; ++l) {
        const Eigen::Matrix<double, 6, 1> twist = P * rows.col(l);
        double moved = 0, left = 0;
        for (std::size_t p = 0; p < points.size(); ++p) {
            const Vector3d u = rows.block<3, 1>(3 * Eigen::Index(p), l);
            const Vector3d rigid = twist.head<3>() + twist.tail<3>().cross(points[p] - centre);
            moved += weights[p] * u.squaredNorm();
            left += weights[p] * (u - rigid).squaredNorm();
        }
        if (moved > 0) sum += std::sqrt(left / moved);
    }
    return count > 0 ? sum / double(count) : 0;
}

}  // namespace limber::build
