// SPDX-License-Identifier: Apache-2.0
// The shape of a reduced body in balance under a constant force: the minimum of V(q) - f·q.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/stvk_body.h>

#include <Eigen/Core>

namespace limber::build {

struct ReducedEquilibrium {
    Eigen::VectorXd q;  // r, zero where a coordinate is not in use
    bool converged = false;
    int iterations = 0;
    double residual = 0;  // |f - R(q)| / |f|
};

// f: r entries, N/√kg; gravity of the settings comes on top. Newton's method downhill from rest: where the
// stiffness is not positive definite it is shifted.
ReducedEquilibrium reduced_equilibrium(const Model& model, const StvkSettings& settings,
                                       const Eigen::VectorXd& f);

}  // namespace limber::build
