// SPDX-License-Identifier: Apache-2.0
// The shape of a warped body in balance under constant forces: Λq = Φᵀ R(Ψq)ᵀ F.
#pragma once
#include <limber/warp/warp_body.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace limber::build {

struct WarpedEquilibrium {
    Eigen::VectorXd q;
    bool converged = false;
    int iterations = 0;
    double change = 0;  // of the last iteration, relative to q
};

// Gravity of the settings comes on top of the forces; both in the axes of the frame.
WarpedEquilibrium warped_equilibrium(std::shared_ptr<const WarpModel> model, WarpSettings settings,
                                     const std::vector<VertexForce>& forces);

}  // namespace limber::build
