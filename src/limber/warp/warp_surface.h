// SPDX-License-Identifier: Apache-2.0
// The surface in floats, laid out for speed: u = R̃(Ψq)(Φq + Γz) and the normals R(Ψq)N⁰, or those of linear
// modes.
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

    // u = R̃(Ψp)(Φq + Γz) and N = R(Ψp)N⁰ where p is q or, a step late, the q before; linear, u = Φq and the
    // normals of that shape, with w = Ψp = Ψq. Without normals in the model out_normals becomes empty.
    // Allocates nothing once the outputs have their sizes, 3s entries each.       (7), (11), (18), (25)
    struct Coordinates {
        Eigen::VectorXf q, p;  // m entries
        Eigen::VectorXf z;     // k entries; not looked at for linear modes
    };
    void shape(const Coordinates& at, Warping warping, Eigen::VectorXf& out_displacement,
               Eigen::VectorXf& out_normals) const;

 private:
    template <Warping warping, bool with_normals>
    void fill(const Coordinates& at, float* displacement, float* normals) const;
    Eigen::Index block_floats() const;

    Eigen::Index vertices_, modes_, companions_;
    // Blocks of kBlock vertices: mode by mode, three components of Φ and three of Ψ, side by side for the
    // block; then, companion by companion, three components of Γ.
    std::vector<float> blocks_;
    std::vector<float> normals_;  // block by block, three components side by side; empty: none
};

}  // namespace limber
