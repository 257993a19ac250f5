// SPDX-License-Identifier: Apache-2.0
// What all bodies of one warp model share: the model, and what is derived from it once.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/companions.h>
#include <limber/warp/energy_budget.h>
#include <limber/warp/warp_nodes.h>
#include <limber/warp/warp_surface.h>

#include <Eigen/Core>
#include <memory>

namespace limber {

struct SharedWarp {
    explicit SharedWarp(std::shared_ptr<const WarpModel> of_model);  // a sound one

    std::shared_ptr<const WarpModel> model;
    WarpSurface surface;
    WarpNodes nodes;
    Companions companions;
    SoftestRotation softest;
    Eigen::VectorXd reach;  // m: the most that a unit of each mode moves or rotates a vertex or node, 1/√kg
};

}  // namespace limber
