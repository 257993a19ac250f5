// SPDX-License-Identifier: Apache-2.0
// What moves, and what a step in time says about itself.
#pragma once
#include <limber/words.h>

#include <Eigen/Core>

namespace limber {

// Displacement or reduced coordinates, with both derivatives in time.
struct Motion {
    Eigen::VectorXd u, v, a;
};
// The start of a step, which stays as it is: wherever the three are kept.
struct MotionView {
    const Eigen::VectorXd &u, &v, &a;
    MotionView(const Motion& motion) : u(motion.u), v(motion.v), a(motion.a) {}
    MotionView(const Eigen::VectorXd& of_u, const Eigen::VectorXd& of_v, const Eigen::VectorXd& of_a)
        : u(of_u), v(of_v), a(of_a) {}
};

// Why a step was refused.
enum class StepProblem {
    None,
    TimeStep,   // dt is not a positive number
    NotSolved,  // Newton's method did not meet its tolerance
    BlowUp,     // the motion left the finite numbers, or went farther than any body can
};
template <>
struct EnumWords<StepProblem> {
    static constexpr WordValue<StepProblem> kAll[] = {{"none", StepProblem::None},
                                                      {"time-step", StepProblem::TimeStep},
                                                      {"not-solved", StepProblem::NotSolved},
                                                      {"blow-up", StepProblem::BlowUp}};
};

struct StepReport {
    int iterations = 0;     // Newton's corrections
    double residual = 0;    // |f - M a - C v - R| over the largest of the four, at its last evaluation
    bool converged = true;  // false: the motion was left at the start of the step
    StepProblem problem = StepProblem::None;
    int linear_iterations = 0;  // of conjugate gradients, in all
    bool refactored = false;    // a matrix was factorised in this step
    int shifts = 0;             // Newton matrices that were not positive definite, and were shifted
    int line_searches = 0;      // corrections that were shortened
};

// What an earlier attempt at the same step cost, on top of `report`.
inline void add_work(const StepReport& earlier, StepReport& report) {
    report.iterations += earlier.iterations;
    report.linear_iterations += earlier.linear_iterations;
    report.refactored |= earlier.refactored;
    report.shifts += earlier.shifts;
    report.line_searches += earlier.line_searches;
}

}  // namespace limber
