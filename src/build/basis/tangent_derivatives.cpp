// SPDX-License-Identifier: Apache-2.0
// Derivatives of the tangent vibration modes (paper 1, appendix D). docs/math/basis.md, section 4.
#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"
#include "build/fem/sparse_cholesky.h"

#include <limber/input_error.h>
#include <Eigen/Dense>

#include <cmath>

namespace limber::build {
namespace {

constexpr double kTolerance = 1e-11;  // of conjugate gradients, on the residual
constexpr int kMaxIterations = 300;
constexpr double kRepeated = 1e-6;  // eigenvalues that agree to this fraction count as one

// Known eigenvectors Θ (rigid motions, then modes) with their eigenvalues, and what solves need besides.
class ModeSpace {
 public:
    ModeSpace(const FemModel& model, const ModesResult& modes, MassKind mass) : metric_(model, mass) {
        const Eigen::MatrixXd rigid = metric_.rigid_motions(model), shapes = free_rows(model, modes.shapes);
        V_.resize(shapes.rows(), rigid.cols() + shapes.cols());
        V_ << rigid, shapes;
        MV_ = metric_.times(V_);
        values_.setZero(V_.cols());
        values_.tail(shapes.cols()) = modes.eigenvalues;

        Eigen::VectorXd force;
        force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, K_);
        // K + λ₁M is positive definite, with or without rigid motions.
        SparseMatrix shifted = K_;
        shifted.coeffs() += modes.eigenvalues[0] * mass_matrix(model, mass).coeffs();
        factor_.emplace(shifted);
        if (!factor_->factorize(shifted))
            throw InputError{"modes", "the first eigenvalue is not positive",
                             "limber mesh info shows parts that hang by an edge or by a vertex"};
    }

    // (K - λM) X = B for λ = eigenvalue number `index`. Components along known eigenvectors of the same
    // eigenvalue are not determined by it: they become zero.                                           (8)
    Eigen::MatrixXd solve(Eigen::Index index, const Eigen::MatrixXd& B) const {
        const double lambda = values_[index];
        const Eigen::MatrixXd along = V_.transpose() * B;
        Eigen::MatrixXd components = Eigen::MatrixXd::Zero(along.rows(), along.cols());
        for (Eigen::Index l = 0; l < V_.cols(); ++l)
            if (std::abs(values_[l] - lambda) > kRepeated * lambda)
                components.row(l) = along.row(l) / (values_[l] - lambda);
        return V_ * components + solve_beside(lambda, B - MV_ * along);
    }

    Eigen::Index rigid_count() const { return V_.cols() - mode_count(); }
    Eigen::Index mode_count() const { return (values_.array() > 0).count(); }
    // B less its part along eigenvector number `index`, so that (8) has a solution.
    Eigen::MatrixXd solvable(Eigen::Index index, const Eigen::MatrixXd& B) const {
        return B - MV_.col(index) * (V_.col(index).transpose() * B);
    }

 private:
    // Beside the known modes K - λM is positive definite: conjugate gradients there, all columns at once,
    // with K + λ₁M as preconditioner.
    Eigen::MatrixXd solve_beside(double lambda, Eigen::MatrixXd R) const {
        Eigen::MatrixXd X = Eigen::MatrixXd::Zero(R.rows(), R.cols());
        const Eigen::RowVectorXd goal = kTolerance * R.colwise().norm();
        Eigen::MatrixXd Z = precondition(R), P = Z;
        Eigen::RowVectorXd rz = R.cwiseProduct(Z).colwise().sum();
        for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
            if ((R.colwise().norm().array() <= goal.array()).all()) break;
            const Eigen::MatrixXd AP = K_.selfadjointView<Eigen::Lower>() * P - lambda * metric_.times(P);
            const Eigen::RowVectorXd curvature = P.cwiseProduct(AP).colwise().sum();
            Eigen::RowVectorXd step(P.cols());
            for (Eigen::Index j = 0; j < P.cols(); ++j)  // a finished column stays where it is
                step[j] = curvature[j] > 0 && R.col(j).norm() > goal[j] ? rz[j] / curvature[j] : 0;
            X += P * step.asDiagonal();
            R -= AP * step.asDiagonal();
            Z = precondition(R);
            const Eigen::RowVectorXd next = R.cwiseProduct(Z).colwise().sum();
            for (Eigen::Index j = 0; j < P.cols(); ++j)
                P.col(j) = Z.col(j) + (rz[j] > 0 ? next[j] / rz[j] : 0) * P.col(j);
            rz = next;
        }
        return X;
    }

    Eigen::MatrixXd precondition(const Eigen::MatrixXd& R) const {
        const Eigen::MatrixXd Z = factor_->solve(R);
        return Z - V_ * (MV_.transpose() * Z);
    }

    MassMetric metric_;
    Eigen::MatrixXd V_, MV_;
    Eigen::VectorXd values_;
    SparseMatrix K_;
    std::optional<SparseCholesky> factor_;
};

}  // namespace

Eigen::MatrixXd tangent_mode_derivatives(const FemModel& model, const ModesResult& modes, MassKind mass,
                                         const Progress& progress) {
    require_modes(model, modes);
    const int k = int(modes.shapes.cols());
    tell(progress, "factorisation", 0);
    const ModeSpace space(model, modes, mass);
    Eigen::MatrixXd out(3 * model.vertex_count(), Eigen::Index(k) * k);
    for (int i = 0; i < k; ++i) {
        tell(progress, "modal derivatives", double(i) / k);
        std::vector<std::pair<int, int>> pairs;
        for (int j = 0; j < k; ++j)
            pairs.emplace_back(i, j);
        const Eigen::Index index = space.rigid_count() + i;
        const Eigen::MatrixXd loads = free_rows(model, quadratic_forces(model, modes.shapes, pairs));
        out.middleCols(Eigen::Index(i) * k, k) =
            all_rows(model, space.solve(index, space.solvable(index, loads)));
    }
    tell(progress, "modal derivatives", 1);
    return out;
}

}  // namespace limber::build
