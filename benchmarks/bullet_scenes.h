// SPDX-License-Identifier: Apache-2.0
// Scenes that limber and Bullet both play, and what is measured of them.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace limber::bench {

// A block of soft rubber, of bricks cut into six tetrahedra each.
struct SoftBlock {
    build::VolumeMesh mesh;  // about its centre
    double young = 1e5, poisson = 0.3, density = 1000, alpha = 0, beta = 1e-3;
    double friction = 0.5;
    double height = 0;                     // m, of its centre above the floor at the start
    Eigen::Vector3d gravity{0, 0, -9.81};  // tilted: a slope
    int modes = 20;                        // of reduced ones: linear modes, or the rank
};
SoftBlock soft_block();

// Ten boxes of 0.2 x 0.2 x 0.1 m and 4 kg, the topmost ten times as heavy, each a tenth of a millimetre above
// the last.
struct BoxStack {
    int count = 10;
    Eigen::Vector3d size{0.2, 0.2, 0.1};
    double density = 1000, heavy = 10, friction = 0.5, apart = 1e-4;
};

// A simulation, whoever makes it.
struct Player {
    std::function<void(double dt)> step;
    std::function<double()> energy;  // J, of motion, shape and height
    std::function<double()> lowest;  // m: the deepest of all below what carries it, negative: apart
    std::function<std::vector<Eigen::Vector3d>()> places;  // of the bodies' centres, m
};

struct Outcome {
    double step_us = 0;  // mean of all steps
    double deepest = 0;  // m, at any time
    double at_rest = 0;  // m, at the end
    double creep = 0;    // m/s, of the body that moves most, in the last two seconds
    double energy_gain =
        0;  // the largest energy over that at the start, less one, relative to what can be lost
};
// `lost`: J, the energy that the scene has to lose.
Outcome play(const Player& player, double seconds, double lost);

Player limber_block(const SoftBlock& block);
Player limber_stack(const BoxStack& stack);

enum class BulletBlock { Reduced, Deformable };
Player bullet_block(const SoftBlock& block, BulletBlock kind);
Player bullet_stack(const BoxStack& stack, int iterations);

}  // namespace limber::bench
