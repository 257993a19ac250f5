// SPDX-License-Identifier: Apache-2.0
// The surface in floats, laid out for speed: u = R̃(Ψq)Φq and the normals R(Ψq)N⁰, or those of linear modes.
// Frozen, shared by all bodies of a model.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/warp/warping.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

class WarpSurface {
 public:
    explicit WarpSurface(const WarpModel& model);

    // u = R̃(Ψp)Φq and N = R(Ψp)N⁰ where p is q or, a step late, the q before; linear, u = Φq and the normals
    // of that shape, with w = Ψp = Ψq. 3s entries each; q and p have m. Without normals in the model
    // out_normals becomes empty. Allocates nothing once the outputs have their sizes.  (7), (11), (18)
    void shape(const Eigen::VectorXf& q, const Eigen::VectorXf& p, Warping warping,
               Eigen::VectorXf& out_displacement, Eigen::VectorXf& out_normals) const;

 private:
    template <Warping warping, bool with_normals>
    void fill(const Eigen::VectorXf& q, const Eigen::VectorXf& p, float* displacement, float* normals) const;

    Eigen::Index vertices_, modes_;
    // Blocks of kBlock vertices: mode by mode, three components of Φ and three of Ψ, side by side for the
    // block.
    std::vector<float> blocks_;
    std::vector<float> normals_;  // block by block, three components side by side; empty: none
};

}  // namespace limber
