// SPDX-License-Identifier: Apache-2.0
// Vertices that are dragged and turned: position and orientation constraints as forces on chosen vertices.
// docs/math/warping.md, section 8.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/warping.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
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

enum class PositionMethod {
    Predicted,  // with the rotations of the unconstrained step: fast, and leaves an error, which is reported
    Newton,     // until the positions are met
    Previous,   // shape and targets with the rotations of the step before: met, but one step late
};

struct Manipulation {
    std::vector<PositionConstraint> positions{};
    std::vector<OrientationConstraint> orientations{};
    std::vector<int> exercised{};  // vertices that the forces act on; empty: those that are constrained
    TaskPriority priority = TaskPriority::PositionFirst;
    PositionMethod method = PositionMethod::Predicted;
};

// Vertices that are unknown or cannot move, targets that are not finite, quaternions not of unit length.
std::optional<InputError> manipulation_problem(const WarpModel& model, const Manipulation& manipulation);

std::optional<InputError> orientation_problem(const Eigen::Quaterniond& target);

// What the last step left: redundant, contradictory and unreachable targets are met as well as can be.
struct ManipulationReport {
    double position_error = 0;     // the largest, m
    double orientation_error = 0;  // the largest, rad
    int iterations = 0;
    double share = 1;  // of the corrections that their energy allowed; below 1 the forces suit them badly
};

// Keeps the factors that do not change from step to step, and the memory of all others.
class Manipulator {
 public:
    Manipulator(const WarpModel& model, Manipulation manipulation, Warping warping);

    const Manipulation& manipulation() const { return manipulation_; }
    // The number of the constraint in its list; the target must be sound.
    void move(std::size_t position, const Eigen::Vector3d& displacement);
    void turn(std::size_t orientation, const Eigen::Quaterniond& target);
    void set(Warping warping);  // prepare() must follow

    // Once for each step size: how far a modal force moves each mode in one step, entry by entry.
    void prepare(const Eigen::ArrayXd& compliance);
    // Moves q, which the step without constraints gave, to where the constraint forces bring it. Orientations
    // are met by the rotation vectors nearest to those of `present`, where the step began. Allocates nothing.
    // Returns the corrections it took.                                                    (14) to (17)
    int apply(const Eigen::VectorXd& present, Eigen::VectorXd& q);
    bool has_two_tasks() const { return tasks_[1].r.size() > 0; }
    // The same for the task that comes first alone, after apply() in this step.
    int apply_first(Eigen::VectorXd& q) { return iterate(1, q); }
    // The errors that are left at q, after apply() in this step.
    ManipulationReport report(const Eigen::VectorXd& q) const;

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
    void set_slopes(Task& task, const Eigen::VectorXd& q);
    void factorise();
    // The first `count` tasks alone.
    void correct(std::size_t count, Eigen::VectorXd& out_dq);
    double merit(std::size_t count, const Eigen::VectorXd& q);
    int iterate(std::size_t count, Eigen::VectorXd& q);
    double largest_error(const Task& task, const Eigen::VectorXd& q) const;
    Eigen::Vector3d missing(const Task& task, std::size_t which, const Eigen::VectorXd& q) const;

    const WarpModel* model_;
    Manipulation manipulation_;
    Warping warping_;
    std::array<Task, 2> tasks_;                      // by priority; k = 0: none of that kind
    std::vector<Eigen::Vector3d> rotation_targets_;  // of the constrained orientations, in this step
    // R̃ of the constrained positions as predicted or as before the step, and its inverse.
    std::vector<Eigen::Matrix3d> mean_, mean_inverse_;
    Eigen::MatrixXd force_rows_, B_, cross_, solved_;  // Φ_x; diag(compliance) Φ_xᵀ; A₂A₁ᵀ; F₁⁻¹A₁
    Eigen::VectorXd force_, dq_, trial_;
};

}  // namespace limber
