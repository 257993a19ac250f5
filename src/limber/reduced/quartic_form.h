// SPDX-License-Identifier: Apache-2.0
// The reduced St.Venant-Kirchhoff energy as a polynomial of degree four in the reduced coordinates q,
// evaluated with its gradient and Hessian in one sweep over the coefficients. Derivation and symbols:
// docs/math/reduced_stvk.md; equation numbers are that page's.
//
//     V = ½ qᵀ K₁ q + Σ γ_bcd q_b q_c q_d + Σ γ_abcd q_a q_b q_c q_d,   0 <= a <= b <= c <= d < r (6)
#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace limber {

// Scalar is double or float. Each coefficient is stored once, in the order in which evaluate() reads it. That
// order depends on the width of the machine's registers: it is never written to a file. symmetrize() makes
// forms.
template <class Scalar>
struct QuarticForm {
    int rank = 0;                                                  // r
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> linear;  // K₁, r x r, symmetric, both triangles
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> coefficients;         // γ; padding is zero

    QuarticForm() = default;
    explicit QuarticForm(int rank);  // zero

    // γ_bcd, b <= c <= d, and γ_abcd, a <= b <= c <= d; slow, they search.
    Scalar& cubic(int b, int c, int d);
    Scalar& quartic(int a, int b, int c, int d);
};

// What evaluate() fills, and its scratch memory; made once for a rank.
template <class Scalar>
struct QuarticEval {
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    explicit QuarticEval(int rank);
    Scalar energy = 0;  // V
    Vector force;       // R(q) = dV/dq, r
    Matrix stiffness;   // K(q) = dR/dq, r x r, symmetric, both triangles

    // Scratch, padded to whole registers; the letters are those of section 6 of the page.
    struct {
        Vector x;           // q, then zeros
        Vector z;           // the products q_c q_d, c <= d, then zeros
        Vector Y;           // a packed triangle per coordinate
        Vector Y_cubic, P;  // one packed triangle each
        // Coordinate i's entry for product p is Y[Y_row[i] + p].
        std::vector<std::ptrdiff_t> Y_row;
        Vector cubic_force, linear_force;  // dV₃/dq, K₁q
        Vector moved;                      // q + s v
        // K - K₁ in the end.
        Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> B;
    } work;
};

// Energy, force and stiffness: r⁴/8 + O(r³) multiply-adds in one sweep over the coefficients. Allocates
// nothing. q has at least r entries; where they are infinite or undefined, so is the result.
template <class Scalar>
void evaluate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
              QuarticEval<Scalar>& out);

// Only energy and force, in two thirds of the time; out.stiffness is left as it was. (13)
template <class Scalar>
void evaluate_force(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
                    QuarticEval<Scalar>& out);

// The derivative of the stiffness at q along v, dK(q)[v] = T₃·v + S₄:(q vᵀ), r x r and symmetric: what
// damping by beta K(q) adds to Newton's matrix. Two sweeps; uses the scratch memory of `eval` and does not
// change its results. (14)
template <class Scalar>
void stiffness_rate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
                    const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& v, QuarticEval<Scalar>& eval,
                    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out);

extern template struct QuarticForm<double>;
extern template struct QuarticForm<float>;
extern template struct QuarticEval<double>;
extern template struct QuarticEval<float>;

}  // namespace limber
