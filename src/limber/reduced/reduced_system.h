// SPDX-License-Identifier: Apache-2.0
// A reduced body as the `System` of limber/integrate: dense, in the coordinates in use.
//     M̃ q̈ + (alpha M̃ + beta K(q)) q̇ + D(q, q̇) + R(q) = f̃          docs/math/reduced_stvk.md (10)
#pragma once
#include <limber/integrate/average_vector_field.h>
#include <limber/integrate/implicit_step.h>
#include <limber/reduced/quartic_form.h>
#include <limber/reduced/small_cholesky.h>
#include <limber/reduced/strain_form.h>

#include <Eigen/LU>
#include <limits>
#include <memory>
#include <optional>

namespace limber {

// What bodies of one model with the same materials and coordinates share.
template <class Scalar>
struct ReducedCoefficients {
    QuarticForm<Scalar> energy;
    Eigen::VectorXd strain_form;  // W, packed; empty unless strain rates are damped
    Eigen::MatrixXd mass;         // M̃; empty: the unit matrix
};

template <class Scalar>
class ReducedSystem {
 public:
    ReducedSystem(std::shared_ptr<const ReducedCoefficients<Scalar>> coefficients, double strain_rate);

    const std::shared_ptr<const ReducedCoefficients<Scalar>>& coefficients() const { return coefficients_; }

    void mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const;
    void mass_solve(const Eigen::VectorXd& b, Eigen::VectorXd& out);
    void force(const Eigen::VectorXd& q, Eigen::VectorXd& out);
    void linearize(const Eigen::VectorXd& q, Eigen::VectorXd& out);
    void linearize_end(const Eigen::VectorXd& q, Eigen::VectorXd& out);
    void stiffness_times(const Eigen::VectorXd& x, Eigen::VectorXd& out);
    double force_rounding(const Eigen::VectorXd& q) const;

    // The viscous force eta JᵀWJ q̇ at the kept point, and whether there is one. (9)
    bool damped() const { return strain_rate_ != 0; }
    double strain_rate() const { return strain_rate_; }  // eta, s
    void damping_force(const Eigen::VectorXd& v, Eigen::VectorXd& out);

    // Cholesky; with strain-rate damping, whose matrix is not symmetric, LU. Where the symmetric part is not
    // positive definite, a multiple of the unit matrix is added: the correction is then damped.
    LinearReport solve(const TangentWeights& weights, const Eigen::VectorXd& v, const Eigen::VectorXd& b,
                       double tolerance, Eigen::VectorXd& out);

    // Sets out to the symmetric part of A with K(q), shifted like that of solve() where it takes that.
    void tangent(const TangentWeights& weights, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                 Eigen::MatrixXd& out);

    double energy(const Eigen::VectorXd& q);
    // The matrices at q, for stability limits; the first allocates.
    const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& stiffness(const Eigen::VectorXd& q);
    const Eigen::MatrixXd& viscosity(const Eigen::VectorXd& q);  // JᵀWJ, with damped() only

    // Keeps q with the force and stiffness that somebody else found there: linearize() at the kept point
    // computes nothing.
    template <class Force, class Stiffness>
    void keep(const Eigen::VectorXd& q, const Force& force, const Stiffness& stiffness) {
        kept_ = q;
        kept_force_ = force;
        eval_.stiffness = stiffness;
    }
    void forget_kept() { kept_.setConstant(std::numeric_limits<double>::quiet_NaN()); }

 private:
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    void combine(const TangentWeights& weights, const Eigen::VectorXd& v);  // into matrix_
    std::optional<Scalar> factorize_shifted(const Matrix& symmetric);       // the shift

    std::shared_ptr<const ReducedCoefficients<Scalar>> coefficients_;
    double strain_rate_;  // eta, s
    int rank_;
    QuarticEval<Scalar> eval_;
    Eigen::VectorXd kept_;  // the kept point: eval_.stiffness belongs to it; NaN: none
    Vector kept_force_;
    Vector x_, y_;  // scratch
    Matrix end_stiffness_, rate_, matrix_, symmetric_;
    SmallCholesky<Scalar> cholesky_;
    std::optional<SmallCholesky<double>> mass_factor_;
    std::optional<StrainRateEval> viscous_;
    std::optional<Eigen::PartialPivLU<Matrix>> lu_;
};

extern template class ReducedSystem<double>;
extern template class ReducedSystem<float>;

}  // namespace limber
