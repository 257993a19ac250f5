// SPDX-License-Identifier: Apache-2.0
// The energy-momentum step of a free reduced body: Newton's method on the spin Ω⁺ and the velocity w⁺ of the
// coordinates at the end of a step. Equation numbers: docs/math/free_bodies.md.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/reduced/free_inertia.h>
#include <limber/reduced/free_state.h>
#include <limber/reduced/reduced_system.h>
#include <limber/rigid/rigid_body.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <memory>
#include <optional>

namespace limber {

// What a step brings from outside: of forces in world axes (N s), of torques about the centre in world axes
// (N m s), on the coordinates (N s/√kg).
struct FreeImpulse {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
    Eigen::VectorXd reduced;  // as many entries as coordinates are in use
};

// Of the deformation; the rigid motion is not damped.
struct FreeDamping {
    double alpha = 0, beta = 0;  // Rayleigh, 1/s and s
    double strain_rate = 0;      // s
};

// The equations of one step with their scratch memory. All in the coordinates in use; copies are independent.
class FreeEquation {
 public:
    FreeEquation(std::shared_ptr<const FreeInertia> inertia,
                 std::shared_ptr<const ReducedCoefficients<double>> elastic, double density_factor,
                 const FreeDamping& damping);

    const FreeInertia& inertia() const { return *inertia_; }
    double mass() const { return factor_ * inertia_->mass; }  // kg

    // Ω in body axes from I(q) Ω = RᵀL − H(q) w (7); nothing where I(q) is not positive definite. Leaves I
    // and H of the state's shape in shape().
    std::optional<Eigen::Vector3d> spin_of(const FreeState& state);
    const FreeShapeInertia& shape() const { return end_; }
    double kinetic_energy(const FreeState& state);  // (9)
    double elastic_energy(const FreeState& state);

    // One step of h seconds under the impulse, in one piece (8). Sets `to`, but for its time; the momenta of
    // `to` are exact whatever Newton's method left. converged = false: `to` is of no use.
    StepReport step(const FreeState& from, const FreeImpulse& impulse, double h, double tolerance,
                    FreeState& to);

    // The parts of step(), for tests: begin(), then unknowns (Ω⁺, w⁺), their residual and its derivative.
    bool begin(const FreeState& from, const Eigen::Vector3d& angular_momentum_at_end,
               const Eigen::VectorXd& reduced_impulse, double h);
    Eigen::VectorXd unknowns;           // 3 + r
    const Eigen::VectorXd& residual();  // at the unknowns
    const Eigen::MatrixXd& tangent();   // there, after residual()
    double relative_residual() const;   // of the last residual(): a momentum over that of the motion
    const Eigen::VectorXd& end_q() const { return q_end_; }

    // (2K(q̄) + K(q⁺))/3 of the last residual(), and the matrix of viscous damping at q̄ where there is one.
    const Eigen::MatrixXd& mean_stiffness() const { return mean_stiffness_; }
    const Eigen::MatrixXd* viscosity() const { return viscous_ ? &viscous_->damping : nullptr; }
    const FreeDamping& damping() const { return damping_; }
    double density_factor() const { return factor_; }

 private:
    Eigen::Index rank() const { return inertia_->rank(); }
    bool damping_feeds();

    std::shared_ptr<const FreeInertia> inertia_;
    std::shared_ptr<const ReducedCoefficients<double>> elastic_;
    double factor_;
    FreeDamping damping_;

    // The start of the step.
    double h_ = 0;
    Eigen::Vector3d spin_, turned_momentum_;  // Ω and RᵀL⁺
    Eigen::VectorXd q_, w_, momentum_, impulse_, force_at_start_;
    Eigen::Matrix<double, Eigen::Dynamic, 3> gyroscopic_;
    FreeShapeInertia start_, end_;
    double start_energy_ = 0;   // twice the kinetic energy of spin and shape
    double start_elastic_ = 0;  // J
    // The end, as the unknowns say.
    Eigen::Vector3d momentum_at_end_;  // exp(−hΩ̄) RᵀL⁺
    Eigen::VectorXd q_end_, q_mean_, w_mean_, product_, residual_, correction_;
    Eigen::Matrix<double, Eigen::Dynamic, 3> gyroscopic_end_, columns_;
    QuarticEval<double> eval_;
    Eigen::MatrixXd middle_stiffness_, mean_stiffness_, rate_, tangent_;
    std::optional<StrainRateEval> viscous_;
    double residual_size_ = 0, scale_ = 0, rounding_ = 0;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace limber
