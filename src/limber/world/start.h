// SPDX-License-Identifier: Apache-2.0
// Where a body starts: at given coordinates, or in balance under forces.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/result.h>
#include <limber/world/world_body.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

// q and q̇ as given, zero where they are empty; all else that the body remembers of earlier steps ends. On an
// error nothing changes; a rigid body has neither.
Status set_motion(AnyBody& body, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

struct Balance {
    Eigen::VectorXd q;
    StepReport report;  // converged = false: q is the best that was found
};
// The shape under gravity and these forces, world axes, of a body in a frame of that orientation.
Result<Balance> balance_under(const AnyBody& body, const Model& model, const Eigen::Quaterniond& orientation,
                              const std::vector<VertexForce>& forces);

}  // namespace limber
