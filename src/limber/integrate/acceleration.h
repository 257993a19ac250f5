// SPDX-License-Identifier: Apache-2.0
// The equation of motion itself, and the parts of it that every integrator shares.
// docs/math/newmark.md (1).
#pragma once
#include <Eigen/Core>
#include <algorithm>

namespace limber {

// A body may bring damping D(u, v) beside Rayleigh's.
template <class S>
concept HasOwnDamping = requires(S& system, const Eigen::VectorXd& v, Eigen::VectorXd& out) {
    bool(system.damped());
    // D at the kept point.
    system.damping_force(v, out);
};

// Whether damping depends on the shape, so that the point must be kept to know it.
template <class System>
bool shape_damped(System& system, double beta) {
    if constexpr (HasOwnDamping<System>)
        return beta != 0 || system.damped();
    else
        return beta != 0;
}

// residual -= beta K v + D(u, v) at the kept point; returns the larger of the terms' norms.
template <class System>
double subtract_shape_damping(System& system, const Eigen::VectorXd& v, double beta, Eigen::VectorXd& product,
                              Eigen::VectorXd& residual) {
    double scale = 0;
    if (beta != 0) {
        system.stiffness_times(v, product);
        residual -= beta * product;
        scale = beta * product.norm();
    }
    if constexpr (HasOwnDamping<System>)
        if (system.damped()) {
            system.damping_force(v, product);
            residual -= product;
            scale = std::max(scale, product.norm());
        }
    return scale;
}

// a = M⁻¹ (f - beta K(u) v - D(u, v) - R(u)) - alpha v. `force` and `product` are scratch.
template <class System>
void acceleration(System& system, const Eigen::VectorXd& u, const Eigen::VectorXd& v,
                  const Eigen::VectorXd& f, double alpha, double beta, Eigen::VectorXd& force,
                  Eigen::VectorXd& product, Eigen::VectorXd& a) {
    const bool damped = shape_damped(system, beta);
    damped ? system.linearize(u, force) : system.force(u, force);
    force = f - force;
    if (damped) subtract_shape_damping(system, v, beta, product, force);
    system.mass_solve(force, a);
    a -= alpha * v;
}

}  // namespace limber
