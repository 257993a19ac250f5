// SPDX-License-Identifier: Apache-2.0
// Position and orientation constraints on chosen vertices. docs/math/warping.md, section 8.
#pragma once
#include <limber/input_error.h>
#include <limber/model/warp_model.h>
#include <limber/words.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
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
    Newton,     // until the positions are met, or the iterations of the step are used up
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
    // energy.
    std::vector<int> exercised{};
    TaskPriority priority = TaskPriority::PositionFirst;
    PositionMethod positions_by = PositionMethod::Predicted;
};

// Vertices that are unknown or cannot move, targets that are not finite, quaternions not of unit length.
std::optional<InputError> constraints_problem(const WarpModel& model, const Constraints& constraints);

// The same vertices, in the same order, constrained in the same way; targets may differ.
bool same_constraints(const Constraints& a, const Constraints& b);

// Of "vertex" or "position constraint" number `which`.
std::optional<InputError> position_problem(const Eigen::Vector3d& displacement, const char* of, int which);
std::optional<InputError> orientation_problem(const Eigen::Quaterniond& target);

// Linear solves that the constraints of one step may take, both tasks together. The next step goes on from
// where they ended.
inline constexpr int kMostConstraintIterations = 20;

// What the last step left: redundant, contradictory and unreachable targets are met as well as can be.
struct ConstraintReport {
    double position_error = 0;     // the largest, m
    double orientation_error = 0;  // the largest, rad, 0 to π
    int iterations = 0;            // linear solves, at most kMostConstraintIterations
    double fraction = 1;  // of the correction that the energy budget allowed; below 1 the forces suit the
                          // targets badly, or the targets are out of reach
};

}  // namespace limber
