// SPDX-License-Identifier: Apache-2.0
// Vertices that are dragged and turned: position and orientation constraints as forces on chosen vertices.
// docs/math/warping.md, section 8.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/companions.h>
#include <limber/warp/warping.h>
#include <limber/words.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

struct PositionConstraint {
    int vertex;                    // of the surface
    Eigen::Vector3d displacement;  // from its rest position, m, in the frame of the support
};

struct OrientationConstraint {
    int vertex;
    Eigen::Quaterniond orientation;  // of its local frame, of unit length, in the frame of the support
};

enum class TaskPriority { PositionFirst, OrientationFirst };
template <>
struct EnumWords<TaskPriority> {
    static constexpr WordValue<TaskPriority> kAll[] = {{"position", TaskPriority::PositionFirst},
                                                       {"orientation", TaskPriority::OrientationFirst}};
};

enum class PositionMethod {
    Predicted,  // with the rotations at the start of the step: fast, and leaves an error, which is reported
    Newton,     // until the positions are met
    Previous,   // shape and targets with the rotations of the step before: met, but one step late
};
template <>
struct EnumWords<PositionMethod> {
    static constexpr WordValue<PositionMethod> kAll[] = {{"predicted", PositionMethod::Predicted},
                                                         {"newton", PositionMethod::Newton},
                                                         {"previous", PositionMethod::Previous}};
};

struct Constraints {
    std::vector<PositionConstraint> positions{};
    std::vector<OrientationConstraint> orientations{};
    // Vertices that the forces act on; empty: forces and torques at the constrained vertices, of least
    // effort.
    std::vector<int> exercised{};
    TaskPriority priority = TaskPriority::PositionFirst;
    PositionMethod method = PositionMethod::Predicted;
};

// Vertices that are unknown or cannot move, targets that are not finite, quaternions not of unit length.
std::optional<InputError> constraints_problem(const WarpModel& model, const Constraints& constraints);

// The same vertices, in the same order, held in the same way; targets may differ.
bool same_constraints(const Constraints& a, const Constraints& b);

// Of "vertex" or "position constraint" number `which`.
std::optional<InputError> position_problem(const Eigen::Vector3d& displacement, const char* of, int which);
std::optional<InputError> orientation_problem(const Eigen::Quaterniond& target);

// What the last step left: redundant, contradictory and unreachable targets are met as well as can be.
struct ConstraintReport {
    double position_error = 0;     // the largest, m
    double orientation_error = 0;  // the largest, rad, 0 to π
    int iterations = 0;
    double share = 1;  // of the corrections that their energy allowed; below 1 the forces suit them badly
};

// Keeps the factors that do not change from step to step, and the memory of all others.
class ConstraintSolver {
 public:
    ConstraintSolver(std::shared_ptr<const WarpModel> model, std::shared_ptr<const Companions> companions,
                     Constraints constraints, Warping warping);

    const Constraints& constraints() const { return constraints_; }
    // The number of the constraint in its list; the target must be sound.
    void move(std::size_t position, const Eigen::Vector3d& displacement);
    void turn(std::size_t orientation, const Eigen::Quaterniond& target);
    void set(Warping warping);  // prepare() must follow

    // Once for each step size: how far a modal force moves each mode in one step, entry by entry, above 0.
    void prepare(const Eigen::ArrayXd& compliance);
    // Moves q, which the step without constraints gave, to where the constraint forces bring it. Orientations
    // are met by the rotation vectors nearest to those of `present`, where the step began. Allocates nothing.
    // Returns the corrections it took.                                                    (14) to (17)
    int apply(const Eigen::VectorXd& present, Eigen::VectorXd& q);
    // Chooses the rotation vectors that orientations are met by; apply() does it too.
    void aim(const Eigen::VectorXd& present);
    // Newton's method with own forces finds the shape near q, of those that meet the targets, by way of
    // `start`. Another q and another start may find another shape. After apply() in this step.         (22)
    bool can_choose() const { return uses_own_forces() && method() == PositionMethod::Newton; }
    int apply_from(const Eigen::VectorXd& start, Eigen::VectorXd& q);
    // Positions that come first, whatever shape that takes, on the way from `start`: where the whole way
    // fails at once, in parts down to `shortest`, a share of it; else the shape that is in the way. Slower
    // than apply_from(), and finds more. After apply() in this step.                                   (24)
    bool can_reach() const { return can_choose() && tasks_[0].position; }
    int reach(const Eigen::VectorXd& start, double shortest, Eigen::VectorXd& q);
    // The largest error of the task that comes first, m or rad; whether it is what rounding leaves.
    double miss(const Eigen::VectorXd& q) const { return largest_error(tasks_[0], q); }
    bool is_met(const Eigen::VectorXd& q) const;
    // Whether it has more equations than there are coordinates.
    bool asks_too_much() const { return tasks_[0].r.size() > dq_.size(); }
    bool has_two_tasks() const { return tasks_[1].r.size() > 0; }
    bool uses_own_forces() const { return constraints_.exercised.empty(); }
    // The same for the task that comes first alone, after apply() in this step.
    int apply_first(Eigen::VectorXd& q) { return iterate(1, q); }
    // Lets the constrained vertices move as fast as they did from `before` to q, which dt later meets the
    // targets, and no faster. After apply() in this step.                                             (23)
    void brake(const Eigen::VectorXd& before, const Eigen::VectorXd& q, double dt, Eigen::VectorXd& v);
    // The errors that are left at q, after apply() in this step.
    ConstraintReport report(const Eigen::VectorXd& q) const;

