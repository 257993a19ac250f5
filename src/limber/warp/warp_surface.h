// SPDX-License-Identifier: Apache-2.0
// The warped surface in floats, laid out for speed: u = R̃(Ψq)Φq and the normals R(Ψq)N. Frozen, shared by all
// bodies of a model.
#pragma once
#include <limber/warp/warp_model.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

class WarpSurface {
 public:
    explicit WarpSurface(const WarpModel& model);

    // 3s entries each; q has m entries. Without normals in the model out_normals becomes empty. Allocates
    // nothing once the outputs have their sizes.                                         (7), (11)
    void shape(const Eigen::VectorXf& q, Eigen::VectorXf& out_displacement,
               Eigen::VectorXf& out_normals) const;

 private:
    template <bool with_normals>
    void warp(const Eigen::VectorXf& q, float* displacement, float* normals) const;

    Eigen::Index vertices_, modes_;
    // Blocks of kBlock vertices: mode by mode, three components of Φ and three of Ψ, side by side for the
    // block.
    std::vector<float> blocks_;
    std::vector<float> normals_;  // block by block, three components side by side; empty: none
};

}  // namespace limber
