// SPDX-License-Identifier: Apache-2.0
// Uncoupled damped oscillators of unit mass under a force that is constant in a step:
//     q̈ + (α + βλ) q̇ + λ q = f                                            docs/math/warping.md (8)
#pragma once
#include <limber/words.h>

#include <Eigen/Core>

namespace limber {

enum class OscillatorStep {
    SemiImplicit,  // backward Euler: the paper's eq. 19; damps
    ClosedForm,    // exact whatever the step
};
template <>
struct EnumWords<OscillatorStep> {
    static constexpr WordValue<OscillatorStep> kAll[] = {{"semi-implicit", OscillatorStep::SemiImplicit},
                                                         {"closed-form", OscillatorStep::ClosedForm}};
};

// q' = qq q + qv v + qf f,  v' = vq q + vv v + vf f, entry by entry.
struct OscillatorCoefficients {
    Eigen::ArrayXd qq, qv, qf, vq, vv, vf;
    // Constraints that hold a modal force g for the step: dq = qc g, dv = vd dq.                (20)
    Eigen::ArrayXd qc, vd;
};

// One entry per eigenvalue λ > 0, 1/s²; α in 1/s and β in s are not negative; dt > 0 in s. Sets `out`, which
// takes memory only if its size changes.                                                     (9), (10)
void set_coefficients(const Eigen::VectorXd& eigenvalues, double alpha, double beta, double dt,
                      OscillatorStep kind, OscillatorCoefficients& out);

}  // namespace limber
