// SPDX-License-Identifier: Apache-2.0
// What a warped body is made of. For warp_body.cpp, which takes and checks what comes from outside, and
// warp_body_step.cpp, which moves it.
#pragma once
#include "limber/warp/companions.h"
#include "limber/warp/effort.h"
#include "limber/warp/warp_body.h"
#include "limber/warp/warp_nodes.h"
#include "limber/warp/warp_surface.h"

#include <memory>
#include <optional>
#include <vector>

namespace limber {

struct WarpBody::Impl {
    using Vector3d = Eigen::Vector3d;
    using VectorXd = Eigen::VectorXd;

    Impl(std::shared_ptr<const WarpModel> of_model, const WarpSettings& with);
    void use_settings();
    void use_frame();
    StepReport step(double dt);

    bool warped() const { return settings.warping != Warping::Linear; }
    // What turns the vertices in the next step, and those that are shown.
    const VectorXd& turns() const { return warped() ? state.q : zero; }
    const VectorXd& shown_turns() const {
        return constraint_solver && constraint_solver->constraints().method == PositionMethod::Previous
                   ? start_q
                   : state.q;
    }

    const VectorXd& shown_amplitudes();

    static Vector3d times(const WarpRows& rows, Eigen::Index vertex, const VectorXd& q) {
        Vector3d sum = Vector3d::Zero();
        const double* row = rows.data() + 3 * vertex * rows.cols();
        for (int c = 0; c < 3; ++c, row += rows.cols())
            for (Eigen::Index i = 0; i < rows.cols(); ++i)
                sum[c] += row[i] * q[i];
        return sum;
    }

    // Parts of step().
    void set_load(double dt);
    bool within_bounds(const VectorXd& q, const VectorXd& v) const;
    void take_surplus_back();
    void constrain(double dt);
    std::optional<double> speed_of_wanted(double dt, double allowed);
    int choose_calmer(double dt, double allowed, std::optional<double>& speed);
    int search();
    void crumple(double turn);
    double take_share(double dt, double limit);

    std::shared_ptr<const WarpModel> model;
    std::shared_ptr<const WarpSurface> surface;
    std::shared_ptr<const WarpNodes> nodes;
    std::shared_ptr<const Companions> companions;
    CompanionsAt shown_companions;
    WarpSettings settings;
    VectorXd eigenvalues;  // with the scales of the settings
    WarpState state;
    VectorXd start_q;  // q before the last step
    VectorXd zero;     // m zeros
    FrameMotion frame;
    InertialField field;  // of the frame and gravity
    bool inertia_acts = false;
    std::vector<VertexForce> forces;
    VectorXd modal_force;
    std::optional<ConstraintSolver> constraint_solver;
    SoftestTurn softest;
    std::optional<Effort> effort;  // with the constraint_solver
    ConstraintReport constraint_report;

    VectorXd reach;
    OscillatorCoefficients coefficients;
    double coefficients_dt = 0;  // 0: not computed
    VectorXd load, coriolis_load, next_q, next_v, work;
    double next_surplus = 0;
    VectorXd first_q, wanted_q, wanted_v, found_q, bent_q;  // of constrain()
    int crumples = 0;                                       // since the targets were named
    int missed = 0;                                         // steps in a row that left the first task unmet
    WarpSurface::Coordinates coordinates;
};

}  // namespace limber
