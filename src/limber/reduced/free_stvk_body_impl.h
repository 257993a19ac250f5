// SPDX-License-Identifier: Apache-2.0
// The inside of a free body; for the sources of this folder only.
#pragma once
#include "limber/reduced/free_step.h"
#include "limber/reduced/free_stvk_body.h"
#include "limber/reduced/small_cholesky.h"
#include "limber/reduced/stvk_body_impl.h"

#include <algorithm>
#include <optional>

namespace limber {

// As of StVK bodies: no body moves ten times its length in a step, or deforms by a thousand times its length.
inline constexpr double kFreeStepLengths = 10, kFreeStateLengths = 1000;

struct SharedFree {
    std::shared_ptr<const SharedStvk> stvk;
    std::shared_ptr<const FreeInertia> inertia;  // of all coordinates
};

struct FreeStvkBody::Data {
    std::shared_ptr<const SharedFree> shared;
    std::shared_ptr<const StvkSettings> settings;
    mutable FreeEquation equation;
    FreeState state;                 // r entries
    FreeState motion;                // the coordinates in use
    FreeState from, next;            // of the last trial, the coordinates in use
    FreeImpulse whole, share;        // of a trial, and of a part of it
    Eigen::VectorXd reduced_forces;  // r entries
    std::vector<VertexForce> forces;
    double step_limit = 0;
    double trial_dt = 0;
    bool has_trial = false, blew_up = false;
    HalfDrift drifted;
    Eigen::VectorXd drifted_q, contact_impulse;
    // For what is asked between steps.
    mutable Eigen::VectorXf q_float;
    mutable Eigen::MatrixXd stiffness;  // K₊
    mutable SmallCholesky<double> cholesky;

    Data(std::shared_ptr<const SharedFree> of, StvkSettings with, FreeEquation using_equation)
        : shared(std::move(of)),
          settings(std::make_shared<const StvkSettings>(std::move(with))),
          equation(std::move(using_equation)),
          cholesky(size()) {
        const Eigen::Index r = model().rank;
        state.q.setZero(r);
        state.v.setZero(r);
        reduced_forces.setZero(r);
        state.position = equation.inertia().centre;
        resize();
    }

    const Model& model() const { return *shared->stvk->model; }
    Eigen::Index size() const { return Eigen::Index(settings->coordinates.size()); }
    int coordinate(Eigen::Index i) const { return settings->coordinates[std::size_t(i)]; }

    // After new coordinates: scratch memory, and the state in what is in use.
    void resize() {
        const Eigen::Index n = size();
        for (FreeState* each : {&motion, &from, &next}) {
            each->q.setZero(n);
            each->v.setZero(n);
        }
        whole.reduced.setZero(n);
        share.reduced.setZero(n);
        q_float.setZero(n);
        contact_impulse.setZero(6 + n);
        stiffness.setZero(n, n);
        cholesky = SmallCholesky<double>(n);
        double longest = 0;
        for (Eigen::Index i = 0; i < n; ++i)
            longest = std::max(longest, shared->stvk->lengths[coordinate(i)]);
        step_limit = kFreeStepLengths * longest;
        load();
        state.q.setZero();
        state.v.setZero();
        store();
        has_trial = false;
    }
    void load() {
        static_cast<RigidState&>(motion) = state;
        for (Eigen::Index i = 0; i < size(); ++i) {
            motion.q[i] = state.q[coordinate(i)];
            motion.v[i] = state.v[coordinate(i)];
        }
    }
    void store() {
        static_cast<RigidState&>(state) = motion;
        for (Eigen::Index i = 0; i < size(); ++i) {
            state.q[coordinate(i)] = motion.q[i];
            state.v[coordinate(i)] = motion.v[i];
        }
    }
    // Finite, within the bounds of a body?
    bool is_contained(const FreeState& s) const;
    std::optional<InputError> motion_problem(const FreeState& s) const;
    Eigen::Vector3d spin() const { return equation.spin_of(motion).value_or(Eigen::Vector3d::Zero()); }
    // L of a spin in body axes, with the shape and its velocity.
    Eigen::Vector3d angular_momentum(const FreeState& s, const Eigen::Vector3d& spin) const;
    Status use(const FreeState& s);  // the coordinates in use
    void set_impulse(double dt, const Eigen::VectorXd* given);
    StepReport attempt(double dt, int parts);
    StepReport trial(double dt, const Eigen::VectorXd* impulse);
};

}  // namespace limber
