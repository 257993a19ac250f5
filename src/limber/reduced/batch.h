// SPDX-License-Identifier: Apache-2.0
// Many bodies of one model: their energies, forces and stiffness matrices in one sweep over the coefficients
// for every register full of bodies. docs/math/reduced_stvk.md, section 8.
#pragma once
#include <limber/reduced/quartic_form.h>

namespace limber {

// What evaluate() fills for N bodies, and its scratch memory; made once for a rank and a number of bodies.
template <class Scalar>
struct QuarticBatch {
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    QuarticBatch(int rank, int bodies);
    Vector energy;     // N
    Matrix force;      // r x N, a column per body
    Matrix stiffness;  // r x rN, r columns per body; symmetric, both triangles

    // Scratch: the quantities of QuarticEval with one lane per body.
    struct {
        Vector x, z, Y, Y_cubic, cubic_force, linear_force, B;
        std::vector<std::ptrdiff_t> Y_row;
    } work;
};

// q: r x N, a column per body. Equals evaluate(form, q_k, out) for each body but for rounding. Allocates
// nothing.
template <class Scalar>
void evaluate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& q,
              QuarticBatch<Scalar>& out);

extern template struct QuarticBatch<double>;
extern template struct QuarticBatch<float>;

}  // namespace limber