 private:
    // One kind of constraint: k = 3·count rows.
    struct Task {
        bool position = true;
        Eigen::MatrixXd J;          // k x m: how the constrained quantity moves with q
        Eigen::MatrixXd A, free_A;  // k x 3·exercised: with the forces; with those the first task leaves
        Eigen::MatrixXd gram;       // k x k
        Eigen::LLT<Eigen::MatrixXd> llt;  // of A Aᵀ or free_A free_Aᵀ, damped
        Eigen::VectorXd r, y;             // k: what is missing; scratch
    };

    PositionMethod method() const;  // the simplest one that meets positions as well
    void set_residual(Task& task, const Eigen::VectorXd& q, PositionMethod method);
    // How the constrained quantities of a task move with q at q.
    void write_slopes(const Task& task, const Eigen::VectorXd& q, Eigen::Ref<Eigen::MatrixXd> out) const;
    void factorise(const Eigen::VectorXd& q);
    void factorise();
    // The first `count` tasks alone.
    void correct(std::size_t count, Eigen::VectorXd& out_dq);
    double merit(std::size_t count, const Eigen::VectorXd& q, PositionMethod method);
    int iterate(std::size_t count, Eigen::VectorXd& q);
    int settle(std::size_t count, Eigen::VectorXd& q);
    double lag(double share, const Eigen::VectorXd& q);
    int pursue(double share, double close, Eigen::VectorXd& q);
    int apply_in_turn(Eigen::VectorXd& q);
    int apply_foretold(Eigen::VectorXd& q);
    void foretell(const Eigen::VectorXd& at);
    bool foretells_tangent() const;
    Task& position_task() { return tasks_[tasks_[0].position ? 0 : 1]; }
    double largest_error(const Task& task, const Eigen::VectorXd& q) const;
    Eigen::Vector3d missing(const Task& task, std::size_t which, const Eigen::VectorXd& q) const;
    // Φq + Γz of a vertex.
    Eigen::Vector3d unturned(int vertex, const Eigen::VectorXd& q, const Eigen::VectorXd& z) const;
    const Eigen::VectorXd& amplitudes(const Eigen::VectorXd& q) const;

    std::shared_ptr<const WarpModel> model_;
    mutable CompanionsAt companions_;  // remembers the last q
    Constraints constraints_;
    Warping warping_;
    std::array<Task, 2> tasks_;                      // by priority; k = 0: none of that kind
    std::vector<Eigen::Vector3d> rotation_targets_;  // of the constrained orientations, in this step
    // R̃ of the constrained positions as it is foretold, at first from the start of the step, and its inverse.
    std::vector<Eigen::Matrix3d> mean_, mean_inverse_;
    Eigen::MatrixXd force_rows_, B_, cross_, solved_;  // Φ_x; diag(γ) Φ_xᵀ U⁻¹; A₂A₁ᵀ; F₁⁻¹A₁
    Eigen::MatrixXd force_gram_;                       // Φ_x diag(γ) Φ_xᵀ = UᵀU, damped
    Eigen::LLT<Eigen::MatrixXd> force_llt_;
    Eigen::VectorXd root_;      // √γ, B's diagonal where no vertices are exercised
    Eigen::VectorXd softness_;  // 1/√λ
    Eigen::VectorXd force_, dq_, trial_, free_, best_;
    Eigen::VectorXd foretold_z_;  // of the companions, as mean_
    // Where the tangent is taken, what positions miss there; and how far from there.
    Eigen::VectorXd foretold_q_, foretold_missing_, offset_;
    // Of brake(), rows of all constraints: J; J or JΦ_xᵀ; its square; the speed that is missing.
    Eigen::MatrixXd slopes_, impulse_A_, impulse_gram_;
    Eigen::LLT<Eigen::MatrixXd> impulse_llt_;
    Eigen::VectorXd speed_;
};

}  // namespace limber
