// SPDX-License-Identifier: Apache-2.0
// The shape of a warped body in balance under constant forces: Λq = Φᵀ R(Ψq)ᵀ F.
#pragma once
#include <limber/result.h>
#include <limber/warp/warp_body.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace limber {

struct WarpedEquilibrium {
    Eigen::VectorXd q;
    bool converged = false;
    int iterations = 0;
    double change = 0;  // of the last iteration, relative to q
};

// Gravity of the settings comes on top of the forces; both in the axes of the frame. Errors: what a body
// would refuse.
Result<WarpedEquilibrium> warped_equilibrium(std::shared_ptr<const WarpModel> model,
                                             const WarpSettings& settings,
                                             const std::vector<VertexForce>& forces);

// A stiffness for pulling at a vertex of the surface by a spring, N/m (integrate/pull_stiffness.h), with the
// compliance Φ_v Λ⁻¹ Φ_vᵀ and the inverse mass Φ_v Φ_vᵀ of the linear modes. Errors: no such vertex, a dt
// that is not positive.
Result<double> suggest_pull_stiffness(const WarpBody& body, int vertex, double dt);

}  // namespace limber
