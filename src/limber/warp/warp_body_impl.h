// SPDX-License-Identifier: Apache-2.0
// What a warped body is made of. For warp_body.cpp, which takes and checks what comes from outside, and
// warp_body_step.cpp, which moves it.
#pragma once
#include "limber/warp/constraint_solver.h"
#include "limber/warp/energy_budget.h"
#include "limber/warp/shared_warp.h"
#include "limber/warp/warp_body.h"

#include <memory>
#include <optional>
#include <vector>

namespace limber {

struct WarpBody::Impl {
    using Vector3d = Eigen::Vector3d;
    using VectorXd = Eigen::VectorXd;

    Impl(std::shared_ptr<const SharedWarp> with_shared, const WarpSettings& with);
    void use_settings();
    void use_frame();
    StepReport trial(double dt, const VectorXd* impulse);
    void commit();

    const WarpModel& model() const { return *shared->model; }
    bool warped() const { return settings.warping != Warping::Linear; }
    // q of the rotations that the next step begins with, and of those that are shown.
    const VectorXd& load_q() const { return warped() ? state.q : zero; }
    const VectorXd& shown_q() const {
        return constraint_solver && constraint_solver->constraints().positions_by == PositionMethod::Previous
                   ? state.previous_q
                   : state.q;
    }
    const VectorXd& shown_amplitudes();
    void set_state(const WarpState& with);  // a sound one; fills in what it leaves empty
    void begin_constraints();               // new ones: state and next get their sizes
    void follow_rotations();                // from q

    static Vector3d times(const WarpRows& rows, Eigen::Index vertex, const VectorXd& q) {
        Vector3d sum = Vector3d::Zero();
        const double* row = rows.data() + 3 * vertex * rows.cols();
        for (int c = 0; c < 3; ++c, row += rows.cols())
            for (Eigen::Index i = 0; i < rows.cols(); ++i)
                sum[c] += row[i] * q[i];
        return sum;
    }

    // The half-drifted shape, for contact, and that at which springs pull.
    void drift(double seconds);
    struct LinearShape {
        Vector3d w, y;
    };
    LinearShape drifted_shape(int vertex) const;
    // out += axes ∂u/∂q there
    void add_drifted_rows(int vertex, const Eigen::Matrix3d& axes, Eigen::Ref<Eigen::Matrix3Xd> out) const;
    void pull(int vertex, const Vector3d& target, double stiffness, double dt);

    // Parts of trial().
    void set_load(double dt, const VectorXd* impulse);
    bool within_bounds(const VectorXd& q, const VectorXd& v) const;
    void take_surplus_back();
    void constrain(double dt);

    std::shared_ptr<const SharedWarp> shared;
    CompanionsAt shown_companions;
    WarpSettings settings;
    VectorXd eigenvalues;  // with the scales of the settings
    WarpState state;
    VectorXd zero;  // m zeros
    FrameMotion frame;
    InertialField field;  // of the frame and gravity
    bool inertia_acts = false;
    std::vector<VertexForce> forces;
    VectorXd modal_force;
    std::optional<ConstraintSolver> constraint_solver;
    std::optional<EnergyBudget> energy_budget;  // with the constraint_solver
    ConstraintReport constraint_report;

    OscillatorCoefficients coefficients;
    double coefficients_dt = 0;  // 0: not computed
    VectorXd load, coriolis_load, work;
    VectorXd constrained_q, dq;  // of constrain()
    // The end of the last trial.
    enum class Trial { None, Moves, Stops };
    Trial outcome = Trial::None;
    WarpState next;
    ConstraintReport next_report;
    VectorXd companion_rate;  // k, dz/dt
    // Of drift().
    VectorXd drifted_q, drifted_z;
    Eigen::MatrixXd drifted_slopes;  // dz/dq, k x m
    double trial_dt = 0;             // s
    Eigen::Matrix3Xd spring_rows;
    WarpSurface::Coordinates coordinates;
};

}  // namespace limber
