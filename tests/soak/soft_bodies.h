// SPDX-License-Identifier: Apache-2.0
// Five small bodies, soft and rigid, of which scenes of many are made: for the soak, the pour and ./bench.
#pragma once
#include <limber/model/model.h>
#include <limber/world/world_body.h>

#include <Eigen/Geometry>
#include <memory>
#include <vector>

namespace limber::soak {

struct SmallBody {
    std::shared_ptr<const Model> model;
    Method method = Method::Stvk;
};

// A cube, a bar, a plate and a ball of soft rubber (E = 2e5 Pa, free, r = `rank`), and a rigid box; 4 to 12
// cm.
std::vector<SmallBody> small_bodies(int rank);

// A beam of 30 cm of the same rubber, held at x = 0, that runs as stvk and as warp.
std::shared_ptr<const Model> held_beam(int rank);

// A free body of one of them; damping as of rubber.
BodyDef free_body(const SmallBody& body, const Pose& pose, const Eigen::Vector3d& velocity = {0, 0, 0},
                  const Eigen::Vector3d& angular_velocity = {0, 0, 0});

// The bounds of all vertices of the surface, in the world.
Eigen::AlignedBox3d bounds_of(const WorldBody& body);

}  // namespace limber::soak
