// SPDX-License-Identifier: Apache-2.0
// Boxes on a floor, for tests of contact.
#pragma once
#include "tests/limber/world/test_world.h"

#include <utility>

namespace limber::test {

inline const Eigen::Vector3d kDown{0, 0, -9.81};

inline ObstacleId added(World& world, ObstacleDef def) {
    Result<ObstacleId> made = world.add(std::move(def));
    if (!made.ok()) ADD_FAILURE() << made.error().where << ": " << made.error().problem;
    return made.ok() ? made.value() : ObstacleId{};
}

// z < 0 where it is not tilted.
inline ObstacleId add_floor(World& world, double tilt = 0, std::optional<double> friction = {}) {
    ObstacleDef def;
    def.name = "floor";
    def.shape = PlaneShape{};
    def.pose.orientation = Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY());
    def.friction = friction;
    return added(world, def);
}

struct BoxAt {
    Eigen::Vector3d size{0.2, 0.2, 0.1};
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  // of its centre
    Eigen::Quaterniond turned = Eigen::Quaterniond::Identity();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
    double density = 1000;
    Touch touch{};
};
inline BodyId add_box(World& world, const BoxAt& box) {
    BodyDef def;
    def.model = box_model(box.size);
    def.method = Method::Rigid;
    def.settings = RigidSettings{.density = box.density};
    def.pose = {box.place, box.turned};
    def.velocity = box.velocity;
    def.angular_velocity = box.spin;
    def.touch = box.touch;
    return added(world, std::move(def));
}

inline double mass_of(const World& world, BodyId id) {
    return std::get<RigidBody>(world.body(id)->kind()).mass();
}

inline void steps(World& world, int count, double dt = 1e-3) {
    for (int i = 0; i < count; ++i) {
        world.step(dt);
        ASSERT_EQ(world.report().not_converged, 0) << "step " << i;
        ASSERT_EQ(world.report().contact.not_converged, 0) << "step " << i;
    }
}

}  // namespace limber::test
