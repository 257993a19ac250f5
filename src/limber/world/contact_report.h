// SPDX-License-Identifier: Apache-2.0
// What is told of contact after a step.
#pragma once
#include <limber/world/input.h>

#include <Eigen/Core>
#include <cstddef>

namespace limber {

// One point, at the end of the step; forces and impulses are those on `a`, in world axes.
struct WorldContact {
    BodyId a;
    BodyId b;                                            // number 0: an obstacle or a device
    ObstacleId obstacle;                                 // number 0: a body or a device
    DeviceId device;                                     // number 0: a body or an obstacle
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   // from b to a
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();   // of the step, N s
    Eigen::Vector3d force = Eigen::Vector3d::Zero();     // its mean in the step, N
    double depth = 0;                                    // m; 0: apart
    double slip = 0;                                     // speed along the surface, m/s
};

// Of one body. One that sleeps keeps those of its last step; no points of it are listed.
struct BodyContacts {
    int points = 0;                                     // that push
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // of all of them in the step, N s
    Eigen::Vector3d force = Eigen::Vector3d::Zero();    // its mean in the step, N
    double depth = 0;                                   // the deepest, m
};

// Of the whole world in the last step.
struct ContactReport {
    bool enabled = false;
    double stiffness = 0;    // Pa/m: what was set, or chosen
    double margin = 0;       // m
    int points = 0;          // listed
    int touching = 0;        // that push
    int islands = 0;         // that were solved
    int asleep = 0;          // bodies
    int iterations = 0;      // of Newton's method, the most of any island
    int linearizations = 0;  // solves of the whole step: 1 to 3
    double residual = 0;     // the largest of any island
    double depth = 0;        // the deepest, m
    double speed_error = 0;  // the largest between a contact's predicted and real speed, m/s
    // Limits that were reached. Islands:
    int not_converged = 0;    // Newton's method did not
    int speeds_off = 0;       // the last linearisation left a speed_error above 10⁻³ margin/dt
    int radii_unsettled = 0;  // friction radii still changed by more than 1% at their last update
    int reverted = 0;         // a body refused its step in a later linearisation: that before it counts
    // Detection:
    std::size_t left_out = 0;   // contacts beyond the 20,000 deepest
    std::size_t cut_short = 0;  // pairs of bodies with more near triangles than are looked at
    std::size_t refused = 0;    // bodies and obstacles whose numbers are not finite
};

}  // namespace limber
