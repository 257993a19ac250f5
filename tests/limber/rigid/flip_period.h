// SPDX-License-Identifier: Apache-2.0
// The period of a rigid body that tumbles about its intermediate axis.
#pragma once
#include <Eigen/Core>
#include <cmath>
#include <numbers>

namespace limber::test {

// K(k), by the arithmetic-geometric mean.
inline double elliptic_integral(double k_squared) {
    double a = 1, b = std::sqrt(1 - k_squared);
    while (std::abs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / (2 * a);
}

// Landau & Lifshitz, Mechanics, section 37: ω₂ ~ sn(τ), τ = t √((I₃−I₂)(L²−2EI₁)/(I₁I₂I₃)), for L² > 2EI₂.
inline double flip_period(const Eigen::Vector3d& I, const Eigen::Vector3d& spin) {
    const double E2 = spin.cwiseProduct(I).dot(spin), L2 = spin.cwiseProduct(I).squaredNorm();
    const double k_squared = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
    return 4 * elliptic_integral(k_squared) / std::sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / I.prod());
}

}  // namespace limber::test
