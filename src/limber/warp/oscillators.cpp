// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/oscillators.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Of that of the semi-implicit step.
constexpr double kLeastCompliance = 1e-6;

// The free motion of y = q - f/λ with γ = (α + βλ)/2:
//     y(h) = (C + γS) y + S v,   v(h) = (C - γS) v - λS y                                        (10)
// C = e^{-γh} cos ωh, S = e^{-γh} sin(ωh)/ω, ω² = λ - γ², or their hyperbolic forms where ω² < 0.
struct Decay {
    double C, S;
};

Decay decay(double lambda, double gamma, double h) {
    const double square = lambda - gamma * gamma;
    if (square >= 0) {
        const double omega = std::sqrt(square), angle = omega * h, envelope = std::exp(-gamma * h);
        // sin(x)/x = 1 - x²/6 to rounding below 1e-4.
        const double sinc = angle < 1e-4 ? 1 - angle * angle / 6 : std::sin(angle) / angle;
        return {envelope * std::cos(angle), envelope * h * sinc};
    }
    // Two real rates; the slow one without cancellation: γ - σ = λ/(γ + σ).
    const double sigma = std::sqrt(-square);
    const double slow = std::exp(-lambda / (gamma + sigma) * h), fast = std::exp(-(gamma + sigma) * h);
    const double spread = 2 * sigma * h;
    const double S = spread < 1e-4 ? fast * h * (1 + spread / 2 + spread * spread / 6)
                     : spread < 1  ? fast * std::expm1(spread) / (2 * sigma)
                                   : (slow - fast) / (2 * sigma);
    return {0.5 * (slow + fast), S};
}

}  // namespace

void set_coefficients(const Eigen::VectorXd& eigenvalues, double alpha, double beta, double dt,
                      OscillatorStep kind, OscillatorCoefficients& out) {
    const Eigen::Index size = eigenvalues.size();
    for (Eigen::ArrayXd* a : {&out.qq, &out.qv, &out.qf, &out.vq, &out.vv, &out.vf, &out.qc, &out.vd})
        a->resize(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        const double lambda = eigenvalues[i], damping = alpha + beta * lambda;
        if (kind == OscillatorStep::SemiImplicit) {
            const double d = 1 + dt * damping + dt * dt * lambda;  // (9)
            out.qq[i] = (1 + dt * damping) / d;
            out.qv[i] = dt / d;
            out.qf[i] = dt * dt / d;
            out.vq[i] = -dt * lambda / d;
            out.vv[i] = 1 / d;
            out.vf[i] = dt / d;
            out.qc[i] = out.qf[i];
        } else {
            const double gamma = damping / 2;
            const auto [C, S] = decay(lambda, gamma, dt);
            out.qq[i] = C + gamma * S;
            out.qv[i] = S;
            out.qf[i] = (1 - out.qq[i]) / lambda;
            out.vq[i] = -lambda * S;
            out.vv[i] = C - gamma * S;
            out.vf[i] = S;
            // Whole periods in a step, qf = S = 0: no force that is held for them moves the mode.
            out.qc[i] = std::max(out.qf[i], kLeastCompliance * dt * dt / (1 + dt * dt * lambda));
        }
        out.vd[i] = out.vf[i] / out.qc[i];
    }
}

}  // namespace limber
