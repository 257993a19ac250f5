// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/shared_warp.h"

#include <numbers>
#include <utility>

namespace limber {
namespace {

Eigen::VectorXd reach_of(const WarpModel& model) {
    Eigen::VectorXd reach = Eigen::VectorXd::Zero(model.modes());
    for (const WarpRows* rows :
         {&model.node_modes, &model.node_rotations, &model.surface_modes, &model.surface_rotations})
        if (rows->size() > 0) reach = reach.cwiseMax(rows->cwiseAbs().colwise().maxCoeff().transpose());
    return std::numbers::sqrt3 * reach;  // three components
}

}  // namespace

SharedWarp::SharedWarp(std::shared_ptr<const WarpModel> of_model)
    : model(std::move(of_model)),
      surface(*model),
      nodes(*model),
      companions(*model),
      softest(softest_rotation(*model)),
      reach(reach_of(*model)) {}

}  // namespace limber
