// SPDX-License-Identifier: Apache-2.0
#include "build/fem/highest_frequency.h"

#include <Eigen/Eigenvalues>
#include <random>

namespace limber::build {

double highest_frequency(const SparseMatrix& stiffness, const Eigen::VectorXd& lumped_mass) {
    const Eigen::Index n = stiffness.cols();
    if (n == 0) return 0;
    const Eigen::VectorXd scale = lumped_mass.cwiseSqrt().cwiseInverse();
    const Eigen::Index most_steps = std::min<Eigen::Index>(n, 200);

    // Lanczos without reorthogonalisation: ghosts only repeat values, the largest is right.
    Eigen::VectorXd q(n), previous = Eigen::VectorXd::Zero(n);
    std::mt19937 random(1);
    for (double& entry : q)
        entry = 2.0 * random() / std::mt19937::max() - 1.0;
    q.normalize();
    Eigen::VectorXd diagonal(most_steps), off_diagonal(most_steps);
    double bound = 0;
    for (Eigen::Index step = 0; step < most_steps; ++step) {
        Eigen::VectorXd next =
            scale.cwiseProduct(stiffness.selfadjointView<Eigen::Lower>() * scale.cwiseProduct(q));
        if (step > 0) next -= off_diagonal[step - 1] * previous;
        diagonal[step] = q.dot(next);
        next -= diagonal[step] * q;
        off_diagonal[step] = next.norm();
        previous = q;

        const Eigen::Index size = step + 1;
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
        eigen.computeFromTridiagonal(diagonal.head(size), off_diagonal.head(size - 1));
        const double largest = eigen.eigenvalues()[size - 1];
        const double error = off_diagonal[step] * std::abs(eigen.eigenvectors()(size - 1, size - 1));
        bound = largest + error;
        if (error <= 1e-3 * largest) break;
        q = next / off_diagonal[step];
    }
    return std::sqrt(bound);
}

}  // namespace limber::build
