// SPDX-License-Identifier: Apache-2.0
// Where constraint forces bring a warped body in one step: at most kMostConstraintIterations linear solves.
// docs/math/warping.md, section 8.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/companions.h>
#include <limber/warp/constraints.h>
#include <limber/warp/warping.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <vector>

namespace limber {

// Keeps the factors that do not change from step to step, and the memory of all others. What it returns
// depends on its arguments and the constraints only, not on earlier steps.
class ConstraintSolver {
 public:
    ConstraintSolver(std::shared_ptr<const WarpModel> model, std::shared_ptr<const Companions> companions,
                     Constraints constraints, Warping warping);

    const Constraints& constraints() const { return constraints_; }
    // The number of the constraint in its list; the target must be sound.
    void set_position(std::size_t position, const Eigen::Vector3d& displacement);
    void set_orientation(std::size_t orientation, const Eigen::Quaterniond& target);
    void set(Warping warping);  // prepare() must follow

    // Once for each step size: how far a modal force moves each mode in one step, entry by entry, above 0.
    void prepare(const Eigen::ArrayXd& compliance);
    // Moves q, the end of the step without constraints, to where the constraint forces bring it. `start`: q
    // at the start of the step; `rotations`: the rotation vectors that orientations are met by, rad.
    // Allocates nothing. Returns the linear solves, at most kMostConstraintIterations - 1.           (14) to
    // (17), (22)
    int solve(const Eigen::VectorXd& start, const std::vector<Eigen::Vector3d>& rotations, int most,
              Eigen::VectorXd& q);
    // The same for the task that comes first only, from q itself; at most `most` linear solves. After solve()
    // in this step.
    bool has_two_tasks() const { return tasks_[1].r.size() > 0; }
    int solve_first(int most, Eigen::VectorXd& q) { return meet(1, most, q); }
    // Gives the constrained vertices the mean velocity of their path from `start` to q, dt later. One linear
    // solve. After solve() in this step.                                                              (23)
    void brake(const Eigen::VectorXd& start, const Eigen::VectorXd& q, double dt, Eigen::VectorXd& v);
    // The errors that are left at q, after solve() in this step.
    ConstraintReport report(const Eigen::VectorXd& q) const;

 private:
    // One kind of constraint: k = 3·count rows.
    struct Task {
        bool position = true;
        Eigen::MatrixXd J;          // k x m: how the constrained quantity moves with q
        Eigen::MatrixXd A, free_A;  // k x 3·exercised: with the forces; with those the first task leaves
        Eigen::MatrixXd gram;       // k x k
        Eigen::LLT<Eigen::MatrixXd> llt;  // of A Aᵀ or free_A free_Aᵀ, damped
        Eigen::VectorXd r, y;             // k: the residual; scratch
    };

    bool uses_own_forces() const { return constraints_.exercised.empty(); }
    PositionMethod method() const;  // the simplest one that meets positions as well
    bool uses_newton() const;       // positions, by Newton's method
    void set_residual(Task& task, const Eigen::VectorXd& q);
    // The Jacobian of a task at q.
    void write_jacobian(const Task& task, const Eigen::VectorXd& q, Eigen::Ref<Eigen::MatrixXd> out) const;
    void factorise(const Eigen::VectorXd& q);
    void factorise();
    // dq of the first `count` tasks, from their residuals.                                            (16)
    void correct(std::size_t count, Eigen::VectorXd& out_dq);
    double merit(std::size_t count, const Eigen::VectorXd& q);
    // Each returns the linear solves it took, at most `most`.
    int meet(std::size_t count, int most, Eigen::VectorXd& q);
    int meet_by_priority(int most, Eigen::VectorXd& q);
    int meet_predicted(int most, Eigen::VectorXd& q);
    int find_nearest(int most, Eigen::VectorXd& q);
    // R̃ and companions, or the tangent, at q.
    void predict(const Eigen::VectorXd& q);
    bool predicts_tangent() const;
    Task& position_task() { return tasks_[tasks_[0].position ? 0 : 1]; }
    double largest_error(const Task& task, const Eigen::VectorXd& q) const;
    Eigen::Vector3d error(const Task& task, std::size_t which, const Eigen::VectorXd& q) const;
    // Φq + Γz of a vertex.
    Eigen::Vector3d unrotated(int vertex, const Eigen::VectorXd& q, const Eigen::VectorXd& z) const;
    const Eigen::VectorXd& amplitudes(const Eigen::VectorXd& q) const;

    std::shared_ptr<const WarpModel> model_;
    mutable CompanionsAt companions_;  // remembers the last q
    Constraints constraints_;
    Warping warping_;
    std::array<Task, 2> tasks_;                      // by priority; k = 0: none of that kind
    std::vector<Eigen::Vector3d> rotation_targets_;  // of the constrained orientations, in this step
    // R̃ of the constrained positions as it is predicted, at first from the start of the step; its inverse.
    std::vector<Eigen::Matrix3d> mean_, mean_inverse_;
    Eigen::MatrixXd force_rows_, B_, cross_, solved_;  // Φ_x; diag(η) Φ_xᵀ U⁻¹; A₂A₁ᵀ; F₁⁻¹A₁
    Eigen::MatrixXd force_gram_;                       // Φ_x diag(η) Φ_xᵀ = UᵀU, damped
    Eigen::LLT<Eigen::MatrixXd> force_llt_;
    Eigen::VectorXd root_;  // √η, B's diagonal where no vertices are exercised
    Eigen::VectorXd force_, dq_, trial_, free_, best_;
    Eigen::VectorXd predicted_z_;  // of the companions, as mean_
    // Where the tangent is taken, the residual of the positions there; and the distance from there.
    Eigen::VectorXd predicted_q_, predicted_error_, offset_;
    // Of brake(), rows of all constraints: J; J or JΦ_xᵀ; its square; the velocity that is missing.
    Eigen::MatrixXd jacobian_, impulse_A_, impulse_gram_;
    Eigen::LLT<Eigen::MatrixXd> impulse_llt_;
    Eigen::VectorXd velocity_;
};

}  // namespace limber
