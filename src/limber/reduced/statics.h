// SPDX-License-Identifier: Apache-2.0
// The shape of a reduced body in balance under a constant force: the minimum of V(q) - f·q.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/free_stvk_body.h>
#include <limber/reduced/stvk_body.h>
#include <limber/result.h>

#include <Eigen/Core>

namespace limber {

struct ReducedEquilibrium {
    Eigen::VectorXd q;  // r, zero where a coordinate is not in use
    bool converged = false;
    int iterations = 0;
    double residual = 0;  // |f - R(q)| / |f|
};

// f: r entries, N/√kg; gravity of the settings comes on top, in the body's axes. Newton's method from rest
// with a line search; where the stiffness is not positive definite it is shifted. Of a model without a
// problem (model_problem). Errors: settings or a force that a body would refuse.
Result<ReducedEquilibrium> reduced_equilibrium(const Model& model, StvkSettings settings,
                                               const Eigen::VectorXd& f);

// A stiffness for pulling at a vertex of the surface by a spring, N/m (integrate/pull_stiffness.h), with the
// compliance U_v K₁⁻¹ U_vᵀ at rest and the inverse mass U_v M̃⁻¹ U_vᵀ of the coordinates in use. Errors: no
// such vertex, a dt that is not positive.
Result<double> suggest_pull_stiffness(const StvkBody& body, int vertex, double dt);
// Of a free body: the same compliance, and the inverse mass of its rigid motion on top.
Result<double> suggest_pull_stiffness(const FreeStvkBody& body, int vertex, double dt);

}  // namespace limber
