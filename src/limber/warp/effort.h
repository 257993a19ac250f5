// SPDX-License-Identifier: Apache-2.0
// How much energy the forces of constraints may leave in a body. docs/math/warping.md, section 9.
#pragma once
#include <limber/warp/constraints.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber {

// The mode that takes the least energy to turn some vertex by 1 rad, and its amplitude then, m·√kg. Nothing
// turns: infinite. Looks at all vertices, once for each body.
struct SoftestTurn {
    Eigen::Index mode = 0;
    double amplitude = 0;
    double way = 0;  // of the vertex that it moves farthest, m
};
SoftestTurn softest_turn(const WarpModel& model);

// Follows what the targets themselves ask for, whatever the body does: the shape q* of least elastic energy
// that meets them as well as the modes can, and how fast it moves.
class Effort {
 public:
    // present: q when the constraints begin; there is at least one.
    Effort(const WarpModel& model, const SoftestTurn& softest, const Constraints& constraints,
           const Eigen::VectorXd& present);

    // The most energy of an oscillator of unit mass, once for each step, with the targets as they are now, dt
    // after the last. eigenvalues: those of the step; load: the modal forces. Allocates nothing.        (21)
    double limit(const Constraints& constraints, const Eigen::VectorXd& eigenvalues,
                 const Eigen::VectorXd& load, double dt);

 private:
    Eigen::VectorXd per_eigenvalue_;  // 1/λ as built
    SoftestTurn softest_;
    Eigen::MatrixXd J_;                        // k x m, Φ and Ψ of the constrained vertices, rows scaled
    Eigen::VectorXd row_scale_;                // k
    Eigen::LLT<Eigen::MatrixXd> compliance_;   // of J Λ⁻¹ Jᵀ, damped
    std::vector<Eigen::Vector3d> rotations_;   // of the orientation targets, followed through whole turns
    Eigen::VectorXd target_, shape_, before_;  // k; q* now and in the step before
    double moved_before_ = 0;                  // (dq*/dt)² of the step before
};

// ½|v|² + ½qᵀΛq of oscillators of unit mass.
double oscillator_energy(const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v);

// How much of v a body of shape q may keep so that its energy is no more than `allowed`: 0 to 1; nothing
// where the shape alone has more.
std::optional<double> affordable_speed(const Eigen::VectorXd& eigenvalues, const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& v, double allowed);

// An oscillator's end of a step, and what constraints would add to it.
struct Push {
    const Eigen::VectorXd &eigenvalues, &q, &v, &dq, &dv;
};
// The largest share, 0 to 1, of dq and dv after which the energy ½|v|² + ½qᵀΛq is no more than `limit`, or no
// more than without them.
double affordable_share(const Push& push, double limit);

}  // namespace limber
