// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/stable_step.h"

#include <limber/integrate/central_differences.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

// The largest lambda of A x = lambda M x; an empty M is the unit matrix.
double largest_eigenvalue(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M) {
    if (M.size() == 0)
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .maxCoeff();
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(A, M, Eigen::EigenvaluesOnly)
        .eigenvalues()
        .maxCoeff();
}

}  // namespace

template <class Scalar>
double stable_dt(ReducedSystem<Scalar>& system, const Eigen::VectorXd& q, double alpha, double beta) {
    const Eigen::MatrixXd& mass = system.coefficients()->mass;
    const Eigen::MatrixXd K = system.stiffness(q).template cast<double>();
    const double square = std::max(0.0, largest_eigenvalue(K, mass));
    // Damping by strain rates weighs on the highest frequency at most by its own largest eigenvalue.
    const double viscous =
        system.damped() ? system.strain_rate() * largest_eigenvalue(system.viscosity(q), mass) : 0;
    const double omega = std::sqrt(square);
    if (omega > 0) return central_stable_dt(omega, alpha + viscous, beta);
    return alpha + viscous > 0 ? 2 / (alpha + viscous) : std::numeric_limits<double>::infinity();
}

template double stable_dt<double>(ReducedSystem<double>&, const Eigen::VectorXd&, double, double);
template double stable_dt<float>(ReducedSystem<float>&, const Eigen::VectorXd&, double, double);

}  // namespace limber
