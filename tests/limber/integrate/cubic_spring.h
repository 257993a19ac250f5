// SPDX-License-Identifier: Apache-2.0
// The smallest body with all that StVK has: R(u) = k u + c |u|^2 u with a full mass matrix, in three
// unknowns.
#pragma once
#include <limber/integrate/implicit_step.h>

#include <Eigen/Dense>

namespace limber::testing {

inline const Eigen::VectorXd kNoForce = Eigen::VectorXd::Zero(3);

struct CubicSpring {
    double k = 100, c = 0;     // N/m, N/m^3
    bool exact_matrix = true;  // false: leaves dK[v] out, as appendix C of Barbič & James 2005 does
    bool solvable = true;
    Eigen::Matrix3d M = (Eigen::Matrix3d() << 2, 0.3, 0, 0.3, 1, 0.1, 0, 0.1, 1.5).finished();
    Eigen::Vector3d at = Eigen::Vector3d::Zero();

    Eigen::Matrix3d stiffness(const Eigen::Vector3d& u) const {
        return (k + c * u.squaredNorm()) * Eigen::Matrix3d::Identity() + 2 * c * u * u.transpose();
    }
    double energy(const Motion& motion) const {
        const double square = motion.u.squaredNorm();
        return 0.5 * motion.v.dot(M * motion.v) + 0.5 * k * square + 0.25 * c * square * square;
    }
    Eigen::Vector3d acceleration(const Eigen::Vector3d& u, const Eigen::Vector3d& v, double alpha,
                                 double beta) const {
        return M.inverse() * (-(k + c * u.squaredNorm()) * u - alpha * M * v - beta * stiffness(u) * v);
    }

    void mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const { out = M * x; }
    void mass_solve(const Eigen::VectorXd& b, Eigen::VectorXd& out) const { out = M.inverse() * b; }
    void force(const Eigen::VectorXd& u, Eigen::VectorXd& out) const { out = (k + c * u.squaredNorm()) * u; }
    void linearize(const Eigen::VectorXd& u, Eigen::VectorXd& out) {
        at = u;
        force(u, out);
    }
    void stiffness_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const { out = stiffness(at) * x; }
    double force_rounding(const Eigen::VectorXd&) const { return 0; }
    LinearReport solve(const TangentWeights& weights, const Eigen::VectorXd& v, const Eigen::VectorXd& b,
                       double, Eigen::VectorXd& out) const {
        Eigen::Matrix3d A = weights.mass * M + weights.stiffness * stiffness(at);
        const Eigen::Vector3d w = v;
        if (exact_matrix)
            A += weights.rate * 2 * c *
                 (at.dot(w) * Eigen::Matrix3d::Identity() + at * w.transpose() + w * at.transpose());
        out = A.partialPivLu().solve(b);
        return {.solved = solvable, .iterations = 1, .refactored = true};
    }
};

inline Motion moving(const CubicSpring& spring, double alpha, double beta) {
    const Eigen::Vector3d u(0.3, -0.2, 0.1), v(1, 2, -0.5);
    return {u, v, spring.acceleration(u, v, alpha, beta)};
}

}  // namespace limber::testing
