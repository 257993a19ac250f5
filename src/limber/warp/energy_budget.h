// SPDX-License-Identifier: Apache-2.0
// How much energy constraint forces may leave in a body. docs/math/warping.md, section 9.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/constraints.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

namespace limber {

// The mode that takes the least energy to rotate some vertex by 1 rad, and its amplitude then, m·√kg;
// infinite where no mode rotates a vertex. Looks at all vertices, once for each model.
struct SoftestRotation {
    Eigen::Index mode = 0;
    double amplitude = 0;
};
SoftestRotation softest_rotation(const WarpModel& model);

// Follows from targets, loads and material only, not from the motion of the body: no feedback can raise it.
class EnergyBudget {
 public:
    // There is at least one constraint.
    EnergyBudget(const WarpModel& model, const SoftestRotation& softest, const Constraints& constraints);

    // The most energy of an oscillator of unit mass. rotations: rotation vectors of the orientation targets;
    // eigenvalues: those of the step; load: the modal forces. Allocates nothing.                      (21)
    double limit(const Constraints& constraints, const std::vector<Eigen::Vector3d>& rotations,
                 const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& load);

 private:
    Eigen::VectorXd per_eigenvalue_;  // 1/λ as built
    SoftestRotation softest_;
    Eigen::MatrixXd J_;                       // k x m, Φ and Ψ of the constrained vertices, rows scaled
    Eigen::VectorXd row_scale_;               // k
    Eigen::LLT<Eigen::MatrixXd> compliance_;  // of J Λ⁻¹ Jᵀ, damped
    Eigen::VectorXd target_, shape_;          // k; q*, m
};

// ½|v|² + ½qᵀΛq of oscillators of unit mass.
double oscillator_energy(const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v);

// The largest fraction s, 0 to 1, with ½(q + s dq)ᵀΛ(q + s dq) ≤ allowed; 0 where there is none.
double affordable_fraction(const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq, double allowed);

// The largest fraction s, 0 to 1, with ½|s v|² + ½qᵀΛq ≤ allowed; 0 where there is none.
double affordable_speed(const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& v, double allowed);

}  // namespace limber
